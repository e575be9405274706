import DetentCore
import DetentHAL
import DetentTypes
import TestSupport
import Testing

@testable import DetentPanel

/// Outputs with levels in panel files.
@Suite struct LevelReadingTests {
    private func read(_ keys: String, board: String = "none") -> PanelReader.Reading {
        KeyCase.read("panel: P, board: \(board), controls: {c: {kind: switch, label: S, \(keys)}}")
    }

    private func plan(_ keys: String) throws -> PanelPlan {
        let reading = read(keys)
        return try #require(reading.plan, "\(ProblemRenderer.text(reading.problems))")
    }

    @Test func aLampAndAnOutputOfTheLEDClass() throws {
        let plan = try plan("input: I, indicator: {led: ACT}, output: {led: \"a:b\", active: low}")
        expectEqual(plan.lines.map(\.name), ["I", "led:ACT", "led:a:b"])
        expectEqual(plan.lines.map(\.isActiveLow), [true, false, true])
        expectEqual(plan.lines.map { $0.channel?.kind }, [nil, .led, .led])
        expectEqual(plan.lines.map { $0.channel?.isLamp }, [nil, true, false])
        expectEqual(plan.lines.map(\.hasLevels), [false, true, true])
        expectEqual(plan.line(named: "led:ACT"), LineID(1))
    }

    /// Such a lamp keeps its level when the process dies, so that the guardian has to darken it.
    @Test func aCrashDarkensALampWithLevels() throws {
        let plan = try plan(
            "input: I, indicator: {led: ACT}, output: {led: PWR}, on-crash: on")
        let levels = plan.lines.indices.map { plan.crashLevel(of: LineID(UInt16($0))) }
        expectEqual(levels, [nil, .inactive, .active])
        expectEqual(plan.crashSettings.map(\.name), ["led:ACT", "led:PWR"])
        let usual = try self.plan("input: I, indicator: L")
        expectEqual(usual.crashLevel(of: LineID(1)), nil)
    }

    /// The kernel keeps the level of such an output when nothing drives it.
    @Test(arguments: [("{led: PWR}", false), ("O", true)])
    func onlyLinesAreReleased(output: String, isWarned: Bool) {
        let rules = read("input: I, on-crash: off, output: \(output)").problems.map(\.rule)
        expectEqual(rules.contains(.crashLevelNotKept), isWarned)
    }

    /// Only a lamp of which every colour has levels is dimmed by them.
    @Test(
        arguments: [
            ("{led: ACT}", true), ("{pwm: {chip: x, channel: 2}}", true),
            ("{red: {led: r}, green: {led: g}}", true),
            ("{red: {led: r}, green: G}", false), ("L", false),
        ])
    func lampsWithLevels(indicator: String, hasLevels: Bool) throws {
        let plan = try plan("input: I, indicator: \(indicator)")
        expectEqual(plan.first.indicator.hasLevels, hasLevels)
    }

    @Test(
        arguments: [
            ("input: {led: ACT}", "`led` is valid only for lamps and outputs, not for contacts"),
            ("input: I, indicator: {led: ACT}, output: {led: ACT}", "`led:ACT` is used twice"),
            ("input: I, indicator: {led: ACT, red: R, green: G}", "`led` and `red` cannot"),
            ("input: {pwm: {chip: x, channel: 0}}", "`pwm` is valid only for lamps and outputs"),
            (
                "input: I, output: {pwm: {chip: x, channel: 0}}, indicator: {pwm: {chip: x, "
                    + "channel: 0, period: 2ms}}", "`x:0` is used twice"
            ),
            ("input: I, output: {led: ACT, poll: 5ms}", "`poll` is valid only for lines of GPIO"),
            ("input: I, indicator: {led: \"..\"}", "`..` is not the name of a LED"),
            ("input: I, indicator: {led: /sys/class/leds/ACT}", "is not the name of a LED"),
            (
                "input: I, indicator: {led: \(String(repeating: "n", count: 64))}",
                "is not the name of a LED"
            ),
        ])
    func refused(keys: String, cause: String) {
        let texts = read(keys).problems.map(\.text)
        #expect(texts.contains { $0.contains(cause) }, "\(texts)")
    }

    /// They draw nothing from the lines of the board.
    @Test func theCurrentOfTheBoardIsThatOfItsLines() {
        let lamps = (0..<20).map { "{kind: indicator, label: Lamp \($0), show: c, indicator: " }
        func problems(_ lamp: (Int) -> String) -> [Rule] {
            let controls = lamps.enumerated().map { "l\($0): \($1)\(lamp($0))}" }
            return KeyCase.read(
                "panel: P, board: raspberry-pi-4b, lamp-current: 16mA, controls: {c: {kind: "
                    + "switch, label: S, input: GPIO17}, \(controls.joined(separator: ", "))}"
            ).problems.map(\.rule)
        }
        #expect(problems { "GPIO\($0 + 5)" }.contains(.lampCurrent))
        #expect(!problems { "{led: lamp\($0)}" }.contains(.lampCurrent))
    }

    @Test(
        arguments: [
            ("range: {min: 0, max: 9}, encoder: {a: A, b: B}, output: {led: PWR}", nil),
            ("range: {min: 0, max: 9}, part: none, output: {pwm: {chip: x, channel: 0}}", nil),
            (
                "range: {min: 0, max: 9}, encoder: {a: A, b: B}, output: O",
                "a number needs an output with levels, and a line is on or off"
            ),
            (
                "turn: {run: [x], timeout: 1s}, encoder: {a: A, b: B}, output: {led: PWR}",
                "`output` has no effect: a dial with `turn` has no value"
            ),
        ])
    func aDialDrivesAnOutputWithLevels(keys: String, problem: String?) {
        let reading = KeyCase.read(
            "panel: P, board: none, controls: {c: {kind: dial, label: Light, \(keys)}}")
        expectEqual(reading.problems.first?.text, problem)
        guard problem == nil else { return }
        expectEqual(reading.plan?.first.outputs.count, 1)
        expectEqual(reading.plan?.lines.last?.use, .output(exit: .off))
    }
}
