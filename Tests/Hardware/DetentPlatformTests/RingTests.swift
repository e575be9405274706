import DetentTypes
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import DetentPlatform

/// The queue between two threads.
@Suite struct RingTests {
    @Test(arguments: [(1, 1), (2, 2), (3, 4), (1_000, 1_024)])
    func holdsTheNextPowerOfTwo(_ asked: Int, _ held: Int) {
        let ring = Ring<Int>(capacity: asked)
        for number in 0..<held { #expect(ring.push(number)) }
        #expect(!ring.push(-1), "a full ring takes nothing")
        for number in 0..<held { expectEqual(ring.pop(), number) }
        #expect(ring.pop() == nil)
    }

    @Test func placesServeAgain() {
        let ring = Ring<Int>(capacity: 4)
        for number in 0..<1_000 {
            #expect(ring.push(number))
            #expect(ring.push(-number))
            expectEqual(ring.pop(), number)
            expectEqual(ring.pop(), -number)
        }
    }

    /// The large one takes its memory as it goes.
    @Test(arguments: [16, 65_536]) func crossesThreadsInOrderAndWhole(_ capacity: Int) throws {
        struct Pair: BitwiseCopyable, Sendable {
            var first: UInt64
            var second: UInt64
        }
        let ring = Ring<Pair>(capacity: capacity)
        let count: UInt64 = 200_000
        let pusher = try WorkerThread(named: "pusher") {
            var number: UInt64 = 0
            while number < count {
                if ring.push(Pair(first: number, second: ~number)) { number += 1 }
            }
        }
        var expected: UInt64 = 0
        var isWhole = true
        while expected < count {
            guard let pair = ring.pop() else { continue }
            isWhole = isWhole && pair.first == expected && pair.second == ~expected
            expected += 1
        }
        pusher.join()
        #expect(isWhole)
        #expect(ring.pop() == nil)
    }

    /// The thread that pushes may be the loop. All of the ring is some 250 pages.
    @Test func whoPushesFindsTheMemoryThere() throws {
        let count = 1 << 17
        let batch = 1 << 9
        let ring = Ring<UInt64>(capacity: count, inAdvance: false)
        let pushed = try WakeUp()
        let popped = try WakeUp()
        let faults = Atomic<Int>(0)
        let end = MonotonicClock.now + .seconds(60)
        let pusher = try WorkerThread(named: "pusher") {
            for _ in 0..<count / batch {
                let before = Self.faults
                for number in 0..<batch { _ = ring.push(UInt64(number)) }
                faults.wrappingAdd(Self.faults - before, ordering: .relaxed)
                pushed.ring()
                popped.wait(until: end)
                popped.clear()
            }
        }
        var isWhole = true
        for _ in 0..<count / batch {
            pushed.wait(until: end)
            pushed.clear()
            for number in 0..<batch { isWhole = isWhole && ring.pop() == UInt64(number) }
            popped.ring()
        }
        pusher.join()
        #expect(isWhole)
        #expect(faults.load(ordering: .relaxed) < 32)
    }

    /// How often this thread had to wait for a page of memory so far.
    private static var faults: Int {
        var usage = rusage()
        // RUSAGE_THREAD, which Swift does not have.
        getrusage(1, &usage)
        return usage.ru_minflt + usage.ru_majflt
    }
}
