import DetentTypes
import TestSupport
import Testing

@testable import DetentCore

/// The quadrature decoder over everything a small encoder can do.
@Suite struct EncoderTests {
    /// A in bit 1, B in bit 0; clockwise A changes first from 00.
    static let clockwise: [UInt8] = [0b00, 0b10, 0b11, 0b01]

    struct Part: CustomTestStringConvertible {
        var transitions: UInt8
        var rest: UInt8
        var isClockwise: Bool
        var sign: Int { isClockwise ? 1 : -1 }
        var settings: EncoderSettings { EncoderSettings(transitions: transitions, rest: rest) }
        var testDescription: String {
            "\(transitions) transitions, rest \(rest), \(isClockwise ? "clockwise" : "counter")"
        }

        /// Levels after each quarter of so many detents, the rest first.
        func levels(detents: Int) -> [UInt8] {
            let start = EncoderTests.clockwise.firstIndex(of: rest) ?? 0
            return (0...detents * Int(transitions)).map {
                EncoderTests.clockwise[(start + 400 + sign * $0) % 4]
            }
        }
    }

    static let parts: [Part] = [1, 2, 4].flatMap { transitions in
        (0..<4 as Range<UInt8>).flatMap { rest in
            [true, false].map { Part(transitions: transitions, rest: rest, isClockwise: $0) }
        }
    }

    struct Turn {
        var deltas: [Int] = []
        var steps: [Int] = []
        var lost: UInt32 = 0
        var sum: Int { deltas.reduce(0, +) }
    }

    /// Feeds levels, each so long after the one before, and lets every wait end.
    static func turn(
        _ levels: [UInt8], _ settings: EncoderSettings, every: TimeSpan = .milliseconds(20),
        acceleration: UInt8 = 1
    ) -> Turn {
        var decoder = QuadratureDecoder(settings, acceleration: acceleration)
        decoder.start(levels[0])
        var now = Instant(millisecond: 1_000)
        var turn = Turn()
        func take(_ decoded: DecoderOutput) {
            guard decoded.gestures.contains(.stepped) else { return }
            turn.deltas.append(Int(decoded.delta))
            turn.steps.append(Int(decoded.steps))
        }
        for level in levels.dropFirst() {
            now = now + every
            while decoder.deadline <= now {
                take(
                    decoder.deadlineReached(
                        at: decoder.deadline))
            }
            take(decoder.contacts(level, at: now))
        }
        while decoder.deadline != .never {
            take(
                decoder.deadlineReached(
                    at: decoder.deadline))
        }
        turn.lost = decoder.lost
        return turn
    }

    @Test func theTransitionTable() {
        let settings = EncoderSettings(transitions: 1, rest: 0)
        for from in Self.clockwise {
            for to in 0..<4 as Range<UInt8> {
                let turn = Self.turn([from, to], settings)
                let places = [from, to].map { Self.clockwise.firstIndex(of: $0) ?? 0 }
                let quarter = (places[1] - places[0] + 4) % 4
                expectEqual(turn.sum, [0, 1, 0, -1][quarter], "from \(from) to \(to)")
                expectEqual(turn.lost, (quarter == 2 ? 1 : 0), "from \(from) to \(to)")
            }
        }
    }

    @Test(arguments: parts)
    func everyDetentIsOneStep(part: Part) {
        let turn = Self.turn(part.levels(detents: 9), part.settings)
        expectEqual(turn.deltas, Array(repeating: part.sign, count: 9))
        expectEqual(turn.lost, 0)
    }

    /// On every edge in turn the contact goes back and forth three times within a millisecond.
    @Test(arguments: parts)
    func bounceOnAnyEdgeIsNothing(part: Part) {
        let clean = part.levels(detents: 5)
        for place in 1..<clean.count {
            var levels = clean
            let pair = [clean[place - 1], clean[place]]
            levels.insert(contentsOf: pair + pair + pair, at: place + 1)
            let turn = Self.turn(levels, part.settings, every: .microseconds(100))
            expectEqual(turn.sum, 5 * part.sign, "bounce at \(place)")
            // At a rest within the bounce a step back and forth is told only where the contact
            // rests longer than the lock; here it never does.
            if part.transitions == 4 {
                expectEqual(
                    turn.deltas, Array(repeating: part.sign, count: 5), "bounce at \(place)")
            }
        }
    }

    @Test(arguments: parts)
    func aLostSampleAnywhereCostsTwoDetentsAtMost(part: Part) {
        let clean = part.levels(detents: 6)
        for place in 1..<clean.count {
            var levels = clean
            levels.remove(at: place)
            let turn = Self.turn(levels, part.settings)
            // A jump is in no direction. Where it goes over a rest it ends one detent and begins
            // the next.
            #expect(abs(6 - turn.sum * part.sign) <= 2, "lost \(place)")
            #expect(turn.deltas.allSatisfy { $0 == part.sign }, "reversed after \(place)")
            expectEqual(turn.lost, (place == clean.count - 1 ? 0 : 1), "lost \(place)")
        }
    }

    /// One line's edge is lost, so that line keeps its level until its next edge.
    @Test(arguments: parts.filter { $0.transitions == 4 })
    func aLostEdgeAnywhereCostsOneDetentAtMost(part: Part) {
        let clean = part.levels(detents: 6)
        for lost in 1..<clean.count {
            var seen = clean[0]
            let levels =
                [seen]
                + (1..<clean.count).map { place in
                    let changed = clean[place] ^ clean[place - 1]
                    if place != lost { seen = seen & ~changed | clean[place] & changed }
                    return seen
                }
            let turn = Self.turn(levels, part.settings)
            #expect(abs(6 - turn.sum * part.sign) <= 1, "lost \(lost)")
            #expect(turn.deltas.allSatisfy { $0 == part.sign }, "reversed after \(lost)")
        }
    }

    @Test(arguments: parts)
    func aReversalLosesNoStep(part: Part) {
        let there = part.levels(detents: 4)
        let turn = Self.turn(there + there.reversed().dropFirst(), part.settings)
        expectEqual(turn.sum, 0)
        expectEqual(
            turn.deltas,
            Array(repeating: part.sign, count: 4)
                + Array(repeating: -part.sign, count: 4))
        // Turned back between two detents, it never was.
        guard part.transitions == 4 else { return }
        for quarters in 1..<4 {
            let half = Array(there.prefix(5 + quarters))
            let back = Self.turn(half + half.reversed().dropFirst(), part.settings)
            #expect(back.sum == 0 && back.deltas.first == part.sign, "back after \(quarters)")
        }
    }

    /// With one transition a detent a step back counts only when nothing has cancelled it for 5 ms.
    @Test func theDirectionLockSwallowsABounce() {
        let settings = EncoderSettings(transitions: 1, rest: 0)
        let bouncing: [UInt8] = [0b00, 0b10, 0b11, 0b10, 0b11, 0b01]
        expectEqual(Self.turn(bouncing, settings, every: .milliseconds(1)).deltas, [1, 1, 1])
        expectEqual(
            Self.turn(bouncing, settings, every: .milliseconds(20)).deltas, [1, 1, -1, 1, 1])
        let fastReversal: [UInt8] = [0b00, 0b10, 0b11, 0b10, 0b00]
        expectEqual(Self.turn(fastReversal, settings, every: .milliseconds(1)).deltas, [1, 1, -2])
    }

    @Test(arguments: parts, [2, 4, 200] as [UInt8])
    func accelerationNeverMultipliesAReversal(part: Part, acceleration: UInt8) {
        let there = part.levels(detents: 6)
        let quarter = TimeSpan(nanoseconds: 6_000_000 / UInt64(part.transitions))
        let turn = Self.turn(
            there + there.reversed().dropFirst(), part.settings, every: quarter,
            acceleration: acceleration)
        var before = 0
        for (delta, steps) in zip(turn.deltas, turn.steps) {
            if delta.signum() != before.signum() {
                expectEqual(steps, delta, "a reversal was multiplied")
            } else {
                #expect(abs(steps) <= Int(acceleration) * abs(delta))
                #expect(abs(steps) >= abs(delta) && steps.signum() == delta.signum())
            }
            before = delta
        }
        expectEqual(turn.steps.map(abs).max(), Int(acceleration))
    }

    /// One step back on a bouncing contact, in the midst of a fast turn, is no jump.
    @Test(arguments: parts, [2, 51, 200] as [UInt8])
    func aBadTransitionAtSpeedMovesOneDetentAtMost(part: Part, acceleration: UInt8) {
        let levels = part.levels(detents: 6)
        let quarter = TimeSpan(nanoseconds: 6_000_000 / UInt64(part.transitions))
        for place in 1..<levels.count - 1 {
            let bad = levels[...place] + [levels[place - 1]] + levels[place...]
            let turn = Self.turn(
                Array(bad), part.settings, every: quarter, acceleration: acceleration)
            let back = turn.steps.filter { $0.signum() == -part.sign }
            #expect(back.allSatisfy { $0 == -part.sign }, "bounce after \(place): \(turn.steps)")
            #expect(back.count <= 1, "bounce after \(place): \(turn.steps)")
        }
    }

    @Test func slowDetentsAreNeverMultiplied() {
        let part = Part(transitions: 4, rest: 0, isClockwise: true)
        let turn = Self.turn(
            part.levels(detents: 4), part.settings, every: .milliseconds(30), acceleration: 200)
        expectEqual(turn.steps, [1, 1, 1, 1])
    }

    /// Lines that jump between impossible levels turn nothing, however long they do.
    @Test func noiseWithoutRestIsNoStep() {
        for cycles in 1..<100 {
            var levels: [UInt8] = [0b00, 0b10]
            for _ in 0..<cycles { levels += [0b01, 0b10] }
            levels += [0b01, 0b00]
            let turn = Self.turn(levels, EncoderSettings(transitions: 4, rest: 0))
            expectEqual(turn.sum, 0, "after \(cycles) cycles")
            expectEqual(turn.lost, UInt32(2 * cycles + 1), "after \(cycles) cycles")
        }
    }

    // MARK: Both lines at one stamp

    /// Two quarters of a turn come at one stamp, as two events, in either order of the lines.
    private static func jump(_ part: Part, at place: Int, isAFirst: Bool) -> Turn {
        let levels = part.levels(detents: 6)
        var decoder = QuadratureDecoder(part.settings, acceleration: 1)
        decoder.start(levels[0])
        var turn = Turn()
        var now = Instant(millisecond: 1_000)
        func settle() {
            while decoder.deadline <= now + .milliseconds(10) {
                let told = decoder.deadlineReached(
                    at: decoder.deadline)
                if told.gestures.contains(.stepped) { turn.deltas.append(Int(told.delta)) }
            }
        }
        var next = 1
        while next < levels.count {
            now = now + .milliseconds(20)
            if next == place {
                let from = levels[next - 1]
                let both = from ^ levels[next + 1]
                _ = decoder.contacts(from ^ (isAFirst ? 2 : 1), at: now)
                _ = decoder.contacts(from ^ both, at: now)
                next += 2
            } else {
                _ = decoder.contacts(levels[next], at: now)
                next += 1
            }
            settle()
        }
        turn.lost = decoder.lost
        return turn
    }

    @Test(arguments: parts)
    func bothLinesAtOneStampAreOneJumpInNoDirection(part: Part) {
        let count = part.levels(detents: 6).count
        for place in 1..<count - 1 {
            let one = Self.jump(part, at: place, isAFirst: true)
            let other = Self.jump(part, at: place, isAFirst: false)
            expectEqual(one.deltas, other.deltas, "the order of the events decides at \(place)")
            #expect(one.lost == 1 && other.lost == 1, "at \(place)")
            #expect(one.deltas.allSatisfy { $0 == part.sign }, "an invented direction at \(place)")
            #expect((4...5).contains(abs(one.sum)), "at \(place): \(one.deltas)")
        }
    }

    /// Every jump at rest: the panel moves nowhere.
    @Test(arguments: parts)
    func jumpingForthAndBackAtRestMovesNothing(part: Part) {
        var decoder = QuadratureDecoder(part.settings, acceleration: 1)
        decoder.start(part.rest)
        for place in 0..<50 {
            let now = Instant(millisecond: 20 * place)
            let levels: UInt8 = place % 2 == 0 ? part.rest : ~part.rest & 3
            let first = decoder.contacts(levels ^ 1, at: now)
            let second = decoder.contacts(~levels & 3, at: now)
            #expect(first == .nothing && second.gestures == .lost, "jump \(place)")
            expectEqual(decoder.deadline, .never, "jump \(place)")
        }
        expectEqual(decoder.lost, 50)
    }

    /// The engine is told of one line after the other; a detent keeps its own stamp.
    @Test func twoEventsWithOneStampAreOneJump() {
        let bench = Bench(
            lines: [DebounceSettings.none, DebounceSettings.none],
            controls: [
                ControlSettings(
                    nature: .dial(NumberRange(minimum: 0, maximum: 9)),
                    contacts: PlanRange(first: 0, count: 2),
                    decoder: .encoder(EncoderSettings(transitions: 4, rest: 0)))
            ])
        _ = bench.send(.start, 0)
        let quarters: [(UInt16, Level)] = [(0, .active), (1, .active), (0, .inactive)]
        for (place, it) in quarters.enumerated() {
            expectEqual(bench.edge(it.0, it.1, 10 * (place + 1)), [])
        }
        // B first would be a whole detent, if A did not change at that stamp as well.
        expectEqual(bench.edge(1, .inactive, 40), [])
        expectEqual(bench.edge(0, .active, 40), ["40 c0 lost 1"])
        expectEqual(bench.run(45), [])
        #expect(bench.edge(0, .inactive, 50) == [] && bench.run(60) == [])
        // From this rest on detents count again.
        for (place, it) in quarters.enumerated() { _ = bench.edge(it.0, it.1, 100 + 10 * place) }
        expectEqual(bench.edge(1, .inactive, 140), [], "its stamp is not over")
        expectEqual(
            bench.run(141),
            [
                "140 c0 stepped 1", "140 c0 changed 1 by panel", "140 c0 confirmed 1",
            ])
    }
}
