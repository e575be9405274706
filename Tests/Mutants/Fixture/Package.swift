// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "fixture",
    targets: [
        .target(name: "Fixture"),
        .testTarget(name: "FixtureTests", dependencies: ["Fixture"]),
    ]
)
