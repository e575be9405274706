internal import DetentTypes
internal import Glibc
internal import KernelSupport

/// A changed panel file while the panel runs: what did not change keeps its lines.
extension EndToEndChecks {
    static let reloads: [(name: String, run: @Sendable () throws -> Void)] = [
        ("reload: unchanged outputs show no edge, unchanged inputs lose none", reloadKeepsLines),
        ("reload: a line in use, or on a missing chip, changes nothing", reloadRefused),
        ("reload: a line with other settings changes, and its neighbours do not", reloadOfALine),
        ("reload: the guardian knows the lines of the new panel", reloadOfGuardedLines),
        ("reload: a chip that goes away meanwhile stops nothing else", reloadWhileUnplugged),
    ]

    private static let relay = """
          relay:
            kind: switch
            label: Relay
            input: {line: LAMP2, active: high, bias: pull-down}
            output: RELAY
            startup: on
            on-crash: on
        """

    private static let counter = """
          bell:
            kind: button
            label: Bell
            input: {line: BUTTON, active: high, bias: pull-down}
            debounce: none
        """

    private static let motor = """
          motor:
            kind: switch
            label: Motor
            latch: toggle
            input: {line: LAMP3, active: high, bias: pull-down}
            output: MOTOR
        """

    /// Writes the file anew, as a careful editor does, and reloads it.
    static func reload(
        _ daemon: Daemon, _ text: String
    ) throws -> (status: Int32, text: String) {
        try writeFile(text, to: daemon.file + ".new")
        try expect(rename(daemon.file + ".new", daemon.file) == 0, "rename: errno \(errno)")
        return try Program.run("reload", daemon.file)
    }

    /// Does something while a hand works on a thread of its own, which never outlives it: it would
    /// take away the chip of a second try.
    private static func beside(
        _ hand: @escaping () -> Void, do body: () throws -> Void
    ) throws {
        let thread = try Thread(hand)
        let outcome = Result(catching: body)
        thread.join()
        try outcome.get()
    }

    private static func makeWideChip() throws -> SimChip {
        try SimChip(
            name: "detent-end",
            lines: ["SWITCH", "LAMP", "BUTTON", "LAMP2", "RELAY", "MOTOR", "LAMP3"])
    }

    private static func reloadKeepsLines() throws {
        let chip = try makeWideChip()
        defer { chip.remove() }
        let first = panel(quick, more: relay + "\n" + counter)
        let daemon = try Daemon(panel: first)
        try daemon.event("power", "\"confirmed\"")
        chip.pull(0, high: true)
        try daemon.event("power", "\"confirmed\"", "\"on\"")
        try expect(eventually { chip.isHigh(1) && chip.isHigh(4) }, "the outputs are not on")
        guard let number = ValueTrace.firstNumber(ofChip: chip.chipName), ValueTrace.start() else {
            throw Failure(description: "the kernel does not trace levels")
        }
        try daemon.settle()
        let presses = 150
        try beside {
            for _ in 0..<presses {
                chip.pull(2, high: true)
                usleep(1_500)
                chip.pull(2, high: false)
                usleep(1_500)
            }
        } do: {
            // Controls move to other places of the file, one comes and goes.
            for turn in 0..<6 {
                let more = turn % 2 == 0 ? [motor, counter, relay] : [relay, counter]
                let result = try reload(daemon, panel(quick, more: more.joined(separator: "\n")))
                try expect(result.status == 0, "reload \(turn): \(result.text)")
            }
        }
        usleep(300_000)
        daemon.look()
        let count = daemon.events.count { $0.contains("\"bell\"") && $0.contains("\"pressed\"") }
        try expect(count == presses, "\(count) of \(presses) presses were seen")
        for (offset, name) in [(1, "lamp"), (4, "relay")] {
            let writes = ValueTrace.writes(offset: offset, firstNumber: number)
            try expect(writes == 0, "the \(name) was written \(writes) times")
            try expect(chip.isHigh(offset), "the \(name) is off")
        }
        let others = daemon.events.filter {
            !$0.contains("\"bell\"") && !$0.contains("\"motor\"") && $0.contains("\"control\"")
        }
        try expect(others.isEmpty, "controls that did not change told \(others)")
        try expect(chip.isHigh(0), "the lever moved")
        chip.pull(0, high: false)
        try daemon.event("power", "\"confirmed\"", "\"off\"")
    }

    private static func reloadRefused() throws {
        let chip = try makeWideChip()
        defer { chip.remove() }
        let other = try SimChip(name: "detent-other", lines: ["SWITCH2", "FAR"])
        let first = panel(quick, more: relay)
        let daemon = try Daemon(panel: first)
        try daemon.event("power", "\"confirmed\"")
        let holder = try Daemon(
            panel: "panel: Other\nboard: none\ncontrols:\n" + motor)
        // A press before the line is requested is lost.
        let isRunning = eventually {
            chip.pull(6, high: false)
            usleep(100_000)
            chip.pull(6, high: true)
            usleep(100_000)
            return chip.isHigh(5)
        }
        try expect(isRunning, "the second panel does not run")
        guard let number = ValueTrace.firstNumber(ofChip: chip.chipName), ValueTrace.start() else {
            throw Failure(description: "the kernel does not trace levels")
        }
        let busy = try reload(daemon, panel(quick, more: relay + "\n" + motor))
        try expect(
            busy.status == 1 && busy.text.contains("held by \"detent\"")
                && busy.text.contains("continues as it was"), "\(busy)")
        other.remove()
        let far = motor.dropLast("MOTOR".count) + "{chip: detent-other, offset: 1}"
        let gone = try reload(daemon, panel(quick, more: relay + "\n" + far))
        try expect(gone.status == 1 && gone.text.contains("detent-other"), "\(gone)")
        let half = String(first.prefix(first.count / 2)) + "\n      input: {line: SW"
        let broken = try reload(daemon, half)
        try expect(broken.status == 1 && broken.text.contains("error:"), "\(broken)")
        for offset in [1, 4] {
            let writes = ValueTrace.writes(offset: offset, firstNumber: number)
            try expect(writes == 0, "line \(offset) was written \(writes) times")
        }
        try expect(chip.isHigh(4), "the relay is off")
        chip.pull(0, high: true)
        try daemon.event("power", "\"confirmed\"", "\"on\"")
        let same = try reload(daemon, first)
        try expect(same.status == 0 && same.text.contains("nothing changed"), "\(same)")
        kill(holder.process, SIGTERM)
        _ = holder.end()
        let free = try reload(daemon, panel(quick, more: relay + "\n" + motor))
        try expect(free.status == 0, "\(free)")
    }

    private static func reloadOfALine() throws {
        let chip = try makeWideChip()
        defer { chip.remove() }
        let daemon = try Daemon(panel: panel(quick, more: relay + "\n" + motor))
        try daemon.event("power", "\"confirmed\"")
        chip.pull(6, high: true)
        try expect(eventually { chip.isHigh(5) && chip.isHigh(4) }, "the outputs are not on")
        guard let number = ValueTrace.firstNumber(ofChip: chip.chipName), ValueTrace.start() else {
            throw Failure(description: "the kernel does not trace levels")
        }
        // The output of the motor becomes an input, and its input its output.
        let turned = """
              motor:
                kind: switch
                label: Motor
                input: {line: MOTOR, active: high, bias: pull-down}
                output: LAMP3
            """
        let result = try reload(daemon, panel(quick, more: relay + "\n" + turned))
        try expect(result.status == 0, "\(result)")
        try expect(ValueTrace.writes(offset: 4, firstNumber: number) == 0, "the relay was written")
        // The value stays, and the lever, which is at another position, is to move first.
        try daemon.event("motor", "\"mismatch\"", "true")
        try expect(chip.isHigh(6), "the value was lost")
        chip.pull(5, high: true)
        try daemon.event("motor", "\"mismatch\"", "false")
        chip.pull(5, high: false)
        daemon.look()
        try expect(
            eventually { !chip.isHigh(6) }, "the new output does not go off: \(daemon.events)")
    }

    private static func reloadOfGuardedLines() throws {
        let chip = try makeWideChip()
        defer { chip.remove() }
        let daemon = try Daemon(panel: panel(quick, more: relay))
        try daemon.event("power", "\"confirmed\"")
        let off = relay.dropLast("on".count) + "off"
        let guarded = motor + "\n    on-crash: on"
        let result = try reload(daemon, panel(quick, more: off + "\n" + guarded))
        try expect(result.status == 0, "\(result)")
        guard let first = ValueTrace.firstNumber(ofChip: chip.chipName), ValueTrace.start() else {
            throw Failure(description: "the kernel does not trace levels")
        }
        kill(try daemon.panel(), SIGKILL)
        try expect(daemon.endSignal() == SIGKILL, "the first process did not end as its panel")
        let relay = ValueTrace.lastLevel(offset: 4, firstNumber: first)
        let motor = ValueTrace.lastLevel(offset: 5, firstNumber: first)
        try expect(relay == false, "the relay: \(String(describing: relay))")
        try expect(motor == true, "the motor: \(String(describing: motor))")
    }

    private static func reloadWhileUnplugged() throws {
        let chip = try makeWideChip()
        defer { chip.remove() }
        let other = try SimChip(name: "detent-other", lines: ["SWITCH2", "FAR"])
        defer { other.remove() }
        let near = panel(quick, more: relay)
        let far = panel(
            quick,
            more: relay + "\n" + motor.dropLast("MOTOR".count)
                + "{chip: detent-other, offset: 1}")
        let daemon = try Daemon(panel: near)
        try daemon.event("power", "\"confirmed\"")
        try expect(eventually { chip.isHigh(4) }, "the relay is not on")
        guard let number = ValueTrace.firstNumber(ofChip: chip.chipName), ValueTrace.start() else {
            throw Failure(description: "the kernel does not trace levels")
        }
        // Another time for each turn, so that the chip goes away at each stage of a reload.
        try beside {
            for turn in 0..<80 {
                try? other.unplug()
                usleep(UInt32(1_000 + turn * 131 % 7_000))
                try? other.plug()
                usleep(UInt32(1_000 + turn * 373 % 11_000))
            }
        } do: {
            for turn in 0..<16 {
                let result = try reload(daemon, turn % 2 == 0 ? far : near)
                try expect(
                    result.status == 0
                        || result.status == 1 && result.text.contains("continues as it was"),
                    "reload \(turn): \(result)")
            }
        }
        try expect(eventually { (try? other.plug()) != nil }, "the chip cannot be plugged in")
        let result = try reload(daemon, far)
        try expect(result.status == 0, "the chip is back: \(result)")
        let writes = ValueTrace.writes(offset: 4, firstNumber: number)
        try expect(writes == 0, "the relay was written \(writes) times")
        chip.pull(6, high: true)
        try expect(
            eventually(seconds: 10) { other.isHigh(1) }, "the output on the other chip is off")
        chip.pull(0, high: true)
        try daemon.event("power", "\"changed\"", "\"on\"")
        try expect(eventually { chip.isHigh(1) }, "the lamp is dark")
    }
}
