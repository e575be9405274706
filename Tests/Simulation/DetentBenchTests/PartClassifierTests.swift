import DetentPanel
import DetentTypes
import DetentWorld
import TestSupport
import Testing

@testable import DetentBench

/// Every part of the simulator is found again from its edges, with bounce.
@Suite struct PartClassifierTests {
    private static let seeds = Array(TestLength.seeds(1...40))

    @Test(arguments: Workbench.profiles + ["worn"], seeds)
    func button(bounce: String, seed: UInt64) throws {
        var bench = try Workbench(
            "kind: button\ninput: A", seed: seed, bounce: Workbench.bounce(bounce))
        try bench.perform(.click(Workbench.part, hold: .milliseconds(120)))
        expectEqual(
            bench.result(),
            PartClassifier.Result(
                guess: .button(0), isActiveLow: true, isLevelProved: true))
    }

    /// The level of a button is proved by its level at rest, whatever the pull.
    @Test(arguments: seeds) func buttonToTheSupply(seed: UInt64) throws {
        var bench = try Workbench(
            "kind: button\ninput: {line: A, active: high, bias: pull-down}", seed: seed,
            bounce: Workbench.bounce("tactile"))
        try bench.perform(.click(Workbench.part, hold: .milliseconds(120)))
        let result = try #require(bench.result())
        expectEqual(result.guess, .button(0))
        #expect(!result.isActiveLow && result.isLevelProved)
    }

    @Test(arguments: Workbench.profiles + ["worn"], seeds)
    func lever(bounce: String, seed: UInt64) throws {
        var bench = try Workbench(
            "kind: switch\ninput: A", seed: seed, bounce: Workbench.bounce(bounce))
        try bench.perform(.flip(Workbench.part, to: 1))
        let result = try #require(bench.result())
        expectEqual(result.guess, .lever(0))
        #expect(!result.isLevelProved)
    }

    @Test(arguments: ["none", "toggle-lever", "rotary-wafer-mbb"], seeds)
    func changeover(bounce: String, seed: UInt64) throws {
        var bench = try Workbench(
            "kind: switch\nlever: {on: A, off: B}", seed: seed, bounce: Workbench.bounce(bounce))
        try bench.perform(.flip(Workbench.part, to: 1))
        expectEqual(bench.result()?.guess, .changeover(on: 0, off: 1))
    }

    @Test(arguments: ["none", "toggle-lever"], seeds)
    func threeWay(bounce: String, seed: UInt64) throws {
        var bench = try Workbench(
            "kind: three-way\nlever: {down: A, up: B}", seed: seed,
            bounce: Workbench.bounce(bounce))
        try bench.perform(.flip(Workbench.part, to: 0))
        try bench.perform(.flip(Workbench.part, to: 2))
        expectEqual(bench.result()?.guess, .threeWay(down: 0, up: 1))
    }

    @Test(arguments: ["none", "mechanical-encoder", "tactile"], [1, 2, 4])
    func encoder(bounce: String, transitions: Int) throws {
        for seed in Self.seeds {
            var bench = try Workbench(
                "kind: dial\nencoder: {a: A, b: B, transitions: \(transitions)}\n"
                    + "range: {min: 0, max: 100}", seed: seed, bounce: Workbench.bounce(bounce))
            for _ in 0..<3 { try bench.perform(.turn(Workbench.part, detents: 1, perSecond: 8)) }
            try bench.perform(.turn(Workbench.part, detents: 5, perSecond: 20))
            let result = try #require(bench.result())
            guard case .encoder(a: 0, b: 1, let found, _) = result.guess else {
                Issue.record("seed \(seed): \(result.guess)")
                return
            }
            expectEqual(found, transitions, "seed \(seed)")
        }
    }

    /// Turned clockwise, the line that changes first is `a`, whatever the order of the lines.
    @Test(arguments: seeds) func theOrderOfAnEncoder(seed: UInt64) throws {
        var bench = try Workbench(
            "kind: dial\nencoder: {a: A, b: B}\nrange: {min: 0, max: 100}", seed: seed,
            bounce: Workbench.bounce("mechanical-encoder"))
        try bench.perform(.turn(Workbench.part, detents: -6, perSecond: 10))
        expectEqual(bench.result()?.guess, .encoder(a: 1, b: 0, transitions: 4, rest: 0))
    }

    @Test(arguments: ["none", "rotary-wafer-bbm", "rotary-wafer-mbb"], seeds)
    func selector(bounce: String, seed: UInt64) throws {
        var bench = try Workbench(
            "kind: radio-group\nselector: [A, B, C, D]\noptions: [K, L, M, N]", seed: seed,
            bounce: Workbench.bounce(bounce))
        for position in 1...3 { try bench.perform(.select(Workbench.part, position)) }
        let result = try #require(bench.result())
        expectEqual(result.guess, .selector([0, 1, 2, 3], hasNone: false))
        #expect(result.isActiveLow && result.isLevelProved)
        // There and back is the same selector.
        try bench.perform(.select(Workbench.part, 0))
        expectEqual(bench.result()?.guess, .selector([0, 1, 2, 3], hasNone: false))
    }

    @Test(arguments: seeds) func selectorWithAnOpenPosition(seed: UInt64) throws {
        var bench = try Workbench(
            "kind: radio-group\nselector: {lines: [A, B, C], none: K}\noptions: [K, L, M, N]",
            seed: seed, bounce: Workbench.bounce("rotary-wafer-bbm"))
        for position in 1...3 { try bench.perform(.select(Workbench.part, position)) }
        expectEqual(bench.result()?.guess, .selector([0, 1, 2], hasNone: true))
    }

    @Test(arguments: ["binary", "gray"], seeds)
    func codedSelector(code: String, seed: UInt64) throws {
        var bench = try Workbench(
            "kind: radio-group\nselector: {lines: [A, B, C], code: \(code)}\n"
                + "options: [K, L, M, N, O, P, Q, R]",
            seed: seed, bounce: Workbench.bounce("rotary-wafer-bbm"))
        for position in 1...7 { try bench.perform(.select(Workbench.part, position)) }
        expectEqual(bench.result()?.guess, .coded([0, 1, 2], isGray: code == "gray"))
    }

    @Test(arguments: ["none", "tactile", "cherry-mx"], seeds)
    func rowOfButtons(bounce: String, seed: UInt64) throws {
        var bench = try Workbench(
            "kind: segmented\nbuttons: [A, B, C]\nselection: momentary\noptions: [K, L, M]\n"
                + "action: {run: [\"true\"], timeout: 1s}",
            seed: seed, bounce: Workbench.bounce(bounce))
        for button in [2, 0, 1] {
            try bench.perform(.click(Workbench.part, button: button, hold: .milliseconds(100)))
        }
        let result = try #require(bench.result())
        expectEqual(result.guess, .buttons([2, 0, 1]))
        #expect(result.isActiveLow)
    }

    @Test func nothingAndNoise() throws {
        #expect(PartClassifier(levels: [true, false]).result() == nil)
        var noise = PartClassifier(levels: [true])
        noise.take(LineEdge(at: .zero + .milliseconds(1), line: 0, isHigh: false))
        noise.take(LineEdge(at: .zero + .milliseconds(2), line: 0, isHigh: true))
        expectEqual(noise.result()?.guess, .unclear([0], .noise))
    }

    /// Half a detent closes both contacts: it is not mistaken for a selector.
    @Test func halfADetentIsNotClear() throws {
        var bench = try Workbench(
            "kind: dial\nencoder: {a: A, b: B, transitions: 2}\nrange: {min: 0, max: 9}", seed: 1,
            bounce: Workbench.bounce("none"))
        try bench.perform(.turn(Workbench.part, detents: 1, perSecond: 10))
        expectEqual(bench.result()?.guess, .unclear([0, 1], .tooShort))
    }

    /// No list of edges traps; a result names lines that exist.
    @Test(arguments: seeds) func anyEdgesAreTaken(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let count = 1 + Int(random.below(30))
        var classifier = PartClassifier(levels: (0..<count).map { _ in random.chance(percent: 50) })
        var now: UInt64 = 0
        for _ in 0..<random.below(400) {
            now += random.below(50_000_000)
            classifier.take(
                LineEdge(
                    at: Instant(nanoseconds: now), line: Int(random.below(40)),
                    isHigh: random.chance(percent: 50)))
        }
        guard let result = classifier.result() else { return }
        let places = (0..<count).map { "L\($0)" }
        #expect(result.guess.lines.allSatisfy { $0 < count })
        #expect(!PartText.text(result, places: places).isEmpty)
        _ = PanelEntry.text(result, lines: places, taken: [])
    }
}
