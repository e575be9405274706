import ArgumentParser
import DetentBench
import DetentCommand
import DetentPanel

/// `detent new`: a first panel file.
struct NewCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "new", abstract: "Write a first panel file, with comments.",
        discussion: """
            Examples:  detent new
                       detent new my-panel.yaml --board raspberry-pi-5

            Writes a switch with a lamp, a push button and a knob for the board that it runs on.
            Never overwrites a file.
            Exit codes: 0 written, 2 the file exists, or no lines of the board are known for sure.
            """)

    @Argument(help: "The file to write.")
    var file = "panel.yaml"

    @Option(help: ArgumentHelp("The board (default: the one it runs on).", valueName: "name"))
    var board: String?

    func run() throws {
        let catalogue = BoardCatalogue.builtIn
        guard let found = board.map({ catalogue.board(named: $0).board }) ?? catalogue.detect()
        else {
            let nearest = board.flatMap { catalogue.nearestName(to: $0) }
            throw Failure(
                code: .usage,
                cause: board.map { "there is no board `\($0)`" }
                    ?? "this machine is not a known board",
                remedy: nearest.map { "did you mean `\($0)`?" }
                    ?? "give one with --board; `detent boards` lists the names")
        }
        guard let text = FirstPanel.text(found) else {
            throw Failure(
                code: .usage,
                cause: "\(found.name) has too few verified lines without another function",
                remedy: "write the file by hand; `detent boards \(found.id)` shows the lines")
        }
        try PanelFileEntry.create(file, text)
        StandardError.write(
            "detent: wrote \(file) for \(found.name); try it: detent sim \(file)\n")
    }
}
