import DetentCore
import DetentPanel
import DetentRuntime
import DetentTypes
import DetentWall
import DetentWorld
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import DetentServer

/// Requests and their answers, without any connection.
@Suite struct RequestHandlerTests {
    private func json(_ response: HTTPResponse) throws -> JSONValue {
        try JSONReader.read(response.body, depth: 32)
    }

    // MARK: Reading

    @Test func thePanelIsTheSnapshot() throws {
        let bench = try RequestBench()
        let response = try bench.ask("GET", "/api/v1/panel")
        #expect(response.status == 200 && response.type == "application/json")
        let panel = try json(response)
        #expect(panel["type"] == nil && panel["lost"] == nil)
        expectEqual(panel["state"]?["output"]?["value"]?.text, "off")
        expectEqual(bench.bench.hub.deadline, .never, "and nobody is watched any more")
    }

    @Test func onePanelControlCanBeAskedFor() throws {
        let bench = try RequestBench()
        let whole = try json(bench.ask("GET", "/api/v1/panel"))
        let one = try json(bench.ask("GET", "/api/v1/panel?control=output"))
        expectEqual(one["panel"]?["controls"]?.items?.map { $0["id"]?.text }, ["output"])
        expectEqual(one["state"]?["output"], whole["state"]?["output"])
        expectEqual(one["state"]?["level"], nil)
        expectEqual(try bench.ask("GET", "/api/v1/panel?control=outptu").status, 404)
    }

    @Test func historyIsFiltered() throws {
        let bench = try RequestBench()
        let dial = bench.panel.control("level")
        for step in 1...3 {
            bench.panel.handle(.intent(dial, Value(Int32(step) * 5), .panel))
        }
        bench.panel.handle(.intent(bench.panel.control("output"), .on, .panel))
        func numbers(_ query: String) throws -> [Int] {
            let response = try json(bench.ask("GET", "/api/v1/history\(query)"))
            expectEqual(response["session"]?.text, "session-1")
            return (response["events"]?.items ?? []).compactMap { $0["seq"]?.whole }
        }
        let all = try numbers("")
        #expect(all == Array(1...(all.last ?? 0)) && all.count > 5)
        expectEqual(try numbers("?since=3"), Array(all.dropFirst(3)))
        expectEqual(try numbers("?limit=2"), Array(all.suffix(2)))
        #expect(try numbers("?limit=0").isEmpty)
        #expect(try numbers("?control=output&limit=1000").count < all.count)
        expectEqual(try bench.ask("GET", "/api/v1/history?since=x").status, 400)
        expectEqual(try bench.ask("GET", "/api/v1/history?limit=-1").status, 400)
        expectEqual(try bench.ask("GET", "/api/v1/history?control=outptu").status, 404)
    }

    @Test func aFaceIsLaidOutForTheWindow() throws {
        let bench = try RequestBench()
        let plan = bench.bench.hub.plan
        let face = try json(bench.ask("GET", "/api/v1/face?width=1280&height=700"))
        expectEqual(face["forms"]?.items?.isEmpty, true)
        let groups = try #require(face["groups"]?.items)
        let ids = groups.flatMap { $0["cells"]?.items ?? [] }.compactMap { $0["control"]?.text }
        expectEqual(Set(ids), Set(plan.controls.map(\.id)), "every control has a place")
        for query in ["width=1&height=1", "width=10000&height=10000"] {
            let response = try bench.ask("GET", "/api/v1/face?\(query)")
            expectEqual(response.status, 200)
            #expect(response.body.count < 2_000 * plan.controls.count, "a few lines a control")
        }
        let again = try bench.ask("GET", "/api/v1/face?height=700&width=1280")
        expectEqual(try json(again), face)
    }

    @Test func theWiringIsDrawn() throws {
        let plan = try ServedPanel.plan(
            """
            panel: Wired
            board: raspberry-pi-4b
            controls:
              pump: {kind: switch, label: Pump <1>, input: GPIO17, latch: toggle}
            """)
        let response = try RequestBench(plan).ask("GET", "/api/v1/wiring")
        expectEqual(response.status, 200)
        expectEqual(response.type, "image/svg+xml")
        let drawing = String(decoding: response.body, as: UTF8.self)
        #expect(drawing.hasPrefix("<svg") && drawing.contains("Wired on Raspberry Pi 4"))
        #expect(drawing.contains("GPIO17") && drawing.contains("pump") && !drawing.contains("<1>"))
        let refused = try RequestBench().ask("GET", "/api/v1/wiring")
        expectEqual(refused.status, 404)
        let none = try json(refused)
        expectEqual(none["title"]?.text?.hasPrefix("The panel names no board"), true)
        expectEqual(none["detail"]?.text?.hasPrefix("write `board: NAME`"), true)
    }

    @Test(arguments: [
        ("", "`width` is not a number", "send a whole number"),
        ("?width=1280", "`height` is not a number", "send a whole number"),
        ("?width=wide&height=640", "`width` is not a number", "send a whole number"),
        ("?width=1280.5&height=640", "`width` is not a number", "send a whole number"),
        ("?width=0&height=640", "`width` is 0", "send 1 to 10000 pixels"),
        ("?width=1280&height=-1", "`height` is -1", "send 1 to 10000 pixels"),
        ("?width=1280&height=10001", "`height` is 10001", "send 1 to 10000 pixels"),
        ("?width=99999999999999999999&height=1", "`width` is not a number", "send a whole number"),
    ])
    func aSizeThatNoWindowHasIsRefused(query: String, title: String, detail: String) throws {
        let response = try RequestBench().ask("GET", "/api/v1/face\(query)")
        expectEqual(response.status, 400)
        expectEqual(try json(response)["title"]?.text?.contains(title), true)
        let body = String(decoding: response.body, as: UTF8.self)
        #expect(body.contains(detail), "\(body)")
    }

    @Test func aFaceIsAsGuardedAsTheState() throws {
        let face = "/api/v1/face?width=1280&height=700"
        let bench = try RequestBench(token: "0123456789abcdef")
        let bearer = ("Authorization", "Bearer 0123456789abcdef")
        let host = ("Host", "localhost:8433")
        for path in [face, "/api/v1/panel"] {
            expectEqual(try bench.ask("GET", path).status, 401)
            expectEqual(try bench.ask("GET", path, headers: [host, bearer]).status, 200)
            let other = [("Host", "evil.example"), bearer]
            expectEqual(try bench.ask("GET", path, headers: other).status, 421)
        }
        let open = try RequestBench()
        for method in ["POST", "PUT", "DELETE"] {
            let origin = [host, ("Origin", "http://localhost:8433")]
            let status = try open.ask(method, face, headers: origin).status
            #expect(status >= 400, "\(method): \(status)")
        }
    }

    @Test func healthNamesWhatIsFaulty() throws {
        let bench = try RequestBench()
        let well = try bench.ask("GET", "/healthz")
        #expect(well.status == 200 && well.body == Array("ok\n".utf8))
        bench.panel.handle(.lineFault(LineID(0)))
        bench.bench.pass(ServerLimits.sharedAnswer)
        let ill = try bench.ask("GET", "/healthz")
        expectEqual(ill.status, 503)
        expectEqual(try json(ill)["title"]?.text?.hasSuffix("output"), true)
        bench.panel.handle(.lineRestored(LineID(0)), .reading(LineID(0), .inactive))
        bench.bench.pass(ServerLimits.sharedAnswer)
        expectEqual(try bench.ask("GET", "/healthz").status, 200)
    }

    @Test func metricsAreReadable() throws {
        let bench = try RequestBench()
        bench.panel.handle(.intent(bench.panel.control("output"), .on, .panel))
        let response = try bench.ask("GET", "/metrics")
        let lines = String(decoding: response.body, as: UTF8.self).split(separator: "\n")
        #expect(lines.contains(#"detent_control_busy{control="output"} 1"#))
        #expect(lines.contains(#"detent_control_busy{control="mode"} 0"#))
        for line in lines where !line.hasPrefix("# ") {
            let parts = line.split(separator: " ")
            #expect(parts.count == 2 && Double(parts[1]) != nil, "\(line)")
            #expect(parts[0].hasPrefix("detent_") || parts[0].hasPrefix("process_"))
        }
    }

    @Test func aPanelWithABrokerHasItsFigures() throws {
        let bench = try RequestBench()
        func lines() throws -> [Substring] {
            String(decoding: try bench.ask("GET", "/metrics").body, as: UTF8.self)
                .split(separator: "\n")
        }
        #expect(try !lines().contains { $0.contains("mqtt") }, "without a broker there are none")
        var figures = MQTTFigures()
        bench.bench.hub.broker = figures
        #expect(try lines().contains("detent_mqtt_connected 0"))
        #expect(try lines().contains("detent_mqtt_reconnects_total 0"))
        (figures.isConnected, figures.connects, figures.sent) = (true, 3, 41)
        (figures.droppedEvents, figures.droppedAnswers, figures.refusedCommands) = (5, 6, 7)
        figures.unsent = 8
        bench.bench.hub.broker = figures
        let all = try lines()
        for line in [
            "detent_mqtt_connected 1", "detent_mqtt_reconnects_total 2",
            "detent_mqtt_sent_total 41", "detent_mqtt_unsent_total 8",
            #"detent_mqtt_dropped_total{topic="event"} 5"#,
            #"detent_mqtt_dropped_total{topic="answer"} 6"#, "detent_mqtt_refused_total 7",
        ] { #expect(all.contains(Substring(line)), "\(line)") }
    }

    @Test func everyFigureIsDocumented() throws {
        let bench = try RequestBench()
        bench.bench.hub.broker = MQTTFigures()
        bench.bench.hub.version = "1.2"
        bench.bench.hub.processes = [try #require(ProcessProbe(getpid(), named: "panel"))]
        let response = try bench.ask("GET", "/metrics")
        let lines = String(decoding: response.body, as: UTF8.self).split(separator: "\n")
        let names = lines.filter { $0.hasPrefix("# TYPE ") }.map { $0.split(separator: " ")[2] }
        #expect(names.count > 10 && Set(names).count == names.count, "\(names)")
        for name in names { #expect(DocumentTests.text.contains("`\(name)"), "\(name)") }
    }

    /// What an action came to, and how long it took, from its request to its outcome.
    @Test func actionsAreMeasured() throws {
        var figures = ActionFigures()
        let start = Instant(nanoseconds: 7_000_000_000)
        func run(_ span: TimeSpan, _ phase: Phase, _ reason: Reason) {
            figures.record(.pending, .none, at: start)
            figures.record(.loading, .none, at: start + .milliseconds(1))
            figures.record(phase, reason, at: start + span)
        }
        figures.record(.idle, .none, at: start)
        expectEqual(figures.count, 0, "nothing had begun")
        run(.milliseconds(5), .idle, .none)
        run(.milliseconds(6), .failed, .timedOut)
        run(.seconds(31), .failed, .killed(signal: 9))
        run(.milliseconds(40), .idle, .cancelled)
        expectEqual(ActionFigures.Result.allCases.map { figures[$0] }, [1, 1, 1, 1])
        expectEqual(figures.buckets, [1, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0])
        #expect(figures.count == 4 && figures.seconds == "31.051000000")
    }

    @Test func thePageIsThere() throws {
        let bench = try RequestBench()
        let plain = try bench.ask("GET", "/")
        #expect(plain.status == 200 && plain.type == "text/html; charset=utf-8")
        let packed = try bench.ask(
            "GET", "/",
            headers: [("Host", "localhost:8433"), ("Accept-Encoding", "br;q=1.0, GZIP;q=0.8")])
        #expect(packed.headers.contains { $0 == ("Content-Encoding", "gzip") })
        #expect(packed.body.starts(with: [0x1F, 0x8B]) && packed.body.count < plain.body.count)
        for path in ["/../Package.swift", "/%2e%2e/Package.swift", "/index.html/", "//", "/page"] {
            expectEqual(try bench.ask("GET", path).status, 404, "\(path)")
        }
        expectEqual(try bench.ask("POST", "/").status, 405)
    }

    // MARK: Changing

    @Test func aChangeIsAnsweredWithTheState() throws {
        let bench = try RequestBench()
        let response = try bench.ask("PUT", "/api/v1/controls/output", #"{"value": "on"}"#)
        expectEqual(response.status, 202)
        let answer = try json(response)
        expectEqual(answer["control"]?.text, "output")
        expectEqual(answer["state"]?["value"]?.text, "on")
        expectEqual(answer["state"]?["phase"]?.text, "pending")
        #expect(bench.bench.hub.history.all.contains { $0.report.kind == .changed(.on, .api) })
    }

    @Test func aChangeFromTheShownValueIsAPatch() throws {
        let bench = try RequestBench()
        func value(_ id: String, _ body: String) throws -> String? {
            let response = try bench.ask("PATCH", "/api/v1/controls/\(id)", body)
            expectEqual(response.status, 202, "\(body)")
            let value = try json(response)["state"]?["value"]
            return value?.text ?? value?.line
        }
        expectEqual(try value("output", #"{"value": "toggle"}"#), "on")
        expectEqual(try value("output", #"{"value": "toggle"}"#), "off")
        expectEqual(try value("output", #"{"value": "on"}"#), "on", "a value is one here too")
        let level = try #require(Double(try value("level", #"{"value": 4}"#) ?? ""))
        expectEqual(level, 4)
        expectEqual(Double(try value("level", #"{"by": -1}"#) ?? ""), 3)
        expectEqual(Double(try value("level", #"{"value": {"by": "-100"}}"#) ?? ""), 0)
        for body in [#"{"value": "toggle"}"#, #"{"by": 1}"#] {
            let id = body.contains("by") ? "level" : "output"
            let refused = try bench.ask("PUT", "/api/v1/controls/\(id)", body)
            expectEqual(refused.status, 422)
            #expect(try json(refused)["detail"]?.text?.contains("PATCH") == true)
        }
        for (id, body) in [("output", #"{"value": "next"}"#), ("level", #"{"by": 0}"#)] {
            expectEqual(try bench.ask("PATCH", "/api/v1/controls/\(id)", body).status, 422)
        }
    }

    @Test func aPanelThatStandsStillIsAnsweredForIt() throws {
        let bench = try RequestBench()
        bench.panel.hold()
        bench.start("PUT", "/api/v1/controls/output", #"{"value": "on"}"#)
        bench.bench.pass(.milliseconds(1_999))
        #expect(bench.answers.isEmpty)
        bench.bench.pass(.milliseconds(1))
        expectEqual(bench.answers.map(\.status), [503])
    }

    @Test(arguments: [
        ("PUT", "/api/v1/controls/mode", #"{"value": "Eco"}"#, 409),
        ("PUT", "/api/v1/controls/modd", #"{"value": "Eco"}"#, 404),
        ("PUT", "/api/v1/controls/level", #"{"value": 10.5}"#, 422),
        ("PUT", "/api/v1/controls/level", #"{"value": "2,5"}"#, 422),
        ("PUT", "/api/v1/controls/output", "{", 400), ("PUT", "/api/v1/controls/output", "[]", 400),
        ("PUT", "/api/v1/controls/output", "", 422),
        ("PUT", "/api/v1/controls/erase", "{}", 409), ("PUT", "/api/v1/controls/arm", "{}", 409),
        ("PUT", "/api/v1/controls", "{}", 404), ("DELETE", "/api/v1/controls/output", "", 405),
        ("POST", "/api/v1/controls/erase/press", "{}", 409),
        ("POST", "/api/v1/lines/I1/cut", "", 409), ("POST", "/api/v1/clock", "{}", 409),
        ("POST", "/api/v1/simulation", "{}", 409), ("GET", "/api/v1/scenario", "", 409),
        ("GET", "/api/v1/trace", "", 409), ("POST", "/api/v1/lamp-test", "{}", 400),
        ("POST", "/api/v1/lamp-test", #"{"on": true}"#, 202), ("POST", "/api/v1/resync", "", 202),
        ("POST", "/api/v1/controls/tools/close", "", 202),
        ("POST", "/api/v1/controls/output/close", "", 422),
        ("POST", "/api/v1/controls/toosl/close", "", 404),
        ("GET", "/api/v1/events", "", 426), ("GET", "/api/v2/panel", "", 404),
        ("OPTIONS", "/api/v1/panel", "", 405), ("GET", "/favicon.ico", "", 404),
    ])
    func isAnswered(_ method: String, _ target: String, _ body: String, _ status: Int) throws {
        let bench = try RequestBench()
        let response = try bench.ask(method, target, body)
        expectEqual(response.status, status, "\(String(decoding: response.body, as: UTF8.self))")
        guard status >= 400 else { return }
        expectEqual(response.type, "application/problem+json")
        let problem = try json(response)
        expectEqual(problem["status"]?.whole, status)
        expectEqual(problem["title"]?.text?.isEmpty, false)
        expectEqual(problem["detail"]?.text?.isEmpty, false)
    }

    @Test func destructiveIsAskedTwice() throws {
        let bench = try RequestBench()
        let first = try bench.ask("PUT", "/api/v1/controls/erase", "{}")
        let token = try #require(try json(first)["confirm"]?.text)
        let second = try bench.ask(
            "PUT", "/api/v1/controls/erase", #"{"value": "press", "confirm": "\#(token)"}"#)
        expectEqual(second.status, 202)
        expectEqual(try json(second)["state"]?["phase"]?.text, "pending")
    }

    @Test func aFullPanelIsTooMuch() throws {
        let bench = try RequestBench()
        bench.panel.isFull = true
        for (method, target) in [("PUT", "controls/output"), ("POST", "resync")] {
            let response = try bench.ask(method, "/api/v1/\(target)", #"{"value": "on"}"#)
            expectEqual(response.status, 429)
        }
    }

    // MARK: A simulated panel

    @Test func theDeskIsReachedByPaths() throws {
        let bench = try RequestBench(isSimulated: true)
        let desk = try #require(bench.panel.simulation)
        let press = try bench.ask("POST", "/api/v1/controls/erase/press")
        expectEqual(press.status, 202)
        #expect(try json(press)["state"]?["stands"] != nil)
        let target = "/api/v1/lines/I1/stick"
        expectEqual(try bench.ask("POST", target, #"{"value": "active"}"#).status, 202)
        expectEqual(try bench.ask("POST", "/api/v1/clock", #"{"do": "pause"}"#).status, 202)
        let simulate = #"{"control": "output", "fail": 3}"#
        expectEqual(try bench.ask("POST", "/api/v1/simulation", simulate).status, 202)
        expectEqual(
            desk.script.withLock { $0.requests },
            [
                .gesture(.press(ControlID(3))),
                .gesture(.stick(LineID(0), .active)), .clock(.pause),
                .fail(ControlID(0), code: 3),
            ])
        expectEqual(Set(desk.script.withLock { $0.sources }).count, 1, "requests are one source")
        #expect(desk.script.withLock { $0.gone }.isEmpty)
    }

    @Test func whatWasDoneIsDownloaded() throws {
        let bench = try RequestBench(isSimulated: true)
        let scenario = try bench.ask("GET", "/api/v1/scenario?panel=my%20panel.yaml")
        expectEqual(scenario.body, Array("panel: my panel.yaml\n".utf8))
        #expect(scenario.headers.contains { $0.0 == "Content-Disposition" })
        let expected = try bench.ask("GET", "/api/v1/scenario?file=expected")
        expectEqual(expected.body, Array("{}\n".utf8))
        expectEqual(try bench.ask("GET", "/api/v1/trace").body, Array("$end\n".utf8))
    }

    @Test func downloadsHoldNobodyUpAndAreFew() throws {
        let bench = try RequestBench(isSimulated: true)
        for _ in 0..<ServerLimits.downloads { bench.start("GET", "/api/v1/trace") }
        #expect(bench.answers.isEmpty)
        bench.start("GET", "/api/v1/scenario")
        expectEqual(bench.answers.map(\.status), [429])
        bench.start("GET", "/api/v1/history")
        bench.bench.drain()
        expectEqual(bench.answers.map(\.status), [429, 200])
        bench.later.run()
        expectEqual(bench.answers.map(\.status), [429, 200, 200, 200])
        expectEqual(try bench.ask("GET", "/api/v1/trace").status, 200)
    }

    // MARK: Who may

    @Test(arguments: [
        ("localhost:8433", 200), ("LOCALHOST:8433", 200), ("127.0.0.1:8433", 200),
        ("[::1]:8433", 200), ("localhost", 421), ("localhost:80", 421), ("evil.example", 421),
        ("evil.example:8433", 421), ("localhost:8433.evil.example", 421), ("", 421),
    ])
    func onlyTheseHosts(_ host: String, _ status: Int) throws {
        let bench = try RequestBench()
        for path in ["/", "/api/v1/panel", "/healthz", "/nothing"] where status == 421 {
            expectEqual(try bench.ask("GET", path, headers: [("Host", host)]).status, 421)
        }
        expectEqual(try bench.ask("GET", "/", headers: [("Host", host)]).status, status)
    }

    @Test func aHostIsNamedOnce() throws {
        let bench = try RequestBench()
        expectEqual(try bench.ask("GET", "/", headers: []).status, 400)
        let twice = [("Host", "localhost:8433"), ("host", "evil.example")]
        expectEqual(try bench.ask("GET", "/", headers: twice).status, 400)
    }

    @Test(arguments: [
        ("http://localhost:8433", 202), ("http://127.0.0.1:8433", 202), ("null", 403),
        ("http://evil.example", 403), ("https://localhost:8433", 403),
        ("http://localhost:3000", 403), ("http://localhost:8433.evil.example", 403), ("", 403),
    ])
    func onlyTheseOriginsMayChange(_ origin: String, _ status: Int) throws {
        let bench = try RequestBench()
        let headers = [("Host", "localhost:8433"), ("Origin", origin)]
        expectEqual(try bench.ask("POST", "/api/v1/resync", headers: headers).status, status)
        let socket = HTTPRequest(method: "GET", target: "/api/v1/events", headers: headers)
        let refusal = bench.responder.refusalOfWebSocket(try #require(socket))
        expectEqual(refusal?.status, (status == 403 ? 403 : nil))
    }

    @Test func otherSitesMayOnlyLeadHere() throws {
        let bench = try RequestBench()
        let foreign = [("Host", "localhost:8433"), ("Sec-Fetch-Site", "cross-site")]
        expectEqual(try bench.ask("GET", "/api/v1/panel", headers: foreign).status, 403)
        expectEqual(try bench.ask("GET", "/page.js", headers: foreign).status, 403)
        expectEqual(try bench.ask("GET", "/", headers: foreign).status, 403)
        let visit = foreign + [("Sec-Fetch-Dest", "document")]
        expectEqual(try bench.ask("GET", "/", headers: visit).status, 200)
        expectEqual(try bench.ask("GET", "/api/v1/panel", headers: visit).status, 403)
    }

    @Test func namesThatAreAllowed() throws {
        let bench = try RequestBench(names: ["Bench.local"])
        for host in ["bench.local", "bench.local:8433", "BENCH.LOCAL:8433"] {
            expectEqual(try bench.ask("GET", "/", headers: [("Host", host)]).status, 200)
        }
        let headers = [("Host", "bench.local"), ("Origin", "https://bench.local")]
        expectEqual(try bench.ask("POST", "/api/v1/resync", headers: headers).status, 202)
        expectEqual(try bench.ask("GET", "/", headers: [("Host", "x.bench.local")]).status, 421)
    }

    @Test(
        arguments: [
            (nil, 401), ("Bearer 0123456789abcdef", 200), ("bearer 0123456789abcdef", 200),
            ("Bearer 0123456789abcdeX", 401), ("Bearer 0123456789abcde", 401),
            ("0123456789abcdef", 401), ("Basic 0123456789abcdef", 401), ("Bearer ", 401),
        ] as [(String?, Int)])
    func theTokenIsAskedFor(_ value: String?, _ status: Int) throws {
        let bench = try RequestBench(token: "0123456789abcdef")
        var headers = [("Host", "localhost:8433")]
        if let value { headers.append(("Authorization", value)) }
        for path in ["/api/v1/panel", "/api/v1/history", "/metrics"] {
            let response = try bench.ask("GET", path, headers: headers)
            expectEqual(response.status, status, "\(path)")
            expectEqual(
                response.headers.contains { $0 == ("WWW-Authenticate", "Bearer") }, (status == 401))
        }
        expectEqual(try bench.ask("GET", "/", headers: headers).status, 200, "the page must come")
        expectEqual(try bench.ask("GET", "/healthz", headers: headers).status, 200)
    }
}
