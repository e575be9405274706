import ArgumentParser
import DetentBench
import DetentCommand
import DetentPanel
import DetentPlatform

/// `detent new`: a first panel file.
struct NewCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "new", abstract: "Write a first panel file, with comments.",
        discussion: """
            Examples:  detent new
                       detent new my-panel.yaml --board raspberry-pi-5

            Writes a switch with a lamp, a push button and a knob for the board that it runs on. On
            another machine, and with --board none, the panel has no board: it runs in the
            simulator. Where the schema of panel files is installed, the first line names it for
            editors. Never overwrites a file.
            Exit codes: 0 written, 2 the file exists, or no lines of the board are known for sure.
            """)

    @Argument(help: "The file to write.")
    var file = "panel.yaml"

    @Option(help: ArgumentHelp("The board (default: the one it runs on).", valueName: "name"))
    var board: String?

    func run() throws {
        let catalogue = BoardCatalogue.builtIn
        guard let found = try chosen(in: catalogue) else {
            try PanelFileEntry.create(file, schemaLine + FirstPanel.withoutBoard)
            StandardError.write(
                "detent: wrote \(file) without a board; try it: detent sim \(file)\n")
            return
        }
        guard let text = FirstPanel.text(found) else {
            throw Failure(
                code: .usage,
                cause: "\(found.name) has too few verified lines without another function",
                remedy: "write the file by hand; `detent boards \(found.id)` shows the lines")
        }
        try PanelFileEntry.create(file, schemaLine + text)
        StandardError.write(
            "detent: wrote \(file) for \(found.name); try it: detent sim \(file)\n")
    }

    /// The line by which editors with YAML support find the schema that is installed with this
    /// program; empty where there is none.
    private var schemaLine: String {
        guard let program = SystemFolder.realPath("/proc/self/exe"),
            let binaries = program.lastIndex(of: "/")
        else { return "" }
        let folder = program[..<binaries].split(separator: "/").dropLast().joined(separator: "/")
        let schema = "/\(folder)/share/detent/panel.schema.json"
        return SystemFolder.realPath(schema) == nil
            ? "" : "# yaml-language-server: $schema=file://\(schema)\n"
    }

    /// The board that is asked for, or that this is; nil for a panel of the simulator alone.
    private func chosen(in catalogue: BoardCatalogue) throws -> Board? {
        guard let board, board != "auto" else { return catalogue.detect() }
        if board == "none" { return nil }
        if let found = catalogue.board(named: board).board { return found }
        throw Failure(
            code: .usage, cause: "there is no board `\(board)`",
            remedy: catalogue.nearestName(to: board).map { "did you mean `\($0)`?" }
                ?? "give one with --board; `detent boards` lists the names")
    }
}
