import Glibc
import Processes
import TestSupport
import Testing

/// `detent run` on its machine: signals, crashes, stuck readers, and a second one beside it.
@Suite struct DaemonTests {
    /// A heater that keeps its value, and whose action does something else at will.
    private static func panel(action: String = "[\"true\"]") -> String {
        Program.heater(
            "Daemon",
            """
            startup: saved
                action: {run: \(action), timeout: 50s}
            """)
    }

    @Test(arguments: [SIGTERM, SIGINT, SIGQUIT]) func signalEndsItInOrder(signal: Int32) throws {
        let daemon = try ServedDaemon(Self.panel())
        daemon.session.send(signal)
        let result = daemon.session.end()
        expectEqual(result.code, 0, "\(result)")
    }

    /// The first process waits with the thread that has run Swift, and splits from another one.
    /// Otherwise the locks of Swift in the panel would have the number of that thread, and two
    /// threads of the panel that want one at once would wait for ever.
    @Test func thePanelBeginsOnAThreadOfItsOwn() throws {
        let daemon = try ServedDaemon(Self.panel())
        let status = ProcessTree.text("/proc/\(daemon.session.process)/status")
        #expect(status.contains("\nThreads:\t2\n"), "\(status)")
        #expect(status.hasPrefix("Name:\tdetent-guard\n"))
        let panel = ProcessTree.text("/proc/\(try daemon.panel())/comm")
        expectEqual(panel, "detent\n")
        daemon.session.send(SIGTERM)
        expectEqual(daemon.session.end().code, 0)
    }

    @Test func otherSignalsAreSaidAndItGoesOn() throws {
        let daemon = try ServedDaemon(Self.panel())
        for (signal, text) in [
            (SIGHUP, "nothing changed"), (SIGUSR1, "SIGUSR1 is ignored"),
            (SIGUSR2, "SIGUSR2 is ignored"),
        ] {
            daemon.session.send(signal)
            #expect(daemon.session.waitForErrors(text), "\(daemon.session.errorText)")
        }
        daemon.session.send(SIGPIPE)
        #expect(daemon.set("on"))
        daemon.session.send(SIGTERM)
        expectEqual(daemon.session.end().code, 0)
    }

    /// Nobody reads standard output or standard error any more; values are saved all the same.
    @Test func aStuckReaderStopsNoSaving() throws {
        let folder = Folder()
        let panel = """
            panel: Daemon
            board: none
            history: off
            controls:
              heater:
                kind: dial
                label: Heater
                encoder: {a: A, b: B}
                range: {min: 0, max: 99}
                startup: saved
                action: {run: ["false"], timeout: 50s, on-failure: keep}

            """
        let daemon = try ServedDaemon(panel, ["--events", "--state-dir", folder.path])
        daemon.session.shrinkPipes()
        // Each attempt fails, which is an event line more and a line of the log.
        for number in 0...60 { #expect(daemon.set("\(number)")) }
        let value = Program.run("get", "heater", "--url", daemon.url).output
        daemon.session.send(SIGTERM)
        expectEqual(daemon.session.endWithoutReading(), 1, "events are lost")
        expectEqual(value, "60\n")
        let kept = folder.text("Daemon.state")
        #expect(kept.contains("\nheater: 60\n"), "\(kept)")
    }

    @Test func aSecondOneIsRefused() throws {
        let folder = Folder()
        let options = ["--state-dir", folder.path]
        let first = try ServedDaemon(Self.panel(), options)
        let file = TemporaryFile("panel.yaml", Self.panel())
        let second = Program.run(
            ["run", file.path, "--backend", "sim", "--listen", "off"] + options)
        #expect(second.code == 3 && second.output.isEmpty, "\(second)")
        #expect(
            second.errors.contains("Daemon.state is in use: process \(first.session.process)"),
            "\(second.errors)")
        #expect(second.errors.contains("help: stop process \(first.session.process)"))
        // Its death by any way frees the values.
        first.session.send(SIGKILL)
        expectEqual(first.session.end().signal, SIGKILL)
        let third = try ServedDaemon(Self.panel(), options)
        third.session.send(SIGTERM)
        expectEqual(third.session.end().code, 0)
    }

    /// However the daemon dies, its programs and their children die with it.
    @Test(arguments: [SIGKILL, SIGABRT, SIGSEGV]) func programsDieWithTheDaemon(signal: Int32)
        throws
    {
        let folder = Folder()
        // It and its child hold the pipe open as long as they live.
        let script =
            "exec 7>$0/life; trap '' TERM HUP; (sleep 1000; echo x >$0/late) & echo x >&7; wait"
        let action = "[sh, -c, \"\(script)\", \(folder.path)]"
        expectEqual(mkfifo(folder.path + "/life", 0o600), 0)
        let life = open(folder.path + "/life", O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        defer { close(life) }
        let daemon = try ServedDaemon(Self.panel(action: action))
        #expect(daemon.set("on"))
        var begun = pollfd(fd: life, events: Int16(POLLIN), revents: 0)
        try #require(poll(&begun, 1, 60_000) == 1)
        daemon.session.send(signal)
        expectEqual(daemon.session.end().signal, signal)
        var ended = pollfd(fd: life, events: 0, revents: 0)
        expectEqual(poll(&ended, 1, 60_000), 1, "they live")
    }
}

extension ServedDaemon {
    fileprivate func set(_ value: String) -> Bool {
        Program.run("set", "heater", value, "--url", url).code == 0
    }
}
