import TestSupport
import Testing

@Suite struct ImportTests {
    @Test(arguments: ImportRules.all.map(\.room))
    func arrowsOfTheHouseHold(room: String) {
        let files = SourceTree.swift.filter { $0.path.hasPrefix("Sources/") && $0.room == room }
        #expect(!files.isEmpty, "ImportRules names \(room), and there is no such room")
        for violation in files.flatMap(ImportRules.violations) { Issue.record("\(violation)") }
    }

    @Test func everyRoomHasItsRules() {
        let rooms = Set(SourceTree.swift.filter { $0.path.hasPrefix("Sources/") }.map(\.room))
        expectEqual(rooms.sorted(), ImportRules.all.map(\.room).sorted())
    }

    /// Arrows point down: a room imports those of its own floor and of the floors below.
    @Test func floorsImportThoseBelow() {
        var floors: [String: Int] = [:]
        for file in SourceTree.files {
            guard let floor = file.floor else { continue }
            let height = Self.floors.firstIndex(of: String(floor))
            if height == nil { Issue.record("\(file.path): \(floor) is no floor") }
            floors[file.room] = height
        }
        expectEqual(Set(floors.values).count, Self.floors.count)
        for rules in ImportRules.all {
            for room in rules.rooms where floors[room] ?? 0 > floors[rules.room] ?? 0 {
                Issue.record("\(rules.room) imports \(room), which is on a higher floor")
            }
        }
    }

    /// The folders of Sources, from the ground up.
    private static let floors = [
        "Core", "Hardware", "Panel", "Runtime", "Simulation", "Reach", "Program", "Lab",
    ]

    /// Product code does not lean on what only tests have.
    @Test func onlyTestsImportTestSupport() {
        for file in SourceTree.swift where file.path.hasPrefix("Sources/") {
            for (index, module) in ImportRules.imports(file) where Self.testSupport.contains(module)
            {
                Issue.record("\(file.place(index)) imports \(module)")
            }
        }
    }

    private static let testSupport: Set = [
        "Testing", "XCTest", "DetentHALTesting", "KernelSupport",
    ]

    @Test(arguments: [
        "import DetentPanel", "public import DetentPanel", "@preconcurrency import Glibc",
        "@testable internal import DetentWorld", "import struct DetentHAL.LineEvent",
        "import Foundation", "    import DetentRuntime",
    ])
    func wrongArrowIsCaught(line: String) {
        let file = SourceFile(
            path: "Sources/Core/DetentCore/Engine/Fake.swift", text: "import DetentTypes\n\(line)\n"
        )
        let violations = ImportRules.violations(file)
        expectEqual(violations.count, 1)
        #expect(
            violations[0].hasPrefix(
                "Sources/Core/DetentCore/Engine/Fake.swift:2: DetentCore imports"))
        #expect(violations[0].hasSuffix("it may import DetentTypes"))
    }

    @Test(arguments: [
        "// import DetentPanel", "let text = \"import DetentPanel\"", "let imported = 1",
    ])
    func whatIsNoImportIsLeftAlone(line: String) {
        let file = SourceFile(path: "Sources/Core/DetentCore/Fake.swift", text: line)
        #expect(ImportRules.violations(file).isEmpty)
    }

    @Test func roomWithoutRulesIsCaught() {
        let file = SourceFile(path: "Sources/Core/DetentAttic/Fake.swift", text: "import Glibc")
        expectEqual(ImportRules.violations(file).count, 1)
    }
}
