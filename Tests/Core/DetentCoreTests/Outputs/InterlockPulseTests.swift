import DetentTypes
import TestSupport
import Testing

@testable import DetentCore

/// Outputs that are on for a pulse after each change.
@Suite struct InterlockPulseTests {
    private static let deadTime = TimeSpan.milliseconds(50)
    private static let pulse = TimeSpan.milliseconds(80)
    /// Around the ends of a pulse, of a dead time, and of both.
    private static let offsetsMilliseconds: [UInt64] = [0, 79, 80, 129, 130, 500]
    /// How long a write takes: none, some, longer than pulse and dead time together.
    private static let latenciesMilliseconds: [UInt64] = [0, 7, 140]

    /// Coils as they are outside: each perhaps on from the command until its off is written.
    private struct Coils {
        var interlock: Interlock
        var now = Instant.zero
        var writes: [(at: Instant, output: UInt32, level: Level)] = []
        var perhapsOn: UInt32 = 0
        var wanted: UInt32 = 0
        var onSince = Instant.never
        var lastOff = Instant.zero
        var turn = 0
        /// Wanted outputs whose whole pulse came since they were last asked for.
        var pulsed: UInt32 = 0
        let latencies: [UInt64]
        var faults: [String] = []

        init(_ transition: OutputTransition, _ pulse: TimeSpan, latencies: [UInt64]) {
            interlock = Interlock(transition, pulse: pulse)
            interlock.start(at: .zero)
            self.latencies = latencies
        }

        mutating func carryOut(_ drive: Interlock.Drive) {
            if drive.off.nonzeroBitCount > 0 { command(drive.off, .inactive) }
            if drive.on.nonzeroBitCount > 0 { command(drive.on, .active) }
        }

        private mutating func command(_ output: UInt32, _ level: Level) {
            if output.nonzeroBitCount > 1 { faults.append("two told at once at \(now)") }
            switch level {
            case .active:
                perhapsOn |= output
                if perhapsOn.nonzeroBitCount > 1 { faults.append("two on at \(now)") }
                if now < lastOff + InterlockPulseTests.deadTime {
                    faults.append("on too soon at \(now)")
                }
                if output & wanted == 0 { faults.append("on unwanted at \(now)") }
            case .inactive:
                // Shorter than its pulse only because another was wanted.
                let isWhole =
                    onSince != .never && now == onSince + InterlockPulseTests.pulse
                if isWhole { pulsed |= output }
                if !isWhole, output & wanted != 0 { faults.append("off too soon at \(now)") }
                onSince = .never
            }
            let latency = TimeSpan.milliseconds(latencies[turn % latencies.count])
            turn += 1
            writes.append((max(now + latency, writes.last?.at ?? .zero), output, level))
        }

        mutating func run(until end: Instant) {
            while true {
                let next = min(writes.first?.at ?? .never, interlock.deadline)
                guard next <= end, next != .never else { break }
                now = max(now, next)
                if let done = writes.first, done.at <= now {
                    writes.removeFirst()
                    let isNews =
                        done.level == .active && !writes.contains { $0.output == done.output }
                    if isNews { onSince = now }
                    if done.level == .inactive {
                        perhapsOn &= ~done.output
                        lastOff = now
                    }
                    carryOut(interlock.written(done.output, done.level, at: now))
                } else {
                    carryOut(interlock.deadlineReached(at: now))
                }
            }
            now = max(now, end)
        }

        mutating func request(_ outputs: UInt32, after span: TimeSpan) {
            run(until: now + span)
            wanted = outputs
            pulsed &= outputs
            carryOut(interlock.request(outputs, at: now))
            // Whoever asks again for the same changes nothing.
            if !interlock.request(outputs, at: now).isEmpty { faults.append("told twice") }
        }
    }

    /// All words of `length` letters from an alphabet.
    private static func words<Letter>(_ letters: [Letter], _ length: Int) -> [[Letter]] {
        if length == 0 { return [[]] }
        return words(letters, length - 1).flatMap { word in letters.map { word + [$0] } }
    }

    /// One of three, none, or two at once as a control of several has it.
    @Test(arguments: TestLength.some(of: words(latenciesMilliseconds, 2), every: 3))
    func neverTwoOnAndEachForItsPulse(latencies: [UInt64]) {
        var checked = 0
        for outputs in Self.words([0, 1, 2, 3, 6] as [UInt32], 3) {
            for offsets in Self.words(Self.offsetsMilliseconds, 3) {
                var coils = Coils(
                    .breakBeforeMake(deadTime: Self.deadTime), Self.pulse, latencies: latencies)
                for (output, offset) in zip(outputs, offsets) {
                    coils.request(output, after: .milliseconds(offset))
                }
                coils.run(until: coils.now + .seconds(5))
                checked += 1
                // In the end nothing is on, and all that is wanted had a whole pulse.
                let isRight =
                    coils.faults.isEmpty && coils.perhapsOn == 0 && coils.interlock.on == 0
                    && coils.interlock.deadline == .never && coils.pulsed == coils.wanted
                #expect(
                    isRight, "\(outputs) after \(offsets) ms: \(coils.faults), had \(coils.pulsed)")
                if !isRight { return }
            }
        }
        expectEqual(checked, 125 * 216)
    }

    /// The checks above are able to fail: outputs that stay on, and two at once.
    @Test func outputsWithoutPulseAreCaught() {
        var coils = Coils(
            .breakBeforeMake(deadTime: Self.deadTime), .zero, latencies: [7])
        coils.request(3, after: .milliseconds(120))
        coils.run(until: coils.now + .seconds(1))
        #expect(!coils.faults.isEmpty)
        expectEqual(coils.perhapsOn, 3)
    }

    @Test func thePulseCountsFromTheWrite() {
        var interlock = Interlock(.none, pulse: Self.pulse)
        let start = Instant(nanoseconds: 1_000_000_000)
        expectEqual(interlock.request(1, at: start), Interlock.Drive(on: 1))
        expectEqual(interlock.deadline, .never)
        let written = start + .milliseconds(30)
        #expect(interlock.written(1, .active, at: written).isEmpty)
        expectEqual(interlock.deadline, written + Self.pulse)
        #expect(interlock.request(1, at: written).isEmpty)
        expectEqual(interlock.deadlineReached(at: written + Self.pulse), Interlock.Drive(off: 1))
        expectEqual(interlock.deadline, .never)
        #expect(interlock.request(1, at: written + .seconds(1)).isEmpty)
        #expect(interlock.request(0, at: written + .seconds(2)).isEmpty)
        expectEqual(interlock.request(1, at: written + .seconds(3)), Interlock.Drive(on: 1))
        // A value that goes takes the rest of the pulse with it.
        #expect(interlock.written(1, .active, at: written + .seconds(3)).isEmpty)
        expectEqual(interlock.request(0, at: written + .seconds(3)), Interlock.Drive(off: 1))
        expectEqual(interlock.deadline, .never)
    }

    /// The way through the engine: a choice whose outputs pulse, the next after the dead time.
    @Test func aChoicePulsesItsOutput() {
        let bench = Bench(
            lines: [nil, nil],
            controls: [
                ControlSettings(
                    nature: .choice(of: 2),
                    outputs: PlanRange(first: 0, count: 2), outputsPresent: 0b11,
                    transition: .breakBeforeMake(deadTime: Self.deadTime), pulse: Self.pulse)
            ])
        _ = bench.send(.start, 0)
        func outputs(_ log: [String]) -> [String] { log.filter { $0.contains("drive") } }
        expectEqual(outputs(bench.run(60)), ["50 drive l0 on"])
        _ = bench.send(.outputWritten(LineID(0), .active), 60)
        expectEqual(outputs(bench.run(200)), ["140 drive l0 off"])
        _ = bench.send(.outputWritten(LineID(0), .inactive), 200)
        expectEqual(outputs(bench.intent(Value(1), 210)), [])
        expectEqual(outputs(bench.run(300)), ["250 drive l1 on"])
    }
}
