internal import DetentTypes
internal import Glibc
internal import KernelSupport

/// Faults from outside: lines in use, lost edges, chips that disappear.
extension EndToEndChecks {
    static let quick = "{run: [\"true\"], timeout: 5s}"

    static func busy() throws {
        let chip = try makeChip()
        defer { chip.remove() }
        let first = try Daemon(panel: panel(quick))
        try first.event("power", "\"confirmed\"")
        let second = try Daemon(panel: panel(quick))
        let status = second.end()
        try expect(status == 3, "exit code \(status.map(String.init) ?? "none")")
        chip.pull(0, high: true)
        try first.event("power", "\"changed\"", "\"on\"")
    }

    static func missing() throws {
        let chip = try makeChip()
        defer { chip.remove() }
        let text = panel(quick).split(separator: "\n").map {
            $0.contains("SWITCH") ? "    input: SWITHC" : String($0)
        }
        let status = try Daemon(panel: text.joined(separator: "\n") + "\n").end()
        try expect(status == 3, "exit code \(status.map(String.init) ?? "none")")
    }

    static func overflow() throws {
        let chip = try makeChip()
        defer { chip.remove() }
        let slow = panel(quick).replacing("debounce: 5ms", with: "debounce: 200ms")
        let daemon = try Daemon(panel: slow)
        try daemon.event("power", "\"confirmed\"", "\"off\"")
        try undelayed {
            chip.pull(0, high: false)
            usleep(400_000)
            daemon.forget()
            // The process is stopped, so the kernel's queue overflows, whatever its size.
            let panel = try daemon.panel()
            kill(panel, SIGSTOP)
            let pause = move(chip, 0, through: (1...3_001).map { $0 % 2 == 1 }, pause: 0)
            kill(panel, SIGCONT)
            try daemon.event("power", "\"changed\"", "\"on\"")
            usleep(400_000)
            daemon.look()
            guard pause < .milliseconds(100) else { return false }
            try expect(
                !daemon.events.contains { $0.contains("\"changed\"") },
                "the state did not stay on")
            return true
        }
        try expect(eventually { chip.isHigh(1) }, "the lamp is dark")
    }

    static func unplug() throws {
        let chip = try makeChip()
        defer { chip.remove() }
        let other = try SimChip(name: "detent-other", lines: ["SWITCH2", "LAMP3"])
        defer { other.remove() }
        let more = """
              steady:
                kind: switch
                label: Steady
                input: {line: SWITCH2, active: high, bias: pull-down}
                indicator: LAMP3
                debounce: 5ms
            """
        let daemon = try Daemon(panel: panel(quick, more: more))
        try daemon.event("power", "\"confirmed\"", "\"off\"")
        try chip.unplug()
        try daemon.event("power", "\"fault\"", "line")
        other.pull(0, high: true)
        try daemon.event("steady", "\"changed\"", "\"on\"")
        try expect(eventually { other.isHigh(1) }, "the other chip's lamp is dark")
        try chip.plug()
        try daemon.event("power", "\"fault\"", "none")
        chip.pull(0, high: true)
        try daemon.event("power", "\"changed\"", "\"on\"")
        try expect(eventually { chip.isHigh(1) }, "the lamp of the chip that came back is dark")
    }

    static func onExit() throws {
        let chip = try makeChip()
        defer { chip.remove() }
        let more = """
              relay:
                kind: toggle-button
                label: Relay
                input: {line: BUTTON, active: high, bias: pull-down}
                output: RELAY
                on-exit: off
              motor:
                kind: switch
                label: Motor
                input: {line: LAMP2, active: high, bias: pull-down}
                output: MOTOR
                on-exit: on
            """
        let daemon = try Daemon(panel: panel(quick, more: more))
        try daemon.event("power", "\"confirmed\"", "\"off\"")
        chip.pull(2, high: true)
        try daemon.event("relay", "\"changed\"", "\"on\"")
        try expect(eventually { chip.isHigh(4) }, "the relay does not follow its button")
        guard let first = ValueTrace.firstNumber(ofChip: chip.chipName), ValueTrace.start() else {
            throw Failure(description: "the kernel does not trace levels")
        }
        kill(daemon.process, SIGTERM)
        let status = daemon.end()
        try expect(status == 0, "exit code \(status.map(String.init) ?? "none")")
        let relay = ValueTrace.lastLevel(offset: 4, firstNumber: first)
        let motor = ValueTrace.lastLevel(offset: 5, firstNumber: first)
        try expect(relay == false, "on-exit: off left the relay at \(String(describing: relay))")
        try expect(motor == true, "on-exit: on left the motor at \(String(describing: motor))")
    }
}
