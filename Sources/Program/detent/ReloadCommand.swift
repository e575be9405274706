import ArgumentParser
import DetentCommand
import DetentPanel
import DetentPlatform
import DetentRuntime
import Glibc

/// `detent reload`: a running panel takes its changed file.
struct ReloadCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reload", abstract: "Let a running panel take its changed file.",
        discussion: """
            Example:  detent reload /etc/detent/panel.yaml

            The process that runs this file reads it again. Lines that did not change stay
            requested, and controls that did not change keep their values. If the file has
            an error, or a line cannot be requested, nothing changes.
            Only the user of the running panel can reload it; root can reload that of a service.
            Exit codes: 0 the file is in use, 1 it was refused, and the panel continues
            as it was, 2 the file does not exist, 4 no panel runs this file.
            """)

    @Argument(help: "The panel file of the running panel.")
    var panel: String

    func run() throws {
        guard access(panel, F_OK) == 0 else {
            throw Failure(
                code: .usage, cause: "\(panel) cannot be found",
                remedy: "name the file that `detent run` was started with")
        }
        guard let call = ReloadDoor.call(of: panel) else {
            throw Failure(
                code: .unreachable, cause: "no running panel uses \(panel)",
                remedy: "start it with `detent run \(panel)`, or ask as the user who did")
        }
        guard let answer = call.receive(), let end = answer.firstIndex(of: "\n"),
            let result = PanelReloader.Outcome.Result(rawValue: String(answer[..<end]))
        else {
            throw Failure(
                code: .unreachable, cause: "the running panel did not answer",
                remedy: "run `detent reload` as root or as the user of the panel")
        }
        let text = PrintableText.message(String(answer[answer.index(after: end)...]))
        switch result {
        case .changed, .unchanged:
            try StandardOutput.writeOrFail(text)
        case .refused:
            StandardError.write(text)
            throw ExitStatus.failed
        }
    }
}
