import Glibc
import TestSupport
import Testing

/// What every command has in common.
@Suite struct UsageTests {
    static let commands = [
        "run", "sim", "check", "test", "replay", "boards", "doctor", "schema", "wiring", "new",
        "identify", "measure", "record",
    ]

    @Test(arguments: commands) func helpHasAnExample(_ command: String) {
        let result = Program.run(command, "--help")
        expectEqual(result.code, 0)
        #expect(result.errors.isEmpty)
        #expect(result.output.contains("Example"), "\(result.output)")
        #expect(result.output.contains("detent \(command)"), "\(result.output)")
    }

    @Test func programItselfHasHelpAndVersion() {
        let help = Program.run("--help")
        expectEqual(help.code, 0)
        for command in Self.commands { #expect(help.output.contains("  \(command) ")) }
        expectEqual(Program.run("--version").code, 0)
        expectEqual(Program.run().code, 0, "without a command it says what there is")
    }

    @Test func unknownCommandIsNamedWithTheNearest() {
        let near = Program.run("chekc", "panel.yaml")
        expectEqual(near.code, 2)
        expectEqual(
            near.errors, "detent: there is no command `chekc`\nhelp: did you mean `check`?\n")
        let far = Program.run("quxquux")
        expectEqual(far.code, 2)
        #expect(far.errors.contains("help: one of: run, sim, check"))
        expectEqual(Program.run(["a\nb\u{1b}[31m" + String(repeating: "x", count: 5_000)]).code, 2)
    }

    @Test(arguments: commands) func unknownOptionIsNamed(_ command: String) {
        let result = Program.run(command, "x", "y", "--no-such-option")
        expectEqual(result.code, 2)
        #expect(result.output.isEmpty)
        #expect(result.errors.contains("--no-such-option"), "\(result.errors)")
    }

    @Test(arguments: [
        ["check"], ["run"], ["sim"], ["replay", "panel.yaml"], ["test"],
        ["check", "--format", "xml", "x"], ["run", "--priority", "99", "x"],
        ["sim", "--seed", "-1", "x"], ["boards", "a", "b"],
    ]) func missingOrWrongArgumentIsUsage(_ arguments: [String]) {
        let result = Program.run(arguments)
        expectEqual(result.code, 2, "\(result)")
        #expect(!result.errors.isEmpty)
    }

    /// Commands that print and end by themselves.
    static let printing: [[String]] = [
        ["--help"], ["check", "--help"], ["--version"], ["boards"], ["boards", "raspberry-pi-5"],
        ["schema"], ["doctor"], ["check", "--format", "json", Program.panel],
    ]

    @Test(arguments: printing, ["full", "closed"])
    func outputThatCannotBeWrittenIsSaid(_ arguments: [String], _ output: String) {
        let result = Program.run(arguments, redirect: output == "full" ? ">/dev/full" : ">&-")
        expectEqual(result.code, 1, "\(result)")
        #expect(result.errors.contains("standard output cannot be written"), "\(result.errors)")
        #expect(result.errors.contains("help: "), "\(result.errors)")
    }

    @Test(arguments: printing) func readerThatLeavesIsSaidOrUnnoticed(_ arguments: [String]) {
        let result = Program.run(arguments, redirect: "| head -c 1")
        expectEqual(result.code, 0, "\(result)")
        // What fits into the pipe at once may have been written before the reader left.
        #expect(
            result.errors.isEmpty || result.errors.contains("help: keep the program that reads"),
            "\(result.errors)")
    }

    @Test(arguments: printing) func everyStreamMayBeClosed(_ arguments: [String]) {
        let result = Program.run(arguments, redirect: "<&- >&- 2>&-")
        expectEqual(result.code, 1, "\(result)")
    }

    @Test(arguments: [["--help"], ["boards"], ["schema"], ["check", Program.panel]])
    func worksWithoutEnvironment(_ arguments: [String]) {
        let result = Program.run(arguments, shell: "unset PATH HOME; cd /;")
        expectEqual(result.code, 0, "\(result)")
    }

    @Test func fewDescriptorsAreEnoughOrSaid() {
        expectEqual(Program.run(["check", Program.panel], shell: "ulimit -n 16;").code, 0)
        expectEqual(Program.run(SimTests.alone, shell: "ulimit -n 24;").code, 0)
        let result = Program.run(SimTests.alone, shell: "ulimit -n 6;")
        expectEqual(result.code, 3, "\(result)")
        #expect(result.errors.contains("Too many open files"), "\(result.errors)")
        #expect(result.errors.contains("help: allow more open files"), "\(result.errors)")
    }
}
