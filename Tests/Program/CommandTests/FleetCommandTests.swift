import TestSupport
import Testing

/// `detent-lab fleet`: what a user can write wrong, and a broker that is not there.
@Suite struct FleetCommandTests {
    private static func fleet(_ words: String...) -> Program.Result {
        Program.lab(["fleet", Program.panel] + words)
    }

    @Test(arguments: [
        ["--count", "0"], ["--count", "10001"], ["--count", "many"], ["--rate", "0"],
        ["--rate", "-1"], ["--rate", "51"], ["--for", "soon"], ["--for", "1us"],
        ["--first", "0"], ["--broker", "127.0.0.1"], ["--broker", "http://127.0.0.1"],
        ["--seed", "-1"],
    ])
    func whatIsOutOfRangeIsRefused(words: [String]) {
        let broker = words[0] == "--broker" ? [] : ["--broker", "mqtt://127.0.0.1:1"]
        let result = Program.lab(["fleet", Program.panel] + broker + words)
        expectEqual(result.code, 2, "\(result)")
        #expect(result.output.isEmpty && !result.errors.isEmpty, "\(result)")
    }

    @Test func aPanelWithoutABrokerNeedsOne() {
        let result = Self.fleet()
        expectEqual(result.code, 2, "\(result)")
        #expect(result.errors.contains("name a broker, such as --broker mqtt://127.0.0.1"))
    }

    @Test func aPanelWithErrorsIsListed() {
        let file = TemporaryFile("panel.yaml", "panel: P\nboard: none\ncontrols: {a: {}}\n")
        expectEqual(Program.lab(["fleet", file.path, "--broker", "mqtt://127.0.0.1"]).code, 2)
    }
}
