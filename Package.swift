// swift-tools-version: 6.2

import PackageDescription

/// Swift 6.2 does not know this group of warnings, and says so with one of its own.
#if compiler(>=6.3)
    let restrictions: [SwiftSetting] = [.treatWarning("EmbeddedRestrictions", as: .error)]
#else
    let restrictions: [SwiftSetting] = []
#endif

/// The modules that also run on a bare microcontroller and in a browser.
let embeddable: [SwiftSetting] =
    [
        .enableExperimentalFeature("Embedded", .when(traits: ["Embedded"])),
        .treatAllWarnings(as: .error, .when(configuration: .debug)),
        .enableUpcomingFeature("ExistentialAny"),
    ] + restrictions

/// Warnings stop a build of those who develop, and never one of those who install.
let moduleSettings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error, .when(configuration: .debug)),
]

/// What `Packaging/commit` printed, if the build says it; other texts are no commit.
let commit = (Context.environment["DETENT_COMMIT"] ?? "")
    .filter { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "+") }

let package = Package(
    name: "detent",
    products: [
        .executable(name: "detent", targets: ["detent"]),
        .library(name: "DetentCore", targets: ["DetentTypes", "DetentCore"]),
        .library(
            name: "DetentServer",
            targets: [
                "DetentTypes", "DetentPlatform", "DetentHAL", "DetentPanel", "DetentWorld",
                "DetentRuntime", "DetentServer", "DetentClient",
            ]),
    ],
    traits: [
        .trait(
            name: "Embedded",
            description: "Build DetentTypes and DetentCore with Embedded Swift")
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    ],
    targets: [
        .target(name: "DetentTypes", path: "Sources/Core/DetentTypes", swiftSettings: embeddable),
        .target(
            name: "DetentCore", dependencies: ["DetentTypes"], path: "Sources/Core/DetentCore",
            swiftSettings: embeddable),
        .testTarget(
            name: "DetentTypesTests", dependencies: ["DetentTypes", "TestSupport"],
            path: "Tests/Core/DetentTypesTests", swiftSettings: moduleSettings),
        .testTarget(
            name: "DetentCoreTests", dependencies: ["DetentTypes", "DetentCore", "TestSupport"],
            path: "Tests/Core/DetentCoreTests", swiftSettings: moduleSettings),
        .target(name: "CPlatform", path: "Sources/Hardware/CPlatform"),
        .target(
            name: "DetentPlatform", dependencies: ["DetentTypes", "CPlatform"],
            path: "Sources/Hardware/DetentPlatform", swiftSettings: moduleSettings),
        .target(
            name: "DetentHAL", dependencies: ["DetentTypes"], path: "Sources/Hardware/DetentHAL",
            swiftSettings: moduleSettings),
        .target(
            name: "CGPIOD", path: "Sources/Hardware/CGPIOD",
            linkerSettings: [.linkedLibrary("gpiod")]),
        .target(
            name: "DetentGPIOD",
            dependencies: ["DetentTypes", "DetentPlatform", "DetentHAL", "CGPIOD"],
            path: "Sources/Hardware/DetentGPIOD", swiftSettings: moduleSettings),
        .target(name: "CInput", path: "Sources/Hardware/CInput"),
        .target(
            name: "DetentDevices",
            dependencies: ["DetentTypes", "DetentPlatform", "DetentHAL", "CInput"],
            path: "Sources/Hardware/DetentDevices", swiftSettings: moduleSettings),
        .target(
            name: "CGuardian", dependencies: ["CPlatform", "CProcess", "CGPIOD"],
            path: "Sources/Runtime/CGuardian"),
        .target(
            name: "DetentGuardian",
            dependencies: ["DetentTypes", "DetentPlatform", "CGuardian"],
            path: "Sources/Runtime/DetentGuardian", swiftSettings: moduleSettings),
        .systemLibrary(
            name: "CYAML", path: "Sources/Panel/CYAML", providers: [.apt(["libyaml-dev"])]),
        .target(name: "CBoards", path: "Sources/Panel/CBoards"),
        .target(name: "CRules", path: "Sources/Panel/CRules"),
        .target(
            name: "DetentPanel",
            dependencies: [
                "DetentTypes", "DetentCore", "DetentHAL", "CYAML", "CBoards", "CRules", "CInput",
            ],
            path: "Sources/Panel/DetentPanel", swiftSettings: moduleSettings),
        .target(
            name: "DetentFace", dependencies: ["DetentTypes", "DetentCore", "DetentPanel"],
            path: "Sources/Panel/DetentFace", swiftSettings: moduleSettings),
        .target(name: "CBounce", path: "Sources/Simulation/CBounce"),
        .target(
            name: "DetentWorld",
            dependencies: [
                "DetentTypes", "DetentCore", "DetentPlatform", "DetentHAL", "DetentPanel",
                "CBounce",
            ],
            path: "Sources/Simulation/DetentWorld", swiftSettings: moduleSettings),
        .systemLibrary(
            name: "CZlib", path: "Sources/Runtime/CZlib", providers: [.apt(["zlib1g-dev"])]),
        .target(
            name: "DetentTrace", dependencies: ["DetentTypes", "CZlib"],
            path: "Sources/Runtime/DetentTrace", swiftSettings: moduleSettings),
        .target(name: "CProcess", dependencies: ["CPlatform"], path: "Sources/Runtime/CProcess"),
        .target(
            name: "DetentActions",
            dependencies: ["DetentTypes", "DetentPlatform", "CInput", "CPlatform", "CProcess"],
            path: "Sources/Runtime/DetentActions", swiftSettings: moduleSettings),
        .target(name: "CSQLite", path: "Sources/Runtime/CSQLite"),
        .target(
            name: "DetentHistory", dependencies: ["DetentTypes", "CSQLite"],
            path: "Sources/Runtime/DetentHistory", swiftSettings: moduleSettings),
        .target(
            name: "FragileDisk", path: "Tests/Support/FragileDisk"),
        .executableTarget(
            name: "detent-history-writer", dependencies: ["DetentHistory"],
            path: "Tests/Support/HistoryWriter", swiftSettings: moduleSettings),
        .testTarget(
            name: "DetentHistoryTests",
            dependencies: [
                "DetentTypes", "DetentHistory", "FragileDisk", "detent-history-writer",
                "TestSupport",
            ],
            path: "Tests/Runtime/DetentHistoryTests", swiftSettings: moduleSettings),
        .target(
            name: "DetentRuntime",
            dependencies: [
                "DetentTypes", "DetentCore", "DetentPlatform", "DetentHAL", "DetentPanel",
                "DetentActions", "DetentTrace", "DetentHistory",
            ],
            path: "Sources/Runtime/DetentRuntime", swiftSettings: moduleSettings),
        .target(
            name: "DetentScenario",
            dependencies: [
                "DetentTypes", "DetentCore", "DetentPlatform", "DetentHAL", "DetentPanel",
                "DetentWorld", "DetentActions", "DetentTrace", "DetentRuntime",
            ],
            path: "Sources/Simulation/DetentScenario", swiftSettings: moduleSettings),
        .target(
            name: "DetentSoak",
            dependencies: [
                "DetentTypes", "DetentCore", "DetentHAL", "DetentPanel", "DetentWorld",
                "DetentScenario",
            ],
            path: "Sources/Lab/DetentSoak", swiftSettings: moduleSettings),
        .target(
            name: "DetentBench", dependencies: ["DetentTypes", "DetentPanel", "DetentWorld"],
            path: "Sources/Simulation/DetentBench", swiftSettings: moduleSettings),
        .testTarget(
            name: "DetentBenchTests",
            dependencies: [
                "DetentTypes", "DetentPanel", "DetentWorld", "DetentBench", "TestSupport",
            ],
            path: "Tests/Simulation/DetentBenchTests", swiftSettings: moduleSettings),
        .target(name: "CWall", dependencies: ["CPlatform"], path: "Sources/Runtime/CWall"),
        .target(
            name: "DetentWall",
            dependencies: [
                "DetentTypes", "DetentCore", "DetentPlatform", "DetentPanel", "DetentActions",
                "DetentRuntime", "CInput", "CWall",
            ],
            path: "Sources/Runtime/DetentWall", swiftSettings: moduleSettings),
        .testTarget(
            name: "DetentWallTests",
            dependencies: [
                "DetentTypes", "DetentCore", "DetentPlatform", "DetentPanel", "DetentActions",
                "DetentRuntime", "DetentWall", "CWall", "TestSupport",
            ],
            path: "Tests/Runtime/DetentWallTests", swiftSettings: moduleSettings),
        .target(name: "CPage", path: "Sources/Reach/CPage"),
        .target(
            name: "DetentServer",
            dependencies: [
                "DetentTypes", "DetentCore", "DetentPlatform", "DetentPanel", "DetentFace",
                "DetentWorld", "DetentRuntime", "DetentWall", "CWall", "CPage", "CZlib",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOWebSocket", package: "swift-nio"),
            ],
            path: "Sources/Reach/DetentServer", swiftSettings: moduleSettings),
        .target(name: "CMosquitto", path: "Sources/Reach/CMosquitto"),
        .target(
            name: "DetentMQTT",
            dependencies: [
                "DetentTypes", "DetentCore", "DetentPlatform", "DetentPanel", "DetentActions",
                "DetentRuntime", "DetentWall", "CWall", "CMosquitto",
            ],
            path: "Sources/Reach/DetentMQTT", swiftSettings: moduleSettings),
        .testTarget(
            name: "DetentMQTTTests",
            dependencies: [
                "DetentTypes", "DetentCore", "DetentPlatform", "DetentPanel", "DetentActions",
                "DetentRuntime", "DetentWall", "DetentScenario", "DetentSimulator", "DetentMQTT",
                "DetentFleet", "FreePorts", "Certificates", "TestSupport",
            ],
            path: "Tests/Reach/DetentMQTTTests", swiftSettings: moduleSettings),
        .target(
            name: "DetentLanguage",
            dependencies: ["DetentTypes", "DetentPanel", "DetentWorld", "DetentScenario"],
            path: "Sources/Reach/DetentLanguage", swiftSettings: moduleSettings),
        .testTarget(
            name: "DetentLanguageTests",
            dependencies: [
                "DetentTypes", "DetentPanel", "DetentLanguage", "TestSupport",
            ],
            path: "Tests/Reach/DetentLanguageTests", swiftSettings: moduleSettings),
        .target(
            name: "DetentFleet",
            dependencies: [
                "DetentTypes", "DetentCore", "DetentPlatform", "DetentPanel", "DetentWorld",
                "DetentRuntime", "DetentScenario", "DetentMQTT",
            ],
            path: "Sources/Lab/DetentFleet", swiftSettings: moduleSettings),
        .testTarget(
            name: "DetentFleetTests",
            dependencies: [
                "DetentTypes", "DetentCore", "DetentPlatform", "DetentPanel", "DetentRuntime",
                "DetentFleet", "TestSupport",
            ],
            path: "Tests/Lab/DetentFleetTests", swiftSettings: moduleSettings),
        .target(
            name: "DetentClient",
            dependencies: [
                "DetentTypes", "DetentPlatform", "DetentPanel",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOWebSocket", package: "swift-nio"),
            ],
            path: "Sources/Reach/DetentClient", swiftSettings: moduleSettings),
        .testTarget(
            name: "DetentClientTests",
            dependencies: [
                "DetentTypes", "DetentPanel", "DetentClient",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOWebSocket", package: "swift-nio"), "TestSupport",
            ],
            path: "Tests/Reach/DetentClientTests", swiftSettings: moduleSettings),
        .target(
            name: "DetentSimulator",
            dependencies: [
                "DetentTypes", "DetentCore", "DetentPlatform", "DetentHAL", "DetentPanel",
                "DetentWorld", "DetentActions", "DetentTrace", "DetentRuntime", "DetentScenario",
            ],
            path: "Sources/Simulation/DetentSimulator", swiftSettings: moduleSettings),
        .testTarget(
            name: "DetentServerTests",
            dependencies: [
                "DetentTypes", "DetentCore", "DetentPlatform", "DetentPanel", "DetentRuntime",
                "DetentWall", "DetentServer", "DetentWorld", "DetentScenario",
                "TestPanels", "FreePorts",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOWebSocket", package: "swift-nio"), "TestSupport",
            ],
            path: "Tests/Reach/DetentServerTests", swiftSettings: moduleSettings),
        .testTarget(
            name: "DetentSimulatorTests",
            dependencies: [
                "DetentTypes", "DetentCore", "DetentPlatform", "DetentHAL", "DetentPanel",
                "DetentWorld", "DetentActions", "DetentTrace", "DetentRuntime",
                "DetentScenario", "DetentSimulator", "TestPanels", "TestSupport",
            ],
            path: "Tests/Simulation/DetentSimulatorTests", swiftSettings: moduleSettings),
        .testTarget(
            name: "DetentScenarioTests",
            dependencies: [
                "DetentTypes", "DetentCore", "DetentHAL", "DetentPanel", "DetentWorld",
                "DetentActions", "DetentPlatform", "DetentTrace", "DetentRuntime", "DetentScenario",
                "TestSupport", "TestPanels",
            ],
            path: "Tests/Simulation/DetentScenarioTests", exclude: ["Fixtures"],
            swiftSettings: moduleSettings),
        .testTarget(
            name: "DetentPanelTests",
            dependencies: [
                "DetentTypes", "DetentCore", "DetentHAL", "DetentPanel", "TestPanels",
                "TestSupport",
            ],
            path: "Tests/Panel/DetentPanelTests", exclude: ["Fixtures"],
            swiftSettings: moduleSettings),
        .target(
            name: "CCommit",
            path: "Sources/Program/CCommit",
            cSettings: commit.isEmpty ? [] : [.define("DETENT_COMMIT", to: "\"\(commit)\"")]),
        // Stands for Foundation in programs that are installed: Packaging/options.sh.
        .target(
            name: "FoundationStandIn", path: "Packaging/Foundation", swiftSettings: moduleSettings),
        .target(
            name: "DetentCommand",
            dependencies: [
                "FoundationStandIn", "CCommit", "DetentTypes", "DetentPlatform", "DetentPanel",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Sources/Program/DetentCommand", swiftSettings: moduleSettings),
        .executableTarget(
            name: "detent-lab",
            dependencies: [
                "DetentTypes", "DetentCore", "DetentPlatform", "DetentPanel", "DetentScenario",
                "DetentSoak", "DetentFleet", "DetentCommand",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Sources/Lab/detent-lab", swiftSettings: moduleSettings),
        .executableTarget(
            name: "detent",
            dependencies: [
                "FoundationStandIn",
                "DetentTypes", "DetentCore", "DetentPlatform", "DetentHAL", "DetentGPIOD",
                "DetentDevices",
                "DetentGuardian", "DetentWorld",
                "DetentTrace", "DetentPanel", "DetentActions", "DetentRuntime",
                "DetentScenario", "DetentWall", "DetentServer", "DetentMQTT", "DetentSimulator",
                "DetentClient", "DetentCommand", "DetentFace", "DetentBench", "DetentHistory",
                "DetentLanguage",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Sources/Program/detent", swiftSettings: moduleSettings),
        .testTarget(
            name: "DetentFaceTests",
            dependencies: [
                "DetentTypes", "DetentCore", "DetentPanel", "DetentFace", "TestSupport",
            ],
            path: "Tests/Panel/DetentFaceTests", swiftSettings: moduleSettings),
        .testTarget(
            name: "DetentWorldTests",
            dependencies: [
                "DetentTypes", "DetentCore", "DetentHAL", "DetentHALTesting", "DetentPanel",
                "DetentWorld", "SimulatedLines", "TestPanels", "TestSupport",
            ],
            path: "Tests/Simulation/DetentWorldTests", swiftSettings: moduleSettings),
        .testTarget(
            name: "SimulationTests",
            dependencies: [
                "DetentTypes", "DetentCore", "DetentPanel", "DetentWorld", "DetentScenario",
                "DetentHAL", "DetentSoak", "TestSupport", "TestPanels",
            ],
            path: "Tests/Simulation/SimulationTests", swiftSettings: moduleSettings),
        .testTarget(
            name: "DetentActionsTests",
            dependencies: [
                "DetentTypes", "DetentPlatform", "DetentActions", "Processes", "Certificates",
                "TestSupport",
            ],
            path: "Tests/Runtime/DetentActionsTests", swiftSettings: moduleSettings),
        .testTarget(
            name: "DetentTraceTests",
            dependencies: ["DetentTypes", "DetentTrace", "CZlib", "TestSupport"],
            path: "Tests/Runtime/DetentTraceTests", swiftSettings: moduleSettings),
        .target(
            name: "DetentHALTesting", dependencies: ["DetentTypes", "DetentHAL"],
            path: "Tests/Support/DetentHALTesting", swiftSettings: moduleSettings),
        .target(
            name: "SimulatedLines",
            dependencies: [
                "DetentTypes", "DetentCore", "DetentHAL", "DetentHALTesting", "DetentPanel",
                "DetentWorld",
            ],
            path: "Tests/Support/SimulatedLines", swiftSettings: moduleSettings),
        .target(
            name: "TestSupport", path: "Tests/Support/TestSupport", swiftSettings: moduleSettings),
        .target(
            name: "TestPanels", dependencies: ["DetentTypes", "DetentCore", "DetentPanel"],
            path: "Tests/Support/TestPanels", swiftSettings: moduleSettings),
        .testTarget(
            name: "DetentHALTests",
            dependencies: [
                "DetentTypes", "DetentHAL", "DetentHALTesting", "SimulatedLines", "TestSupport",
            ],
            path: "Tests/Hardware/DetentHALTests", swiftSettings: moduleSettings),
        .testTarget(
            name: "DetentGPIODTests",
            dependencies: ["DetentTypes", "DetentHAL", "DetentGPIOD", "CGPIOD", "TestSupport"],
            path: "Tests/Hardware/DetentGPIODTests", swiftSettings: moduleSettings),
        .testTarget(
            name: "DetentDevicesTests",
            dependencies: ["DetentTypes", "DetentHAL", "DetentDevices", "TestSupport"],
            path: "Tests/Hardware/DetentDevicesTests", swiftSettings: moduleSettings),
        .testTarget(
            name: "DetentPlatformTests",
            dependencies: ["DetentTypes", "DetentPlatform", "TestSupport"],
            path: "Tests/Hardware/DetentPlatformTests", swiftSettings: moduleSettings),
        .testTarget(
            name: "DetentRuntimeTests",
            dependencies: [
                "DetentTypes", "DetentCore", "DetentPlatform", "DetentHAL", "DetentPanel",
                "DetentWorld", "DetentActions", "DetentRuntime", "DetentHistory", "DetentTrace",
                "TestSupport",
            ],
            path: "Tests/Runtime/DetentRuntimeTests", swiftSettings: moduleSettings),
        // It runs the built program.
        .target(
            name: "Processes", path: "Tests/Support/Processes", swiftSettings: moduleSettings),
        .target(
            name: "Certificates", path: "Tests/Support/Certificates",
            swiftSettings: moduleSettings),
        .target(
            name: "FreePorts", path: "Tests/Support/FreePorts", swiftSettings: moduleSettings),
        .testTarget(
            name: "CommandTests",
            dependencies: ["detent", "detent-lab", "FreePorts", "Processes", "TestSupport"],
            path: "Tests/Program/CommandTests", swiftSettings: moduleSettings),
        .target(name: "KernelAllocations", path: "Tests/Kernel/Allocations"),
        .testTarget(
            name: "TidyTests", dependencies: ["TestSupport"], swiftSettings: moduleSettings),
        // Gives damaged inputs to readers, for Tests/Fuzz/readers.
        // A kind of control that only the tests have.
        .target(
            name: "CounterKind", dependencies: ["DetentTypes", "DetentCore", "DetentPanel"],
            path: "Tests/NewKind/CounterKind", swiftSettings: moduleSettings),
        .executableTarget(
            name: "new-kind-panel",
            dependencies: [
                "CounterKind", "DetentTypes", "DetentPlatform", "DetentPanel", "DetentRuntime",
                "DetentServer", "DetentSimulator", "DetentWorld",
            ],
            path: "Tests/NewKind/Program", swiftSettings: moduleSettings),
        .testTarget(
            name: "NewKindTests",
            dependencies: [
                "CounterKind", "new-kind-panel", "DetentTypes", "DetentCore", "DetentPanel",
                "DetentScenario", "DetentMQTT", "DetentServer", "DetentSoak", "TestSupport",
            ],
            path: "Tests/NewKind/Tests", swiftSettings: moduleSettings),
        .executableTarget(
            name: "detent-fuzz",
            dependencies: [
                "DetentTypes", "DetentCore", "DetentActions", "DetentPanel", "DetentWorld",
                "DetentTrace", "DetentHistory", "DetentRuntime", "DetentScenario", "DetentMQTT",
                "DetentLanguage", "CFuzzGuide",
            ],
            path: "Tests/Fuzz/Readers", swiftSettings: moduleSettings),
        .target(name: "CFuzzGuide", path: "Tests/Fuzz/Guide"),
        // Compiles panels for machines that read no YAML, for Tests/Embedded and the gallery.
        .executableTarget(
            name: "detent-embed",
            dependencies: [
                "DetentTypes", "DetentCore", "DetentPanel", "DetentRuntime", "DetentScenario",
            ],
            path: "Tests/Embedded",
            exclude: [
                "check", "cortex-m", "CArena", "device", "host", "module", "record", "run.mjs",
                "toolset-wasm.json", "Shared/Script.swift",
            ],
            sources: ["Export", "Shared"], swiftSettings: moduleSettings),
        .target(
            name: "KernelSupport", dependencies: ["DetentTypes"], path: "Tests/Kernel/Support",
            swiftSettings: moduleSettings),
        .executableTarget(
            name: "detent-kernel-tests",
            dependencies: [
                "DetentTypes", "DetentHAL", "DetentHALTesting", "DetentGPIOD", "DetentDevices",
                "KernelSupport",
                "KernelAllocations",
            ],
            path: "Tests/Kernel/Runner", swiftSettings: moduleSettings),
        .executableTarget(
            name: "detent-end-to-end", dependencies: ["DetentTypes", "KernelSupport"],
            path: "Tests/Kernel/EndToEnd", swiftSettings: moduleSettings),
        // Plays scenarios in virtual time and by the real program, and compares.
        .executableTarget(
            name: "detent-worlds",
            dependencies: [
                "DetentTypes", "DetentCore", "DetentPlatform", "DetentHAL", "DetentPanel",
                "DetentWorld", "DetentActions", "DetentRuntime", "DetentScenario", "DetentSoak",
                "KernelSupport", "detent-stand-in",
            ],
            path: "Tests/Kernel/Worlds", exclude: ["Scenarios"], swiftSettings: moduleSettings),
        .executableTarget(name: "detent-stand-in", path: "Tests/Kernel/StandIn"),
    ]
)

// `DETENT_TEST_MODULES=DetentPanelTests,TidyTests Tests/build --build-tests` builds these alone.
if let only = Context.environment["DETENT_TEST_MODULES"]?.split(separator: ",").map(String.init) {
    let tools = ["detent-kernel-tests", "detent-end-to-end", "detent-worlds", "detent-fuzz"]
    package.targets.removeAll {
        $0.type == .test && !only.contains($0.name) || tools.contains($0.name)
    }
}
