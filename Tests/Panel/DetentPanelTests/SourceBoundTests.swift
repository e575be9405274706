import DetentTypes
import Glibc
import TestSupport
import Testing

@testable import DetentPanel

/// The bounds of a source text, from both sides.
@Suite struct SourceBoundTests {
    private func size(_ count: Int) throws -> Int {
        let folder = Folder.temporary()
        let path = folder + "/file.yaml"
        defer {
            unlink(path)
            rmdir(folder)
        }
        let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        expectEqual(ftruncate(descriptor, off_t(count)), 0)
        close(descriptor)
        return try SourceText.read(file: path).bytes.count
    }

    @Test func aFileOfTheLargestSizeIsRead() throws {
        expectEqual(try size(Limits.fileBytes), Limits.fileBytes)
        #expect(throws: SourceText.Unreadable.self) { try size(Limits.fileBytes + 1) }
        expectEqual(try size(0), 0)
    }

    /// A list and its items: each is a value.
    @Test func aFileHasItsLargestNumberOfValues() {
        func problems(_ items: Int) -> [Rule] {
            let text = "[" + Array(repeating: "a", count: items).joined(separator: ",") + "]"
            let source = SourceText(file: "t.yaml", text: text)
            let log = ProblemLog(source)
            let node = YAMLReader.read(source, log: log)
            expectEqual((node == nil), log.hasErrors)
            return log.problems.map(\.rule)
        }
        expectEqual(problems(Limits.nodes - 1), [])
        expectEqual(problems(Limits.nodes), [.yamlTooManyNodes])
        expectEqual(problems(Limits.nodes + 9), [.yamlTooManyNodes])
    }

    @Test func aFileHasItsLargestDepth() {
        func problems(_ depth: Int) -> [Rule] {
            let text =
                String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
            let source = SourceText(file: "t.yaml", text: text)
            let log = ProblemLog(source)
            _ = YAMLReader.read(source, log: log)
            return log.problems.map(\.rule)
        }
        expectEqual(problems(Limits.depth), [])
        expectEqual(problems(Limits.depth + 1), [.yamlTooDeep])
    }

    @Test func topicsHaveNoWildcardsAndNoBlanks() {
        for topic in ["a", "a/b", "küche/1", "a!", "\u{A0}"] {
            #expect(BrokerPlan.isTopic(topic), "\(topic)")
        }
        for topic in ["", "a b", " ", "a\tb", "a+", "#", "$SYS/a", "a\u{7F}", "a\u{9F}", "\0"] {
            #expect(!BrokerPlan.isTopic(topic), "\(topic.debugDescription)")
        }
        #expect(BrokerPlan.isTopic(String(repeating: "a", count: Limits.topicBytes)))
        #expect(!BrokerPlan.isTopic(String(repeating: "a", count: Limits.topicBytes + 1)))
        #expect(BrokerPlan(url: "http://h", topic: "t") == nil)
        let plan = BrokerPlan(url: "mqtts://h", topic: "t/a")
        #expect(plan?.isSecure == true && plan?.port == 8_883)
        #expect(plan?.clientName.hasPrefix("t-a-") == true, "`t-a` is another topic")
        expectEqual(BrokerPlan(host: "h", port: 1, topic: "t").isSecure, false)
        #expect(plan?.owns("t/a/b") == true && plan?.owns("t/ab") == false)
    }

    /// Editors complete keys, show their defaults, and know which keys exclude each other.
    @Test func theSchemaForEditorsHasDefaultsAndChoices() throws {
        let schema = try JSONReader.read(Array(JSONSchema.text.utf8), depth: 32)
        func description(_ part: String, _ key: String) -> String {
            schema.value(at: "/$defs/\(part)/properties/\(key)/description")?.text ?? ""
        }
        #expect(description("control-button", "row").hasSuffix(" Default: 1."))
        #expect(description("encoder", "transitions").hasSuffix(" Default: 4."))
        #expect(!description("control-button", "label").contains("Default:"))
        func choice(_ part: String) -> [String] {
            let choices = schema.value(at: "/$defs/\(part)/allOf/0/oneOf")?.items ?? []
            return choices.compactMap { $0.value(at: "/required/0")?.text }
        }
        expectEqual(choice("query"), ActionKind.all.filter(\.canAnswer).map(\.word))
        expectEqual(choice("feedback"), Schema.feedbackSources)
        expectEqual(choice("encoder"), [])
        for kind in ActionKind.all {
            guard case .section(let section) = kind.shape else { continue }
            expectEqual(Schema.builtIn.choice(in: section), kind.oneOf, "\(kind.word)")
        }
        expectEqual(choice("control-switch"), ["input", "lever", "part"])
    }
}
