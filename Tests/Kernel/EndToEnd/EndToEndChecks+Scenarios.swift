internal import Glibc
internal import KernelSupport

/// The scenarios of virtual time, played on this kernel's lines.
extension EndToEndChecks {
    static let project =
        "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/")

    /// A chip with the label and the line names of the board that the example panel is for.
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
        // The same steps pass, and a trace that expects something else does not.
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
        try expect(result.text.contains("nothing can move GPIO"), result.text)
        try expect(result.text.contains("help: make one"), result.text)
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
}
