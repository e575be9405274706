import DetentTypes
import Glibc
import TestSupport
import Testing

@testable import DetentPlatform

/// A set of descriptors whose wake-up looks only at those that are ready.
@Suite struct SleepSetTests {
    /// The places that a wait of no time finds.
    private static func found(_ set: inout SleepSet) -> [Int] {
        let isReady = set.wait(now: .zero, until: .zero)
        let places = (0..<set.readyCount).map { set.readyPlace($0) }.sorted()
        expectEqual(isReady, !places.isEmpty)
        for place in 0..<set.count {
            let isListed = places.contains(place)
            let isReady = set.isReady(place)
            expectEqual(isReady, isListed)
        }
        return places
    }

    @Test func onlyThoseThatAreReadyAreFound() throws {
        let wakeUps = try (0..<300).map { _ in try WakeUp() }
        var set = try SleepSet(capacity: wakeUps.count)
        for wakeUp in wakeUps { set.add(wakeUp.descriptor) }
        expectEqual(Self.found(&set), [])
        for place in [7, 299, 0] { wakeUps[place].ring() }
        expectEqual(Self.found(&set), [0, 7, 299])
        // What is not read stays ready.
        expectEqual(Self.found(&set), [0, 7, 299])
        for wakeUp in wakeUps { wakeUp.ring() }
        expectEqual(Self.found(&set), Array(0..<300), "all of them in one wait")
        for wakeUp in wakeUps { wakeUp.clear() }
        expectEqual(Self.found(&set), [])
    }

    @Test func aNegativeDescriptorHasAPlace() throws {
        let wakeUp = try WakeUp()
        var set = try SleepSet(capacity: 3)
        set.add(-1)
        set.add(wakeUp.descriptor)
        expectEqual(set.count, 2)
        wakeUp.ring()
        expectEqual(Self.found(&set), [1])
    }

    @Test func aClosedOtherSideEndsTheWait() throws {
        var ends: [Int32] = [-1, -1]
        expectEqual(pipe(&ends), 0)
        var set = try SleepSet(capacity: 1)
        set.add(ends[0])
        expectEqual(Self.found(&set), [])
        close(ends[1])
        expectEqual(Self.found(&set), [0])
        close(ends[0])
    }

    @Test func aSetIsMadeAnew() throws {
        var set = try SleepSet(capacity: 2)
        let first = try WakeUp()
        do {
            let second = try WakeUp()
            set.add(first.descriptor)
            set.add(second.descriptor)
        }
        // The second one is closed, and its number is that of another.
        let third = try WakeUp()
        set.removeAll()
        set.add(third.descriptor)
        set.add(first.descriptor)
        third.ring()
        expectEqual(Self.found(&set), [0])
        first.ring()
        expectEqual(Self.found(&set), [0, 1])
    }

    /// The time that a wait takes is real, and passes also without a descriptor.
    @Test func aDeadlineEndsTheWait() throws {
        var set = try SleepSet(capacity: 1)
        let began = MonotonicClock.now
        let isReady = set.wait(now: began, until: began + .milliseconds(2))
        #expect(!isReady)
        #expect(MonotonicClock.now - began >= .milliseconds(2))
    }
}
