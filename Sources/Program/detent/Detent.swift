import ArgumentParser
import DetentClient
import DetentCommand
import DetentGuardian
import DetentMQTT
import DetentPanel
import DetentPlatform
import DetentServer
import DetentTrace
import DetentTypes
import DetentWall

/// The command line. Commands connect modules and contain no logic.
@main
struct Detent: CommandProgram {
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
        version: ProgramVersion.number,
        subcommands: [
            RunCommand.self, SimCommand.self, CheckCommand.self, TestCommand.self,
            ReplayCommand.self, GetCommand.self, SetCommand.self, WatchCommand.self,
            ResyncCommand.self, LampTestCommand.self, HistoryCommand.self, BoardsCommand.self,
            DoctorCommand.self, ReloadCommand.self, OnCrashCommand.self, SchemaCommand.self,
            FaceCommand.self, WiringCommand.self, NewCommand.self, IdentifyCommand.self,
            MeasureCommand.self, RecordCommand.self, LspCommand.self,
        ])

    static let moved = Dictionary(
        uniqueKeysWithValues: ["soak", "fleet"].map {
            ($0, "it is in the sources only: `make lab` builds `.build/debug/detent-lab \($0)`")
        })

    /// Runs the command in the arguments, and exits with a documented code.
    static func main() {
        prepare()
        do {
            // Before anything else, so that the guardian stays small.
            if ProgramArguments.all.dropFirst().first == RunCommand.configuration.commandName {
                try PanelGuardian.begin { perform(unless: isProcess) }
            }
            perform(unless: isProcess)
        } catch {
            end(error)
        }
    }

    /// Does the work of a process beside a panel, if the arguments name one.
    private static func isProcess() throws -> Bool {
        switch ProgramArguments.all.dropFirst().first {
        case Gateway.word: try Gateway.run { StandardError.write($0) }
        case MQTTProcess.word: try MQTTProcess.run { StandardError.write($0) }
        case OSCListener.word:
            try OSCListener.run(Array(ProgramArguments.all.dropFirst(2))) {
                StandardError.write($0)
            }
        case WireProcess.word:
            try WireProcess.run(Array(ProgramArguments.all.dropFirst(2))) {
                StandardError.write($0)
            }
        case _: return false
        }
        return true
    }

    /// The code after an error that ends a command. Most are errors of what the user wrote.
    static func status(after error: any DescribedError) -> ExitStatus {
        switch error {
        case let failure as Failure: failure.code
        case is PlatformError: .hardware
        case is TraceError: .failed
        case let error as ClientError: error.isRefusal ? .failed : .unreachable
        case _: .usage
        }
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
