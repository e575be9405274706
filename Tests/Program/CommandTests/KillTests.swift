import Glibc
import TestSupport
import Testing

/// Panels and gateways that are killed at any moment, while values are set as fast as they go.
@Suite struct KillTests {
    private static let panel = """
        panel: Kills
        board: none
        controls:
          level:
            kind: dial
            label: Level
            encoder: {a: A, b: B}
            range: {min: 0, max: 1000000}
            startup: saved

        """

    /// How often each process is killed: `DETENT_KILLS=1000` for a long run. Gateways start again
    /// after 5 s then, so a thousand of them takes an hour and a half.
    private static var kills: Int {
        getenv("DETENT_KILLS").flatMap { Int(String(cString: $0)) } ?? 5
    }

    /// The moments of the kills: `DETENT_SEED` gives others.
    private static let seed = getenv("DETENT_SEED").flatMap { UInt64(String(cString: $0)) } ?? 12

    private struct Numbers {
        var state: UInt64
        mutating func next(below limit: UInt64) -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return (state >> 33) % limit
        }
    }

    /// Sets values for a while; returns the last that was answered, and the last that was sent.
    private static func set(
        _ daemon: ServedDaemon, after last: Int, for milliseconds: Int
    ) -> (answered: Int, sent: Int) {
        guard let socket = LocalSocket(port: daemon.port) else { return (last, last) }
        let end = now() + milliseconds
        var value = last
        while now() < end {
            let answer = daemon.answer(
                "PUT /api/v1/controls/level", body: "{\"value\": \(value + 1)}", on: socket)
            guard answer.contains(" 202 ") else { return (value, value + 1) }
            value += 1
        }
        return (value, value)
    }

    private static func now() -> Int {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return time.tv_sec * 1_000 + time.tv_nsec / 1_000_000
    }

    private static func value(_ daemon: ServedDaemon) -> Int? {
        let answer = daemon.request("GET /api/v1/panel")
        guard let value = answer.firstRange(of: "\"state\": {\"level\": {\"value\": ") else {
            return nil
        }
        return Int(answer[value.upperBound...].prefix(while: \.isNumber))
    }

    /// What a killed panel has confirmed, it has after the restart: within the second in which
    /// nothing is written to its file, too.
    @Test func aKilledPanelLosesNoConfirmedValue() throws {
        var numbers = Numbers(state: Self.seed)
        let folder = Folder()
        var last = 0
        for round in 0..<Self.kills {
            let daemon = try ServedDaemon(Self.panel, ["--state-dir", folder.path])
            if round > 0 {
                let found = try #require(Self.value(daemon))
                expectEqual(found, last, "round \(round)")
                last = found
            }
            let panel = try daemon.panel()
            let reached = Self.set(
                daemon, after: last, for: Int(numbers.next(below: 40)))
            let wait = Int32(numbers.next(below: 3))
            if wait > 0 { daemon.pause(wait) }
            // One more is on its way.
            let socket = try #require(LocalSocket(port: daemon.port))
            let body = "{\"value\": \(reached.answered + 1)}"
            socket.send(
                "PUT /api/v1/controls/level HTTP/1.1\r\nHost: 127.0.0.1:\(daemon.port)\r\n"
                    + "Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n"
                    + body)
            if round % 2 == 0 { daemon.pause(Int32(numbers.next(below: 4))) }
            kill(panel, SIGKILL)
            let isAnswered = socket.receive(within: 10_000).contains(" 202 ")
            expectEqual(daemon.session.end().signal, SIGKILL)
            last = reached.answered + (isAnswered ? 1 : 0)
            if !isAnswered { last = try Self.fileValue(folder, last) }
        }
    }

    /// A value that was not answered may be there or not.
    private static func fileValue(_ folder: Folder, _ last: Int) throws -> Int {
        let daemon = try ServedDaemon(Self.panel, ["--state-dir", folder.path])
        let found = try #require(value(daemon))
        #expect(found == last || found == last + 1)
        kill(try daemon.panel(), SIGKILL)
        expectEqual(daemon.session.end().signal, SIGKILL)
        return found
    }

    /// Guardian and panel are killed at once: nothing of what they started goes on.
    @Test func killedTogetherTheyLeaveNoProgram() throws {
        var numbers = Numbers(state: Self.seed)
        let folder = Folder()
        for round in 0..<2 * Self.kills {
            let heard = folder.path + "/pids-\(round)"
            let script = "sleep 1000 & echo $$ $! >>\(heard); exec sleep 1000"
            let daemon = try ServedDaemon(
                """
                panel: Kills
                board: none
                controls:
                  a: {kind: toggle-button, label: A, input: A,
                      action: {run: [sh, -c, "\(script)"], timeout: 60s}}
                  b: {kind: indicator, label: B, indicator: L,
                      feedback: {watch: [sh, -c, "\(script)"]}}

                """)
            let panel = try daemon.panel()
            _ = daemon.request("PUT /api/v1/controls/a", body: #"{"value": "on"}"#)
            // At any moment of the start of the programs, or when they run.
            if round % 2 == 0 {
                daemon.pause(Int32(numbers.next(below: 4)))
            } else {
                for _ in 0..<4_000
                where folder.text("pids-\(round)").split(separator: "\n").count < 2 {
                    daemon.pause(5)
                }
            }
            let both =
                numbers.next(below: 2) == 0
                ? [panel, daemon.session.process] : [daemon.session.process, panel]
            for process in both { kill(process, SIGKILL) }
            expectEqual(daemon.session.end().signal, SIGKILL)
            daemon.pause(300)
            let left = folder.text("pids-\(round)").split(whereSeparator: \.isWhitespace)
                .compactMap { pid_t($0) }.filter { Self.runs($0) }
            #expect(left.isEmpty, "round \(round)")
            for process in left { kill(process, SIGKILL) }
        }
    }

    /// Whether a process runs 5 s later; one that waits to be reaped does not.
    private static func runs(_ process: pid_t) -> Bool {
        for _ in 0..<500 {
            guard let file = fopen("/proc/\(process)/stat", "r") else { return false }
            var buffer = [UInt8](repeating: 0, count: 512)
            let count = fread(&buffer, 1, buffer.count, file)
            fclose(file)
            let text = String(decoding: buffer[..<count], as: UTF8.self)
            if text.contains(") Z ") || text.contains(") X ") { return false }
            poll(nil, 0, 10)
        }
        return true
    }

    /// The next panel is not named as its guardian is.
    @Test func aPanelThatStartsAgainHasItsName() throws {
        let daemon = try ServedDaemon(Self.panel, ["--restart-after", "100ms"])
        func name(_ process: pid_t) -> String {
            guard let file = fopen("/proc/\(process)/comm", "r") else { return "" }
            defer { fclose(file) }
            var buffer = [UInt8](repeating: 0, count: 64)
            let count = fread(&buffer, 1, buffer.count, file)
            return String(decoding: buffer[..<count], as: UTF8.self)
        }
        let first = try daemon.panel()
        expectEqual(name(first), "detent\n")
        kill(first, SIGKILL)
        #expect(daemon.session.waitForErrors("the panel is at", times: 2))
        expectEqual(name(try daemon.panel()), "detent\n")
        expectEqual(name(daemon.session.process), "detent-guard\n")
        daemon.session.send(SIGTERM)
        expectEqual(daemon.session.end().code, 0)
    }

    /// A killed gateway takes nothing with it: the panel has what it answered.
    @Test func aKilledGatewayLosesNoConfirmedValue() throws {
        var numbers = Numbers(state: Self.seed)
        let daemon = try ServedDaemon(Self.panel)
        let panel = try daemon.panel()
        var last = 0
        for round in 0..<Self.kills {
            let gateway = try daemon.gateway()
            let reached = Self.set(
                daemon, after: last, for: Int(numbers.next(below: 40)))
            let socket = try #require(LocalSocket(port: daemon.port))
            let body = "{\"value\": \(reached.answered + 1)}"
            socket.send(
                "PUT /api/v1/controls/level HTTP/1.1\r\nHost: 127.0.0.1:\(daemon.port)\r\n"
                    + "Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n"
                    + body)
            if round % 2 == 0 { daemon.pause(Int32(numbers.next(below: 4))) }
            kill(gateway, SIGKILL)
            let isAnswered = socket.receive(within: 10_000).contains(" 202 ")
            let found = try #require(Self.value(daemon), "round \(round)")
            #expect(found >= reached.answered + (isAnswered ? 1 : 0), "round \(round)")
            #expect(found <= reached.answered + 1)
            last = found
        }
        expectEqual(try daemon.panel(), panel)
        daemon.session.send(SIGTERM)
        expectEqual(daemon.session.end().code, 0)
    }
}
