import DetentTypes
import TestSupport
import Testing

@testable import DetentCore

/// No list of events traps the engine, keeps it busy, or breaks what always holds.
@Suite struct StormTests {
    /// What is known of a control from its reports and effects alone.
    struct Seen {
        var isPressed = false
        var inFlight: RunID?
        /// What is in flight is a query; only that can be answered.
        var isAsked = false
    }

    /// 64 panels of every kind, each through 1,500 events with valid and invalid identifiers and
    /// stamps that run forth, jump and run back.
    @Test(arguments: TestLength.seeds(0..<64))
    func storm(seed: UInt64) {
        var random = SplitMix(seed: seed)
        let bench = EveryKind.bench(&random)
        var seen = Array(repeating: Seen(), count: EveryKind.controlCount)
        var clock = Instant(nanoseconds: random.next() >> UInt64(random.below(40) + 8))
        for (effect, _) in bench.raw(.start, at: clock) {
            Self.note(effect, &seen, ending: nil, seed: seed, place: -1)
        }
        var latest = max(clock, .zero)
        var runs: UInt32 = 0
        for place in 0..<1_500 {
            clock = Self.next(clock, &random, isLast: place == 1_499)
            latest = max(latest, clock)
            let event = RequestLaw.numbered(
                Self.event(&random, runs), place % 3 == 0 ? 0 : UInt32(place))
            var ending: RunID?
            switch event {
            case .actionFinished(_, let run, _), .answered(_, let run, _): ending = run
            case _: break
            }
            let effects = bench.raw(event, at: clock)
            if let fault = RequestLaw.fault(of: event, effects.map(\.0)) {
                Issue.record("seed \(seed) event \(place): \(fault)")
            }
            for control in 0..<UInt16(EveryKind.controlCount) {
                guard let lie = TruthLaw.lie(of: bench.snapshot(control), bench.kind(control))
                else { continue }
                Issue.record("seed \(seed) event \(place) c\(control): \(lie)")
            }
            // Sixty-four repetitions of a held button, each with a few words, is the most that one
            // control tells; a jump of time also ends whatever else it waits for.
            #expect(
                effects.count < EveryKind.controlCount * 400, "seed \(seed) event \(place)")
            let due = bench.nextDeadline
            #expect(due > latest || due == .never, "seed \(seed) event \(place)")
            for (effect, at) in effects {
                #expect(at <= latest, "seed \(seed) event \(place): an effect of the future")
                if case .start(_, let run, _, _, _, _) = effect { runs = run.number }
                Self.note(effect, &seen, ending: ending, seed: seed, place: place)
            }
            Self.end(event, &seen)
        }
        for control in 0..<UInt16(EveryKind.controlCount) {
            let hasColors = [.twoColor, .rgb].contains(bench.style(control))
            Self.check(
                bench.snapshot(control), most: Self.most(bench.kind(control)),
                hasColors: hasColors, seed: seed)
        }
    }

    /// An outcome ends what is in flight, and an answer a query.
    static func end(_ event: Event, _ seen: inout [Seen]) {
        switch event {
        case .actionFinished(let control, let run, _):
            guard Int(control.index) < seen.count, seen[Int(control.index)].inFlight == run
            else { return }
            seen[Int(control.index)].inFlight = nil
        case .answered(let control, let run, _):
            guard Int(control.index) < seen.count, seen[Int(control.index)].inFlight == run,
                seen[Int(control.index)].isAsked
            else { return }
            seen[Int(control.index)].inFlight = nil
        case _:
            return
        }
    }

    static func next(_ clock: Instant, _ random: inout SplitMix, isLast: Bool) -> Instant {
        if isLast { return .never }
        switch random.below(40) {
        case 0: return Instant(nanoseconds: clock.nanoseconds >> 1)
        case 1: return .zero
        case 2: return clock + .seconds(86_400)
        case 3, 4, 5, 6, 7, 8: return clock
        case _: return clock + .nanoseconds(random.next() % 40_000_000)
        }
    }

    static func event(_ random: inout SplitMix, _ runs: UInt32) -> Event {
        let line = LineID(random.chance(2) ? .max : UInt16(random.below(120)))
        let control = ControlID(
            random.chance(2) ? .max : UInt16(random.below(EveryKind.controlCount + 2)))
        let level = Level(random.chance(50))
        let run = RunID(
            random.chance(5)
                ? UInt32(truncatingIfNeeded: random.next())
                : runs &- UInt32(random.below(12)))
        let places = Origin.Place.allCases
        let origin = Origin(places[random.below(places.count)]).by(UInt8(random.below(33)))
        switch random.below(40) {
        case 0: return .tick
        case 1: return .start
        case 2: return .resync()
        case 3: return .overflow(line)
        case 4: return .lineFault(line)
        case 5: return .lineRestored(line)
        case 6, 7, 8: return .reading(line, level)
        case 9, 10, 11, 12:
            let value =
                random.chance(20)
                ? Value(Int32(truncatingIfNeeded: random.next())) : Value(Int32(random.below(4)))
            return .intent(control, value, origin)
        case 13, 14: return .fire(control, .on, origin, isConfirmed: false)
        case 15: return .actionStarted(control, run)
        case 16: return .outputWritten(line, level)
        case 23: return .feedback(control, Value(Int32(random.below(4))))
        case 24: return .answered(control, run, Value(Int32(random.below(4))))
        case 25: return .saved(control, Value(Int32(random.below(4))))
        case 27: return .close(control, by: .web)
        case 26: return .lampTest(isOn: random.chance(50))
        case 29: return .change(control, by: Int32(random.below(7)) - 3, origin)
        case 28: return .broker(isOffline: random.chance(50))
        case 17, 18, 19, 20, 21, 22:
            let outcomes: [ActionOutcome] = [
                .succeeded, .failed(.exit(1)), .timedOut, .cancelled, .lost,
            ]
            return .actionFinished(control, run, outcomes[random.below(5)])
        case _:
            return .edge(
                line, level,
                sequence: random.chance(50) ? 0 : UInt32(truncatingIfNeeded: random.next()))
        }
    }

    /// Presses alternate with releases, and a control has one attempt in flight at a time, which
    /// ends by an outcome or is cancelled.
    static func note(
        _ effect: Effect, _ seen: inout [Seen], ending: RunID?, seed: UInt64, place: Int
    ) {
        switch effect {
        case .report(let report):
            let control = Int(report.control.index)
            switch report.kind {
            case .pressed:
                #expect(!seen[control].isPressed, "seed \(seed) event \(place)")
                seen[control].isPressed = true
            case .released:
                #expect(seen[control].isPressed, "seed \(seed) event \(place)")
                seen[control].isPressed = false
            case _: break
            }
        case .start(let action, let run, let control, _, _, _):
            let last = seen[Int(control.index)].inFlight
            #expect(
                last == nil || last == ending,
                "seed \(seed) event \(place): two attempts in flight")
            seen[Int(control.index)].inFlight = run
            seen[Int(control.index)].isAsked = EveryKind.isQuery(action)
        case .cancel(_, let run):
            // Only an attempt in flight is stopped.
            let owner = seen.firstIndex { $0.inFlight == run }
            #expect(owner != nil, "seed \(seed) event \(place): cancelled twice")
            if let owner { seen[owner].inFlight = nil }
        case .readLevel, .adjust, .indicate, .provide, .drive, .answer:
            break
        }
    }

    /// How many options of a control may be on together; of commands as many as fingers press, and
    /// a row has up to six buttons.
    static func most(_ kind: ControlNature) -> Int {
        switch kind.domain {
        case .subset(_, _, let maximum): Int(maximum)
        case .options where kind.role == .events: 6
        case _: 1
        }
    }

    static func check(
        _ snapshot: ControlSnapshot, most: Int, hasColors: Bool, seed: UInt64
    ) {
        #expect(snapshot.desired != .unknown, "seed \(seed)")
        #expect(
            snapshot.flags.contains(.unconfirmed) == false || snapshot.actual == .unknown,
            "seed \(seed)")
        #expect(snapshot.outputs.nonzeroBitCount <= most, "seed \(seed): too many outputs on")
        #expect(snapshot.lamps.nonzeroBitCount <= max(most, hasColors ? 3 : 1), "seed \(seed)")
    }

    /// Equal settings and equal events give equal effects.
    @Test(arguments: TestLength.seeds(100..<108))
    func twoRunsAreEqual(seed: UInt64) {
        func run() -> [String] {
            var random = SplitMix(seed: seed)
            let bench = EveryKind.bench(&random)
            var clock = Instant(millisecond: 5)
            var log = bench.send(.start, at: clock)
            for _ in 0..<1_500 {
                clock = Self.next(clock, &random, isLast: false)
                log += bench.send(Self.event(&random, 40), at: clock)
            }
            return log
        }
        expectEqual(run(), run(), "seed \(seed)")
    }
}
