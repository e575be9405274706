import DetentTypes
import Glibc
import TestSupport
import Testing

@testable import DetentActions

/// Requests to a service on loopback, made by the real `curl` and by the client of this program.
///
/// The control shows the same in both ways; only the sentences of the log differ.
@Suite(.serialized) final class HTTPRunnerTests {
    /// Who makes a request that both could make.
    enum Client: CaseIterable {
        case curl, own
    }

    private let programs: ProcessSupervisor
    private let runners: [Client: HTTPRunner]

    init() throws {
        programs = try ProcessSupervisor()
        let secret = SecretSource { (reference) throws(SecretError) in
            switch reference {
            case .variable("KEY"): "s3cr\"et\\"
            case .variable("NUL"): "a\0b"
            case .variable("LINES"): "a\r\nX-Evil: yes"
            case .variable, .file: throw SecretError(cause: "no secret", remedy: "set it")
            }
        }
        runners = [
            .curl: HTTPRunner(programs: programs, secret: secret, loopback: nil),
            .own: HTTPRunner(
                programs: programs, secret: secret, loopback: try LoopbackClient()),
        ]
    }

    deinit {
        for runner in runners.values { _ = runner.stop(within: .seconds(10)) }
        _ = programs.stop(within: .seconds(10))
    }

    private func runner(_ client: Client) throws -> HTTPRunner { try #require(runners[client]) }

    private func result(
        _ client: Client, _ fields: [ActionField], timeout: TimeSpan = .seconds(50),
        keepsAnswer: Bool = false
    ) throws -> ActionResult {
        let outcomes = try Outcomes()
        try runner(client).start(
            ActionRequest(
                run: RunID(1), .fields(fields), timeout: timeout, keepsAnswer: keepsAnswer),
            tell: outcomes.tell)
        guard outcomes.waitForEnded(1), let result = outcomes.results.first else {
            throw NoResult()
        }
        return result
    }

    private static let good = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

    // MARK: What is sent

    @Test(arguments: Client.allCases, ["get", "put", "post", "patch", "delete"])
    func eachMethodIsSent(client: Client, key: String) throws {
        let service = try WebService(answer: Self.good)
        defer { service.stop() }
        let result = try result(client, [ActionField(key, .text(service.address("/a?b=c")))])
        #expect(result.outcome == .succeeded && result.explanation == "HTTP 200")
        expectEqual(service.requests.count, 1)
        #expect(service.requests[0].hasPrefix("\(key.uppercased()) /a?b=c HTTP/1.1\r\n"))
    }

    @Test(
        arguments: Client.allCases,
        [
            "on", "a \"quoted\" word", "two\nlines\r\n\ttab\u{0B}", "back\\slash \\n",
            "@/etc/passwd",
            "ä😀", "", "url = \"http://127.0.0.1:1/\"",
        ])
    func bodyArrivesAsItIs(client: Client, body: String) throws {
        let service = try WebService(answer: Self.good)
        defer { service.stop() }
        let result = try result(
            client,
            [
                ActionField("put", .text(service.address())), ActionField("body", .text(body)),
            ])
        expectEqual(result.outcome, .succeeded)
        let request = try #require(service.requests.first)
        #expect(request.hasSuffix("\r\n\r\n\(body)"), "\(request)")
    }

    @Test(arguments: Client.allCases)
    func headersAndSecretsAreSent(client: Client) throws {
        let service = try WebService(answer: Self.good)
        defer { service.stop() }
        let result = try result(
            client,
            [
                ActionField("post", .text(service.address("/${env:KEY}"))),
                ActionField(
                    "headers",
                    .pairs([TextPair("X-Key", "Bearer ${env:KEY}"), TextPair("X-Two", "a b; c")])),
                ActionField("body", .text("{\"key\": \"${env:KEY}\"}")),
            ])
        expectEqual(result.outcome, .succeeded)
        let request = try #require(service.requests.first)
        #expect(request.contains("\r\nX-Key: Bearer s3cr\"et\\\r\n"))
        #expect(request.contains("\r\nX-Two: a b; c\r\n"))
        #expect(request.hasPrefix("POST /s3cr%22et%5C HTTP/1.1"))
        #expect(request.hasSuffix("{\"key\": \"s3cr\"et\\\"}"))
    }

    /// Everybody on the machine can read the arguments of a program.
    @Test func nothingOfTheRequestIsAnArgument() throws {
        let call = try #require(
            try HTTPCall(
                [ActionField("get", .text("http://host/${env:HOME}"))],
                secret: SecretSource { _ in "hidden" }))
        expectEqual(call.program.arguments, ["curl", "-q", "--config", "-"])
        #expect(call.program.environment.isEmpty)
    }

    @Test(arguments: Client.allCases)
    func aSecretOfSeveralLinesAddsNoHeader(client: Client) throws {
        let result = try result(
            client,
            [
                ActionField("get", .text("http://127.0.0.1:1/")),
                ActionField("headers", .pairs([TextPair("X", "${env:LINES}")])),
            ])
        #expect(result.outcome == .failed(.notStarted) && result.startedAt == nil)
        #expect(result.explanation.contains("several lines"))
        #expect(!result.explanation.contains("Evil"))
    }

    @Test(arguments: Client.allCases)
    func aMissingSecretSaysWhich(client: Client) throws {
        let result = try result(
            client, [ActionField("get", .text("http://127.0.0.1:1/${env:NONE}"))])
        expectEqual(result.outcome, .failed(.notStarted))
        expectEqual(result.explanation, "no secret; set it")
    }

    /// A service may repeat a secret in its answer, and that goes to the log.
    @Test(arguments: Client.allCases)
    func aSecretThatIsAnsweredIsNotShown(client: Client) throws {
        let service = try WebService { $0.send("HTTP/1.1 403 No\r\n\r\nwrong key s3cr\"et\\!") }
        defer { service.stop() }
        let result = try result(
            client,
            [
                ActionField("get", .text(service.address())),
                ActionField("headers", .pairs([TextPair("X-Key", "${env:KEY}")])),
            ])
        expectEqual(result.outcome, .failed(.http(status: 403)))
        expectEqual(result.standardOutputTail, "wrong key …!")
    }

    @Test(arguments: Client.allCases)
    func aSecretThatIsRepeatedAsAnAddressIsNotShown(client: Client) throws {
        let service = try WebService {
            $0.send("HTTP/1.1 404 No\r\n\r\nno /s3cr%22et%5C here")
        }
        defer { service.stop() }
        let result = try result(client, [ActionField("get", .text(service.address("/${env:KEY}")))])
        expectEqual(result.standardOutputTail, "no /… here")
    }

    /// It would end the text that curl reads.
    @Test(arguments: Client.allCases)
    func aSecretWithANULIsRefused(client: Client) throws {
        let result = try result(
            client,
            [
                ActionField("put", .text("http://127.0.0.1:1/")),
                ActionField("body", .text("a${env:NUL}b")),
            ])
        expectEqual(result.outcome, .failed(.notStarted))
        #expect(result.explanation.contains("NUL"))
    }

    // MARK: How it ends

    @Test(
        arguments: Client.allCases,
        [
            (200, .succeeded, "HTTP 200"), (204, .succeeded, "HTTP 204"),
            (404, .failed(.http(status: 404)), "HTTP 404"),
            (503, .failed(.http(status: 503)), "HTTP 503"),
        ] as [(Int, ActionOutcome, String)])
    func theStatusDecides(client: Client, it: (Int, ActionOutcome, String)) throws {
        let (status, outcome, text) = it
        let service = try WebService(answer: "HTTP/1.1 \(status) X\r\nContent-Length: 0\r\n\r\n")
        defer { service.stop() }
        let result = try result(client, [ActionField("get", .text(service.address()))])
        #expect(result.outcome == outcome && result.explanation == text)
    }

    @Test(arguments: Client.allCases, ["http://127.0.0.1:1/", "file:///etc/passwd", "/other"])
    func noRedirectIsFollowed(client: Client, target: String) throws {
        let service = try WebService(
            answer: "HTTP/1.1 302 X\r\nLocation: \(target)\r\nContent-Length: 0\r\n\r\n")
        defer { service.stop() }
        let result = try result(
            client, [ActionField("get", .text(service.address()))], keepsAnswer: true)
        #expect(result.outcome == .failed(.http(status: 302)) && result.answer == nil)
        #expect(result.explanation.contains("does not follow"))
        expectEqual(service.requests.count, 1)
    }

    @Test(arguments: Client.allCases)
    func anAnswerWithoutEndIsCut(client: Client) throws {
        let chunk = "10000\r\n" + String(repeating: "x", count: 65_536) + "\r\n"
        let service = try WebService { connection in
            connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
            while connection.send(chunk) {}
        }
        defer { service.stop() }
        let result = try result(
            client, [ActionField("get", .text(service.address()))], keepsAnswer: true)
        #expect(result.outcome == .failed(.invalidAnswer) && result.answer == nil)
        expectEqual(result.explanation, "the answer is longer than 65536 bytes")
    }

    @Test(arguments: Client.allCases)
    func anAnswerAsLongAsTheLimitIsKept(client: Client) throws {
        let body = String(repeating: "x", count: ActionLimits.httpAnswer)
        let service = try WebService(
            answer: "HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
        defer { service.stop() }
        let result = try result(
            client, [ActionField("get", .text(service.address()))], keepsAnswer: true)
        #expect(result.outcome == .succeeded && result.answer == Array(body.utf8))
    }

    @Test(arguments: Client.allCases)
    func aServiceThatHangsTimesOut(client: Client) throws {
        let service = try WebService { $0.waitForEnd() }
        defer { service.stop() }
        let result = try result(
            client, [ActionField("get", .text(service.address()))], timeout: .milliseconds(300))
        expectEqual(result.outcome, .timedOut)
    }

    /// The service may have done what it was asked to do.
    @Test(arguments: Client.allCases)
    func aConnectionThatBreaksIsUncertain(client: Client) throws {
        let service = try WebService { _ in }
        defer { service.stop() }
        let result = try result(client, [ActionField("put", .text(service.address()))])
        expectEqual(result.outcome, .lost, "\(result)")
        #expect(!result.explanation.isEmpty)
    }

    @Test(
        arguments: Client.allCases,
        ["HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort", "nonsense\r\n\r\n"])
    func anAnswerThatIsCutShortIsUncertain(client: Client, answer: String) throws {
        let service = try WebService(answer: answer)
        defer { service.stop() }
        let result = try result(
            client, [ActionField("put", .text(service.address()))], keepsAnswer: true)
        #expect(result.outcome == .lost && result.answer == nil, "\(result)")
    }

    @Test(
        arguments: Client.allCases,
        ["http://127.0.0.1:1/", "https://127.0.0.1:1/", "http://name.invalid/"])
    func whatCannotBeReachedSaysSo(client: Client, address: String) throws {
        let result = try result(client, [ActionField("get", .text(address))])
        expectEqual(result.outcome, .failed(.unreachable), "\(result)")
        #expect(!result.explanation.isEmpty)
    }

    /// A service that does not speak TLS; a wrong certificate ends in the same place.
    @Test(arguments: Client.allCases)
    func withoutTLSNothingIsSent(client: Client) throws {
        let service = try WebService(answer: Self.good)
        defer { service.stop() }
        let address = "https://127.0.0.1:\(service.port)/"
        let outcomes = try Outcomes()
        try runner(client).start(
            ActionRequest(
                run: RunID(1), .fields([ActionField("get", .text(address))]),
                timeout: .milliseconds(500)), tell: outcomes.tell)
        #expect(outcomes.waitForEnded(1))
        #expect(outcomes.results.first?.outcome != .succeeded)
        #expect(service.requests.isEmpty)
    }

    @Test(arguments: Client.allCases)
    func aRequestIsCancelled(client: Client) throws {
        let service = try WebService { $0.waitForEnd() }
        defer { service.stop() }
        let outcomes = try Outcomes()
        try runner(client).start(
            ActionRequest(run: RunID(7), .fields([ActionField("get", .text(service.address()))])),
            tell: outcomes.tell)
        #expect(outcomes.waitForBegun(1))
        try runner(client).cancel(RunID(7))
        #expect(outcomes.waitForEnded(1))
        expectEqual(outcomes.results.first?.outcome, .cancelled)
    }

    /// Its requests are those of the runner of programs, which counts them.
    @Test(arguments: Client.allCases)
    func itLeavesNothingBehind(client: Client) throws {
        expectEqual(try runner(client).stop(within: .zero), 0)
    }

    @Test(arguments: Client.allCases)
    func otherPayloadsAreRefused(client: Client) throws {
        let outcomes = try Outcomes()
        try runner(client).start(
            ActionRequest(run: RunID(1), .program(ProgramCall(["true"]))), tell: outcomes.tell)
        #expect(outcomes.waitForEnded(1))
        expectEqual(outcomes.results.first?.outcome, .failed(.notStarted))
    }

    // MARK: The client of this program

    /// `localhost` is ::1 first, and nobody listens there.
    @Test func everyAddressOfTheNameIsTried() throws {
        let service = try WebService(answer: Self.good)
        defer { service.stop() }
        let result = try result(
            .own, [ActionField("get", .text("http://localhost:\(service.port)/x"))])
        expectEqual(result.outcome, .succeeded, "\(result)")
        let request = try #require(service.requests.first)
        #expect(request.contains("\r\nUser-Agent: detent\r\n"))
        #expect(request.contains("\r\nHost: localhost:\(service.port)\r\n"))
    }

    /// More than the kernel takes at once.
    @Test func aLongBodyIsSentInParts() throws {
        let service = try WebService(answer: Self.good)
        defer { service.stop() }
        let body = String(repeating: "0123456789abcdef", count: 500_000)
        let result = try result(
            .own,
            [ActionField("put", .text(service.address())), ActionField("body", .text(body))])
        expectEqual(result.outcome, .succeeded, "\(result.explanation)")
        expectEqual(
            service.requests.first?.utf8.suffix(16).elementsEqual("0123456789abcdef".utf8), true)
        #expect((service.requests.first?.utf8.count ?? 0) > body.utf8.count)
    }

    /// Begins a request to each service, numbered from 0.
    private func begin(_ services: [WebService]) throws -> Outcomes {
        let outcomes = try Outcomes()
        for (number, service) in services.enumerated() {
            try runner(.own).start(
                ActionRequest(
                    run: RunID(UInt32(number)),
                    .fields([ActionField("get", .text(service.address()))])),
                tell: outcomes.tell)
        }
        return outcomes
    }

    /// Services that hang delay no other, however many controls poll them.
    @Test(arguments: [1, 15, 16, 99]) func answersAreReadSideBySide(hanging: Int) throws {
        let slow = try WebService { $0.waitForEnd() }
        let quick = try WebService(answer: Self.good)
        defer {
            slow.stop()
            quick.stop()
        }
        let outcomes = try begin(Array(repeating: slow, count: hanging) + [quick])
        #expect(outcomes.waitForEnded(1))
        expectEqual(outcomes.results.map(\.run), [RunID(UInt32(hanging))])
        _ = try runner(.own).stop(within: .seconds(10))
        let others = outcomes.results.dropFirst().map(\.outcome)
        expectEqual(others, Array(repeating: .cancelled, count: hanging))
    }

    /// From the moment when it is told as begun, an attempt can be cancelled.
    @Test func aCancelThatComesWhileItStartsIsNotLost() throws {
        let slow = try WebService { $0.waitForEnd() }
        let quick = try WebService(answer: Self.good)
        defer {
            slow.stop()
            quick.stop()
        }
        let (runner, outcomes, other) = (try runner(.own), try Outcomes(), try Outcomes())
        func request(_ number: UInt32, _ service: WebService) -> ActionRequest {
            ActionRequest(
                run: RunID(number), .fields([ActionField("get", .text(service.address()))]))
        }
        let second = request(2, quick)
        runner.start(request(1, slow)) { event in
            outcomes.tell(event)
            guard case .began = event else { return }
            runner.cancel(RunID(1))
            // When this one has ended, the thread has seen the cancel.
            runner.start(second, tell: other.tell)
            #expect(other.waitForEnded(1))
        }
        #expect(outcomes.waitForEnded(1))
        expectEqual(outcomes.results.map(\.outcome), [.cancelled])
    }

    /// The panel goes on; the programs' runner refuses what comes later.
    @Test func afterItsEndNothingIsSent() throws {
        let service = try WebService(answer: Self.good)
        defer { service.stop() }
        let client = try LoopbackClient()
        client.stop()
        let call = try #require(
            try HTTPCall(
                [ActionField("get", .text(service.address()))], secret: .system))
        let plain = try #require(PlainRequest(call) { _ in nil })
        let isSent = client.start(
            ActionRequest(run: RunID(1), .fields([])), plain
        ) { _ in Issue.record("it told something") }
        #expect(!isSent)
        #expect(service.requests.isEmpty)
    }
}
