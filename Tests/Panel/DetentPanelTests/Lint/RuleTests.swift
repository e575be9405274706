import TestSupport
import Testing

@testable import DetentPanel

/// Each rule is broken by one small panel and kept by another.
@Suite struct RuleTests {
    @Test func everyRuleIsShown() throws {
        let shown = RuleCase.all.map(\.rule.name) + RuleCase.withoutFile.map(\.rule.name)
        let missing = Set(Rule.all.map(\.name)).subtracting(shown).sorted()
        expectEqual(missing, [], "write two panels into docs/rules.txt for each")
        expectEqual(shown.count, Rule.all.count, "shown twice")
        let named = Set(RuleExample.read(RuleExample.text).keys)
        expectEqual(named.subtracting(Rule.all.map(\.name)), [], "panels without a rule")
        let bytes = try SourceText.read(file: Repository.path("docs/rules.txt")).bytes
        expectEqual(RuleExample.text, String(decoding: bytes, as: UTF8.self))
    }

    /// A panel may have any text, also one that looks like the head of another.
    @Test func noTextEndsAPanel() throws {
        let file = "About it.\n\na breaks\n    x: |\n    a keeps\n     b breaks\na keeps\n    y\n"
        let found = RuleExample.read(file + "a breaks\n    z\nno head\n    w\n")
        expectEqual(Array(found.keys), ["a"])
        let own = try #require(found["a"])
        expectEqual(own.breaks, ["x: |\na keeps\n b breaks\n", "z\n"])
        expectEqual(own.keeps, "y\n")
    }

    @Test func aPageShowsTheRuleWithItsPanels() {
        let page = Rule.labelTitleCase.page
        #expect(page.hasPrefix("label-title-case (warning)\n\n"), "\(page)")
        let parts = [
            "Breaks it:\n\n    ", ": warning: ", "[label-title-case]", "Keeps it:\n\n    ",
        ]
        for part in parts { #expect(page.contains(part), "\(part): \(page)") }
        #expect(Rule.tooManyControls.page.hasSuffix("No small panel shows it.\n"))
    }

    @Test(arguments: RuleCase.all) func breaks(_ example: RuleCase) {
        for panel in example.breaks {
            let problems = RuleCase.read(panel)
            expectEqual(
                Set(problems.map(\.rule.name)), example.alsoGiven.union([example.rule.name]))
            check(problems)
            let places = problems.map { [$0.rule.name, "\($0.place)"] }
            expectEqual(Set(places).count, places.count, "one mistake, one problem")
        }
    }

    @Test(arguments: RuleCase.all) func keeps(_ example: RuleCase) {
        let problems = RuleCase.read(example.keeps)
        expectEqual(ProblemRenderer.text(problems), "")
        #expect(!example.breaks.contains(example.keeps))
    }

    /// A panel that knows better leaves a warning out, and an error never.
    @Test(arguments: RuleCase.all) func aWarningCanBeLeftOut(_ example: RuleCase) throws {
        // Files that cannot be read to their end have no keys.
        let panel = example.breaks[0]
        guard panel.contains("panel:"), !panel.contains("lint:") else { return }
        let form = panel.hasPrefix("{") ? "{lint: {RULE: off}, " : "lint: {RULE: off}\n"
        let rest = panel.dropFirst(panel.hasPrefix("{") ? 1 : 0)
        let problems = RuleCase.read(form.replacing("RULE", with: example.rule.name) + rest)
        switch example.rule.severity {
        case .warning:
            #expect(!problems.contains { $0.rule == example.rule }, "\(problems)")
            #expect(!problems.contains { $0.rule == .unknownKey }, "\(problems)")
            let on = form.replacing("RULE", with: example.rule.name).replacing("off", with: "on")
            #expect(RuleCase.read(on + rest).contains { $0.rule == example.rule })
            let wrong = RuleCase.read("lint: {\(example.rule.name): no}\npanel: P\n")
            #expect(wrong.contains { $0.rule == .unknownWord }, "\(wrong)")
        case .error:
            #expect(problems.contains { $0.severity == .error }, "\(problems)")
        }
    }

    @Test func pushButtonsTakeFiveOptions() {
        let read = { (count: Int) in
            let names = (1...count).map { "N\($0)" }.joined(separator: ", ")
            return RuleCase.read(
                "{panel: P, board: none, controls: {c: {kind: radio-group, label: Station, "
                    + "buttons: [\(names)], options: [\(names)]}}}"
            ).map(\.rule)
        }
        #expect(!read(5).contains(.tooManyOptions))
        #expect(read(6).contains(.tooManyOptions))
    }

    @Test(arguments: RuleCase.withoutFile.indices) func isShownWithoutFile(_ index: Int) {
        let (rule, show) = RuleCase.withoutFile[index]
        let problems = show()
        #expect(problems.contains { $0.rule == rule })
        check(problems)
    }

    private func check(_ problems: [Problem]) {
        for problem in problems {
            expectEqual(problem.severity, problem.rule.severity, "\(problem.rule.name)")
            #expect(!problem.help.isEmpty, "\(problem.rule.name) has no remedy")
        }
    }

    /// The first sentence says what is wanted, and a second one why.
    @Test(arguments: Rule.all.map(\.name)) func isExplained(_ name: String) throws {
        let rule = try #require(Rule.all.first { $0.name == name })
        #expect(rule.explanation.hasSuffix("."))
        #expect(rule.summary.hasSuffix(".") && rule.summary.count < rule.explanation.count)
        #expect(rule.summary.count <= 120)
        #expect(name.wholeMatch(of: /[a-z]+(-[a-z]+)*/) != nil)
    }
}
