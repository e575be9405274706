import DetentActions
import DetentTypes
import TestSupport
import Testing

@testable import DetentWall

/// What a panel and its connection to a broker say to each other.
@Suite struct MQTTWireTests {
    private static let orders: [MQTTRequest] = [
        .cancel(0), .cancel(.max),
        .publish(MQTTPublication(number: 7, topic: "a/ä", payload: "")),
        .publish(
            MQTTPublication(
                number: .max, topic: "t", payload: "zwölf\n", isRetained: true, isFleeting: true,
                expiry: .max)),
    ]

    private static let notes: [MQTTNote] = [
        .up, .down, .ended(1, .taken), .ended(.max, .away), .ended(0, .broken),
        .ended(9, .refused(135)), .heard(0, skipped: 0, []), .heard(.max, skipped: 3, [1, 2, 0]),
        .lost(0, .offline), .lost(5, .tooLong), .lost(.max, .forbidden),
        .figures(MQTTFigures()), .figures(most),
    ]

    private static var most: MQTTFigures {
        var figures = MQTTFigures()
        (figures.isConnected, figures.connects, figures.sent) = (true, .max, 1)
        (figures.droppedEvents, figures.droppedAnswers) = (2, .max - 3)
        (figures.refusedCommands, figures.unsent) = (1 << 40, 9)
        return figures
    }

    @Test(arguments: orders) func anOrderComesAsItWasSent(_ order: MQTTRequest) {
        expectEqual(PanelMessage(order.bytes[...]), .order(order))
        #expect(ChildMessage(order.bytes[...]) == nil, "no process may say it")
    }

    @Test(arguments: notes) func aNoteComesAsItWasSent(_ note: MQTTNote) {
        expectEqual(ChildMessage(note.bytes[...]), .note(note))
        #expect(note.bytes.count <= ChildMessage.byteLimit)
    }

    /// A note without a text of its own is taken whole or not at all.
    @Test(arguments: notes) func aLongerOrShorterNoteIsRefused(_ note: MQTTNote) {
        if case .heard = note { return }
        #expect(ChildMessage((note.bytes + [0])[...]) == nil)
        #expect(ChildMessage(note.bytes.dropLast()) == nil)
    }

    @Test func aReportHasALimit() {
        let most = [UInt8](repeating: 1, count: ActionLimits.reportLine)
        #expect(ChildMessage(MQTTNote.heard(1, skipped: 0, most).bytes[...]) != nil)
        #expect(ChildMessage(MQTTNote.heard(1, skipped: 0, most + [1]).bytes[...]) == nil)
    }

    /// Nothing that the connection sends traps; what is taken is what it says.
    @Test(arguments: [1, 2, 3] as [UInt64]) func anyBytesAreSafe(_ seed: UInt64) {
        var numbers = SplitMix64(seed: seed)
        var taken = 0
        for round in 0..<20_000 {
            var bytes: [UInt8]
            if round % 2 == 0 {
                bytes = (0..<numbers.below(60)).map { _ in UInt8(numbers.below(256)) }
                if !bytes.isEmpty { bytes[0] = UInt8(numbers.below(24)) }
            } else {
                let note = Self.notes[Int(numbers.below(UInt64(Self.notes.count)))]
                bytes = note.bytes
                let byte = Int(numbers.below(UInt64(bytes.count)))
                bytes[byte] = UInt8(numbers.below(256))
            }
            // Updates are read as they are in memory, and only from a panel.
            if bytes.first != MessageTag.updates.rawValue { _ = PanelMessage(bytes[...]) }
            guard let message = ChildMessage(bytes[...]) else { continue }
            taken += 1
            expectEqual(message.bytes, bytes, "seed \(seed), round \(round): \(bytes)")
        }
        #expect(taken > 500, "seed \(seed): the test reaches what is behind the first byte")
    }
}
