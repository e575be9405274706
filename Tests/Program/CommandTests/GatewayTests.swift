import Glibc
import Processes
import TestSupport
import Testing

/// The process between the network and a panel: what it may, and what happens when it dies.
@Suite struct GatewayTests {
    private static let panel = Program.heater("Gateway", "startup: off")

    private static func monotonicMilliseconds() -> Int {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return time.tv_sec * 1_000 + time.tv_nsec / 1_000_000
    }

    private static func member(_ name: String, of answer: String) -> String? {
        answer.firstRange(of: "\"\(name)\": ").map {
            String(answer[$0.upperBound...].prefix { $0 != "," && $0 != "}" })
        }
    }

    @Test func itHasNoPrivilegeAndNoFileOfThePanel() throws {
        let folder = Folder()
        let daemon = try ServedDaemon(Self.panel, ["--state-dir", folder.path])
        #expect(daemon.request("GET /healthz").contains("200 OK"))
        let gateway = try daemon.gateway()
        let status = ProcessTree.text("/proc/\(gateway)/status")
        #expect(status.contains("Name:\tdetent-gateway\n"))
        #expect(status.contains("NoNewPrivs:\t1\n"))
        // Kernels without filters have no such line.
        #expect(status.contains("Seccomp:\t2\n") || !status.contains("Seccomp:"))
        expectEqual(ProcessTree.text("/proc/\(gateway)/oom_score_adj"), "500\n")
        // What they use is in the figures; everybody on the machine can read it.
        let stats = ["/proc/\(try daemon.panel())/stat", "/proc/\(gateway)/stat"]
        for file in ProcessTree.files(of: gateway).values {
            let isKnown =
                file == "/dev/null" || stats.contains(file) || file.hasPrefix("socket:")
                || file.hasPrefix("anon_inode:")
                || file.hasPrefix("pipe:") || file.hasPrefix("/memfd:detent-brief")
            #expect(isKnown, "\(file)")
        }
        let words = ProcessTree.text("/proc/\(gateway)/cmdline").split(separator: "\0")
        expectEqual(words, ["detent", "gateway"], "its arguments tell nothing")
        daemon.session.send(SIGTERM)
        expectEqual(daemon.session.end().code, 0)
        #expect(!ProcessTree.lives(gateway), "it ends with its panel")
    }

    /// Each process has its own figures, and they are those that the system has.
    @Test func theFiguresAreThoseOfTheProcesses() throws {
        let daemon = try ServedDaemon(Self.panel)
        #expect(daemon.request("GET /healthz").contains("200 OK"))
        let text = daemon.request("GET /metrics")
        func figure(_ name: String, _ process: String) throws -> Double {
            let word = "process_\(name){process=\"\(process)\"} "
            let place = try #require(text.firstRange(of: word)?.upperBound, "\(word)")
            return try #require(Double(text[place...].prefix { $0 != "\n" && $0 != "\r" }))
        }
        let now = Double(time(nil))
        var boots: [Double] = []
        for (name, process) in [("panel", try daemon.panel()), ("gateway", try daemon.gateway())] {
            let status = ProcessTree.text("/proc/\(process)/status")
            func kilobytes(_ key: String) throws -> Double {
                let line = try #require(
                    status.split(separator: "\n").first { $0.hasPrefix(key + ":") })
                return try #require(Double(line.split { $0 == "\t" || $0 == " " }[1]))
            }
            let resident = try figure("resident_memory_bytes", name)
            #expect(try resident <= kilobytes("VmHWM") * 1_024 && resident > 500_000, "\(name)")
            #expect(try figure("cpu_seconds_total", name) < 60, "\(name)")
            let start = try figure("start_time_seconds", name)
            #expect(now - start >= -2 && now - start < 120, "\(name): \(start)")
            // Field 22 of the manual: the start in ticks after that of the machine.
            let fields = try #require(
                ProcessTree.text("/proc/\(process)/stat").split(separator: ")").last
            ).split(separator: " ")
            let ticks = Double(sysconf(Int32(_SC_CLK_TCK)))
            boots.append(try start - #require(Double(fields[22 - 3])) / ticks)
        }
        #expect(abs(boots[0] - boots[1]) < 0.02, "each has its own start: \(boots)")
        let version = Program.run("--version").output.prefix { $0 != "\n" }
        #expect(text.contains("detent_build_info{version=\"\(version)\"} 1"), "\(version)")
    }

    @Test func itIsNoCommandOfItsOwn() {
        let result = Program.run("gateway")
        #expect(result.code == 2 && result.errors.contains("use `detent run`"), "\(result)")
    }

    /// The address, the session and its events outlive the process that serves them.
    @Test func afterItsDeathThePageIsBackWithItsEvents() throws {
        let daemon = try ServedDaemon(Self.panel)
        let body = "{\"value\": \"on\"}"
        #expect(daemon.request("PUT /api/v1/controls/heater", body: body).contains(" 202 "))
        let before = daemon.request("GET /api/v1/history")
        let session = try #require(Self.member("session", of: before))
        let panel = try daemon.panel()
        let first = try daemon.gateway()
        kill(first, SIGKILL)
        let died = Self.monotonicMilliseconds()
        // The socket still listens: the connection waits for the next gateway.
        let waiting = LocalSocket(port: daemon.port)
        let after = daemon.answer("GET /api/v1/history", on: try #require(waiting))
        let took = Self.monotonicMilliseconds() - died
        #expect(took < 10_000, "1 s on a machine at rest; Benchmarks/gateway measures it")
        expectEqual(Self.member("session", of: after), session)
        let events = before.firstRange(of: "\"events\": [").map { before[$0.upperBound...] }
        #expect(after.hasSuffix(try #require(events)), "every event, and none twice")
        #expect(try daemon.panel() == panel && daemon.gateway() != first)
        #expect(
            daemon.session.waitForErrors("signal 9 (Killed) ended the gateway; it starts again"))
        // A page that was away gets the events that it missed, and no snapshot.
        let off = "{\"value\": \"off\"}"
        #expect(daemon.request("PUT /api/v1/controls/heater", body: off).contains(" 202 "))
        let socket = try #require(LocalSocket(port: daemon.port))
        let word = session.filter { $0 != "\"" }
        socket.send(
            "GET /api/v1/events?since=1&session=\(word) HTTP/1.1\r\nHost: 127.0.0.1:\(daemon.port)"
                + "\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
                + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n")
        var text = ""
        while !text.contains("\"type\": \"state\"") {
            let more = socket.receive(within: 10_000)
            if more.isEmpty { break }
            text += more
        }
        #expect(text.contains(" 101 ") && text.contains("\"type\": \"events\""), "\(text)")
        #expect(text.contains("\"seq\": 2,") && !text.contains("snapshot"), "\(text)")
        daemon.session.send(SIGTERM)
        expectEqual(daemon.session.end().code, 0)
    }

    /// Its filter of system calls forbids nothing that its end needs. Some faults are rare.
    @Test func itsEndIsOrderly() throws {
        for _ in 0..<10 {
            let daemon = try ServedDaemon(Self.panel)
            #expect(daemon.request("GET /healthz").contains("200 OK"))
            daemon.session.send(SIGTERM)
            let ended = daemon.session.end()
            #expect(ended.code == 0 && !ended.errors.contains("ended the gateway"), "\(ended)")
        }
    }

    @Test func itDiesWithItsPanel() throws {
        let daemon = try ServedDaemon(Self.panel)
        let gateway = try daemon.gateway()
        kill(try daemon.panel(), SIGKILL)
        expectEqual(daemon.session.end().signal, SIGKILL)
        for _ in 0..<2_000 where ProcessTree.lives(gateway) { daemon.pause(5) }
        #expect(!ProcessTree.lives(gateway))
    }
}
