internal import DetentTypes
internal import Glibc
internal import KernelSupport

/// What is left when a panel dies: the levels of `on-crash`, and no program.
extension EndToEndChecks {
    static let crashes: [(name: String, run: @Sendable () throws -> Void)] = [
        ("crash: a killed panel leaves its outputs as on-crash says", crashLevels),
        ("crash: the guardian holds the levels until it starts the panel again", crashRestart),
        ("crash: a signal to the first process reaches the panel", crashSignals),
        ("crash: on-crash writes the levels when both processes were killed", crashOfBoth),
        ("crash: a line that the next panel does not declare is left alone", crashForgets),
        ("crash: a thousand edges a second reach the panel while its gateway is killed", gateways),
        ("crash: 50 kills at random moments leave the levels, and no program", crashOften),
    ]

    /// A lever that is inactive, with outputs that are on: the relay is wanted off after a crash,
    /// and the motor, which is active-low, keeps its level.
    private static let outputs = """
          relay:
            kind: switch
            label: Relay
            input: {line: BUTTON, active: high, bias: pull-down}
            output: RELAY
            startup: on
            on-crash: off
            on-exit: on
          motor:
            kind: switch
            label: Motor
            input: {line: LAMP2, active: high, bias: pull-down}
            output: {line: MOTOR, active: low}
            on-exit: on
            on-crash: on
        """

    private static let hanging = """
        [ "$1" = off ] && exit 0
        trap '' TERM HUP
        sleep 1000 & echo $! >> $0.log
        wait
        """

    /// A panel whose relay is on, whose motor is off (its line is high), and whose action runs.
    private static func crashing(_ chip: SimChip, _ options: [String] = []) throws -> Daemon {
        let act = try program("hanging", hanging)
        let daemon = try Daemon(
            panel: panel("{run: [\(act), \"{value}\"], timeout: 60s}", more: outputs), options)
        try arm(daemon, chip)
        return daemon
    }

    /// Moves the panel's levers until its relay is on and its action runs.
    private static func arm(_ daemon: Daemon, _ chip: SimChip) throws {
        try daemon.event("power", "\"confirmed\"", "\"off\"")
        unlink("/tmp/hanging.log")
        chip.pull(0, high: true)
        chip.pull(2, high: true)
        try daemon.event("power", "\"changed\"", "\"on\"")
        try expect(eventually { chip.isHigh(4) && chip.isHigh(5) }, "the outputs do not follow")
        try expect(eventually { !program("hanging").isEmpty }, "the action does not start")
    }

    /// The processes that the action has started.
    private static func program(_ name: String) -> [pid_t] {
        log(name).split(separator: "\n").compactMap { pid_t($0) }
    }

    private static func expectNoProgram() throws {
        for process in program("hanging") {
            try expect(
                eventually { kill(process, 0) != 0 }, "a program is left: \(process)")
        }
    }

    /// Waits until the relay is off and the line of the motor is low; returns how long it took.
    private static func levels(_ chip: SimChip) throws -> Duration {
        let start = monotonicTime()
        while chip.isHigh(4) || chip.isHigh(5) {
            try expect(
                monotonicTime() - start < .seconds(2),
                "relay high: \(chip.isHigh(4)), motor high: \(chip.isHigh(5))")
            usleep(200)
        }
        return monotonicTime() - start
    }

    private static func crashLevels() throws {
        let chip = try makeChip()
        defer { chip.remove() }
        let daemon = try crashing(chip)
        guard let first = ValueTrace.firstNumber(ofChip: chip.chipName), ValueTrace.start() else {
            throw Failure(description: "the kernel does not trace levels")
        }
        kill(try daemon.panel(), SIGKILL)
        try expect(daemon.endSignal() == SIGKILL, "the first process did not end as its panel")
        // The guardian has ended too, so the simulator has pulled the lines back.
        let relay = ValueTrace.lastLevel(offset: 4, firstNumber: first)
        let motor = ValueTrace.lastLevel(offset: 5, firstNumber: first)
        try expect(relay == false, "on-crash: off left the relay at \(String(describing: relay))")
        try expect(motor == false, "on-crash: on left the motor at \(String(describing: motor))")
        try expectNoProgram()
    }

    private static func crashRestart() throws {
        let chip = try makeChip()
        defer { chip.remove() }
        // Released lines would go back to these levels.
        chip.pull(4, high: true)
        chip.pull(5, high: true)
        let daemon = try crashing(chip, ["--restart-after", "1s"])
        // A busy host can stop the whole machine for a while: one quick time of five counts.
        var latency = Duration.seconds(1)
        for _ in 0..<5 where latency >= .milliseconds(50) {
            daemon.forget()
            kill(try daemon.panel(), SIGKILL)
            latency = try levels(chip)
            try expectNoProgram()
            usleep(500_000)
            try expect(!chip.isHigh(4) && !chip.isHigh(5), "the guardian does not hold the lines")
            // The new panel drives the relay, and starts its action.
            try arm(daemon, chip)
        }
        try expect(latency < .milliseconds(50), "the levels took \(latency)")
        kill(daemon.process, SIGTERM)
        try expect(daemon.end() == 0, "the second panel does not end in order")
    }

    private static func crashSignals() throws {
        for signal in [SIGABRT, SIGSEGV] {
            let chip = try makeChip()
            defer { chip.remove() }
            let daemon = try crashing(chip)
            guard let first = ValueTrace.firstNumber(ofChip: chip.chipName), ValueTrace.start()
            else { throw Failure(description: "the kernel does not trace levels") }
            kill(daemon.process, signal)
            try expect(daemon.endSignal() == signal, "it did not end by signal \(signal)")
            let relay = ValueTrace.lastLevel(offset: 4, firstNumber: first)
            try expect(relay == false, "the relay is at \(String(describing: relay))")
            try expectNoProgram()
        }
        // A killed guardian cannot write levels: its panel ends in order instead.
        let chip = try makeChip()
        defer { chip.remove() }
        let daemon = try crashing(chip)
        let panel = try daemon.panel()
        guard let first = ValueTrace.firstNumber(ofChip: chip.chipName), ValueTrace.start()
        else { throw Failure(description: "the kernel does not trace levels") }
        kill(daemon.process, SIGKILL)
        try expect(eventually { kill(panel, 0) != 0 }, "the panel goes on without its guardian")
        let relay = ValueTrace.lastLevel(offset: 4, firstNumber: first)
        try expect(relay == true, "on-exit: on left the relay at \(String(describing: relay))")
        try expectNoProgram()
    }

    private static func crashOfBoth() throws {
        let chip = try makeChip()
        defer { chip.remove() }
        let daemon = try crashing(chip)
        let panel = try daemon.panel()
        // A stopped panel cannot end in order before it is killed.
        kill(panel, SIGSTOP)
        kill(daemon.process, SIGKILL)
        kill(panel, SIGKILL)
        try expect(daemon.endSignal() == SIGKILL, "the guardian lives")
        try expect(eventually { kill(panel, 0) != 0 }, "the panel lives")
        guard let first = ValueTrace.firstNumber(ofChip: chip.chipName), ValueTrace.start() else {
            throw Failure(description: "the kernel does not trace levels")
        }
        let result = try Program.run("on-crash", daemon.file)
        try expect(result.status == 0 && result.text.isEmpty, "on-crash: \(result)")
        let relay = ValueTrace.lastLevel(offset: 4, firstNumber: first)
        let motor = ValueTrace.lastLevel(offset: 5, firstNumber: first)
        try expect(relay == false && motor == false, "on-crash left the relay or the motor")
        try expect(
            ValueTrace.lastLevel(offset: 1, firstNumber: first) == nil, "it drove another line")
        // Nothing guarded the programs: they are the service manager's.
        for process in program("hanging") { kill(process, SIGKILL) }
    }

    private static func crashForgets() throws {
        let chip = try makeChip()
        defer { chip.remove() }
        chip.pull(4, high: true)
        chip.pull(5, high: true)
        let daemon = try crashing(chip, ["--restart-after", "1s"])
        // What the next panel reads: its motor has no level for a crash any more.
        let act = try program("hanging", hanging)
        let edited = outputs.split(separator: "\n").dropLast().joined(separator: "\n")
        try writeFile(
            panel("{run: [\(act), \"{value}\"], timeout: 60s}", more: edited), to: daemon.file)
        daemon.forget()
        kill(try daemon.panel(), SIGKILL)
        _ = try levels(chip)
        try arm(daemon, chip)
        kill(try daemon.panel(), SIGKILL)
        try expect(eventually { !chip.isHigh(4) }, "the relay is on")
        try expect(chip.isHigh(5), "the motor has a level that its panel does not declare")
        kill(daemon.process, SIGTERM)
        _ = daemon.end()
    }

    private static func crashOften() throws {
        let chip = try makeChip()
        defer { chip.remove() }
        chip.pull(4, high: true)
        chip.pull(5, high: true)
        let daemon = try crashing(chip, ["--restart-after", "100ms"])
        var last = try daemon.panel()
        var random: UInt32 = 81
        for round in 0..<50 {
            kill(last, SIGKILL)
            _ = try levels(chip)
            try expect(
                eventually { (try? daemon.panel()).map { $0 != last } ?? false },
                "no restart in round \(round)")
            last = try daemon.panel()
            // Also while it starts, before and after it requests its lines.
            random = random &* 1_664_525 &+ 1_013_904_223
            usleep(random >> 8 & 0x3ffff)
            daemon.forget()
        }
        try expectNoProgram()
        let files = try daemon.openFiles(of: daemon.process)
        try expect(files <= 8, "the guardian has \(files) open files")
        kill(daemon.process, SIGTERM)
        try expect(daemon.end() != nil, "it does not end in order")
    }

    /// A thousand edges a second are handled, each once, while the process of the page dies.
    private static func gateways() throws {
        let chip = try makeChip()
        defer { chip.remove() }
        let quick = panel("{run: [\"true\"]}").split(separator: "\n")
            .filter { !$0.contains("action:") }.joined(separator: "\n")
            .replacing("debounce: 5ms", with: "debounce: {algorithm: eager, time: 100us}")
        try undelayed {
            let daemon = try Daemon(
                panel: quick + "\n", ["--realtime", "--listen", "127.0.0.1:0"])
            let panel = try daemon.panel()
            // It starts after the panel, which is then at its lines.
            try expect(eventually { KernelFile.child(of: panel) != nil }, "no gateway")
            let killed = try moveAndKill(chip, daemon, panel)
            guard !killed.isEmpty else { return false }
            try expect(killed.count >= 2, "\(killed.count) gateways were killed")
            var changes = 0
            let isComplete = eventually {
                daemon.look()
                changes = daemon.events.count { $0.contains("\"changed\"") }
                return changes >= 2_000
            }
            try expect(isComplete && changes == 2_000, "\(changes) of 2000 edges were handled")
            try expect(!daemon.events.contains { $0.contains("\"lost\"") }, "edges were lost")
            try expect(try daemon.panel() == panel, "the panel has died")
            try expect(
                eventually { KernelFile.child(of: panel).map { !killed.contains($0) } ?? false },
                "no gateway is back")
            kill(daemon.process, SIGTERM)
            try expect(daemon.end() == 0, "it does not end in order")
            return true
        }
    }

    /// Makes 2000 edges, and kills the gateway now and then.
    ///
    /// - Returns: the killed gateways; none if the host stopped the machine so that
    ///   the kernel's queue of 16 edges may have been full.
    private static func moveAndKill(
        _ chip: SimChip, _ daemon: Daemon, _ panel: pid_t
    ) throws -> Set<pid_t> {
        var killed: Set<pid_t> = []
        var isLate = false
        daemon.forget()
        var last = monotonicTime()
        for edge in 1...2_000 {
            chip.pull(0, high: edge % 2 == 1)
            usleep(1_000)
            if edge % 100 == 0 { daemon.look() }
            if edge % 400 == 0, let gateway = KernelFile.child(of: panel) {
                kill(gateway, SIGKILL)
                killed.insert(gateway)
            }
            let now = monotonicTime()
            if now - last > .milliseconds(200) { isLate = true }
            last = now
        }
        return isLate ? [] : killed
    }
}
