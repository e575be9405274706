import FreePorts
import Glibc
import Processes
import TestSupport
import Testing

/// Devices nearby that behave as devices do: a running panel speaks to them over TCP, UDP and a
/// serial wire, through a process for each.
@Suite(.serialized) struct NearbyTests {
    private static func panel(_ keys: String, more: String = "") -> String {
        """
        panel: Bench
        board: none
        controls:
          output:
            kind: toggle-button
            label: Output
            input: OUTPUT
            words: {on: "1", off: "0"}
            \(keys)
        \(more)
        """
    }

    private static func asking(_ port: Int, timeout: String = "20s", failure: String = "revert")
        -> String
    {
        "action: {tcp: {to: \"127.0.0.1:\(port)\", text: \"OUTP {value}\\n\", "
            + "expect: \"OUTP {value}\"}, timeout: \(timeout), on-failure: \(failure)}"
    }

    private static func set(_ daemon: ServedDaemon, _ value: String) {
        _ = daemon.request("PUT /api/v1/controls/output", body: "{\"value\": \"\(value)\"}")
    }

    private static func connection(_ server: LocalSocket, _ why: Comment = "") throws -> LocalSocket
    {
        try #require(server.accepted(), why)
    }

    /// Reads until a text has come.
    private static func hears(_ socket: LocalSocket, _ text: String) -> Bool {
        var all = ""
        while !all.contains(text) {
            let more = socket.receive(within: 20_000)
            if more.isEmpty { return false }
            all += more
        }
        return true
    }

    private static func readers(of daemon: ServedDaemon) throws -> [pid_t] {
        ProcessTree.children(of: try daemon.panel()).filter {
            ProcessTree.text("/proc/\($0)/status").hasPrefix("Name:\tdetent-wire\n")
        }
    }

    /// One connection is kept, and what the device says without being asked is no answer.
    @Test func aDeviceThatTalksIsAsked() throws {
        let server = LocalSocket()
        let daemon = try ServedDaemon(Self.panel(Self.asking(server.port)))
        expectEqual(try Self.readers(of: daemon), [], "nothing is opened before it is needed")
        Self.set(daemon, "on")
        let device = try Self.connection(server)
        // 3,200 bytes: all of them may come after the question, and 4,096 are looked at.
        for _ in 0..<200 { device.send("WARNING 3\nOUT\n\r\n") }
        #expect(Self.hears(device, "OUTP 1\n"))
        device.send("WARNING 4\nOUTP 1\r\n")
        #expect(daemon.shows("output", "\"actual\":\"on\""))
        let reader = try #require(try Self.readers(of: daemon).first)
        let status = ProcessTree.text("/proc/\(reader)/status")
        #expect(status.contains("NoNewPrivs:\t1\n"))
        #expect(status.contains("Seccomp:\t2\n") || !status.contains("Seccomp:"))
        // An old answer is none to the next question.
        device.send("OUTP 1\n")
        daemon.pause(100)
        Self.set(daemon, "off")
        #expect(Self.hears(device, "OUTP 0\n"))
        // Another value than was asked for is the value of the device.
        device.send("OUTP 1\n")
        #expect(daemon.shows("output", ":\"on\",\"actual\":\"on\""))
        expectEqual(try Self.readers(of: daemon), [reader], "the connection is kept")
        daemon.session.send(SIGTERM)
        expectEqual(daemon.session.end().code, 0)
        #expect(kill(reader, 0) != 0, "it ends with the panel")
    }

    @Test func aMegabyteIsNoAnswer() throws {
        let server = LocalSocket()
        let daemon = try ServedDaemon(Self.panel(Self.asking(server.port)))
        Self.set(daemon, "on")
        var device = try Self.connection(server)
        #expect(Self.hears(device, "OUTP 1\n"))
        let flood = String(repeating: "a", count: 65_536)
        for _ in 0..<16 { device.send(flood) }
        #expect(daemon.shows("output", "invalidanswer"))
        Self.set(daemon, "on")
        device = try Self.connection(server, "it is connected anew")
        #expect(Self.hears(device, "OUTP 1\n"))
        device.send("OUTP 1\n")
        #expect(daemon.shows("output", "\"actual\":\"on\""))
    }

    @Test func anAnswerMayDripAndMayNotComeAtAll() throws {
        let server = LocalSocket()
        let daemon = try ServedDaemon(Self.panel(Self.asking(server.port, timeout: "2s")))
        Self.set(daemon, "on")
        var device = try Self.connection(server)
        #expect(Self.hears(device, "OUTP 1\n"))
        for letter in "OUTP 1\n" {
            device.send(String(letter))
            daemon.pause(30)
        }
        #expect(daemon.shows("output", "\"actual\":\"on\""))
        Self.set(daemon, "off")
        #expect(Self.hears(device, "OUTP 0\n"))
        for _ in 0..<25 {
            device.send("O")
            daemon.pause(100)
        }
        #expect(daemon.shows("output", "timedout"))
        // Its late answer is not taken for that of the next text, which returns it to on.
        device = try Self.connection(server, "it is connected anew")
        #expect(Self.hears(device, "OUTP 1\n"))
        device.send("OUTP 1\n")
        #expect(daemon.shows("output", "\"actual\":\"on\""))
    }

    @Test func aDeviceThatClosesAtOnceIsTriedAgainWhenAsked() throws {
        let server = LocalSocket()
        let daemon = try ServedDaemon(Self.panel(Self.asking(server.port, failure: "keep")))
        Self.set(daemon, "on")
        _ = try Self.connection(server)  // closed at once
        #expect(daemon.shows("output", "\"phase\":\"failed\""))
        Self.set(daemon, "off")
        var device: LocalSocket? = try Self.connection(server)
        #expect(Self.hears(try #require(device), "OUTP 0\n"))
        device?.send("OUTP 0\n")
        #expect(daemon.shows("output", "\"actual\":\"off\""))
        // A connection that was closed in between is made anew, without a failure.
        device = nil
        for _ in 0..<1_000 where try !Self.readers(of: daemon).isEmpty { daemon.pause(20) }
        Self.set(daemon, "on")
        device = try Self.connection(server)
        #expect(Self.hears(try #require(device), "OUTP 1\n"))
        device?.send("OUTP 1\n")
        #expect(daemon.shows("output", ":\"on\",\"actual\":\"on\""))
    }

    @Test func nobodyThereIsUnreachable() throws {
        let port = Int(FreePorts.next(.tcp))
        let daemon = try ServedDaemon(Self.panel(Self.asking(port)))
        Self.set(daemon, "on")
        #expect(daemon.shows("output", "unreachable"))
        #expect(daemon.session.waitForErrors("127.0.0.1:\(port): Connection refused"))
        let other = try ServedDaemon(
            Self.panel("action: {tcp: {to: \"none.invalid:1\", text: a}, timeout: 20s}"))
        Self.set(other, "on")
        #expect(other.shows("output", "unreachable"))
        #expect(other.session.waitForErrors("none.invalid:1: "))
    }

    /// While a name is looked up for ever, others are spoken to, and the end is quick.
    @Test(.enabled(if: HangingResolver.compiler != nil, "there is no clang"))
    func aNameThatHangsDelaysNobody() throws {
        let resolver = try HangingResolver()
        let server = LocalSocket()
        let daemon = try ServedDaemon(
            Self.panel(
                "action: {tcp: {to: \"127.0.0.1:\(server.port)\", text: \"A\"}, timeout: 20s}",
                more: """
                      far:
                        kind: toggle-button
                        label: Far
                        input: FAR
                        action: {tcp: {to: "supply.hangs:1", text: a}, timeout: 1s}
                      meter:
                        kind: indicator
                        label: Meter
                        indicator: METER
                        feedback: {tcp: {to: "meter.hangs:1"}}
                    """), shell: resolver.shell)
        _ = daemon.request("PUT /api/v1/controls/far", body: "{\"value\": \"on\"}")
        #expect(daemon.session.waitForErrors("resolver: a look-up hangs", times: 2))
        Self.set(daemon, "on")
        #expect(daemon.shows("output", "\"actual\":\"on\""))
        #expect(daemon.shows("far", "timedout"))
        daemon.session.send(SIGTERM)
        expectEqual(daemon.session.end().code, 0)
    }

    // MARK: Feedback

    @Test func linesAreReportsAndTheSourceComesBack() throws {
        let server = LocalSocket()
        let daemon = try ServedDaemon(
            Self.panel(
                "action: {run: [\"true\"], timeout: 5s}\n"
                    + "    feedback: {tcp: {to: \"localhost:\(server.port)\", text: \"OUTP?\\n\", "
                    + "expect: \"OUTP {value}\"}}"))
        var device: LocalSocket? = try Self.connection(server, "it is opened at the start")
        #expect(Self.hears(try #require(device), "OUTP?\n"))
        device?.send("OUTP 1\n")
        #expect(daemon.shows("output", "\"actual\":\"on\""))
        for _ in 0..<3_000 { device?.send("OUTP 1\nTEMP 40\n") }
        device?.send("OUTP 0\n")
        #expect(daemon.shows("output", "\"actual\":\"off\""))
        device = nil
        #expect(daemon.session.waitForErrors("feedback of output: localhost:\(server.port): "))
        #expect(daemon.shows("output", "stale"))
        device = try Self.connection(server, "after a pause it is opened again")
        #expect(Self.hears(try #require(device), "OUTP?\n"))
        device?.send("OUTP 1\n")
        #expect(daemon.shows("output", "\"actual\":\"on\""))
    }

    /// Neither one that closes at once nor one that says a megabyte is asked again and again.
    @Test func aSourceWithoutAnAnswerIsAskedAgainAfterAPause() throws {
        let server = LocalSocket()
        let daemon = try ServedDaemon(
            Self.panel(
                "action: {run: [\"true\"], timeout: 5s}\n"
                    + "    feedback: {tcp: {to: \"127.0.0.1:\(server.port)\", "
                    + "text: \"OUTP?\\n\", expect: \"OUTP {value}\"}}"))
        _ = try Self.connection(server)  // closed at once
        #expect(server.accepted(within: 500) == nil, "a second is between them")
        var device = try Self.connection(server)
        #expect(Self.hears(device, "OUTP?\n"))
        device.send("OUTP 1\n")
        #expect(daemon.shows("output", "\"actual\":\"on\""))
        Self.set(daemon, "off")  // which asks again
        #expect(Self.hears(device, "OUTP?\n"))
        let flood = String(repeating: "a", count: 65_536)
        for _ in 0..<16 { device.send(flood) }
        #expect(server.accepted(within: 1_000) == nil, "two seconds are between them")
        device = try Self.connection(server)
        #expect(daemon.session.waitForErrors("4096 bytes of its answer fits `expect`"))
        #expect(Self.hears(device, "OUTP?\n"))
        #expect(daemon.request("GET /api/v1/panel").contains(#""flags": ["stale"]"#))
        device.send("OUTP 1\n")
        #expect(daemon.shows("output", "\"actual\":\"on\""))
    }

    @Test func datagramsAreReports() throws {
        let port = Int(FreePorts.next(.udp))
        let daemon = try ServedDaemon(
            Self.panel(
                "action: {udp: {to: \"127.0.0.1:\(port)\", text: \"SET {value}\"}, timeout: 5s}\n"
                    + "    feedback: {udp: {listen: \"127.0.0.1:\(port)\"}, pointer: /1}"))
        // It hears itself: what the action sends is a report.
        var isOn = false
        for _ in 0..<100 where !isOn {
            Self.set(daemon, "on")
            isOn = daemon.shows("output", "\"actual\":\"on\"", within: 200)
        }
        #expect(isOn)
        let socket = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
        defer { close(socket) }
        let report = Array("SET 0\n".utf8)
        _ = LocalSocket.withAddress(port) { sendto(socket, report, report.count, 0, $0, $1) }
        #expect(daemon.shows("output", "\"actual\":\"off\""))
    }

    // MARK: Serial

    /// A serial device, whose other side is the test.
    private final class Port {
        private(set) var device: Int32
        /// The side of the panel, which stays open: without it the device would be gone until the
        /// panel opens it.
        private var line: Int32
        let path: String

        init() throws {
            device = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
            var number: Int32 = 0
            // TIOCSPTLCK and TIOCGPTN, which Swift does not import.
            try #require(ioctl(device, 0x4004_5431, &number) == 0)
            try #require(ioctl(device, 0x8004_5430, &number) == 0)
            path = "/dev/pts/\(number)"
            line = open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
            try #require(line >= 0)
        }

        deinit { unplug() }

        func unplug() {
            if device >= 0 {
                close(device)
                close(line)
            }
            device = -1
        }

        /// The terms of its line, as a process beside the panel finds them.
        var terms: [UInt8] {
            var terms = termios()
            guard tcgetattr(line, &terms) == 0 else { return [] }
            return withUnsafeBytes(of: &terms) { Array($0) }
        }

        func send(_ text: String) { _ = write(device, text, text.utf8.count) }

        func hears(_ text: String) -> Bool {
            var all = ""
            var bytes = [UInt8](repeating: 0, count: 1_000)
            while !all.contains(text) {
                var entry = pollfd(fd: device, events: Int16(POLLIN), revents: 0)
                guard poll(&entry, 1, 20_000) == 1 else { return false }
                let count = read(device, &bytes, bytes.count)
                if count <= 0 { return false }
                all += String(decoding: bytes[..<count], as: UTF8.self)
            }
            return true
        }
    }

    /// The device is unplugged and comes back under another name; its path by id stays.
    @Test func aSerialDeviceComesBackUnderAnotherName() throws {
        let first = try Port()
        let folder = TemporaryFile("a", "")
        let path = folder.path + "-by-id"
        defer { unlink(path) }
        expectEqual(symlink(first.path, path), 0)
        let before = first.terms
        let daemon = try ServedDaemon(
            Self.panel(
                "action: {serial: {device: \(path), baud: 115200, text: \"M {value}\\n\", "
                    + "expect: ok}, timeout: 20s}"))
        Self.set(daemon, "on")
        #expect(first.hears("M 1\n"))
        first.send("Grbl 1.1\r\nok\r\n")
        #expect(daemon.shows("output", "\"actual\":\"on\""))
        #expect(first.terms != before, "another process sees the terms of the panel")
        Self.set(daemon, "off")
        #expect(first.hears("M 0\n"))
        first.send("ok\n")
        #expect(daemon.shows("output", "\"actual\":\"off\""))
        // Unplugged, and plugged in again.
        first.unplug()
        let second = try Port()
        let untouched = second.terms
        unlink(path)
        expectEqual(symlink(second.path, path), 0)
        daemon.pause(300)
        Self.set(daemon, "on")
        #expect(second.hears("M 1\n"))
        second.send("ok\n")
        #expect(daemon.shows("output", "\"actual\":\"on\""))
        daemon.session.send(SIGTERM)
        expectEqual(daemon.session.end().code, 0)
        expectEqual(second.terms, untouched, "the line has its former terms")
    }

    /// What it reports is heard again, without a press.
    @Test func aSerialSourceComesBackUnderAnotherName() throws {
        let first = try Port()
        let folder = TemporaryFile("a", "")
        let path = folder.path + "-by-id"
        defer { unlink(path) }
        expectEqual(symlink(first.path, path), 0)
        let daemon = try ServedDaemon(
            Self.panel(
                "action: {run: [\"true\"], timeout: 5s}\n"
                    + "    feedback: {serial: {device: \(path), text: \"?\", "
                    + "expect: \"<{value}|\"}}"))
        #expect(first.hears("?"))
        first.send("warm\r\n<1|0,0>\r\n")
        #expect(daemon.shows("output", "\"actual\":\"on\""))
        unlink(path)
        first.unplug()
        #expect(daemon.shows("output", "stale"))
        #expect(daemon.session.waitForErrors("feedback of output: \(path): "))
        let second = try Port()
        expectEqual(symlink(second.path, path), 0)
        #expect(second.hears("?"))
        second.send("<0|0,0>\r\n")
        #expect(daemon.shows("output", "\"actual\":\"off\""))
    }

    @Test func aDeviceThatIsNoneIsSaid() throws {
        let file = TemporaryFile("no-device", "")
        let daemon = try ServedDaemon(
            Self.panel("action: {serial: {device: \(file.path), text: a}, timeout: 20s}"))
        Self.set(daemon, "on")
        #expect(daemon.session.waitForErrors("\(file.path): Inappropriate ioctl for device"))
        #expect(daemon.shows("output", "unreachable"))
    }

    @Test func thePartOfThePanelIsNoCommand() {
        let result = Program.run(["wire", "tcp"])
        expectEqual(result.code, 2)
        #expect(result.errors.contains("`detent wire` is a part of `detent run`"))
    }
}
