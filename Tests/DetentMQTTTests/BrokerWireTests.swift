import DetentActions
import DetentTypes
import DetentWall
import Testing

@testable import DetentMQTT

/// What a panel and its connection to a broker say to each other.
@Suite struct BrokerWireTests {
    private static let orders: [BrokerOrder] = [
        .cancel(0), .cancel(.max),
        .publish(BrokerPublication(number: 7, topic: "a/ä", payload: "")),
        .publish(
            BrokerPublication(
                number: .max, topic: "t", payload: "zwölf\n", isRetained: true, isFleeting: true)),
    ]

    private static let words: [BrokerNote] = [
        .up, .down, .ended(1, .taken), .ended(.max, .away), .ended(0, .broken),
        .ended(9, .refused(135)), .heard(0, skipped: 0, []), .heard(.max, skipped: 3, [1, 2, 0]),
        .lost(0, .offline), .lost(5, .tooLong), .lost(.max, .forbidden),
        .figures(BrokerFigures()), .figures(most),
    ]

    private static var most: BrokerFigures {
        var figures = BrokerFigures()
        (figures.isConnected, figures.connects, figures.sent) = (true, .max, 1)
        (figures.droppedEvents, figures.droppedAnswers) = (2, .max - 3)
        figures.refusedCommands = 1 << 40
        return figures
    }

    @Test(arguments: orders) func anOrderComesAsItWasSent(_ order: BrokerOrder) {
        #expect(BrokerOrder(order.bytes) == order)
    }

    @Test(arguments: words) func aWordComesAsItWasSent(_ word: BrokerNote) {
        #expect(BrokerNote(word.bytes[...]) == word)
    }

    /// A word without a text of its own is taken whole or not at all.
    @Test(arguments: words) func aLongerOrShorterWordIsRefused(_ word: BrokerNote) {
        if case .heard = word { return }
        #expect(BrokerNote((word.bytes + [0])[...]) == nil)
        #expect(BrokerNote(word.bytes.dropLast()) == nil)
    }

    @Test func aReportHasALimit() {
        let most = [UInt8](repeating: 1, count: ActionLimits.reportLine)
        #expect(BrokerNote(BrokerNote.heard(1, skipped: 0, most).bytes[...]) != nil)
        #expect(BrokerNote(BrokerNote.heard(1, skipped: 0, most + [1]).bytes[...]) == nil)
    }

    /// Nothing that the connection sends traps; what is taken is what it says.
    @Test(arguments: [1, 2, 3] as [UInt64]) func anyBytesAreSafe(_ seed: UInt64) {
        var numbers = SplitMix64(seed: seed)
        var taken = 0
        for _ in 0..<20_000 {
            var bytes = (0..<numbers.below(12)).map { _ in UInt8(numbers.below(256)) }
            if !bytes.isEmpty { bytes[0] = 0x40 + UInt8(numbers.below(10)) }
            _ = BrokerOrder(bytes)
            guard let word = BrokerNote(bytes[...]) else { continue }
            taken += 1
            #expect(word.bytes == bytes, "seed \(seed): \(bytes)")
        }
        #expect(taken > 500, "seed \(seed): the test reaches what is behind the first byte")
    }
}
