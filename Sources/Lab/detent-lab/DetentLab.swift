import ArgumentParser
import DetentCommand
import DetentTypes

/// The tools of those who develop Detent. They are not installed.
@main
struct DetentLab: CommandProgram {
    static let configuration = CommandConfiguration(
        commandName: "detent-lab",
        abstract: "Tools for the developers of Detent.",
        discussion: """
            Exit codes: 0 success, 1 a test failed, 2 wrong usage or unreadable input,
            4 cannot reach the broker.
            """,
        version: ProgramVersion.number,
        subcommands: [SoakCommand.self, FleetCommand.self])

    static func main() {
        prepare()
        perform()
    }

    static func status(after error: any DescribedError) -> ExitStatus {
        (error as? Failure)?.code ?? .usage
    }
}
