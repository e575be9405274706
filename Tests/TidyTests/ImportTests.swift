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
            path: "Sources/DetentCore/Engine/Fake.swift", text: "import DetentTypes\n\(line)\n")
        let violations = ImportRules.violations(file)
        expectEqual(violations.count, 1)
        #expect(
            violations[0].hasPrefix("Sources/DetentCore/Engine/Fake.swift:2: DetentCore imports"))
        #expect(violations[0].hasSuffix("it may import DetentTypes"))
    }

    @Test(arguments: [
        "// import DetentPanel", "let text = \"import DetentPanel\"", "let imported = 1",
    ])
    func whatIsNoImportIsLeftAlone(line: String) {
        let file = SourceFile(path: "Sources/DetentCore/Fake.swift", text: line)
        #expect(ImportRules.violations(file).isEmpty)
    }

    @Test func roomWithoutRulesIsCaught() {
        let file = SourceFile(path: "Sources/DetentAttic/Fake.swift", text: "import Glibc")
        expectEqual(ImportRules.violations(file).count, 1)
    }
}
