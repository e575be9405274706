import DetentPlatform
import DetentTypes
import Synchronization
import TestSupport
import Testing

@testable import DetentServer

/// A server that nobody asks gives back what requests have used.
@Suite struct RestTests {
    /// Counts the rests of a server.
    private final class Rests: Sendable {
        private let count = Atomic<Int>(0)
        private let wakeUp: WakeUp

        init() throws { wakeUp = try WakeUp() }

        func add() {
            count.wrappingAdd(1, ordering: .sequentiallyConsistent)
            wakeUp.ring()
        }

        /// All of them so far, when there is another one.
        func next() -> Int {
            wakeUp.wait(until: MonotonicClock.now + .seconds(20))
            wakeUp.clear()
            return count.load(ordering: .sequentiallyConsistent)
        }
    }

    @Test func itRestsOnceAfterEachRequest() throws {
        let rests = try Rests()
        let served = try Served(restTime: .milliseconds(50), rest: { rests.add() })
        for rest in 1...3 {
            #expect(try served.isWell())
            expectEqual(rests.next(), rest)
        }
    }

    @Test func itRestsAfterAMessageOfAnOpenPage() throws {
        let rests = try Rests()
        let served = try Served(restTime: .milliseconds(50), rest: { rests.add() })
        let page = try served.socket()
        expectEqual(rests.next(), 1)
        page.say(#"{"type": "set", "id": 1, "control": "output", "value": "on"}"#)
        expectEqual(rests.next(), 2)
    }
}
