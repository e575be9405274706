import DetentTypes
import TestSupport
import Testing

@testable import DetentCore

/// The engine's contracts against a plain reading of the whole history.
@Suite struct ConfirmModelTests {
    /// One thing that happened outside, as the engine is told.
    enum Outside {
        case tick
        case edge(Level)
        case reading(Level)
        case condition(Value)
        case fault(Level)
    }

    static func contract(_ random: inout SplitMix) -> ConfirmSettings {
        let time = TimeSpan.milliseconds(UInt64(1 + random.below(3_000)))
        switch random.below(3) {
        case 0: return .hold(time)
        case 1: return .pressTwice(within: time)
        case _: return .arm(time)
        }
    }

    /// A random course of events, and what of it matters for the contract.
    static func course(
        _ random: inout SplitMix, steps: Int
    ) -> (outside: [(UInt64, Outside)], history: [(at: UInt64, what: PlainContract.Happening)]) {
        var outside: [(UInt64, Outside)] = []
        var history: [(at: UInt64, what: PlainContract.Happening)] = []
        var now: UInt64 = 0
        var isDown = false
        var isEnabled = true
        for _ in 0..<steps {
            let spans: [UInt64] = [0, 1_000_000, 60_000_000, 400_000_000, 2_000_000_000]
            now += random.next() % (spans[random.below(5)] + 1)
            if random.chance(30) { now = (now + 999_999) / 1_000_000 * 1_000_000 }
            switch random.below(16) {
            case 0, 1:
                outside.append((now, .tick))
            case 2, 3, 4, 5:
                outside.append((now, .reading(Level(isDown))))
                if isDown { history.append((now, .readDown)) }
            case 6:
                isEnabled.toggle()
                outside.append((now, .condition(isEnabled ? .on : .off)))
                if !isEnabled { history.append((now, .spoilt)) }
            case 7:
                outside.append((now, .fault(Level(isDown))))
                history.append((now, .spoilt))
            case 8 where isDown:
                // The edge of the release was lost; a reading tells it.
                isDown = false
                outside.append((now, .reading(.inactive)))
                history.append((now, .release))
            case _:
                isDown.toggle()
                outside.append((now, .edge(Level(isDown))))
                if !isDown {
                    history.append((now, .release))
                } else if isEnabled {
                    history.append((now, .press))
                }
            }
        }
        return (outside, history)
    }

    /// What the engine tells of the contract; `isLate` wakes it only when something happens.
    static func run(
        _ outside: [(UInt64, Outside)], _ confirm: ConfirmSettings, isLate: Bool
    ) -> [String] {
        let bench = Bench.destructive(confirm, isConditional: true)
        bench.answersReadings = false
        var log: [String] = []
        func send(_ event: Event, _ at: Instant) {
            for (effect, due) in bench.raw(event, at: at) {
                switch effect {
                case .start(_, let run, _, _, _, _):
                    log.append("\(Words.time(due)) start")
                    send(.actionFinished(ControlID(0), run, .succeeded), at)
                case .report(let report):
                    switch report.kind {
                    case .armed, .progress: log.append(Words.line(effect, due))
                    case _: break
                    }
                case .readLevel, .adjust, .indicate, .provide, .drive, .cancel, .answer: break
                }
            }
        }
        for (at, what) in outside {
            let now = Instant(nanoseconds: at)
            while !isLate, bench.nextDeadline <= now { send(.tick, bench.nextDeadline) }
            switch what {
            case .tick: send(.tick, now)
            case .edge(let level): send(.edge(LineID(0), level, sequence: 0), now)
            case .reading(let level): send(.reading(LineID(0), level), now)
            case .condition(let value): send(.intent(ControlID(1), value, .web), now)
            case .fault(let level):
                send(.lineFault(LineID(0)), now)
                send(.lineRestored(LineID(0)), now)
                send(.reading(LineID(0), level), now)
            }
        }
        return log
    }

    @Test(arguments: TestLength.seeds(0..<300))
    func theEngineAgreesWithAPlainReading(seed: UInt64) {
        var random = SplitMix(seed: seed)
        let confirm = Self.contract(&random)
        let (outside, history) = Self.course(&random, steps: 400)
        let expected = PlainContract.told(history, confirm, until: outside.last?.0 ?? 0)
        let late = Self.run(outside, confirm, isLate: true)
        if let difference = firstDifference(late, expected) {
            Issue.record("seed \(seed), \(confirm): \(difference)")
        }
        if let difference = firstDifference(Self.run(outside, confirm, isLate: false), late) {
            Issue.record("seed \(seed), \(confirm), woken in time: \(difference)")
        }
        // What a checker compares must be there to be compared.
        #expect(expected.contains { $0.hasSuffix("start") } || seed != 0, "seed \(seed)")
    }

    /// Every list of four (five in a long run) presses, releases, readings, faults and waits.
    @Test(arguments: [
        ConfirmSettings.hold(.milliseconds(300)), .pressTwice(within: .milliseconds(700)),
        .arm(.milliseconds(700)),
    ])
    func everyShortHistoryAgrees(confirm: ConfirmSettings) {
        let choices = 6
        var places = Array(repeating: 0, count: TestLength.size(short: 4, long: 5))
        var failures = 0
        while true {
            var now: UInt64 = 0
            var isDown = false
            var outside: [(UInt64, Outside)] = []
            var history: [(at: UInt64, what: PlainContract.Happening)] = []
            for choice in places {
                switch choice {
                case 0:
                    isDown.toggle()
                    outside.append((now, .edge(Level(isDown))))
                    history.append((now, isDown ? .press : .release))
                case 1:
                    outside.append((now, .reading(Level(isDown))))
                    if isDown { history.append((now, .readDown)) }
                case 2:
                    outside.append((now, .fault(Level(isDown))))
                    history.append((now, .spoilt))
                case 3: now += 100_000_000
                case 4: now += 300_000_000
                case _: now += 500_000_000
                }
            }
            outside.append((now, .tick))
            let expected = PlainContract.told(history, confirm, until: now)
            let told = Self.run(outside, confirm, isLate: true)
            if told != expected {
                failures += 1
                if failures < 4 { Issue.record("\(places): \(told) is not \(expected)") }
            }
            var digit = 0
            while digit < places.count {
                places[digit] += 1
                if places[digit] < choices { break }
                places[digit] = 0
                digit += 1
            }
            if digit == places.count { break }
        }
        expectEqual(failures, 0)
    }
}
