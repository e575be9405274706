import DetentCore
import DetentHAL
import DetentTypes
import TestSupport
import Testing

@testable import DetentPanel

/// What the lines of a panel are for a backend, and how their contacts are debounced.
@Suite struct LineSettingsTests {
    private func plan(_ controls: String) throws -> PanelPlan {
        let reading = KeyCase.read("panel: P, board: none, controls: {\(controls)}")
        return try #require(reading.plan, "\(ProblemRenderer.text(reading.problems))")
    }

    @Test func eachUseHasItsDirection() throws {
        let plan = try plan(
            "a: {kind: switch, label: A, input: {line: I, bias: pull-down, poll: 3ms, "
                + "active: high}, indicator: L, output: O, on-exit: on}, "
                + "b: {kind: switch, label: B, input: {line: J, bias: disabled}, output: P, "
                + "on-exit: keep}, c: {kind: switch, label: C, input: {chip: x, offset: 4, "
                + "bias: as-is}, output: {line: Q, active: low}}, "
                + "d: {kind: switch, label: D, input: K}")
        let directions: [String: LineDirection] = [
            "I": .input(
                bias: .pullDown, edges: .polled(every: .milliseconds(3)), kernelDebounce: nil),
            "L": .output(initial: .inactive, onRelease: .inactive),
            "O": .output(initial: .inactive, onRelease: .active),
            "J": .input(bias: .disabled, edges: .interrupt, kernelDebounce: nil),
            "P": .output(initial: .inactive, onRelease: nil),
            "x:4": .input(bias: .asIs, edges: .interrupt, kernelDebounce: nil),
            "Q": .output(initial: .inactive, onRelease: .inactive),
            "K": .input(bias: .pullUp, edges: .interrupt, kernelDebounce: nil),
        ]
        let settings = plan.lineSettings
        expectEqual(settings.map(\.line), plan.lines.indices.map { LineID(UInt16($0)) })
        expectEqual(Set(settings.map(\.name)), Set(directions.keys))
        for line in settings {
            expectEqual(line.direction, directions[line.name], "\(line.name)")
            expectEqual(line.isActiveLow, ["x:4", "J", "K", "Q"].contains(line.name))
            expectEqual(plan.line(named: line.name), line.line)
            expectEqual(
                plan[line.line].isContact, ["I", "J", "K", "x:4"].contains(line.name))
        }
        expectEqual(
            settings.first { $0.name == "x:4" }?.location,
            LineLocation(chipLabels: ["x"], platformDevice: "x", offset: 4))
        #expect(plan.line(named: "Z") == nil)
        expectEqual(plan.crashSettings, [])
    }

    @Test func aCrashLeavesALevel() throws {
        let plan = try plan(
            "a: {kind: switch, label: A, input: I, indicator: L, output: O, on-crash: on}, "
                + "b: {kind: switch, label: B, input: J, output: P, on-crash: off}, "
                + "c: {kind: switch, label: C, input: K, output: Q, on-crash: keep}")
        expectEqual(
            plan.lines.indices.map { plan.crashLevel(of: LineID(UInt16($0))) },
            plan.lines.map { ["O": .active, "P": .inactive][$0.name] })
        expectEqual(plan.crashSettings.map(\.name), ["O", "P"])
        expectEqual(
            plan.crashSettings.map(\.direction),
            [
                .output(initial: .active, onRelease: nil),
                .output(initial: .inactive, onRelease: nil),
            ])
    }

    static let debounces: [(keys: String, settings: DebounceSettings)] = [
        ("input: A, latch: toggle", .button), ("input: A", .lever),
        ("input: A, debounce: none", .none),
        (
            "input: A, latch: toggle, debounce: 7ms",
            DebounceSettings(algorithm: .eager(time: .milliseconds(7), window: .restart))
        ),
        ("input: A, debounce: 7ms", DebounceSettings(algorithm: .defer(time: .milliseconds(7)))),
        (
            "input: A, debounce: {algorithm: eager, time: 3ms, window: fixed, glitch: 1ms}",
            DebounceSettings(
                algorithm: .eager(time: .milliseconds(3), window: .fixed),
                glitch: .milliseconds(1))
        ),
        (
            "input: A, debounce: {algorithm: asymmetric, press: 3ms}",
            DebounceSettings(
                algorithm: .asymmetric(press: .milliseconds(3), release: .milliseconds(5)))
        ),
        (
            "input: A, debounce: {algorithm: asymmetric, release: 3ms, lockout: 1s}",
            DebounceSettings(
                algorithm: .asymmetric(press: .milliseconds(5), release: .milliseconds(3)),
                lockout: .seconds(1))
        ),
        (
            "input: A, debounce: {algorithm: integrator, time: 20ms, sample: 2ms}",
            DebounceSettings(
                algorithm: .integrator(sample: .milliseconds(2), samples: 10))
        ),
        (
            "input: A, debounce: {algorithm: integrator}",
            DebounceSettings(
                algorithm: .integrator(sample: .milliseconds(1), samples: 50))
        ),
        (
            "input: A, debounce: {algorithm: defer}",
            DebounceSettings(algorithm: DebounceSettings.lever.algorithm)
        ),
        (
            "input: A, debounce: {time: 9ms}",
            DebounceSettings(algorithm: .defer(time: .milliseconds(9)))
        ),
    ]

    @Test(arguments: debounces)
    func aContactIsDebounced(keys: String, settings: DebounceSettings) throws {
        let plan = try plan("c: {kind: switch, label: Lamp, \(keys)}")
        let contact = try #require(plan.contact)
        expectEqual(contact.debounce.algorithm, settings.algorithm)
        if keys.contains("glitch") { expectEqual(contact.debounce.glitch, settings.glitch) }
        if keys.contains("lockout") { expectEqual(contact.debounce.lockout, settings.lockout) }
    }

    @Test func samplesAreBounded() {
        func rules(_ sample: String) -> [Rule] {
            KeyCase.read(
                "panel: P, board: none, controls: {c: {\(Base.lever), debounce: "
                    + "{algorithm: integrator, time: 1s, sample: \(sample)}}}"
            ).problems.map(\.rule)
        }
        expectEqual(rules("1ms"), [])
        #expect(rules("15us").contains(.outOfRange))
    }

    @Test func algorithmsHaveTimes() {
        typealias Algorithm = DebounceSettings.Algorithm
        let sampled = Algorithm.integrator(sample: .milliseconds(2), samples: 10)
        expectEqual(sampled.time, .milliseconds(20))
        expectEqual(Algorithm.defer(time: .seconds(1)).time, .seconds(1))
        #expect(Algorithm.asymmetric(press: .zero, release: .zero).time == nil)
        #expect(Algorithm.none.time == nil)
    }
}
