import ArgumentParser
import DetentActions
import DetentCommand
import DetentDevices
import DetentGPIOD
import DetentGuardian
import DetentHAL
import DetentPanel
import DetentPlatform
import DetentRuntime
import DetentServer
import DetentWall
import DetentWorld
import Glibc

/// `detent run`: the daemon.
struct RunCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run", abstract: "Run a panel on this board.",
        discussion: """
            Example:  detent run panel.yaml --realtime

            Ends on SIGTERM, SIGINT or SIGQUIT, with every output at its `on-exit` level.
            SIGHUP and `detent reload` read the file again, without releasing a line.
            The first process guards the panel, which is its child. If the panel crashes, the
            guardian ends its programs and writes the `on-crash` levels. A third process serves the
            page; if it crashes, the panel starts it again.
            Values are saved in --state-dir, or in $STATE_DIRECTORY if systemd sets it.
            Exit codes: 0 ended by a signal, 1 events or values were lost at the end,
            2 the panel file cannot be used, 3 a GPIO line could not be requested, or
            another detent uses the saved values of this panel.
            """)

    enum Backend: String, ExpressibleByArgument, CaseIterable {
        case gpiod, sim
    }

    @Argument(help: "The panel file.")
    var panel: String

    @Option(
        help:
            "Backend of the lines: gpiod (this board), or sim (simulated lines that never change).")
    var backend = Backend.gpiod

    @Option(
        help: ArgumentHelp(
            "Save values in this folder (default: values are not saved).",
            valueName: "folder"))
    var stateDir: String?

    @Flag(help: "Run under SCHED_FIFO with locked memory; if that is refused, continue without.")
    var realtime = false

    @Option(
        help: ArgumentHelp(
            "After a crash, start the panel again after this time, 100ms to 1h (default: end).",
            valueName: "time"))
    var restartAfter: String?

    @Option(help: "Priority under --realtime, 10 to 45.")
    var priority = 30

    @Flag(help: "Print every event to standard output, as JSON lines if it is not a terminal.")
    var events = false

    @Flag(help: "Send every event to the journal of systemd, with fields such as DETENT_CONTROL.")
    var journal = false

    @Option(help: .hidden)
    var journalSocket = JournalSocket.address

    @Flag(help: "Reload the panel file whenever it is saved.")
    var watchFile = false

    @OptionGroup
    var format: EventOptions

    @OptionGroup
    var page: ListenOptions

    func validate() throws {
        guard RealTime.priorities.contains(priority) else {
            throw ValidationError(
                "--priority \(priority) is out of range: use 10 to 45 (interrupts run at 50)"
            )
        }
        guard !(events && journal) else {
            throw ValidationError("--events and --journal exclude each other: use one of them")
        }
    }

    private func lines(
        of plan: PanelPlan, _ guarded: GuardedPanel?, _ log: TextWriter
    ) -> any GPIOBackend {
        switch backend {
        case .gpiod:
            var options = guarded?.options() ?? GPIODBackend.Options()
            options.willFloat = { [panel] remark in
                let problem = LineProblem(remark)
                log.add(ErrorText.lines(problem, at: "\(panel): \(problem.lines): warning"))
            }
            return ChannelSource.backend(
                for: plan.lineSettings, chips: GPIODBackend(options: options))
        case .sim:
            return SimulatedBackend(
                PhysicalModel(plan, seed: 1, bounce: .all(.none), at: MonotonicClock.now))
        }
    }

    private func eventFormats(_ plan: PanelPlan) throws -> EventFormats {
        if journal {
            let socket = try JournalSocket(journalSocket)
            return EventFormats(plan, { .journal($0) }, write: { socket.write($0) })
        }
        guard events else { return EventFormats(plan, nil) }
        let start = MonotonicClock.now
        let isText = format.isText
        return EventFormats(plan) { EventFormat($0, isText: isText, start: start) }
    }

    /// Call it before the panel starts: the code that starts it is for the most part the code from
    /// an edge to its lamp, which the first edge should find in memory.
    private func settle(_ log: TextWriter) {
        // What is locked cannot be given back.
        Memory.giveBack()
        guard realtime else { return }
        for missing in RealTime.enter(priority: priority) {
            log.add("detent: not real-time: \(missing)\n")
        }
    }

    /// Opens the address of the page, which a process of its own serves after `start`.
    private func openPage(
        _ options: ServerOptions?, of port: (any PanelPort)?, _ source: SourceText,
        reload: WakeUp, _ board: MQTTBoard?, _ log: TextWriter
    ) throws -> (process: ChildProcess, address: String)? {
        guard let options, let port else { return nil }
        return try Gateway.process(
            of: port, options: options, source: source, reload: { reload.ring() },
            broker: board, say: { log.add($0) })
    }

    func run() throws {
        let guardian = PanelGuardian.ofThisProcess
        if let span = try restartSpan() { guardian?.restart(after: span) }
        Memory.keepSmall()
        if realtime { Memory.takeQueuesInAdvance() }
        var (plan, source) = try PanelFile.planAndSource(panel)
        let options = try page.options()
        plan.callers = options?.callers ?? []
        let log = try TextWriter.log { StandardError.write($0) }
        defer { log.stop(within: RuntimeLimits.writerGrace) }
        let first = guardian == nil ? getpid() : getppid()
        let notifier = ServiceNotifier.fromEnvironment(first: first)
        let hangUp = try WakeUp()
        let signals = try SignalInbox(reload: { hangUp.ring() }, say: { log.add($0) })
        let programs = try guardian.map { Guardian(writingTo: $0.programs) } ?? Guardian()
        let runners = try ActionRunners.builtIn(guardian: programs)
        let guarded = guardian.map { it in GuardedPanel(it, plan, say: { log.add($0) }) }
        let lines = lines(of: plan, guarded, log)
        let store = try store(of: plan, log)
        let kept = store.flatMap { keep($0.saved, of: plan, log) }
        let hooks = ReloadHooks(guarded, lines) { plan, values in
            guard store != nil else { return nil }
            return keep(values, of: plan, log)
        }
        var host = try PanelHost(
            plan: plan, backend: lines, runners: runners, isServed: page.isOn,
            isConnected: plan.broker != nil, signals: signals,
            log: log, store: store, kept: kept, events: try eventFormats(plan), guardian: programs,
            watchdog: notifier?.watchdog, hooks: hooks)
        let errors = host.open()
        guard errors.isEmpty else {
            host.close()
            log.add(LineProblem.text(errors, of: panel))
            throw ExitStatus.hardware
        }
        guardian?.forgetEarlierLines()
        let board = host.brokerPort.map { _ in MQTTBoard() }
        let served: (process: ChildProcess, address: String)?
        do {
            served = try openPage(options, of: host.port, source, reload: hangUp, board, log)
        } catch {
            host.close()
            throw error
        }
        let gateway = served?.process
        defer { gateway?.stop() }
        let broker = try host.brokerPort.map {
            try brokerProcess(of: $0, source, page: served?.address, runners, host, board) {
                log.add($0)
            }
        }
        defer { broker?.stop() }
        let listener = try listenForReloads(
            of: plan, inbox: host.inbox, signal: hangUp, notifier: notifier, gateway, broker, log)
        defer { listener.stop() }
        settle(log)
        log.add(
            "detent: \(plan.name) runs with \(counted(plan.controls.count, "control")) on "
                + "\(counted(plan.lines.count, "line"))\n")
        for warning in Self.warnings(plan) { log.add(warning) }
        if let served { log.add("detent: the panel is at \(served.address)\n") }
        host.start()
        // The lines are live; the page follows.
        try gateway?.start()
        try broker?.start()
        notifier?.ready("\(plan.name) runs")
        try end(host.run(willClose: { notifier?.stopping() }), store)
        guardian?.forgetValues()
    }
}
