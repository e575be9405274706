internal import Glibc
internal import KernelSupport

/// Outputs with levels: lamps of the LED class, which the kernel's uleds makes.
extension EndToEndChecks {
    static let outputsWithLevels: [(name: String, run: @Sendable () throws -> Void)] = [
        ("levels: a lamp of the LED class is lit at its brightness", litLED),
        ("levels: the dimmer is the brightness, and switches nothing", dimmedLED),
        ("levels: a lamp that goes is a fault, and works again", unpluggedLED),
        ("levels: a missing lamp is told with the nearest name", missingLED),
        ("levels: a killed panel leaves its lamps dark, and outputs as on-crash says", crashedLED),
    ]

    private static let name = "panel:green:power"

    private static func ledPanel(_ more: String = "", led: String = name) -> String {
        """
        panel: Lamps
        board: none
        dimmer: night
        controls:
          power:
            kind: switch
            label: Power
            input: {line: SWITCH, active: high, bias: pull-down}
            indicator: {led: "\(led)", brightness: 40%}
            action: {run: ["true"], timeout: 5s}
        \(more)
          night:
            kind: dial
            label: Night
            encoder: {a: BUTTON, b: LAMP2}
            range: {min: 0, max: 4}
            default: 4

        """
    }

    /// Starts a panel, and waits until it has requested its lines: that moves their pulls.
    private static func begin(_ panel: String, _ options: [String] = []) throws -> Daemon {
        let daemon = try Daemon(panel: panel, options)
        try daemon.event("power", "\"confirmed\"", "\"off\"")
        return daemon
    }

    private static func waits(for value: Int, _ led: UserLED) throws {
        try expect(
            eventually { led.brightness == value },
            "the brightness is \(led.brightness ?? -1), not \(value)")
    }

    private static func litLED() throws {
        let chip = try makeChip()
        defer { chip.remove() }
        let led = try UserLED(name)
        let daemon = try begin(ledPanel())
        chip.pull(0, high: true)
        try waits(for: 102, led)
        chip.pull(0, high: false)
        try waits(for: 0, led)
        chip.pull(0, high: true)
        try waits(for: 102, led)
        kill(daemon.process, SIGTERM)
        try expect(daemon.end() == 0, "the daemon does not end")
        try expect(led.brightness == 0, "the lamp is lit after the end")
    }

    private static func dimmedLED() throws {
        let chip = try makeChip()
        defer { chip.remove() }
        let led = try UserLED(name)
        let daemon = try begin(ledPanel())
        chip.pull(0, high: true)
        try waits(for: 102, led)
        try daemon.settle()
        _ = led.changes()
        usleep(500_000)
        try expect(led.changes() == [], "the lamp is switched for its brightness")
        // A detent down: B changes first. The dial is at 3 of 4, then.
        for (line, isHigh) in [(3, false), (2, false), (3, true), (2, true)] {
            chip.pull(line, high: isHigh)
            usleep(20_000)
        }
        try daemon.event("night", "\"changed\"", "3")
        try waits(for: 77, led)
    }

    private static func unpluggedLED() throws {
        let chip = try makeChip()
        defer { chip.remove() }
        var led: UserLED? = try UserLED(name)
        let daemon = try begin(ledPanel())
        chip.pull(0, high: true)
        try waits(for: 102, led!)
        led = nil
        chip.pull(0, high: false)
        try daemon.event("power", "\"fault\"", "line")
        chip.pull(0, high: true)
        try daemon.event("power", "\"changed\"", "on")
        led = try UserLED(name)
        try daemon.event("power", "\"fault\"", "none")
        try waits(for: 102, led!)
    }

    private static func missingLED() throws {
        let chip = try makeChip()
        defer { chip.remove() }
        let led = try UserLED(name)
        defer { withExtendedLifetime(led) {} }
        let file = "/tmp/missing-led.yaml"
        try writeFile(ledPanel(led: "panel:green:powr"), to: file)
        for arguments in [["doctor", file], ["run", file]] {
            let refused = try Background(arguments)
            let status = try refused.end()
            try expect(status == 3, "exit code \(status): \(refused.text)")
            for text in ["no LED is called \"panel:green:powr\"", "such as \"\(name)\""] {
                try expect(refused.text.contains(text), refused.text)
            }
        }
    }

    private static func crashedLED() throws {
        let chip = try makeChip()
        defer { chip.remove() }
        let lamp = try UserLED(name)
        let output = try UserLED("panel:white:light", full: 100)
        let more = """
                output: {led: "panel:white:light"}
                on-crash: on
            """
        for arguments in [[], ["--restart-after", "60s"]] {
            let daemon = try begin(ledPanel(more), arguments)
            chip.pull(0, high: true)
            try waits(for: 102, lamp)
            try waits(for: 100, output)
            chip.pull(0, high: false)
            try waits(for: 0, output)
            chip.pull(0, high: true)
            try waits(for: 102, lamp)
            kill(try daemon.panel(), SIGKILL)
            try waits(for: 0, lamp)
            try waits(for: 100, output)
            chip.pull(0, high: false)
            kill(daemon.process, SIGTERM)
            _ = daemon.end()
        }
        try waits(for: 100, output)
    }
}
