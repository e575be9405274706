import ArgumentParser
import DetentPanel
import DetentPlatform
import Glibc

/// The command line: every command wires rooms together and holds no logic of its own.
@main
struct Detent: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "detent",
        abstract: "Dependable switches, knobs and lamps from one YAML file.",
        discussion: """
            Try a panel without hardware:   detent sim panels/lab-supply/panel.yaml
            Look for mistakes in it:        detent check panels/lab-supply/panel.yaml
            Run it on a board:              detent run panel.yaml

            Exit codes: 0 done, 1 the checked thing failed, 2 usage or unreadable input,
            3 hardware or permission, 4 a running daemon could not be reached.
            """,
        version: version,
        subcommands: [
            RunCommand.self, SimCommand.self, CheckCommand.self, TestCommand.self,
            ReplayCommand.self, GetCommand.self, SetCommand.self, WatchCommand.self,
            ResyncCommand.self, LampTestCommand.self, HistoryCommand.self, BoardsCommand.self,
            DoctorCommand.self, SchemaCommand.self, FaceCommand.self,
        ])

    /// The version of this program; see CHANGELOG.md.
    static let version = "0.1.0"

    /// Runs the command that the arguments name, and ends with an exit code of the contract.
    static func main() {
        // A reader that went away is an error of the write that finds it, not a sudden death.
        signal(SIGPIPE, SIG_IGN)
        StandardStream.fillGaps()
        do {
            try checkCommandName()
            var command = try parseAsRoot()
            try command.run()
        } catch let failure as Failure {
            end(failure)
        } catch let error as PlatformError {
            end(Failure(code: .hardware, cause: error.description, remedy: error.remedy))
        } catch let code as ExitStatus {
            Glibc.exit(code.rawValue)
        } catch {
            endOfParsing(error)
        }
    }

    private static func end(_ failure: Failure) -> Never {
        StandardError.write("detent: \(failure.cause)\n")
        if !failure.remedy.isEmpty { StandardError.write("help: \(failure.remedy)\n") }
        Glibc.exit(failure.code.rawValue)
    }

    /// The parser takes an unknown command for an argument too many; this says what it is.
    private static func checkCommandName() throws {
        guard let word = CommandLine.arguments.dropFirst().first, !word.hasPrefix("-") else {
            return
        }
        let names = configuration.subcommands.compactMap { $0.configuration.commandName }
        guard word != "help", !names.contains(word) else { return }
        let shown = String(word.prefix(60).map { $0.isNewline ? " " : $0 })
        throw Failure(
            code: .usage, cause: "there is no command `\(shown)`",
            remedy: nearestWord(to: word, among: names).map { "did you mean `\($0)`?" }
                ?? "one of: " + names.joined(separator: ", "))
    }

    /// What the parser throws: help and version are answers, everything else is a usage error.
    private static func endOfParsing(_ error: any Error) -> Never {
        let text = fullMessage(for: error) + "\n"
        guard exitCode(for: error) == .success else {
            StandardError.write(text)
            Glibc.exit(ExitStatus.usage.rawValue)
        }
        do {
            try StandardOutput.writeOrFail(text)
            Glibc.exit(0)
        } catch {
            // It throws nothing else.
            end(error as? Failure ?? Failure(code: .failed, cause: "\(error)"))
        }
    }
}

/// The exit codes of the contract; thrown where everything has been said already.
enum ExitStatus: Int32, Error {
    case failed = 1
    case usage = 2
    case hardware = 3
    case unreachable = 4
}

/// Why a command ends early: cause and remedy, a line each.
struct Failure: Error {
    var code: ExitStatus
    var cause: String
    var remedy = ""
}
