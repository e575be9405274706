import TestSupport
import Testing

/// `new`, `identify`, `measure` and `record`, without hardware.
@Suite struct FirstHourTests {
    /// For a board, for none, and for the machine of the tests, which is no known board.
    @Test(arguments: ["--board raspberry-pi-5", "--board none", ""])
    func newWritesAPanelThatIsClean(board: String) {
        let folder = Folder()
        let file = folder.path + "/panel.yaml"
        let made = Program.run(["new", file] + board.split(separator: " ").map(String.init))
        expectEqual(made.code, 0, "\(made)")
        let check = Program.run("check", "--strict", file)
        expectEqual(check.code, 0, "\(check)")
        #expect(check.output.isEmpty)
        let before = folder.text("panel.yaml")
        let again = Program.run("new", file, "--board", "raspberry-pi-4b")
        expectEqual(again.code, 2)
        #expect(again.errors.contains("exists already\nhelp: "))
        expectEqual(folder.text("panel.yaml"), before)
        expectEqual(folder.names, ["panel.yaml"])
    }

    @Test func aBoardThatDoesNotExistIsNamedWithTheNearest() {
        let folder = Folder()
        let result = Program.run("new", folder.path + "/a.yaml", "--board", "raspberry-pi5")
        expectEqual(result.code, 2)
        #expect(result.errors.contains("help: did you mean `raspberry-pi-5`?"), "\(result.errors)")
        #expect(folder.names.isEmpty)
    }

    @Test func measureReadsACapture() {
        let folder = Folder()
        let profile = folder.path + "/button.yaml"
        let file = TemporaryFile("capture.csv", ReplayTests.bouncing)
        let result = Program.run("measure", file.path, "GPIO22", "--profile", profile)
        expectEqual(result.code, 0, "\(result)")
        #expect(result.output.hasPrefix("GPIO22: 1 closings, 1 openings\n"), "\(result.output)")
        #expect(result.output.contains("debounce: 3ms"), "\(result.output)")
        let sim = Program.run(
            "sim", Program.panel, "--listen", "off", "--bounce", profile)
        expectEqual(sim.code, 0, "\(sim)")
        let missing = Program.run("measure", file.path, "GPIO99")
        expectEqual(missing.code, 2)
        #expect(missing.errors.contains("help: one of: GPIO22"))
    }

    @Test func aProfileThatIsNoneIsToldByPlace() {
        let file = TemporaryFile("bad.yaml", "closes: soon\n")
        let result = Program.run("sim", Program.panel, "--bounce", file.path)
        expectEqual(result.code, 2)
        #expect(result.errors.contains("bad.yaml:1:9: error"), "\(result.errors)")
        let missing = Program.run("sim", Program.panel, "--bounce", "./nowhere.yaml")
        expectEqual(missing.code, 2)
        #expect(missing.errors.contains("cannot be read"))
    }

    @Test func identifyReadsACaptureAndWritesAPanel() {
        let folder = Folder()
        let panel = folder.path + "/panel.yaml"
        let file = TemporaryFile("capture.csv", ReplayTests.bouncing)
        let result = Program.run("identify", file.path, "--write", panel)
        expectEqual(result.code, 0, "\(result)")
        expectEqual(result.output, "push button on GPIO22\n  a closed contact is low\n")
        expectEqual(Program.run("check", "--strict", panel).code, 0)
        // A second part is added; a file that cannot take one is left alone.
        expectEqual(Program.run("identify", file.path, "--write", panel).code, 2)
        #expect(folder.text("panel.yaml").contains("button-1:"))
        #expect(!folder.text("panel.yaml").contains("button-2:"), "one line, one control")
        expectEqual(folder.names, ["panel.yaml"])
    }

    @Test func aCaptureWithoutEdgesHasNoPart() {
        let file = TemporaryFile("capture.csv", "t_ns,line,value\n0,GPIO22,1\n")
        let identify = Program.run("identify", file.path)
        expectEqual(identify.code, 1)
        #expect(identify.errors.contains("no part was identified\nhelp: "))
        let measure = Program.run("measure", file.path, "GPIO22")
        expectEqual(measure.code, 1)
        #expect(measure.output.contains("Nothing was measured"))
    }

    @Test(arguments: [
        ["record", "panel.yaml"], ["record", "gpiochip0", "-o", "a.csv"],
        ["record", "gpiochip0", "1", "-o", "a.txt"], ["measure", "a.csv"],
        ["measure", "a.csv", "X", "--presses", "0"], ["identify", "--bias", "up"],
        ["wiring"],
    ])
    func wrongUsageIsTold(arguments: [String]) {
        let result = Program.run(arguments)
        expectEqual(result.code, 2, "\(result)")
        #expect(!result.errors.isEmpty)
    }

    @Test func aChipThatIsNotThereIsTold() {
        for command in [["record"], ["measure"], ["identify"]] {
            let more = command == ["record"] ? ["-o", "/tmp/never.csv"] : []
            let result = Program.run(command + ["no-such-chip", "3"] + more)
            expectEqual(result.code, 3, "\(result)")
            #expect(result.errors.contains("there is no GPIO chip `no-such-chip`\nhelp: "))
        }
    }
}
