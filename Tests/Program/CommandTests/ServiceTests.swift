import Glibc
import Processes
import TestSupport
import Testing

/// What `detent run` tells a service manager.
@Suite struct ServiceTests {
    /// The socket of a service manager.
    private final class Manager {
        let name = "/tmp/detent-notify-\(getpid())-\(UInt32.random(in: 0...UInt32.max))"
        private let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)

        init() {
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name.utf8) }
            let size = socklen_t(MemoryLayout<sockaddr_un>.size)
            _ = withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, size) }
            }
        }

        deinit {
            close(descriptor)
            unlink(name)
        }

        /// The next message; nil if none comes in time.
        func message(within milliseconds: Int32 = 10_000) -> String? {
            var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&entry, 1, milliseconds) == 1 else { return nil }
            var buffer = [UInt8](repeating: 0, count: 4_096)
            let count = recv(descriptor, &buffer, buffer.count, 0)
            return count < 0 ? nil : String(decoding: buffer[..<count], as: UTF8.self)
        }

        /// The next message that is not of the watchdog.
        func news() -> String? {
            while let text = message() { if text != "WATCHDOG=1" { return text } }
            return nil
        }
    }

    private static let panel = Program.heater("Service", "startup: off")

    private func start(
        _ file: borrowing TemporaryFile, _ manager: Manager, _ shell: String = ""
    ) -> Session {
        Session(
            ["run", file.path, "--backend", "sim", "--listen", "off"],
            shell: "export NOTIFY_SOCKET=\(manager.name); \(shell)")
    }

    @Test func theManagerHearsOfEverything() throws {
        let manager = Manager()
        let file = TemporaryFile("panel.yaml", Self.panel)
        let session = start(file, manager)
        expectEqual(manager.news(), "READY=1\nSTATUS=Service runs")
        session.send(SIGHUP)
        let reloading = try #require(manager.news())
        #expect(reloading.hasPrefix("RELOADING=1\nMONOTONIC_USEC="))
        let moment = reloading.split(separator: "\n")[1].split(separator: "=").last
        #expect(moment.flatMap { UInt64($0) } ?? 0 > 0)
        let ready = try #require(manager.news())
        #expect(ready.hasPrefix("READY=1\nSTATUS=") && ready.contains("nothing changed"))
        session.send(SIGTERM)
        expectEqual(manager.news(), "STOPPING=1")
        expectEqual(session.end().code, 0)
    }

    /// The stand-in for the journal gets each event as one entry.
    @Test func eventsGoToTheJournal() throws {
        let journal = Manager()
        let file = TemporaryFile("panel.yaml", Program.heater("Service", "startup: on"))
        let session = Session([
            "run", file.path, "--backend", "sim", "--listen", "off", "--journal",
            "--journal-socket", journal.name,
        ])
        let first = try #require(journal.message())
        let fields = first.split(separator: "\n")
        expectEqual(fields.first?.hasPrefix("MESSAGE=Heater: ● on (startup)"), true, "\(first)")
        #expect(fields.contains("SYSLOG_IDENTIFIER=detent"))
        #expect(fields.contains("DETENT_PANEL=Service"))
        #expect(fields.contains("DETENT_CONTROL=heater"))
        session.send(SIGTERM)
        expectEqual(session.end().code, 0)
    }

    @Test func aMissingJournalIsRefused() throws {
        let file = TemporaryFile("panel.yaml", Self.panel)
        let result = Program.run(
            "run", file.path, "--backend", "sim", "--listen", "off", "--journal",
            "--journal-socket", "/nonexistent/journal")
        #expect(result.code != 0)
        #expect(result.errors.contains("cannot reach the journal at /nonexistent/journal: No such"))
        let both = Program.run("run", file.path, "--events", "--journal")
        #expect(both.errors.contains("--events and --journal exclude each other"))
    }

    /// Programs of actions cannot speak for the service.
    @Test func actionsDoNotSee() throws {
        let manager = Manager()
        let file = TemporaryFile(
            "panel.yaml",
            Program.heater(
                "Service",
                """
                startup: on
                    startup-runs-action: true
                    action: {run: [sh, -c, "echo notify=$NOTIFY_SOCKET, >&2; exit 1"], timeout: 5s}
                """))
        let session = start(file, manager)
        #expect(session.waitForErrors("notify=,"), "\(session.errorText)")
        session.send(SIGTERM)
        expectEqual(session.end().code, 0)
    }

    /// Half of the time of the watchdog; a watchdog of another process is not fed.
    @Test func theLoopFeedsTheWatchdog() throws {
        for (process, isOurs) in [("$$", true), ("1", false)] {
            let manager = Manager()
            let file = TemporaryFile("panel.yaml", Self.panel)
            let session = start(
                file, manager, "export WATCHDOG_USEC=400000 WATCHDOG_PID=\(process);")
            var count = 0
            let begun = time(nil)
            // Ten times, however long that takes; two seconds for another process.
            for _ in 0..<(isOurs ? 600 : 20) where count < 10 {
                if manager.message(within: 100) == "WATCHDOG=1" { count += 1 }
            }
            expectEqual(count, isOurs ? 10 : 0)
            #expect(time(nil) - begun >= 1, "not more often than five times a second")
            session.send(SIGTERM)
            expectEqual(session.end().code, 0)
        }
    }

    /// An idle loop wakes only for the watchdog: once each second here.
    @Test func anIdleLoopWakesForTheWatchdogOnly() throws {
        for (shell, wakeUps) in [("", 0...0), ("export WATCHDOG_USEC=2000000;", 2...4)] {
            let manager = Manager()
            let file = TemporaryFile("panel.yaml", Self.panel)
            let session = start(file, manager, shell)
            _ = manager.news()
            _ = poll(nil, 0, 500)
            let panel = try #require(Self.child(of: session.process))
            let before = Self.switches(of: panel)
            _ = poll(nil, 0, 3000)
            #expect(wakeUps.contains(Self.switches(of: panel) - before))
            session.send(SIGTERM)
            expectEqual(session.end().code, 0)
        }
    }

    private static func text(_ path: String) -> String {
        guard let file = fopen(path, "r") else { return "" }
        defer { fclose(file) }
        var buffer = [UInt8](repeating: 0, count: 8_192)
        let count = fread(&buffer, 1, buffer.count, file)
        return String(decoding: buffer[..<count], as: UTF8.self)
    }

    private static func child(of process: pid_t) -> pid_t? {
        ProcessTree.children(of: process).first
    }

    /// How often the thread of the loop has slept.
    private static func switches(of process: pid_t) -> Int {
        let lines = text("/proc/\(process)/task/\(process)/status").split(separator: "\n")
        let line = lines.first { $0.hasPrefix("voluntary_ctxt_switches") }
        return line?.split(separator: "\t").last.flatMap { Int($0) } ?? 0
    }
}
