import ArgumentParser
import DetentCommand
import DetentFace
import DetentPanel

/// `detent face`: the front panel with its parts in place, at its true size.
struct FaceCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "face",
        abstract: "Lay out the front panel, and draw it as a drilling template.",
        discussion: """
            Without --svg it lists each hole: its centre from the top left corner, and its size.
            Print the SVG at 100 %, and check the line of 50 mm before you drill.

            Example:  detent face panel.yaml --svg face.svg --width 240
            """)

    @Argument(help: "The panel file.")
    var panel: String

    @Option(help: ArgumentHelp("Write the drawing to this file.", valueName: "file"))
    var svg: String?

    @Option(
        help: ArgumentHelp(
            "Width of the plate in millimetres (default: the smallest in good proportion).",
            valueName: "mm"))
    var width: Double?

    func validate() throws {
        if let width, !FaceLayout.widths.contains(width) {
            throw ValidationError("--width: give 50 to 2000 millimetres")
        }
    }

    func run() throws {
        let plan = try PanelFile.plan(panel)
        let face: Face
        do {
            face = try FaceLayout.face(of: plan, width: width)
        } catch {
            throw Failure(.usage, error, at: panel)
        }
        let ids = plan.controls.map(\.id)
        guard let svg else {
            return try StandardOutput.writeOrFail(DrillingList.text(face, ids: ids))
        }
        let titles = plan.controls.map(\.label)
        try OutputFile.writeArgument(FaceDrawing.svg(face, ids: ids, titles: titles), to: svg)
    }
}
