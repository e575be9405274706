import TestSupport
import Testing

/// `detent wiring`: text, a drawing, and a panel without a board.
@Suite struct WiringCommandTests {
    @Test func theHeaderIsShown() {
        let result = Program.run("wiring", Program.panel)
        expectEqual(result.code, 0, "\(result)")
        #expect(result.output.contains("pin 30 GND"), "\(result.output)")
        #expect(result.output.contains("\nParts\n"))
    }

    @Test func theDrawingIsWritten() {
        let folder = Folder()
        let result = Program.run("wiring", Program.panel, "--svg", folder.path + "/wiring.svg")
        expectEqual(result.code, 0, "\(result)")
        #expect(folder.text("wiring.svg").hasPrefix("<svg "))
        expectEqual(Program.run("wiring", Program.panel, "--svg", "/nowhere/a.svg").code, 2)
    }

    @Test func aPanelWithoutABoardHasNoPins() {
        let file = TemporaryFile("panel.yaml", Program.heater("Heater", ""))
        let result = Program.run("wiring", file.path)
        expectEqual(result.code, 2)
        #expect(result.errors.contains("names no board"), "\(result.errors)")
        #expect(result.errors.contains("help: write `board: NAME`"))
    }
}
