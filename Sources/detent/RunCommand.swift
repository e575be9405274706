import ArgumentParser
import DetentActions
import DetentGPIOD
import DetentHAL
import DetentPanel
import DetentPlatform
import DetentRuntime
import DetentServer
import DetentWorld
import Glibc

/// `detent run`: the daemon.
struct RunCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run", abstract: "Run a panel on this board.",
        discussion: """
            Example:  detent run panel.yaml --realtime

            Ends on SIGTERM or SIGINT, with every output at the level its `on-exit` says.
            Values outlive a restart in --state-dir, or in $STATE_DIRECTORY as systemd sets it.
            Exit codes: 0 ended by a signal, 2 the panel file cannot be used,
            3 a line cannot be had.
            """)

    enum Backend: String, ExpressibleByArgument, CaseIterable {
        case gpiod, sim
    }

    @Argument(help: "The panel file.")
    var panel: String

    @Option(
        help: "Where the lines are: gpiod (this board's), or sim (none; nothing moves by itself).")
    var backend = Backend.gpiod

    @Option(
        help: ArgumentHelp(
            "Keep values over a restart in this folder; without it none are kept.",
            valueName: "folder"))
    var stateDir: String?

    @Flag(help: "Run under SCHED_FIFO with locked memory; goes on without where that is refused.")
    var realtime = false

    @Option(help: "Priority under --realtime, 10 to 45.")
    var priority = 30

    @Flag(help: "Print every event as a line of JSON to standard output.")
    var events = false

    @OptionGroup
    var page: ListenOptions

    func validate() throws {
        guard RealTime.priorities.contains(priority) else {
            throw ValidationError(
                "--priority \(priority) is out of range: interrupt handlers run at 50, so 10 to 45")
        }
    }

    func run() throws {
        Memory.keepSmall()
        let plan = try PanelFile.plan(panel)
        let signals = try SignalInbox()
        let lines: any GPIOBackend =
            switch backend {
            case .gpiod: GPIODBackend()
            case .sim:
                SimulatedBackend(World(plan, seed: 1, bounce: .all(.none), at: MonotonicClock.now))
            }
        var host = try PanelHost(
            plan: plan, backend: lines, runner: ProcessSupervisor(), signals: signals,
            store: try store(of: plan), printsEvents: events)
        let errors = host.open()
        guard errors.isEmpty else {
            host.close()
            for (lines, cause, remedy) in grouped(errors) {
                StandardError.write("\(panel): \(lines): error: \(cause)\nhelp: \(remedy)\n")
            }
            throw ExitStatus.hardware
        }
        let served: (server: PanelServer, address: String)?
        do {
            served = try page.serve(host.port)
        } catch {
            host.close()
            throw error
        }
        defer { served?.server.stop() }
        if realtime {
            for missing in RealTime.enter(priority: priority) {
                StandardError.write("detent: not real-time: \(missing)\n")
            }
        }
        StandardError.write(
            "detent: \(plan.name) runs with \(plan.controls.count) controls on "
                + "\(plan.lines.count) lines\n")
        if let served { StandardError.write("detent: the panel is at \(served.address)\n") }
        host.start()
        if !realtime { Memory.forgetStart() }
        host.run()
    }

    /// Where values are kept: the folder of the command line, or else the first that the service
    /// manager names.
    private func store(of plan: PanelPlan) throws -> StateStore? {
        let named = getenv("STATE_DIRECTORY").map { String(cString: $0) } ?? ""
        let first = named.split(separator: ":").first.map(String.init)
        guard let folder = stateDir ?? first else { return nil }
        return try StateStore.open(plan, in: SystemStateFolder(folder), place: folder) {
            StandardError.write($0)
        }
    }

    /// Errors with one cause are told once, with all their lines.
    private func grouped(_ errors: [HALError]) -> [(lines: String, cause: String, remedy: String)] {
        var groups: [(lines: String, cause: String, remedy: String)] = []
        for error in errors {
            let place = groups.firstIndex { $0.cause == error.cause && $0.remedy == error.remedy }
            if let place {
                groups[place].lines += ", " + error.line
            } else {
                groups.append((error.line, error.cause, error.remedy))
            }
        }
        return groups
    }
}
