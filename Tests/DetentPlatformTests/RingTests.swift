import DetentPlatform
import DetentTypes
import Testing

/// The queue between two threads.
@Suite struct RingTests {
    @Test(arguments: [(1, 1), (2, 2), (3, 4), (1_000, 1_024)])
    func holdsTheNextPowerOfTwo(_ asked: Int, _ held: Int) {
        let ring = Ring<Int>(capacity: asked)
        for number in 0..<held { #expect(ring.push(number)) }
        #expect(!ring.push(-1), "a full ring takes nothing")
        for number in 0..<held { #expect(ring.pop() == number) }
        #expect(ring.pop() == nil)
    }

    @Test func placesServeAgain() {
        let ring = Ring<Int>(capacity: 4)
        for number in 0..<1_000 {
            #expect(ring.push(number))
            #expect(ring.push(-number))
            #expect(ring.pop() == number)
            #expect(ring.pop() == -number)
        }
    }

    @Test func crossesThreadsInOrderAndWhole() throws {
        struct Pair: BitwiseCopyable, Sendable {
            var first: UInt64
            var second: UInt64
        }
        let ring = Ring<Pair>(capacity: 16)
        let count: UInt64 = 100_000
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
}
