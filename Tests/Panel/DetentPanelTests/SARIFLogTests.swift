@testable import DetentPanel
import DetentTypes
import TestSupport
import Testing

/// Problems for code hosts.
@Suite struct SARIFLogTests {
    private func problem(_ rule: Rule, _ file: String, help: String = "do {this}") -> Problem {
        Problem(
            severity: rule.severity, rule: rule, file: file,
            place: SourcePlace(line: 3, column: 5, length: 4), text: "cause", help: help,
            excerpt: "key")
    }

    private func log(_ problems: [Problem]) throws -> JSONValue {
        let text = SARIFLog.text(problems, version: "1.2.3")
        #expect(text.hasPrefix("{\n  \"$schema\": \"https://") && text.hasSuffix("}\n"))
        return try JSONReader.read(Array(text.utf8), depth: 32)
    }

    @Test func aResultHasItsPlace() throws {
        let log = try log([problem(.unknownKey, "panels/a b.yaml")])
        expectEqual(log.value(at: "/version")?.text, "2.1.0")
        expectEqual(log.value(at: "/runs/0/tool/driver/version")?.text, "1.2.3")
        expectEqual(log.value(at: "/runs/0/results")?.items?.count, 1)
        let result = try #require(log.value(at: "/runs/0/results/0"))
        expectEqual(result["ruleId"]?.text, "unknown-key")
        expectEqual(result["level"]?.text, "error")
        expectEqual(result.value(at: "/message/text")?.text, "cause\nhelp: do {{this}}")
        let place = try #require(result.value(at: "/locations/0/physicalLocation"))
        expectEqual(place.value(at: "/artifactLocation/uri")?.text, "panels/a%20b.yaml")
        expectEqual(
            place["region"]?.line, "{\"startLine\": 3, \"startColumn\": 5, \"endColumn\": 9}")
        let index = try #require(result["ruleIndex"]?.whole)
        expectEqual(
            log.value(at: "/runs/0/tool/driver/rules/\(index)/id")?.text, "unknown-key")
    }

    @Test func whatIsNotKnownIsLeftOut() throws {
        let log = try log([
            problem(.unreadableFile, "/tmp/x.yaml"), problem(.fileTooLarge, "x.yaml"),
            problem(.labelLong, "", help: ""),
        ])
        let results = try #require(log.value(at: "/runs/0/results")?.items)
        let place = "/locations/0/physicalLocation"
        expectEqual(
            results[0].value(at: place + "/artifactLocation/uri")?.text, "file:///tmp/x.yaml")
        #expect(results[0].value(at: place)?["region"] == nil)
        #expect(results[1].value(at: place)?["region"] == nil)
        #expect(results[2]["locations"] == nil)
        expectEqual(results[2]["level"]?.text, "warning")
        expectEqual(results[2].value(at: "/message/text")?.text, "cause")
    }

    @Test func everyRuleIsDescribed() throws {
        let log = try log([])
        let rules = try #require(log.value(at: "/runs/0/tool/driver/rules")?.items)
        expectEqual(rules.map { $0["id"]?.text }, Rule.all.map(\.name))
        for (rule, entry) in zip(Rule.all, rules) {
            expectEqual(
                entry.value(at: "/defaultConfiguration/level")?.text, rule.severity.rawValue)
            expectEqual(entry.value(at: "/shortDescription/text")?.text?.isEmpty, false)
        }
    }
}
