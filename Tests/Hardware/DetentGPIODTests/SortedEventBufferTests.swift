import DetentHAL
import DetentTypes
import TestSupport
import Testing

@testable import DetentGPIOD

@Suite struct SortedEventBufferTests {
    private static func event(_ line: Int, _ at: UInt64) -> LineEvent {
        LineEvent(
            line: LineID(UInt16(line)), kind: .edge(.active, sequence: 0),
            at: Instant(nanoseconds: at))
    }

    private static func taken(_ stage: inout SortedEventBuffer, room: Int = 5000) -> [LineEvent] {
        let buffer = UnsafeMutableBufferPointer<LineEvent>.allocate(capacity: room)
        defer { buffer.deallocate() }
        let count = stage.pop(into: buffer, from: 0)
        return Array(buffer.prefix(count))
    }

    /// Several sorted runs, as several descriptors give them; equal stamps keep their order.
    @Test(arguments: [0, 1, 2, 3, 17, 100, 1023, 4096])
    func sortsStablyLikeTheStandardLibrary(count: Int) {
        var state: UInt64 = 88_172_645_463_325_252
        let events = (0..<count).map { index -> LineEvent in
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return Self.event(index, state % 50)
        }
        var stage = SortedEventBuffer(capacity: 4096)
        for event in events {
            let isTaken = stage.append(event)
            #expect(isTaken)
        }
        stage.sort()
        let expected = events.enumerated().sorted {
            ($0.element.at, $0.offset) < ($1.element.at, $1.offset)
        }.map(\.element)
        expectEqual(Self.taken(&stage), expected)
        let isEmpty = stage.isEmpty
        #expect(isEmpty)
    }

    @Test func refusesWhatDoesNotFitAndGivesPieces() {
        var stage = SortedEventBuffer(capacity: 3)
        for at in [3, 1, 2] as [UInt64] { stage.append(Self.event(0, at)) }
        let isTaken = stage.append(Self.event(0, 4))
        #expect(!isTaken)
        stage.sort()
        expectEqual(Self.taken(&stage, room: 2).map(\.at.nanoseconds), [1, 2])
        let isEmpty = stage.isEmpty
        #expect(!isEmpty)
        expectEqual(Self.taken(&stage, room: 2).map(\.at.nanoseconds), [3])
        let room = stage.room
        expectEqual(room, 3)
    }

    @Test func ringKeepsOrderAndItsBound() {
        var ring = Ring<Int>(capacity: 3)
        for round in 0..<5 {
            let expected = [round * 3, round * 3 + 1, round * 3 + 2]
            let taken = (expected + [99]).map { ring.append($0) }
            expectEqual(taken, [true, true, true, false])
            expectEqual(ring.room, 0)
            var found: [Int] = []
            while let element = ring.removeFirst() { found.append(element) }
            expectEqual(found, expected)
        }
    }
}
