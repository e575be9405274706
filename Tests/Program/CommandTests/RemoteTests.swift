import Glibc
import TestSupport
import Testing

/// Commands that talk to a panel which runs in another process.
@Suite struct RemoteTests {
    /// A simulated panel with its page on a free port.
    private struct Panel {
        let session: Session
        let url: String

        init(_ options: [String] = []) throws {
            session = Session(
                ["sim", Program.panel, "--listen", "127.0.0.1:0"] + SimTests.instant + options)
            #expect(session.waitForErrors("the panel is at http://127.0.0.1:"))
            let words = session.errorText.split { $0 == " " || $0.isNewline }
            url = String(try #require(words.last { $0.hasPrefix("http://") }))
            #expect(session.waitFor("\"control\": \"output\", \"event\": \"confirmed\""))
        }

        func detent(_ arguments: String...) -> Program.Result {
            Program.run(arguments + ["--url", url])
        }
    }

    @Test func getTellsOneValueOrAll() throws {
        let panel = try Panel()
        expectEqual(panel.detent("get", "output").output, "off\n")
        let all = panel.detent("get")
        expectEqual(all.code, 0)
        #expect(all.lines.contains { $0.hasPrefix("set-point: 5.00") }, "\(all)")
        let json = panel.detent("get", "output", "--json")
        #expect(json.output.hasPrefix("{\"value\": \"off\", \"actual\": \"off\""), "\(json)")
        let unknown = panel.detent("get", "outptu")
        expectEqual(unknown.code, 1)
        #expect(unknown.errors.contains("did you mean `output`?"), "\(unknown)")
    }

    @Test func setAsksAndSaysWhyNot() throws {
        let panel = try Panel()
        expectEqual(panel.detent("set", "set-point", "12.5").code, 0)
        #expect(panel.session.waitFor("\"value\": 12.50, \"origin\": \"api\""))
        expectEqual(panel.detent("get", "set-point").output, "12.50\n")
        let wrong = panel.detent("set", "set-point", "99")
        expectEqual(wrong.code, 1)
        #expect(wrong.errors.contains("99"), "\(wrong)")
        #expect(wrong.errors.contains("help: "), "\(wrong)")
    }

    @Test func whatIsDestructiveNeedsTheWord() throws {
        let panel = try Panel()
        let refused = panel.detent("set", "erase", "press")
        expectEqual(refused.code, 1)
        #expect(refused.errors.contains("add --confirm"), "\(refused)")
        expectEqual(panel.detent("set", "erase", "press", "--confirm").code, 0)
        #expect(panel.session.waitFor("\"control\": \"erase\", \"event\": \"phase\""))
    }

    @Test func historyGoesOnFromANumber() throws {
        let panel = try Panel()
        let all = panel.detent("history")
        expectEqual(all.lines.first?.hasPrefix("{\"seq\": 1, \"at\": 0, "), true, "\(all)")
        let two = panel.detent("history", "--limit", "2")
        expectEqual(two.lines, all.lines.suffix(2))
        expectEqual(panel.detent("history", "--since", "\(all.lines.count)").output, "")
        let one = panel.detent("history", "--control", "output")
        #expect(one.lines.allSatisfy { $0.contains("\"control\": \"output\"") })
        #expect(!one.lines.isEmpty)
    }

    @Test func lampTestAndResyncAreDone() throws {
        let panel = try Panel()
        expectEqual(panel.detent("lamp-test", "on").code, 0)
        expectEqual(panel.detent("lamp-test", "off").code, 0)
        expectEqual(panel.detent("resync").code, 0)
        let told = panel.detent("history").lines.filter { $0.contains("lamp-test") }
        #expect(told.first?.hasSuffix(#", "value": "on", "origin": "api"}"#) == true, "\(told)")
        #expect(told.last?.hasSuffix(#", "value": "off", "origin": "api"}"#) == true, "\(told)")
    }

    @Test func watchPrintsEachControlAndThenWhatChanges() throws {
        let panel = try Panel()
        let watch = Session(["watch", "--url", panel.url])
        #expect(watch.waitFor("output: Off\n"))
        panel.session.write("flip output on\n")
        #expect(watch.waitFor("output: On"))
        watch.send(SIGTERM)
        expectEqual(watch.end().code, 0)
    }

    @Test func watchPrintsEventsAsTheyAre() throws {
        let panel = try Panel()
        let watch = Session(["watch", "--events", "--url", panel.url])
        // The connection stands when the first event after it comes; so ask until one does.
        var value = 1
        while !watch.outputText.contains("\"set-point\""), value < 20 {
            expectEqual(panel.detent("set", "set-point", "\(value)").code, 0)
            value += 1
            if value > 3, watch.waitFor("\"event\": \"changed\", \"value\": ") { break }
        }
        #expect(watch.outputText.hasPrefix("{\"seq\": "), "\(watch.outputText)")
        watch.send(SIGTERM)
        expectEqual(watch.end().code, 0)
    }

    @Test func nobodyThereIsACodeOfItsOwn() {
        for command in [["get"], ["set", "a", "b"], ["watch"], ["history"], ["resync"]] {
            let result = Program.run(command + ["--url", "http://127.0.0.1:1"])
            expectEqual(result.code, 4, "\(command): \(result)")
            #expect(result.errors.contains("no daemon answers at http://127.0.0.1:1"))
            #expect(result.errors.contains("help: start one"))
        }
        let wrong = Program.run(["get", "--url", "https://bench"])
        expectEqual(wrong.code, 2)
        #expect(wrong.errors.contains("ssh -L"), "\(wrong)")
    }

    @Test func whatListensIsToldAndTakenOnce() throws {
        let panel = try Panel()
        let port = try #require(panel.url.split(separator: ":").last?.prefix { $0 != "/" })
        let second = Program.run(["sim", Program.panel, "--listen", "127.0.0.1:\(port)"])
        #expect(second.code != 0)
        #expect(second.errors.contains("--listen"), "\(second)")
    }
}
