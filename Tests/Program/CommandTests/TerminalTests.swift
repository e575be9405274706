import TestSupport
import Testing

/// What people read on a terminal, and what programs read in a pipe.
@Suite struct TerminalTests {
    /// Runs a replay whose standard output is a terminal, which `script` of util-linux makes.
    private func replayOnTerminal(_ options: String) -> Program.Result {
        let file = TemporaryFile("capture.csv", ReplayTests.bouncing)
        let inner = "\"$(printf '%s replay %s %s \(options)' \"$0\" \"$1\" \"$2\")\""
        return Program.run(
            [Program.panel, file.path], shell: "exec script -qec \(inner) /dev/null;")
    }

    @Test func eventsAreTextForPeople() {
        let result = replayOnTerminal("")
        expectEqual(result.code, 0, "\(result)")
        #expect(result.output.contains("0.010  Calibrate          · pressed"), "\(result.output)")
        #expect(!result.output.contains("{\"at\""))
    }

    @Test func jsonCanBeAskedFor() {
        let result = replayOnTerminal("--json")
        #expect(result.output.contains("\"event\": \"pressed\""), "\(result.output)")
    }

    @Test func aPipeGetsJSON() {
        let result = ReplayTests.replay(ReplayTests.bouncing)
        #expect(result.lines.allSatisfy { $0.hasPrefix("{\"at\": ") })
    }
}
