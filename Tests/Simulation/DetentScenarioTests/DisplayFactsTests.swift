import DetentCore
import DetentPanel
import DetentTypes
import Glibc
import TestSupport
import Testing

@testable import DetentScenario

/// A display that follows reports says what the state says: after each step of each example.
@Suite struct DisplayFactsTests {
    /// The scenarios of the example panels that have no restart, which reports do not tell.
    private static let files: [String] = {
        var found: [String] = []
        var results = glob_t()
        defer { globfree(&results) }
        glob(ScenarioTests.root + "/panels/*/*.scenario.yaml", 0, nil, &results)
        for place in 0..<Int(results.gl_pathc) {
            guard let path = results.gl_pathv[place] else { continue }
            let file = String(cString: path)
            let bytes = (try? SourceText.read(file: file).bytes) ?? []
            let text = String(decoding: bytes, as: UTF8.self)
            if !text.contains("restart:"), !text.contains("power-cut:") { found.append(file) }
        }
        return found
    }()

    @Test func thereAreExamples() { #expect(Self.files.count > 10) }

    @Test(arguments: files) func reportsTellWhatTheStateTells(file: String) throws {
        let reading = ScenarioReader.read(try SourceText.read(file: file))
        let player = try VirtualPlayer(try #require(reading.scenario), isTraced: false)
        let plan = player.plan
        var facts = plan.controls.map { DisplayFacts($0.settings.nature) }
        var taken = 0
        func compare(_ when: String) {
            for entry in player.panel.record.entries[taken...] {
                facts[Int(entry.report.control.index)].record(entry.report.kind)
            }
            taken = player.panel.record.entries.count
            for place in plan.controls.indices {
                let control = ControlID(UInt16(place))
                guard let state = player.panel.snapshot(of: control) else { continue }
                let wanted = DisplayFacts(state, chosen: player.lastChosen(of: control))
                expectEqual(facts[place], wanted, "\(plan.controls[place].id), \(when)")
            }
        }
        var step = 0
        _ = try player.play {
            compare("before step \(step)")
            step += 1
            return true
        }
        compare("at the end")
        #expect(taken > 10)
    }
}
