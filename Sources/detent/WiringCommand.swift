import ArgumentParser
import DetentFace
import DetentPanel
import DetentTrace

/// `detent wiring`: which wire of a panel goes where.
struct WiringCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "wiring",
        abstract: "Show the wires of a panel on the header of its board.",
        discussion: """
            Examples:  detent wiring panel.yaml
                       detent wiring panel.yaml --svg wiring.svg

            Proposes a ground or supply pin for each part: the nearest one that is free. Says
            which inputs need a resistor, and which resistor each lamp needs by `lamp-current`.
            Ends with a list of parts.
            Exit codes: 0 done, 2 the panel file cannot be used, or it names no board.
            """)

    @Argument(help: "The panel file.")
    var panel: String

    @Option(help: ArgumentHelp("Write the header as a drawing to this file.", valueName: "file"))
    var svg: String?

    func run() throws {
        let plan = try PanelFile.plan(panel)
        guard let board = plan.board.flatMap({ BoardCatalogue.builtIn.board(named: $0).board })
        else {
            throw Failure(
                code: .usage, cause: "\(panel): \(Wiring.needsBoard.cause)",
                remedy: Wiring.needsBoard.remedy)
        }
        let wiring = Wiring(plan, on: board)
        guard let svg else { return try StandardOutput.writeOrFail(WiringText.text(wiring)) }
        do {
            var file = try TraceFile(path: svg)
            try file.write(Array(WiringDrawing.svg(wiring).utf8))
        } catch {
            throw Failure(code: .usage, cause: error.cause, remedy: error.remedy)
        }
    }
}
