internal import DetentTypes
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
        ("levels: a channel of pulses is as strong as it is told", pulses),
        ("levels: a missing chip and a missing channel are told", missingPulses),
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

    private static let address: UInt16 = 0x40

    private static func pulsePanel(_ chip: String = "pca9685", channel: Int = 0) -> String {
        """
        panel: Pulses
        board: none
        controls:
          power:
            kind: switch
            label: Power
            input: {line: SWITCH, active: high, bias: pull-down}
            indicator: {pwm: {chip: \(chip), channel: \(channel)}, brightness: 25%}
            output: {pwm: {chip: \(chip), channel: 1}}
            on-crash: off
            action: {run: ["true"], timeout: 5s}

        """
    }

    /// A count of a channel, of a register and the next one. The driver writes bytes, and the stub
    /// has a word for each register.
    private static func count(_ register: UInt8, _ bus: StubBus) throws -> UInt16 {
        let low = try bus.word(register, of: address) & 0xFF
        return try low | bus.word(register + 1, of: address) << 8
    }

    /// The end of the pulses in 4,096ths of a period: registers LEDn_OFF of the chip, from 8.
    private static func waits(for value: UInt16, of channel: UInt8, _ bus: StubBus) throws {
        var found: UInt16 = 0
        let isThere = try eventuallyTrue {
            found = try count(8 + 4 * channel, bus)
            return found == value
        }
        try expect(isThere, "channel \(channel) has \(found), not \(value)")
    }

    private static func eventuallyTrue(_ holds: () throws -> Bool) throws -> Bool {
        for _ in 0..<2_000 {
            if try holds() { return true }
            usleep(5_000)
        }
        return false
    }

    private static func pulses() throws {
        let chip = try makeChip()
        defer { chip.remove() }
        guard let bus = StubBus() else { throw Failure(description: "no bus i2c-stub") }
        let place = try bus.add("pca9685", at: address)
        // Bit 12 of OFF is off, and bit 12 of ON is on, whatever the counts are.
        let off: UInt16 = 1 << 12
        for name in ["pca9685", place] {
            let daemon = try begin(pulsePanel(name))
            chip.pull(0, high: true)
            try waits(for: 1_024, of: 0, bus)
            try expect(
                eventually { (try? count(10, bus)) == 1 << 12 }, "the output is not on")
            chip.pull(0, high: false)
            try waits(for: off, of: 0, bus)
            try waits(for: off, of: 1, bus)
            chip.pull(0, high: true)
            try waits(for: 1_024, of: 0, bus)
            if name == place {
                kill(try daemon.panel(), SIGKILL)
            } else {
                kill(daemon.process, SIGTERM)
            }
            _ = daemon.end()
            try waits(for: off, of: 0, bus)
            try waits(for: off, of: 1, bus)
            chip.pull(0, high: false)
        }
    }

    private static func missingPulses() throws {
        let chip = try makeChip()
        defer { chip.remove() }
        guard let bus = StubBus() else { throw Failure(description: "no bus i2c-stub") }
        _ = try bus.add("pca9685", at: address)
        for (panel, text) in [
            (pulsePanel("pca9686"), "no PWM chip is called \"pca9686\""),
            (pulsePanel(channel: 99), "\"pca9685\" has no channel 99"),
        ] {
            try writeFile(panel, to: "/tmp/pulses.yaml")
            for arguments in [["doctor", "/tmp/pulses.yaml"], ["run", "/tmp/pulses.yaml"]] {
                let refused = try Background(arguments)
                let status = try refused.end()
                try expect(status == 3, "exit code \(status): \(refused.text)")
                try expect(refused.text.contains(text), refused.text)
            }
        }
    }
}
