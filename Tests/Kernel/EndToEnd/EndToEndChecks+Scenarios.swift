internal import DetentTypes
internal import Glibc
internal import KernelSupport

/// The scenarios of virtual time, on this kernel's lines.
extension EndToEndChecks {
    /// The folder of `boards` and `panels`. A program that was built elsewhere is told it.
    nonisolated(unsafe) static var project =
        "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/")

    /// A chip with the label and line names of the example panel's board.
    private static func makeBoard() throws -> SimChip {
        try SimChip(name: "pinctrl-rp1", lines: (0..<54).map { "GPIO\($0)" })
    }

    static func scenarioThatDiffers() throws {
        let chip = try makeBoard()
        defer { chip.remove() }
        let head = "panel: \(project)/panels/lab-supply/panel.yaml\nsteps:\n"
        let wrong = "  - flip: {output: on}\n  - expect: {output: {value: off}}\n"
        try writeFile(head + wrong, to: "/tmp/wrong.yaml")
        var result = try Program.run("test", "--backend", "gpiod", "/tmp/wrong.yaml")
        try expect(result.status == 1, "exit code \(result.status): \(result.text)")
        try expect(result.text.contains("found    value: on"), result.text)
        // The same steps pass, but not with a different expected trace.
        try writeFile(head + "  - flip: {output: on}\n", to: "/tmp/trace.yaml")
        result = try Program.run("test", "--backend", "gpiod", "/tmp/trace.yaml")
        try expect(result.status == 0, "exit code \(result.status): \(result.text)")
        let never =
            "{\"at\": 0, \"control\": \"calibrate\", \"event\": \"pressed\", \"origin\": \"panel\"}"
        try writeFile(never + "\n", to: "/tmp/trace.expected")
        result = try Program.run("test", "--backend", "gpiod", "/tmp/trace.yaml")
        try expect(result.status == 1, "exit code \(result.status): \(result.text)")
        try expect(result.text.contains("calibrate pressed, number 1"), result.text)
    }

    static func scenarioWithoutLines() throws {
        let file = "\(project)/panels/lab-supply/ordinary-day.scenario.yaml"
        let result = try Program.run("test", "--backend", "gpiod", file)
        try expect(result.status == 3, "exit code \(result.status): \(result.text)")
        try expect(result.text.contains("no gpio-sim chip has the line GPIO"), result.text)
        try expect(result.text.contains("help: create one"), result.text)
    }

    static func lampFromOutside() throws {
        let chip = try makeBoard()
        defer { chip.remove() }
        let text = """
            panel: \(project)/panels/lab-supply/panel.yaml
            actions: {output: {takes: 300ms}}
            steps:
              - wait: 400ms
              - expect: {output: {lamp: off}}
              - flip: {output: on}
              - wait-until: {output: {phase: idle}}
                within: 1s
              - expect: {output: {lamp: on}}
              - glitch: {output: 2ms}
              - expect: {output: {value: on}}
              - stick: {output: off}
              - expect: {output: {value: off}}
              - restore: output
              - restart: 300ms
              - expect: {output: {value: on, position: on}}
            """
        try writeFile(text + "\n", to: "/tmp/lamp.yaml")
        let result = try Program.run("test", "--backend", "gpiod", "/tmp/lamp.yaml")
        try expect(result.status == 0, "exit code \(result.status): \(result.text)")
    }

    static func stepsAtTheirMoments() throws {
        let chip = try makeBoard()
        defer { chip.remove() }
        let text = """
            panel: \(project)/panels/lab-supply/panel.yaml
            steps:
              - at: 500ms
                hold: {calibrate: 2s}
              - at: 900ms
                flip: {output: on}
              - at: 1.3s
                expect: {output: {value: on, phase: idle}, calibrate: {event: pressed}}
              - at: 1.4s
                bounce: {output: worn}
              - at: 1.4s
                actions: {output: {takes: 10ms, then: fail, code: 4}}
              - at: 1.4s
                lamp-test: on
              - at: 1.7s
                expect: {lines: {GPIO12: active}}
              - at: 1.8s
                lamp-test: off
              - at: 2s
                set: {output: {value: off, origin: web}}
              - at: 2.3s
                expect: {output: {phase: failed}, lines: {GPIO22: active}}
              - at: 3s
                expect: {lines: {GPIO22: inactive}}
            """
        try writeFile(text + "\n", to: "/tmp/moments.yaml")
        var result = try Program.run("test", "--backend", "gpiod", "/tmp/moments.yaml")
        try expect(result.status == 0, "exit code \(result.status): \(result.text)")
        try writeFile(
            text.replacing("- at: 900ms", with: "- wait: 1s\n  - at: 900ms") + "\n",
            to: "/tmp/late.yaml")
        result = try Program.run("test", "--backend", "gpiod", "/tmp/late.yaml")
        try expect(result.status == 1, "exit code \(result.status): \(result.text)")
        try expect(result.text.contains("flip: its time 900 ms has passed"), result.text)
    }
}
