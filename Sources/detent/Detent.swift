import ArgumentParser
import CCommit
import DetentClient
import DetentGuardian
import DetentMQTT
import DetentPanel
import DetentPlatform
import DetentServer
import DetentTrace
import DetentTypes
import Glibc

/// The command line. Commands connect modules and contain no logic.
@main
struct Detent: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "detent",
        abstract: "Dependable switches, knobs and lamps from one YAML file.",
        discussion: """
            Try a panel without hardware:   detent sim panels/lab-supply/panel.yaml
            Check its file:                 detent check panels/lab-supply/panel.yaml
            Run it on a board:              detent run panel.yaml

            Exit codes: 0 success, 1 a check or test failed, 2 wrong usage or
            unreadable input, 3 hardware or permission error, 4 cannot reach the daemon.
            """,
        version: version,
        subcommands: [
            RunCommand.self, SimCommand.self, CheckCommand.self, TestCommand.self,
            ReplayCommand.self, GetCommand.self, SetCommand.self, WatchCommand.self,
            ResyncCommand.self, LampTestCommand.self, HistoryCommand.self, BoardsCommand.self,
            DoctorCommand.self, ReloadCommand.self, OnCrashCommand.self, SchemaCommand.self,
            FaceCommand.self, WiringCommand.self, NewCommand.self, IdentifyCommand.self,
            MeasureCommand.self, RecordCommand.self, SoakCommand.self, FleetCommand.self,
        ])

    /// The version of this program; see CHANGELOG.md.
    static let version = "0.1.0"

    /// The commit that it was built from, with `+changes` if files differed from it, or `unknown`:
    /// only the build knows, and `swift build` alone does not say.
    static var commit: String {
        let commit = String(cString: detent_commit())
        return commit.isEmpty ? "unknown" : commit
    }

    /// Runs the command in the arguments, and exits with a documented code.
    static func main() {
        // A closed pipe is then an error of the write, not a signal that ends the process.
        signal(SIGPIPE, SIG_IGN)
        // So is a file that has reached the largest size that the user may write.
        signal(SIGXFSZ, SIG_IGN)
        // A parent may ignore the ends of its children, and a program inherits this. The system
        // would then drop how programs and the panel have ended.
        signal(SIGCHLD, SIG_DFL)
        StandardStream.fillGaps()
        do {
            // Before anything else, so that the guardian stays small.
            if ProgramArguments.all.dropFirst().first == RunCommand.configuration.commandName {
                try PanelGuardian.begin { work() }
            }
            work()
        } catch {
            end(error)
        }
    }

    private static func work() {
        do {
            if ProgramArguments.all.dropFirst().first == Gateway.word {
                try Gateway.run { StandardError.write($0) }
                return
            }
            if ProgramArguments.all.dropFirst().first == Broker.word {
                try Broker.run { StandardError.write($0) }
                return
            }
            if ProgramArguments.all.dropFirst().first == OSCListener.word {
                try OSCListener.run(Array(ProgramArguments.all.dropFirst(2))) {
                    StandardError.write($0)
                }
                return
            }
            try checkCommandName()
            var command = try parseAsRoot(
                Self.withNumbersLast(Array(ProgramArguments.all.dropFirst())))
            try command.run()
        } catch let code as ExitStatus {
            Glibc.exit(code.rawValue)
        } catch let error as any DescribedError {
            end(error)
        } catch {
            endOfParsing(error)
        }
    }

    /// Moves negative numbers and words such as `-10 V` behind `--`, where the parser takes them
    /// for values: no option begins with a digit.
    static func withNumbersLast(_ arguments: [String]) -> [String] {
        let end = arguments.firstIndex(of: "--") ?? arguments.endIndex
        let isNumber = { (word: String) in
            word.first == "-" && word.dropFirst().first.map { $0.isNumber || $0 == "." } == true
        }
        let numbers = arguments[..<end].filter(isNumber)
        guard !numbers.isEmpty else { return arguments }
        return arguments[..<end].filter { !isNumber($0) } + ["--"] + numbers
            + arguments[end...].dropFirst()
    }

    private static func end(_ error: any DescribedError) -> Never {
        StandardError.write(ErrorText.lines(error))
        Glibc.exit(ExitStatus(after: error).rawValue)
    }

    /// The parser reports an unknown command as an extra argument; this reports it as a command.
    private static func checkCommandName() throws {
        guard let word = ProgramArguments.all.dropFirst().first, !word.hasPrefix("-") else {
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

    /// Handles errors of the parser: help and version are printed, all others are usage errors.
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
            // It throws no other errors.
            end(error as? Failure ?? Failure(code: .failed, cause: "\(error)"))
        }
    }
}

/// The documented exit codes; thrown after the message was printed.
enum ExitStatus: Int32, Error {
    case failed = 1
    case usage = 2
    case hardware = 3
    case unreachable = 4

    /// The code after an error that ends a command. Most are errors of what the user wrote.
    init(after error: any DescribedError) {
        self =
            switch error {
            case let failure as Failure: failure.code
            case is PlatformError: .hardware
            case is TraceError: .failed
            case let error as ClientError: error.isRefusal ? .failed : .unreachable
            case _: .usage
            }
    }
}

/// Why a command ends early: cause and remedy, one line each.
struct Failure: DescribedError {
    var code: ExitStatus
    var cause: String
    var remedy = ""
}

extension Failure {
    /// Ends the command with the cause and the remedy of an error.
    ///
    /// - Parameter place: what the error is about, such as a file, if the cause does not name it.
    init(_ code: ExitStatus, _ error: some DescribedError, at place: String? = nil) {
        self.init(
            code: code, cause: place.map { "\($0): " + error.cause } ?? error.cause,
            remedy: error.remedy)
    }
}

extension ClientError {
    /// Whether the daemon was reached with a valid token, and refused the request.
    fileprivate var isRefusal: Bool {
        switch self {
        case .refused(let status, _, _): status != 401
        case .unreachable, .unexpectedResponse: false
        }
    }
}
