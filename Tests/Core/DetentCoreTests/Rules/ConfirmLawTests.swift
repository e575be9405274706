import DetentTypes
import TestSupport
import Testing

@testable import DetentCore

/// What confirms must have been seen: whatever is pressed in whatever order, nothing fires in the
/// first half second of its question.
@Suite struct ConfirmLawTests {
    /// A control with a contract, and what a hand does to it.
    struct Way: CustomTestStringConvertible, Sendable {
        let testDescription: String
        /// The contacts that are pressed.
        var lines: ClosedRange<UInt16> = 0...0
        var isTurned = false
        var control: UInt16 = 0
        /// The values that need a confirmation.
        var destructive: Set<Int32> = [0, 1, 2]
        /// The question is told by `armed`; else a hold itself is the question.
        let isArmed: Bool
        let bench: @Sendable () -> Bench
    }

    static let times: [UInt64] = [600, 3_000]

    static let ways: [Way] = times.flatMap { time in
        let time = TimeSpan.milliseconds(time)
        let contracts: [(String, ConfirmSettings)] = [
            ("hold", .hold(time)), ("press twice", .pressTwice(within: time)), ("arm", .arm(time)),
        ]
        return contracts.flatMap { ofOneControl($0.0, $0.1, time) } + chords(time)
    }

    private static func ofOneControl(
        _ name: String, _ contract: ConfirmSettings, _ time: TimeSpan
    ) -> [Way] {
        let isArmed = name != "hold"
        let title = "\(name) \(time.nanoseconds / 1_000_000) ms"
        let kinds: [(String, ControlNature)] = [
            ("a button", .button), ("a switch", .onOff(latch: .toggle)),
            ("a toggle button", .onOff(latch: .toggle)),
        ]
        let rows: [(String, ControlNature)] = [
            ("commands", .commands(3)), ("a radio group", .choice(of: 3)),
            ("segments", .selection(of: 3, minimum: 0, maximum: 3)),
        ]
        let menus: [(String, NavigationSettings.Hardware)] =
            [
                ("a menu on an encoder", .encoder), ("a menu on buttons", .buttons),
                // There, a hold is a choice, and confirms nothing.
            ] + (isArmed ? [("a menu on one button", .oneButton)] : [])
        return kinds.map { kind in
            Way(testDescription: "\(title), \(kind.0)", isArmed: isArmed) {
                Bench.destructive(contract, kind: kind.1)
            }
        }
            + rows.map { kind in
                Way(
                    testDescription: "\(title), \(kind.0)", lines: 0...2,
                    destructive: Set(0...7), isArmed: isArmed
                ) {
                    RowDialogueTests.row(
                        kind.1, buttons: 3, ActionSettings(timeout: .seconds(5)), confirm: contract)
                }
            }
            + menus.map { menu in
                Way(
                    testDescription: "\(title), \(menu.0)",
                    lines: menu.1 == .encoder ? 2...2 : menu.1 == .buttons ? 0...3 : 0...0,
                    isTurned: menu.1 == .encoder, destructive: [4], isArmed: isArmed
                ) { MenuDialogueTests.pullDown(menu.1, contract) }
            }
    }

    private static func chords(_ time: TimeSpan) -> [Way] {
        [(false, ControlNature.button), (true, .button), (true, .onOff(latch: .toggle))]
            .map { hasOwn, kind in
                Way(
                    testDescription: "chord \(time.nanoseconds / 1_000_000) ms, \(hasOwn) \(kind)",
                    lines: 0...2, control: 2, isArmed: false
                ) { Bench.chord(hold: time, hasOwn: hasOwn, kind: kind) }
            }
    }

    /// A play of a hand at one control, with the moment of its question.
    private struct Play {
        let way: Way
        let bench: Bench
        private var now = Instant.zero
        /// Since when what is being confirmed is shown; nil where nothing is.
        private var shown: Instant?
        private(set) var fired = 0
        private(set) var early: [String] = []

        init(_ way: Way) {
            self.way = way
            bench = way.bench()
        }

        mutating func pass(_ milliseconds: UInt64) {
            let end = now + .milliseconds(milliseconds)
            while bench.nextDeadline <= end {
                now = max(now, bench.nextDeadline)
                send(.tick)
            }
            now = end
        }

        mutating func edge(_ line: UInt16) {
            let level = (bench.levels[line] ?? .inactive).opposite
            bench.levels[line] = level
            send(.edge(LineID(line), level, sequence: 0))
        }

        mutating func turn(_ clockwise: Bool) {
            for line in clockwise ? [0, 1] : [1, 0] as [UInt16] {
                edge(line)
                now = now + .nanoseconds(1_000)
            }
        }

        private mutating func send(_ event: Event) {
            for (effect, _) in bench.raw(event, at: now) {
                switch effect {
                case .report(let report) where report.control == ControlID(way.control):
                    switch report.kind {
                    case .armed: shown = now
                    case .progress(0): shown = nil
                    case _: break
                    }
                case .start(_, let run, ControlID(way.control), let value, _, _):
                    note(value)
                    send(.actionFinished(ControlID(way.control), run, .succeeded))
                case .readLevel(let line):
                    send(.reading(line, bench.levels[line.index] ?? .inactive))
                case _: break
                }
            }
            guard !way.isArmed else { return }
            if bench.snapshot(way.control).progress == 0 {
                shown = nil
            } else {
                shown = shown ?? now
            }
        }

        private mutating func note(_ value: Value) {
            guard way.destructive.contains(value.raw) else { return }
            fired += 1
            guard let shown, now - shown >= .milliseconds(500) else {
                let asked = shown.map(Words.time) ?? "no time"
                early.append("\(Words.time(now)): \(value.raw), asked at \(asked)")
                return
            }
            self.shown = nil
        }
    }

    @Test(arguments: ways) func nothingFiresBeforeItsQuestionWasSeen(way: Way) {
        var fired = 0
        for seed in TestLength.seeds(0..<128) {
            var random = SplitMix(seed: seed)
            var play = Play(way)
            var line = way.lines.lowerBound
            for _ in 0..<200 {
                let gaps: [UInt64] = [0, 1, 20, 90, 250, 499, 500, 502, 900, 3_100]
                play.pass(gaps[random.below(gaps.count)])
                if way.isTurned, random.chance(40) {
                    play.turn(random.chance(70))
                } else {
                    // Mostly the same button again, as for a confirmation.
                    if random.chance(30) { line = way.lines.randomElement(using: &random) ?? 0 }
                    play.edge(line)
                }
            }
            fired += play.fired
            #expect(play.early == [], "seed \(seed)")
        }
        #expect(fired > 0, "what never fires proves nothing")
    }

    /// A guard is open before the press, and a program was asked by its token.
    @Test func guardsAndTokensNeedNoWait() {
        let guarded = Bench.destructive(.guarded, hasGuard: true)
        _ = guarded.press(1, 5)
        #expect(guarded.press(0, 6).contains("6 c0 refused guarded by panel"), "shut")
        _ = guarded.release(0, 7) + guarded.release(1, 8)
        #expect(guarded.press(0, 8).contains { $0.hasPrefix("8 start") })
        for contract in [ConfirmSettings.hold(.seconds(2)), .pressTwice(within: .seconds(3))] {
            let bench = Bench.destructive(contract)
            _ = bench.press(0, 10)
            #expect(bench.fire(11, isConfirmed: true).contains { $0.hasPrefix("11 start") })
        }
    }
}
