import TestSupport
import Testing

@Suite struct SizeTests {
    private static let written: [SourceFile] = SourceTree.files.filter { file in
        [".swift", ".c", ".h"].contains { file.path.hasSuffix($0) }
    }

    @Test(arguments: Set(written.map(\.room)).sorted())
    func filesAreReadable(room: String) {
        for file in Self.written where file.room == room {
            for violation in SizeRules.violations(file) { Issue.record("\(violation)") }
        }
    }

    @Test func functionsOfThePageAreShort() {
        let scripts = SourceTree.files.filter {
            $0.path.hasPrefix("simulator/web/") && $0.path.hasSuffix(".js")
        }
        #expect(scripts.count > 10)
        for file in scripts {
            for violation in ScriptSizeRules.violations(file) { Issue.record("\(violation)") }
        }
    }

    @Test(arguments: ["function long() {", "  long(a) {", "const long = () => {"])
    func aLongFunctionOfThePageIsCaught(first: String) {
        let indent = String(repeating: " ", count: first.prefix { $0 == " " }.count)
        let body = Array(repeating: indent + "  step();", count: 70)
        let text = ([first] + body + [indent + "}"]).joined(separator: "\n")
        let file = SourceFile(path: "simulator/web/core/fake.js", text: text)
        expectEqual(
            ScriptSizeRules.violations(file),
            [
                "simulator/web/core/fake.js:1: long has 72 lines; the most is 70"
            ])
    }

    private func violations(_ text: String) -> [String] {
        SizeRules.violations(SourceFile(path: "Sources/Core/DetentCore/Fake.swift", text: text))
    }

    /// Characters count, not bytes: a line of umlauts is as long as it looks.
    @Test func lineWidthCountsCharacters() {
        #expect(violations(String(repeating: "ä", count: 100)).isEmpty)
        expectEqual(
            violations(String(repeating: "a", count: 101)),
            [
                "Sources/Core/DetentCore/Fake.swift:1: 101 characters; the most is 100"
            ])
    }

    @Test func tabsAndTrailingSpacesAreCaught() {
        expectEqual(violations("let a = 1\n\tlet b = 2\nlet c = 3 ").count, 2)
    }

    @Test func fileLengthIsCaught() {
        #expect(violations(String(repeating: "a\n", count: 500)).isEmpty)
        expectEqual(violations(String(repeating: "a\n", count: 501)).count, 1)
        let test = SourceFile(
            path: "Tests/Fake.swift", text: String(repeating: "a\n", count: 800))
        #expect(SizeRules.violations(test).isEmpty)
    }

    @Test(arguments: [
        "func a(b: [Int]) -> Int {", "public init(a: () -> Void = {}) {",
        "    @inlinable static func a<B>(\n_ b: B\n)\nwhere B: C {", "mutating func a()\n{",
    ])
    func functionLengthIsCaught(head: String) {
        let lines = head.split(separator: "\n").count
        let body = { String(repeating: "\na { b }", count: $0 - lines - 1) + "\n}" }
        #expect(violations(head + body(70)).isEmpty)
        expectEqual(violations(head + body(71)).count, 1)
    }

    @Test func requirementsHaveNoBody() {
        let text = "protocol A {\n    func b()\n    init(c: Int)\n}\nstruct D {\n"
        let rest = String(repeating: "let e = 1\n", count: 80)
        #expect(violations(text + rest + "}").isEmpty)
    }
}
