import DetentPanel
import Synchronization
import TestSupport
import Testing

@testable import DetentWall

/// How the figures of the connection to a broker reach the gateway.
@Suite struct MQTTBoardTests {
    private let board = MQTTBoard()

    private static func plan() throws -> PanelPlan {
        let text = "{panel: P, board: none, controls: {c: {kind: switch, label: C, input: A}}}"
        return try #require(PanelReader.read(SourceText(file: "p.yaml", text: text)).plan)
    }

    private static var figures: MQTTFigures {
        var figures = MQTTFigures()
        (figures.isConnected, figures.connects, figures.sent) = (true, 2, 40)
        return figures
    }

    @Test func figuresAreGivenOnceAndWakeTheKeeper() {
        let rings = Mutex(0)
        board.wakes { rings.withLock { $0 += 1 } }
        #expect(board.next() == nil)
        board.show(Self.figures)
        board.show(Self.figures)
        expectEqual(rings.withLock { $0 }, 1, "equal figures are no news")
        #expect(board.next() == .figures(Self.figures) && board.next() == nil)
    }

    @Test func theNextGatewayGetsThem() throws {
        let plan = try Self.plan()
        board.ended(plan, isRestarted: false)
        #expect(board.next() == nil, "there are none")
        board.show(Self.figures)
        _ = board.next()
        board.ended(plan, isRestarted: true)
        expectEqual(board.next(), .figures(Self.figures))
    }

    @Test func aProcessThatIsGoneIsNotConnected() {
        board.showDisconnected()
        #expect(board.next() == nil)
        board.show(Self.figures)
        _ = board.next()
        board.showDisconnected()
        var expected = Self.figures
        expected.isConnected = false
        expectEqual(board.next(), .figures(expected))
    }

    @Test func aGatewayMayNotSendAnything() throws {
        let plan = try Self.plan()
        #expect(!board.receive(.up, of: plan))
    }
}
