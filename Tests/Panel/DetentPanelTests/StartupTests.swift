import DetentCore
import DetentTypes
import TestSupport
import Testing

@testable import DetentPanel

/// What a control starts with, as its keys say.
@Suite struct StartupTests {
    static let query = "query: {run: [psu, state], timeout: 2s}"

    private func startup(_ keys: String) throws -> StartupSettings {
        let reading = KeyCase.read("panel: P, board: none, controls: {c: {\(keys)}}")
        return try #require(reading.plan, "\(reading.problems)").first.startup
    }

    private func rules(_ keys: String) -> [String] {
        KeyCase.read("panel: P, board: none, controls: {c: {\(keys)}}").problems.map(\.rule.name)
    }

    @Test func partsWithAPositionTrustItAndTheRestIsSaved() throws {
        for keys in [Base.lever, Base.radio, Base.threeWay] {
            expectEqual(try startup(keys).rule, .panel, "\(keys)")
            #expect(try startup(keys).runsAction, "\(keys)")
        }
        for keys in [Base.latched, Base.toggle, Base.dial] {
            expectEqual(try startup(keys).rule, .saved, "\(keys)")
            #expect(try !startup(keys).runsAction, "\(keys)")
        }
        expectEqual(try startup(Base.dial + ", default: 4").fallback, Value(4))
    }

    @Test func savedAndDeviceAreWords() throws {
        let saved = try startup(Base.lever + ", startup: saved")
        #expect(saved.rule == .saved && !saved.runsAction)
        #expect(try startup(Base.lever + ", startup: saved, startup-runs-action: true").runsAction)
        let device = try startup(Base.lever + ", startup: device, \(Self.query)")
        #expect(device.rule == .device && !device.runsAction)
    }

    @Test func anOptionOfThatNameIsTheOption() throws {
        let radio = "kind: radio-group, label: R, selector: [A, B], options: [saved, device]"
        expectEqual(try startup(radio + ", startup: saved").rule, .value(Value(0)))
        expectEqual(try startup(radio + ", startup: device").rule, .value(Value(1)))
    }

    @Test func whatMakesNoSenseIsAnError() {
        expectEqual(rules(Base.lever + ", startup: device"), ["missing-key"])
        expectEqual(rules(Base.lever + ", " + Self.query), ["missing-key"])
        expectEqual(rules(Base.button + ", " + Self.query), ["key-not-for-kind"])
        expectEqual(
            rules(Base.lever + ", startup: device, startup-runs-action: true, " + Self.query),
            ["conflicting-keys"])
        expectEqual(rules(Base.lever + ", on-crash: keep"), ["missing-key"])
        expectEqual(rules(Base.radio + ", on-crash: keep"), ["missing-key"])
    }

    /// The words of a start-up rule are offered where one is mistyped.
    @Test func aMistypedRuleIsRecognised() {
        let reading = KeyCase.read(
            "panel: P, board: none, controls: {c: {\(Base.dial), startup: savd}}")
        expectEqual(reading.problems.map(\.rule.name), ["invalid-number"])
        let lever = KeyCase.read(
            "panel: P, board: none, controls: {c: {\(Base.lever), startup: savd}}")
        expectEqual(lever.problems.first?.help.contains("did you mean `saved`?"), true)
    }

    @Test func actionsByValueStandTogetherBeforeTheQuery() throws {
        let action = "action: {on: {run: [a], timeout: 1s}, off: {run: [b], timeout: 1s}}"
        let reading = KeyCase.read(
            "panel: P, board: none, controls: {c: {\(Base.lever), \(Self.query), \(action)}}")
        let plan = try #require(reading.plan)
        expectEqual(plan.first.actions, .perValue(first: ActionID(0), present: 0b11))
        #expect(plan.first.query == ActionID(2) && plan.actions.count == 3)
    }
}
