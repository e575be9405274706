// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "benchmarks",
    dependencies: [.package(name: "detent", path: "..")],
    targets: [
        .target(name: "Recording", path: "Recording"),
        .executableTarget(
            name: "floor", dependencies: ["Recording"], path: "Floor",
            sources: ["core.c", "core-run.c"]),
        .executableTarget(
            name: "core",
            dependencies: ["Recording", .product(name: "DetentCore", package: "detent")],
            path: "Core"),
        .executableTarget(
            name: "pages",
            dependencies: [.product(name: "DetentServer", package: "detent")], path: "Pages"),
    ]
)
