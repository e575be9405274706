internal import DetentTypes
internal import Glibc
internal import KernelSupport

/// A change on a real kernel line through every layer to a lamp and a program.
enum EndToEndChecks {
    static let all: [(name: String, run: @Sendable () throws -> Void)] =
        [
            ("a switch turns a lamp on and runs its action once", switchLampAction),
            ("a bouncing contact is one press and one release", bounce),
            ("a slow action shows loading on the lamp, then the value", loading),
            ("a failed action shows, and the state returns to the truth", failure),
            ("a timeout kills the whole process group and shows", timeout),
            ("a hung action delays no other control", hung),
            ("a line in use is told with its holder, and exit code 3", busy),
            ("a missing line is told with the nearest name, and exit code 3", missing),
            ("edges lost in the kernel's queue are repaired by reading", overflow),
            ("a chip that goes away is a fault, and works again when it is back", unplug),
            ("outputs are left as on-exit says", onExit),
            ("scenario: a step or a trace that differs fails", scenarioThatDiffers),
            ("scenario: without lines to move it ends with exit code 3", scenarioWithoutLines),
            (
                "scenario: lamps are seen from outside, through accidents and a restart",
                lampFromOutside
            ),
            ("scenario: steps begin at their moments", stepsAtTheirMoments),
        ] + analog + bursts + crashes + displays + expanders + firstHour + inputs + keys
        + outputsWithLevels + overheads + reloads

    /// A chip with all lines of the checks.
    static func makeChip(_ name: String = "detent-end") throws -> SimChip {
        try SimChip(name: name, lines: ["SWITCH", "LAMP", "BUTTON", "LAMP2", "RELAY", "MOTOR"])
    }

    /// A program for an action; it writes its own log.
    static func program(_ name: String, _ body: String) throws -> String {
        let file = "/tmp/\(name)"
        unlink("\(file).log")
        try writeFile("#!/bin/sh\n\(body)\n", to: file)
        return file
    }

    static func log(_ name: String) -> String { (try? KernelFile.text("/tmp/\(name).log")) ?? "" }

    /// A panel with a lever, a lamp and an action; contacts are closed when the line is high.
    static func panel(_ action: String, more: String = "") -> String {
        """
        panel: End to End
        board: none
        controls:
          power:
            kind: switch
            label: Power
            input: {line: SWITCH, active: high, bias: pull-down}
            indicator: LAMP
            debounce: 5ms
            action: \(action)
        \(more)

        """
    }

    static let button = """
          bell:
            kind: toggle-button
            label: Bell
            input: {line: BUTTON, active: high, bias: pull-down}
            indicator: LAMP2
        """

    private static func switchLampAction() throws {
        let chip = try makeChip()
        defer { chip.remove() }
        let act = try program("act", "echo \"$1 $DETENT_CONTROL $DETENT_ORIGIN\" >> $0.log")
        let daemon = try Daemon(panel: panel("{run: [\(act), \"{value}\"], timeout: 5s}"))
        try daemon.event("power", "\"confirmed\"", "\"off\"")
        chip.pull(0, high: true)
        try daemon.event("power", "\"changed\"", "\"on\"", "\"panel\"")
        try expect(eventually { chip.isHigh(1) }, "the lamp stays dark")
        try daemon.event("power", "\"confirmed\"", "\"on\"")
        try expect(
            log("act") == "off power startup\non power panel\n", "the action saw: \(log("act"))")
        chip.pull(0, high: false)
        try daemon.event("power", "\"confirmed\"", "\"off\"")
        try expect(eventually { !chip.isHigh(1) }, "the lamp stays lit")
    }

    private static func bounce() throws {
        let chip = try makeChip()
        defer { chip.remove() }
        let bell = button + "\n    debounce: 100ms"
        let daemon = try Daemon(panel: panel("{run: [\"true\"], timeout: 5s}", more: bell))
        try daemon.event("power", "\"confirmed\"")
        try undelayed {
            daemon.forget()
            let down = move(chip, 2, through: [true, false, true, false, true], pause: 400)
            usleep(300_000)
            let up = move(chip, 2, through: [false, true, false, true, false], pause: 400)
            try daemon.event("bell", "\"released\"")
            usleep(200_000)
            daemon.look()
            guard max(down, up) < .milliseconds(50) else { return false }
            let again = daemon.events.filter { $0.contains("pressed") || $0.contains("released") }
            try expect(again.isEmpty, "more than one press and one release: \(again)")
            return true
        }
        try expect(eventually { chip.isHigh(3) }, "the toggle's lamp stays dark")
    }

    private static func loading() throws {
        let chip = try makeChip()
        defer { chip.remove() }
        let act = try program("slow", "[ \"$1\" = off ] || sleep 1.2")
        let daemon = try Daemon(panel: panel("{run: [\(act), \"{value}\"], timeout: 5s}"))
        try daemon.event("power", "\"confirmed\"", "\"off\"")
        chip.pull(0, high: true)
        try daemon.event("power", "\"loading\"")
        try daemon.event("power", "\"indicator\"", "\"blink\"")
        var dark = 0
        var lit = 0
        for _ in 0..<120 {
            if chip.isHigh(1) { lit += 1 } else { dark += 1 }
            usleep(5_000)
        }
        try expect(dark > 5 && lit > 5, "the lamp does not blink: \(lit) lit, \(dark) dark")
        try daemon.event("power", "\"confirmed\"", "\"on\"")
        try daemon.event("power", "\"indicator\"", "\"steady\"")
        try expect(eventually { chip.isHigh(1) }, "the lamp is dark after success")
    }

    private static func failure() throws {
        let chip = try makeChip()
        defer { chip.remove() }
        let act = try program("fails", "[ \"$1\" = off ] && exit 0\necho no power >&2\nexit 3")
        let daemon = try Daemon(
            panel: panel("{run: [\(act), \"{value}\"], timeout: 5s, failed-for: 1s}"))
        try daemon.event("power", "\"confirmed\"", "\"off\"")
        chip.pull(0, high: true)
        try daemon.event("power", "\"changed\"", "\"on\"")
        try daemon.event("power", "\"changed\"", "\"off\"", "\"device\"")
        try daemon.event("power", "\"failed\"", "exit 3")
        try daemon.event("power", "\"mismatch\"", "true")
        try daemon.event("power", "\"indicator\"", "flash-burst")
        try daemon.event("power", "\"idle\"")
        try daemon.event("power", "\"indicator\"", "\"wink\"")
    }

    private static func timeout() throws {
        let chip = try makeChip()
        defer { chip.remove() }
        let act = try program(
            "hangs", "[ \"$1\" = off ] && exit 0\nsleep 100 & echo $! >> $0.log\nsleep 100")
        let daemon = try Daemon(panel: panel("{run: [\(act), \"{value}\"], timeout: 700ms}"))
        try daemon.event("power", "\"confirmed\"", "\"off\"")
        chip.pull(0, high: true)
        try daemon.event("power", "\"failed\"", "timed out")
        try daemon.event("power", "\"unconfirmed\"", "true")
        // The state returns by running the action of the last confirmed value.
        try daemon.event("power", "\"confirmed\"", "\"off\"")
        let child = Int32(log("hangs").prefix { $0 != "\n" }) ?? 0
        try expect(child > 1, "the program did not start: \(log("hangs"))")
        try expect(
            eventually { kill(child, 0) != 0 }, "a member of the group is still there: \(child)")
    }

    private static func hung() throws {
        let chip = try makeChip()
        defer { chip.remove() }
        let act = try program("stuck", "[ \"$1\" = off ] && exit 0\nsleep 100")
        let daemon = try Daemon(
            panel: panel("{run: [\(act), \"{value}\"], timeout: 60s}", more: button))
        try daemon.event("power", "\"confirmed\"", "\"off\"")
        chip.pull(0, high: true)
        try daemon.event("power", "\"loading\"")
        chip.pull(2, high: true)
        try expect(
            eventually(seconds: 5) { chip.isHigh(3) }, "the other lamp waits for the action")
        kill(daemon.process, SIGTERM)
        try expect(daemon.end() == 0, "the daemon does not end while an action hangs")
    }
}
