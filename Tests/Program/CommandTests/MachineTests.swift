import Glibc
import TestSupport
import Testing

/// Commands that look at boards, at the schema and at this machine.
@Suite struct MachineTests {
    /// What is kept in memory is gone after the next start.
    @Test(.enabled(if: access("/dev/shm", F_OK) == 0))
    func doctorTellsAFolderInMemory() {
        let output = Program.run("doctor", "--state-dir", "/dev/shm").output
        // Linux keeps it in memory; a system may have put something else there.
        #expect(
            output.contains("note     /dev/shm is in memory: saved values are lost")
                || output.contains("/dev/shm is on "), "\(output)")
        #expect(!Program.run("doctor", "--state-dir", "/nowhere").output.contains("/nowhere"))
    }

    /// Whether this machine has lines, so that nothing can be said about a machine without.
    static let hasChips = (0..<16).contains { access("/dev/gpiochip\($0)", F_OK) == 0 }

    @Test func boardsAreListed() {
        let result = Program.run("boards")
        expectEqual(result.code, 0)
        #expect(result.output.contains("raspberry-pi-5 "))
        #expect(result.lines.count >= 10)
        for end in [
            "Raspberry Pi 5", "Raspberry Pi Zero W (no package: 32-bit)",
            "Raspberry Pi 3 Model B (needs a 64-bit system)", "(no package: riscv64)",
        ] {
            #expect(result.lines.contains { $0.hasSuffix(end) }, "\(end): \(result.output)")
        }
        #expect(
            Program.run("boards", "pocketbeagle").lines.contains { $0 == "no package: 32-bit" })
    }

    /// The board is that of the panel, whatever machine this is.
    @Test(arguments: [
        ("pocketbeagle", "P1_2", "note     pocketbeagle: no package: 32-bit"),
        ("raspberry-pi-5", "GPIO17", nil),
    ])
    func doctorTellsBoardsWithoutAPackage(board: String, line: String, note: String?) {
        let file = TemporaryFile(
            "panel.yaml",
            "panel: X\nboard: \(board)\n"
                + "controls: {a: {kind: switch, label: A, input: \(line)}}\n")
        let output = Program.run("doctor", file.path).output
        #expect(output.contains("board of the panel: \(board)"), "\(output)")
        if let note { #expect(output.contains(note), "\(output)") }
        expectEqual(output.contains("no package"), note != nil, "\(output)")
    }

    @Test(.enabled(if: Program.canHideFiles, "this user cannot make a mount namespace"))
    func argumentsNeedNoProc() {
        let result = Program.run(
            ["boards", "raspberry-pi-5"], shell: Program.seeing("mount -t tmpfs none /proc"))
        #expect(result.code == 0 && result.output.contains("GPIO17"), "\(result)")
    }

    /// A lamp tells of no change, as a lamp on a line does not; its name is no chip.
    @Test(
        .enabled(if: Program.canHideFiles, "this user cannot make a mount namespace"),
        arguments: [
            ("ACT", "indicator: {led: ACT}"),
            ("pca9685", "indicator: {pwm: {chip: pca9685, channel: 0}}"),
        ])
    func identifySaysWhatAnOutputIs(name: String, entry: String) {
        let script =
            "mount -t tmpfs none /sys/class && cd /sys/class && "
            + "mkdir -p leds/ACT pwm/pwmchip0 chip && ln -s ../../chip pwm/pwmchip0/device && "
            + "echo pca9685 > chip/name && echo 16 > pwm/pwmchip0/npwm && cd /"
        let result = Program.run(["identify", name], shell: Program.seeing(script))
        expectEqual(result.code, 2, "\(result)")
        #expect(result.errors.contains("`\(name)` is an output"), "\(result.errors)")
        #expect(result.errors.contains("help: write it into the panel file, such as `\(entry)`"))
        let file = TemporaryFile(
            "p.yaml",
            "panel: P\nboard: none\ncontrols: {a: {kind: switch, label: A, input: X, \(entry)}}\n")
        expectEqual(Program.run("check", file.path).code, 0, "the help was followed")
    }

    @Test func everyListedBoardHasAHeader() throws {
        for line in Program.run("boards").lines {
            let id = try #require(line.split(separator: " ").first)
            let result = Program.run("boards", String(id))
            expectEqual(result.code, 0, "\(id)")
            #expect(result.lines.count > 5, "\(id): \(result.output)")
        }
        #expect(Program.run("boards", "raspberry-pi-5").output.contains("GPIO17"))
    }

    @Test func unknownBoardHasTheNearestName() {
        let result = Program.run("boards", "raspberry-pi5")
        expectEqual(result.code, 2)
        #expect(result.errors.contains("no board `raspberry-pi5`"))
        #expect(result.errors.contains("did you mean `raspberry-pi-5`?"))
        let far = Program.run("boards", "toaster-oven-9000")
        expectEqual(far.code, 2)
        #expect(far.errors.contains("`detent boards` lists all"))
    }

    @Test(.enabled(if: Python.isPresent, "python3 is not here"))
    func schemaIsJSON() {
        let schema = Program.run("schema")
        expectEqual(schema.code, 0)
        let parsed = Python.run("import json,sys; json.load(sys.stdin)", input: schema.output)
        expectEqual(parsed.code, 0, "\(parsed.errors)")
    }

    @Test(.enabled(if: Python.hasSchemas, "the Python packages jsonschema and yaml are not here"))
    func schemaTakesTheExampleAndRefusesAMistake() throws {
        let schema = Program.run("schema").output
        let script = """
            import json,sys,yaml,jsonschema; \
            jsonschema.validate(yaml.safe_load(open(sys.argv[1])), json.load(sys.stdin))
            """
        let good = Python.run(script, [Program.panel], input: schema)
        expectEqual(good.code, 0, "\(good.errors)")
        let file = TemporaryFile(
            "panel.yaml", "panel: X\nboard: none\ncontrols: {a: {kind: swich}}\n")
        let bad = Python.run(script, [file.path], input: schema)
        expectEqual(bad.code, 1)
    }

    @Test(.enabled(if: !hasChips, "this machine has GPIO chips"))
    func doctorSaysWhatIsMissing() {
        let result = Program.run("doctor")
        expectEqual(result.code, 3)
        #expect(result.output.contains("problem  no GPIO chip"), "\(result.output)")
        #expect(result.lines.contains { $0.hasPrefix("         help: ") }, "\(result.output)")
        let problems = result.lines.count { $0.hasPrefix("problem") || $0.hasPrefix("note") }
        let remedies = result.lines.count { $0.hasPrefix("         help: ") }
        expectEqual(problems, remedies, "each has its remedy: \(result.output)")
        expectEqual(Program.run("doctor", "/nonexistent").code, 2)
    }

    @Test(.enabled(if: !hasChips, "this machine has GPIO chips"))
    func doctorTellsOneCauseOnce() {
        let result = Program.run("doctor", Program.panel)
        expectEqual(result.code, 3)
        expectEqual(result.output.components(of: "no GPIO chip"), 1, "\(result.output)")
        #expect(result.output.contains("the panel needs one for 14 lines"), "\(result.output)")
    }

    /// A pipe that nobody writes would hold its reader for ever.
    @Test(arguments: [
        ["check", "PIPE"], ["run", "PIPE"], ["sim", "PIPE"], ["doctor", "PIPE"], ["test", "PIPE"],
        ["replay", "PIPE", "/dev/null"], ["replay", Program.panel, "PIPE.csv"],
        [
            "run", Program.panel, "--backend", "sim", "--listen", "127.0.0.1:0", "--token-file",
            "PIPE",
        ],
        ["get", "--token-file", "PIPE"],
    ])
    func aPipeGivenAsAFileIsRefused(words: [String]) {
        let folder = Folder()
        for name in ["PIPE", "PIPE.csv"] { expectEqual(mkfifo(folder.path + "/" + name, 0o600), 0) }
        let result = Program.run(words.map { $0.hasPrefix("PIPE") ? folder.path + "/" + $0 : $0 })
        expectEqual(result.code, 2, "\(result)")
        #expect((result.output + result.errors).contains("help: "), "\(result)")
    }

    /// What is piped in is a file as well, as far as it is finite.
    @Test func aPanelCanBePipedIn() {
        for name in ["-", "/dev/stdin", "/dev/fd/0"] {
            let good = Program.run(["check", name], input: CheckTests.good)
            expectEqual(good.code, 0, "\(good)")
            let bad = Program.run(["check", name], input: CheckTests.broken)
            #expect(bad.code == 1 && bad.output.hasPrefix("\(name):5:11: error: "), "\(bad)")
        }
        expectEqual(Program.run(["check", "-"], redirect: "</dev/zero").code, 2)
    }

    @Test(.enabled(if: !hasChips, "this machine has GPIO chips"))
    func runWithoutChipsSaysCauseAndRemedy() {
        let result = Program.run("run", Program.panel)
        expectEqual(result.code, 3)
        #expect(result.output.isEmpty)
        #expect(result.errors.contains("GPIO17"), "\(result.errors)")
        #expect(result.errors.contains(": error: "), "\(result.errors)")
        #expect(result.errors.contains("help: "), "\(result.errors)")
        expectEqual(result.errors.split(separator: "\n").count, 2, "one cause is told once")
    }

    @Test(arguments: ["run", "sim"]) func brokenPanelIsUsage(_ command: String) {
        let file = TemporaryFile("panel.yaml", CheckTests.broken)
        let result = Program.run(command, file.path)
        expectEqual(result.code, 2)
        #expect(result.errors.contains(":5:11: error: "), "\(result.errors)")
        #expect(result.errors.contains("cannot be used\nhelp: "), "\(result.errors)")
        expectEqual(Program.run(command, "/nonexistent.yaml").code, 2)
    }
}
