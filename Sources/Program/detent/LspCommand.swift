import ArgumentParser
import DetentCommand
import DetentLanguage
import Glibc

/// `detent lsp`: a language server for editors.
struct LspCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lsp",
        abstract: "Help an editor with panel, scenario, board and bounce files.",
        discussion: """
            Example:  detent lsp

            An editor starts it, and talks to it over standard input and output (LSP 3.17):
            it shows the problems of `detent check` while you type, completes words, and more.
            docs/editors.md says what to write into the settings of your editor.
            """)

    @Flag(help: ArgumentHelp("Some editors say so; it changes nothing.", visibility: .hidden))
    var stdio = false

    func run() throws {
        var session = LanguageSession(
            input: STDIN_FILENO, output: STDOUT_FILENO, version: ProgramVersion.number)
        let code: Int32
        do throws(LanguageSession.Failure) {
            code = try session.run()
        } catch {
            throw Failure(
                code: .usage, cause: error.cause,
                remedy: "an editor starts this command: docs/editors.md")
        }
        if code != 0 { throw ExitStatus.failed }
    }
}
