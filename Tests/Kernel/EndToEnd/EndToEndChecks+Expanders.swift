internal import DetentTypes
internal import Glibc
internal import KernelSupport

/// Port expanders: chips with one label, and chips without resistors.
extension EndToEndChecks {
    static let expanders: [(name: String, run: @Sendable () throws -> Void)] = [
        ("expanders: chips with one label work by the names that the error offers", labelledTwins),
        ("expanders: identify and record take a parent device", commandsOnTwins),
        ("expanders: the drivers of two MCP23017, polled, by their places", polledTwins),
        ("expanders: a pull-up that Linux does not switch on is told", missingPullUp),
        ("expanders: another model than the file says is told", anotherModel),
    ]

    private static let file = "/tmp/expanders.yaml"
    /// Registers of an MCP23017, both ports in one.
    private static let pullUps: UInt8 = 0x0C
    private static let levels: UInt8 = 0x12

    /// A panel with a lever on line 3 of one chip, and one on line 4 of another.
    private static func panel(_ left: String, _ right: String, more: String = "") -> String {
        func lever(_ id: String, _ chip: String, _ offset: Int) -> String {
            "  \(id):\n    kind: switch\n    label: \(id.uppercased())\n"
                + "    input: {chip: \(chip), offset: \(offset)\(more)}\n"
                + "    action: \(quick)\n"
        }
        return "panel: Twins\nboard: none\ncontrols:\n" + lever("left", left, 3)
            + lever("right", right, 4)
    }

    private static func labelledTwins() throws {
        let lines = [String](repeating: "", count: 8)
        let left = try SimChip(name: "detent-left", label: "detent-twins", lines: lines)
        defer { left.remove() }
        let right = try SimChip(name: "detent-right", label: "detent-twins", lines: lines)
        defer { right.remove() }
        try writeFile(panel("detent-twins", "detent-twins"), to: file)
        for arguments in [["doctor", file], ["run", file, "--listen", "off"]] {
            let refused = try Background(arguments)
            let status = try refused.end()
            try expect(status == 3, "exit code \(status): \(refused.text)")
            let offer = "help: write `chip: \(left.deviceName)` or `chip: \(right.deviceName)`"
            try expect(refused.text.contains(offer), refused.text)
        }
        let daemon = try Daemon(
            panel: panel(
                left.deviceName, right.deviceName, more: ", active: high, bias: pull-down"))
        try daemon.event("right", "\"confirmed\"")
        right.pull(4, high: true)
        try daemon.event("right", "\"changed\"", "\"on\"")
        left.pull(3, high: true)
        try daemon.event("left", "\"changed\"", "\"on\"")
        kill(daemon.process, SIGTERM)
        try expect(daemon.end() == 0, "the daemon does not end")
        // A scenario moves the line of the right chip.
        try writeFile(panel(left.deviceName, right.deviceName), to: file)
        let steps = "steps:\n  - flip: {right: on}\n  - expect: {right: on, left: off}\n"
        try writeFile("panel: \(file)\n" + steps, to: "/tmp/expanders.scenario.yaml")
        let result = try Program.run("test", "--backend", "gpiod", "/tmp/expanders.scenario.yaml")
        try expect(result.status == 0, "exit code \(result.status): \(result.text)")
    }

    private static func commandsOnTwins() throws {
        let lines = ["", ""]
        let left = try SimChip(name: "detent-left", label: "detent-twins", lines: lines)
        defer { left.remove() }
        let right = try SimChip(name: "detent-right", label: "detent-twins", lines: lines)
        defer { right.remove() }
        let capture = "/tmp/expanders.csv"
        let refused = try Program.run("record", "detent-twins", "1", "-o", capture)
        try expect(refused.status == 3, "exit code \(refused.status): \(refused.text)")
        try expect(
            refused.text.contains("one of: \(left.deviceName), \(right.deviceName)"), refused.text)
        unlink(file)
        let search = try Background(["identify", right.deviceName, "--write", file])
        try search.prints("watching 2 lines")
        press(right, 1)
        try search.prints("(\(right.deviceName), offset 1)")
        try search.prints("added button-1")
        _ = try search.stop()
        let made = try KernelFile.text(file)
        try expect(made.contains("{chip: \(right.deviceName), offset: 1}"), made)
        let daemon = try Background(["run", file, "--listen", "off"])
        try daemon.prints("runs with 1 control")
        _ = try daemon.stop(SIGTERM)
    }

    /// The bus with two expanders whose lines are high.
    private static func bus() throws -> StubBus? {
        guard let bus = StubBus() else { return nil }
        for address: UInt16 in [0x20, 0x21] { try bus.write(0xFFFF, to: levels, of: address) }
        return bus
    }

    private static func polledTwins() throws {
        // The machine for arm64 has a distribution's kernel, without this bus.
        guard let bus = try bus() else { return }
        let left = try bus.add("mcp23017", at: 0x20)
        let right = try bus.add("mcp23017", at: 0x21)
        defer { for address: UInt16 in [0x20, 0x21] { bus.remove(address) } }
        let daemon = try Daemon(panel: panel(left, right, more: ", bias: disabled, poll: 5ms"))
        try daemon.event("right", "\"confirmed\"")
        try bus.write(0xFFFF & ~(1 << 4), to: levels, of: 0x21)
        try daemon.event("right", "\"changed\"", "\"on\"")
        try bus.write(0xFFFF, to: levels, of: 0x21)
        try daemon.event("right", "\"changed\"", "\"off\"")
        try bus.write(0xFFFF & ~(1 << 3), to: levels, of: 0x20)
        try daemon.event("left", "\"changed\"", "\"on\"")
    }

    private static func missingPullUp() throws {
        guard let bus = try bus() else { return }
        let left = try bus.add("mcp23017", at: 0x20)
        let right = try bus.add("pca9535", at: 0x21)
        defer { for address: UInt16 in [0x20, 0x21] { bus.remove(address) } }
        let causes = [
            "\(left):3: warning: Linux cannot switch on a pull-up in mcp23017 at \(left)\nhelp: ",
            "\(right):4: warning: Linux cannot switch on a pull-up in \(right)\nhelp: ",
        ]
        try writeFile(panel(left, right, more: ", poll: 5ms"), to: file)
        let doctor = try Program.run("doctor", file)
        for cause in causes {
            let note = cause.replacing(": warning", with: "").replacing(
                "\nhelp", with: "\n         help")
            try expect(doctor.text.contains("note     \(note)"), doctor.text)
        }
        let daemon = try Background(["run", file, "--listen", "off"])
        try daemon.prints("runs with 2 controls")
        for cause in causes {
            try expect(daemon.text.contains("\(file): \(cause)"), daemon.text)
        }
        // What is told is true, and the line is an input.
        try expect(try bus.word(pullUps, of: 0x20) == 0, "the driver has switched a pull-up on")
        _ = try daemon.stop(SIGTERM)
        try writeFile(panel(left, right, more: ", bias: disabled, poll: 5ms"), to: file)
        let quiet = try Background(["run", file, "--listen", "off"])
        try quiet.prints("runs with 2 controls")
        try expect(!quiet.text.contains("Linux cannot"), quiet.text)
        _ = try quiet.stop(SIGTERM)
    }

    /// The driver of one labels its chip by the model; that of the other does not.
    private static func anotherModel() throws {
        guard let bus = try bus() else { return }
        let left = try bus.add("mcp23017", at: 0x20)
        let right = try bus.add("pca9535", at: 0x21)
        defer { for address: UInt16 in [0x20, 0x21] { bus.remove(address) } }
        func doctor(_ first: String, _ second: String) throws -> String {
            let chips =
                "chips:\n  left: {device: \(left), model: \(first), bias: disabled}\n"
                + "  right: {device: \(right), model: \(second), bias: disabled}\n"
            let text = panel("left", "right").replacing("controls:", with: chips + "controls:")
            try writeFile(text, to: file)
            return try Program.run("doctor", file).text
        }
        let told = try doctor("mcp23008", "pca9539")
        for line in [
            "problem  `left` is a mcp23008 with 8 lines in the panel file, and mcp23017 at "
                + "\(left) is a mcp23017 with 16 lines",
            "note     `right` is a pca9539 with 16 lines in the panel file, and \(right) is a "
                + "pca9535 with 16 lines",
            "help: write `model: pca9535` for `right` in `chips`, or correct its place there",
        ] {
            try expect(told.contains(line), told)
        }
        let quiet = try doctor("mcp23017", "pca9535")
        try expect(!quiet.contains("in the panel file, and"), quiet)
    }
}
