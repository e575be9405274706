import DetentPanel
import TestSupport
import Testing

@testable import DetentBench

/// The first panel of every board.
@Suite struct FirstPanelTests {
    @Test(arguments: BoardCatalogue.builtIn.names) func everyBoardHasOne(name: String) throws {
        let board = try #require(BoardCatalogue.builtIn.board(named: name).board)
        // Every line of this board is known from one source only.
        guard name != "pine64-rock64" else { return #expect(FirstPanel.text(board) == nil) }
        let text = try #require(FirstPanel.text(board), "too few lines")
        let reading = PanelReader.read(SourceText(file: "panel.yaml", text: text))
        #expect(reading.problems.isEmpty, "\(text)\n\(reading.problems)")
        expectEqual(reading.plan?.board, name)
        let kinds = reading.plan?.controls.map(\.kind)
        let isPolled = reading.plan?.lines.contains { line in
            if case .contact(let contact) = line.use { return contact.polledEvery != nil }
            return false
        }
        expectEqual(kinds, ["switch", "button"] + (isPolled == true ? [] : ["dial"]))
        for line in text.split(separator: "\n") {
            #expect(line.count <= 100 && line.last != " ", "\(line)")
        }
    }
}
