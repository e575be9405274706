import DetentCore
import DetentTypes
import TestSupport
import Testing

@testable import DetentRuntime

/// The events of one turn: order and bounds.
@Suite struct TurnQueueTests {
    private func event(_ number: Int) -> Event {
        .outputWritten(LineID(UInt16(number)), .active)
    }

    private func at(_ number: Int) -> Instant { Instant(nanoseconds: UInt64(number)) }

    @Test func earliestComesFirstAndEqualStampsKeepTheirOrder() {
        let batch = Batch(capacity: 8)
        for (number, stamp) in [5, 3, 5, 1, 3, 5].enumerated() {
            #expect(batch.insert(event(number), at: at(stamp)))
        }
        var order: [Event] = []
        while let next = batch.removeFirst() { order.append(next.event) }
        expectEqual(order, [3, 1, 4, 0, 2, 5].map(event))
        #expect(batch.isEmpty)
    }

    @Test func fullBatchTakesNothingAndKeepsWhatItHas() {
        let batch = Batch(capacity: 2)
        #expect(batch.insert(event(0), at: at(2)))
        #expect(batch.insert(event(1), at: at(3)))
        #expect(!batch.insert(event(2), at: at(1)))
        expectEqual(batch.removeFirst()?.event, event(0))
        #expect(batch.insert(event(3), at: at(1)), "the place that was taken serves again")
        expectEqual(batch.removeFirst()?.event, event(3))
        expectEqual(batch.removeFirst()?.event, event(1))
        #expect(batch.removeFirst() == nil)
    }

    @Test func neverRunsOutWhileOneIsTakenForEachThatComes() {
        let batch = Batch(capacity: 4)
        for number in 0..<3 { batch.insert(event(number), at: at(number)) }
        for number in 3..<10_000 {
            expectEqual(batch.removeFirst()?.event, event((number - 3) % 65_536))
            #expect(batch.insert(event(number), at: at(number)))
        }
    }

    @Test func limitKeepsLaterEvents() {
        let batch = Batch(capacity: 4)
        for number in [1, 2, 3] { batch.insert(event(number), at: at(number)) }
        #expect(batch.removeFirst(until: at(0)) == nil)
        expectEqual(batch.removeFirst(until: at(2))?.event, event(1))
        expectEqual(batch.removeFirst(until: at(2))?.event, event(2))
        #expect(batch.removeFirst(until: at(2)) == nil)
        #expect(!batch.isEmpty)
        expectEqual(batch.removeFirst()?.event, event(3))
    }

    /// After all were removed, it is as a new one, also where some had been taken.
    @Test func whatIsEmptiedBeginsAnew() {
        let batch = Batch(capacity: 3)
        for number in 0..<3 { batch.insert(event(number), at: .zero) }
        _ = batch.removeFirst()
        batch.removeAll()
        #expect(batch.isEmpty)
        expectEqual(batch.removeFirst(), nil)
        for number in 3..<6 { #expect(batch.insert(event(number), at: .zero)) }
        #expect(!batch.insert(event(6), at: .zero))
        for number in 3..<6 {
            expectEqual(batch.removeFirst(), TimedEvent(event: event(number), at: .zero))
        }
    }

    @Test(arguments: TestLength.seeds(1...20)) func mergesLikeAStableSort(_ seed: UInt64) {
        var state = seed
        func random(below bound: UInt64) -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return (state >> 33) % bound
        }
        let batch = Batch(capacity: 32)
        var model: [TimedEvent] = []
        for number in 0..<2_000 {
            if random(below: 2) == 0 {
                let stamp = Instant(nanoseconds: random(below: 50))
                let isTaken = batch.insert(event(number), at: stamp)
                expectEqual(isTaken, (model.count < 32), "seed \(seed), step \(number)")
                if isTaken {
                    let place = model.firstIndex { $0.at > stamp } ?? model.count
                    model.insert(TimedEvent(event: event(number), at: stamp), at: place)
                }
            } else {
                let expected = model.isEmpty ? nil : model.removeFirst()
                expectEqual(batch.removeFirst(), expected, "seed \(seed), step \(number)")
            }
        }
    }
}

/// A batch that an expectation can look at.
private final class Batch {
    private var events: TurnQueue

    init(capacity: Int) { events = TurnQueue(capacity: capacity) }

    var isEmpty: Bool { events.isEmpty }
    func removeAll() { events.removeAll() }
    func removeFirst(until limit: Instant = .never) -> TimedEvent? {
        events.removeFirst(until: limit)
    }
    @discardableResult
    func insert(_ event: Event, at stamp: Instant) -> Bool { events.insert(event, at: stamp) }
}
