import DetentPanel
import Testing

@testable import DetentBench

/// The first panel of every board.
@Suite struct FirstPanelTests {
    @Test(arguments: BoardCatalogue.builtIn.names) func everyBoardHasOne(name: String) throws {
        let board = try #require(BoardCatalogue.builtIn.board(named: name).board)
        let text = try #require(FirstPanel.text(board), "\(name) has too few lines")
        let reading = PanelReader.read(SourceText(file: "panel.yaml", text: text))
        #expect(reading.problems.isEmpty, "\(text)\n\(reading.problems)")
        #expect(reading.plan?.board == name)
        #expect(reading.plan?.controls.map(\.kind) == ["switch", "button", "dial"])
        for line in text.split(separator: "\n") {
            #expect(line.count <= 110 && line.last != " ", "\(line)")
        }
    }
}
