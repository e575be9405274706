// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "device",
    dependencies: [.package(name: "detent", path: "../../..", traits: ["Embedded"])],
    targets: [
        .target(name: "CArena"),
        .executableTarget(
            name: "Device",
            dependencies: ["CArena", .product(name: "DetentCore", package: "detent")],
            swiftSettings: [
                .enableExperimentalFeature("Embedded"), .enableExperimentalFeature("Extern"),
            ]),
    ]
)
