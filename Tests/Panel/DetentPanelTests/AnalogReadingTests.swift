import DetentCore
import DetentTypes
import TestSupport
import Testing

@testable import DetentPanel

/// Potentiometers and ladders of resistors in panel files.
@Suite struct AnalogReadingTests {
    private static let pot = "kind: dial, label: Volume"
    private static let range = "range: {min: 0, max: 100}"
    private static let channel = "analog: {device: ads1015, channel: 0, ends: [120, 26200]}"
    private static let ladder = "kind: radio-group, label: Flaps, options: [a, b, c]"

    @Test func aDialOnAPotentiometer() throws {
        let plan = try #require(
            KeyCase.read(
                "panel: P, board: none, controls: {c: {\(Self.pot), \(Self.range), "
                    + "\(Self.channel), mismatch: catch-up}}"
            ).plan)
        let analog = try #require(plan.analog)
        expectEqual(
            analog,
            AnalogSettings(scale: AnalogScale(first: 120, last: 26_200), maximum: 100))
        expectEqual(plan.first.startup.rule, .panel)
        #expect(plan.first.startup.runsAction)
        expectEqual(plan.first.mismatch, .catchUp)
        expectEqual(plan.lines.map(\.name), ["ads1015:0"])
    }

    @Test func aSelectorOnALadderSettlesAtEachPosition() throws {
        let text = "\(Self.ladder), analog: {device: 1-0048, channel: 3, ends: [0, 3000]}"
        let plan = try #require(
            KeyCase.read("panel: P, board: none, controls: {c: {\(text)}}").plan)
        let analog = try #require(plan.analog)
        #expect(analog.settlesEach && analog.settle == Defaults.settle)
        expectEqual(analog.positions, 3)
        expectEqual(plan.first.startup.rule, .panel)
    }

    /// The keys of a control `c`, and the problem.
    static let refused: [(keys: String, cause: String)] = [
        ("\(pot), \(range), encoder: {a: A, b: B}, mismatch: follow", "`mismatch` has no effect"),
        ("\(pot), \(range), encoder: {a: A, b: B}, settle: 30ms", "`settle` has no effect"),
        ("\(pot), turn: {run: [x], timeout: 1s}, \(channel)", "`turn` needs detents"),
        ("\(pot), \(range), \(channel), mismatch: toggle", "a number cannot be toggled"),
        ("\(pot), \(range), \(channel), hold: 1s", "`hold` has no effect: a potentiometer"),
        ("\(pot), range: {min: 0, max: 9, wrap: true}, \(channel)", "`wrap` has no effect"),
        ("\(pot), range: {min: 0, max: 99999}, \(channel)", "the range has 100000 values"),
        (
            "\(pot), range: {min: -2000000000, max: 2000000000}, \(channel)",
            "the range has 4000000001 values"
        ),
        (
            "\(pot), \(range), analog: {device: a, channel: 0, ends: [5, 50]}",
            "between the ends are 45 samples, for 101 values"
        ),
        (
            "\(pot), \(range), analog: {device: a, channel: 0, ends: [0, 900], "
                + "levels: [0, 900]}", "`levels` are those of a selector"
        ),
        (
            "\(pot), \(range), analog: {device: a, channel: 0, ends: [0, 900], "
                + "hysteresis: 20%}", "`hysteresis` is 20%"
        ),
        (
            "\(ladder), analog: {device: a, channel: 0, levels: [0, 900]}",
            "2 levels for 3 options"
        ),
        (
            "\(ladder), analog: {device: a, channel: 0, levels: [0, 40, 900], "
                + "hysteresis: 8%}",
            "`hysteresis` is wider than the step"
        ),
        (
            "\(ladder), analog: {device: a, channel: 0, levels: [0, 400, 900], ends: [0, 900]}",
            "`ends` are the first and the last of `levels`"
        ),
        (
            "\(ladder), analog: {device: a, channel: 0, ends: [0, 900]}, debounce: 5ms",
            "`debounce` has no effect"
        ),
    ]

    @Test(arguments: refused)
    func isRefused(keys: String, cause: String) {
        let problems = KeyCase.read("panel: P, board: none, controls: {c: {\(keys)}}").problems
        #expect(problems.contains { $0.text.hasPrefix(cause) }, "\(problems)")
        #expect(problems.allSatisfy { !$0.help.isEmpty })
    }

    /// A channel belongs to one control.
    @Test func aChannelIsUsedOnce() {
        let keys = "\(Self.pot), \(Self.range), \(Self.channel)"
        let problems = KeyCase.read(
            "panel: P, board: none, controls: {c: {\(keys)}, d: {\(keys)}}"
        ).problems
        #expect(problems.contains { $0.text.contains("`ads1015:0` is used twice") })
    }
}
