import ArgumentParser
import DetentCommand
import DetentDevices
import DetentGPIOD
import DetentHAL
import DetentPanel
import Glibc

/// `detent on-crash`: writes the `on-crash` levels of a panel that is not running.
struct OnCrashCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "on-crash",
        abstract: "Write the `on-crash` levels of a panel that has crashed.",
        discussion: """
            Example:  ExecStopPost=detent on-crash /etc/detent/panel.yaml

            `detent run` writes these levels itself when its panel crashes. This command is for a
            service manager, in case both processes of `detent run` were killed at once.
            Does nothing if $SERVICE_RESULT is `success`, which systemd sets after an orderly end.
            Only outputs with `on-crash: off` or `on-crash: on` are used. The lines are released
            at once: the driver and the wiring decide whether they keep the level.
            Exit codes: 0 every level was written, 2 the panel file cannot be used,
            3 a GPIO line could not be requested; the other levels were written.
            """)

    @Argument(help: "The panel file.")
    var panel: String

    func run() throws {
        if getenv("SERVICE_RESULT").map({ String(cString: $0) }) == "success" { return }
        // Warnings about the file were printed when the panel started.
        let plan = try PanelReader.read(file: panel).plan ?? PanelFile.plan(panel)
        let lines = plan.crashSettings
        let backend = ChannelSource.backend(for: lines, chips: GPIODBackend())
        let errors = backend.open(lines)
        backend.close()
        StandardError.write(LineProblem.text(errors, of: panel))
        if !errors.isEmpty { throw ExitStatus.hardware }
    }
}
