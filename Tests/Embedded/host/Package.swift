// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "host",
    dependencies: [.package(name: "detent", path: "../../..")],
    targets: [
        .target(name: "CArena"),
        .executableTarget(
            name: "Host",
            dependencies: ["CArena", .product(name: "DetentCore", package: "detent")]),
    ]
)
