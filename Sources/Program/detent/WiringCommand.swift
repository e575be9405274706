import ArgumentParser
import DetentCommand
import DetentFace
import DetentPanel

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
        guard let wiring = Wiring(plan) else {
            throw Failure(
                code: .usage, cause: "\(panel): \(Wiring.needsBoard.cause)",
                remedy: Wiring.needsBoard.remedy)
        }
        guard let svg else { return try StandardOutput.writeOrFail(WiringText.text(wiring)) }
        try OutputFile.writeArgument(WiringDrawing.svg(wiring), to: svg)
    }
}
