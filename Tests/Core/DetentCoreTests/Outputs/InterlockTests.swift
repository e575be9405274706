import DetentTypes
import TestSupport
import Testing

@testable import DetentCore

/// Every way of asking three interlocked outputs for one another, with writes that take their time.
@Suite struct InterlockTests {
    private static let deadTime = TimeSpan.milliseconds(50)
    /// Around the moments that matter: at once, inside, at the edges of and after a dead time.
    private static let offsetsMilliseconds: [UInt64] = [0, 10, 49, 50, 51, 120]
    /// How long a write takes: none, some, longer than the dead time (a stalled process).
    private static let latenciesMilliseconds: [UInt64] = [0, 7, 130]

    /// Relays as they are outside: an output counts as on from the command on until its off is
    /// written.
    private struct Relays {
        var interlock: Interlock
        var now = Instant.zero
        var writes: [(at: Instant, output: UInt32, level: Level)] = []
        var perhapsOn: UInt32 = 0
        var lastOff = Instant.zero
        var turn = 0
        let latencies: [UInt64]
        var faults: [String] = []

        init(_ transition: OutputTransition, latencies: [UInt64]) {
            interlock = Interlock(transition)
            interlock.start(at: .zero)
            self.latencies = latencies
        }

        mutating func carryOut(_ drive: Interlock.Drive) {
            command(drive.off, .inactive)
            command(drive.on, .active)
        }

        private mutating func command(_ outputs: UInt32, _ level: Level) {
            for place in 0..<3 where outputs & 1 << UInt32(place) != 0 {
                if level == .active {
                    perhapsOn |= 1 << UInt32(place)
                    if perhapsOn.nonzeroBitCount > 1 { faults.append("two on at \(now)") }
                    if now < lastOff + InterlockTests.deadTime {
                        faults.append("on \((now - lastOff).nanoseconds) ns after the last off")
                    }
                }
                let latency = TimeSpan.milliseconds(latencies[turn % latencies.count])
                turn += 1
                writes.append((now + latency, 1 << UInt32(place), level))
            }
        }

        mutating func run(until end: Instant) {
            while true {
                let write = writes.indices.min { writes[$0].at < writes[$1].at }
                let next = min(write.map { writes[$0].at } ?? .never, interlock.deadline)
                guard next <= end, next != .never else { break }
                now = max(now, next)
                if let write, writes[write].at <= now {
                    let done = writes.remove(at: write)
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

        mutating func request(_ output: UInt32, after span: TimeSpan) {
            run(until: now + span)
            carryOut(interlock.request(output, at: now))
        }
    }

    /// All words of `length` letters from an alphabet.
    private static func words<Letter>(_ letters: [Letter], _ length: Int) -> [[Letter]] {
        if length == 0 { return [[]] }
        return words(letters, length - 1).flatMap { word in letters.map { word + [$0] } }
    }

    @Test(arguments: TestLength.some(of: words(latenciesMilliseconds, 2), every: 4))
    func neverTwoOnAndNeverTooSoon(latencies: [UInt64]) {
        var checked = 0
        for outputs in Self.words([0, 1, 2, 4] as [UInt32], 3) {
            for offsets in Self.words(Self.offsetsMilliseconds, 3) {
                var relays = Relays(
                    .breakBeforeMake(deadTime: Self.deadTime), latencies: latencies)
                for (output, offset) in zip(outputs, offsets) {
                    relays.request(output, after: .milliseconds(offset))
                }
                relays.run(until: relays.now + .seconds(2))
                checked += 1
                let isRight = relays.faults.isEmpty && relays.perhapsOn == outputs.last
                #expect(
                    isRight,
                    "\(outputs) after \(offsets) ms: \(relays.faults), left \(relays.perhapsOn)")
                if !isRight { return }
            }
        }
        expectEqual(checked, 64 * 216)
    }

    /// The checks above are able to fail: outputs without an interlock do break them.
    @Test func outputsWithoutInterlockAreCaught() {
        var relays = Relays(.none, latencies: [7])
        relays.request(1, after: .milliseconds(120))
        relays.request(2, after: .milliseconds(120))
        relays.run(until: relays.now + .seconds(1))
        #expect(!relays.faults.isEmpty)
    }

    @Test func deadTimeCountsFromTheStartOfTheProcess() {
        var interlock = Interlock(.breakBeforeMake(deadTime: Self.deadTime))
        interlock.start(at: Instant(nanoseconds: 1_000))
        #expect(interlock.request(1, at: Instant(nanoseconds: 1_000)).isEmpty)
        let due = Instant(nanoseconds: 1_000) + Self.deadTime
        expectEqual(interlock.deadline, due)
        expectEqual(interlock.deadlineReached(at: due), Interlock.Drive(on: 1))
    }

    @Test func anOffThatIsNeverWrittenKeepsEverythingElseOff() {
        var interlock = Interlock(.breakBeforeMake(deadTime: Self.deadTime))
        let start = Instant(nanoseconds: 1_000_000_000)
        expectEqual(interlock.request(1, at: start), Interlock.Drive(on: 1))
        expectEqual(interlock.request(2, at: start), Interlock.Drive(off: 1))
        expectEqual(interlock.deadline, .never)
        #expect(interlock.request(4, at: start + .seconds(60)).isEmpty)
        #expect(interlock.written(1, .inactive, at: start + .seconds(61)).isEmpty)
        let due = start + .seconds(61) + Self.deadTime
        expectEqual(interlock.deadline, due)
        expectEqual(interlock.deadlineReached(at: due), Interlock.Drive(on: 4))
    }

    @Test func makeBeforeBreakNeverLeavesNoneOn() {
        var interlock = Interlock(.makeBeforeBreak)
        expectEqual(interlock.request(1, at: .zero), Interlock.Drive(on: 1))
        #expect(interlock.written(1, .active, at: .zero).isEmpty)
        expectEqual(interlock.request(2, at: .zero), Interlock.Drive(on: 2))
        expectEqual(interlock.on, 3)
        expectEqual(interlock.written(2, .active, at: .zero), Interlock.Drive(off: 1))
        #expect(interlock.written(1, .inactive, at: .zero).isEmpty)
        expectEqual(interlock.on, 2)
    }
}
