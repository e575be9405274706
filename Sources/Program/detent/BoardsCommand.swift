import ArgumentParser
import DetentCommand
import DetentPanel

/// `detent boards`: the built-in boards, or the header of one.
struct BoardsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "boards", abstract: "List boards, or draw the header of one.",
        discussion: """
            Examples:  detent boards
                       detent boards raspberry-pi-5

            The packages of Detent are for 64-bit ARM. The list names the boards that cannot run
            them, and those that need their 64-bit system. On another computer, such as a PC,
            `make deb` makes a package, and `board: none` takes chips and input devices.
            """)

    @Argument(help: "A board's name (default: list all boards).")
    var name: String?

    func run() throws {
        let catalogue = BoardCatalogue.builtIn
        guard let name else {
            var text = ""
            for id in catalogue.names {
                guard let board = catalogue.board(named: id).board else { continue }
                let padding = String(repeating: " ", count: max(1, 26 - id.count))
                let remark = board.packageRemark.map { " (\($0))" } ?? ""
                text += "\(id)\(padding)\(board.name)\(remark)\n"
            }
            return try StandardOutput.writeOrFail(text)
        }
        guard let board = catalogue.board(named: name).board else {
            let nearest = catalogue.nearestName(to: name)
            throw Failure(
                code: .usage, cause: "there is no board `\(name)`",
                remedy: nearest.map { "did you mean `\($0)`?" }
                    ?? "`detent boards` lists all; for other boards give lines as "
                    + "{chip: LABEL, offset: N}"
            )
        }
        try StandardOutput.writeOrFail(Pinout.text(board))
    }
}
