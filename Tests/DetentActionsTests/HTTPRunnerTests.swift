import DetentTypes
import Glibc
import Testing

@testable import DetentActions

/// Requests to web services, made by the real `curl` to a service on loopback.
@Suite(.serialized) final class HTTPRunnerTests {
    private let programs: ProcessSupervisor
    private let runner: HTTPRunner

    init() throws {
        programs = try ProcessSupervisor()
        runner = HTTPRunner(
            programs: programs,
            secret: SecretSource { (reference) throws(SecretError) in
                switch reference {
                case .variable("KEY"): "s3cr\"et\\"
                case .variable("NUL"): "a\0b"
                case .variable("LINES"): "a\r\nX-Evil: yes"
                case .variable, .file: throw SecretError(cause: "no secret", remedy: "set it")
                }
            })
    }

    deinit {
        _ = programs.stop(within: .seconds(10))
    }

    private func result(
        _ fields: [ActionField], timeout: TimeSpan = .seconds(50), keepsAnswer: Bool = false
    ) throws -> ActionResult {
        let outcomes = try Outcomes()
        runner.start(
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

    @Test(arguments: ["get", "put", "post", "patch", "delete"])
    func eachMethodIsSent(key: String) throws {
        let service = try WebService(answer: Self.good)
        defer { service.stop() }
        let result = try result([ActionField(key, .text(service.address("/a?b=c")))])
        #expect(result.outcome == .succeeded && result.explanation == "HTTP 200")
        #expect(service.requests.count == 1)
        #expect(service.requests[0].hasPrefix("\(key.uppercased()) /a?b=c HTTP/1.1\r\n"))
    }

    @Test(arguments: [
        "on", "a \"quoted\" word", "two\nlines\r\n\ttab\u{0B}", "back\\slash \\n", "@/etc/passwd",
        "ä😀", "", "url = \"http://127.0.0.1:1/\"",
    ])
    func bodyArrivesAsItIs(body: String) throws {
        let service = try WebService(answer: Self.good)
        defer { service.stop() }
        let result = try result([
            ActionField("put", .text(service.address())), ActionField("body", .text(body)),
        ])
        #expect(result.outcome == .succeeded)
        let request = try #require(service.requests.first)
        #expect(request.hasSuffix("\r\n\r\n\(body)"), "\(request)")
    }

    @Test func headersAndSecretsAreSent() throws {
        let service = try WebService(answer: Self.good)
        defer { service.stop() }
        let result = try result([
            ActionField("post", .text(service.address("/${env:KEY}"))),
            ActionField(
                "headers",
                .pairs([TextPair("X-Key", "Bearer ${env:KEY}"), TextPair("X-Two", "a b; c")])),
            ActionField("body", .text("{\"key\": \"${env:KEY}\"}")),
        ])
        #expect(result.outcome == .succeeded)
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
        #expect(call.program.arguments == ["curl", "-q", "--config", "-"])
        #expect(call.program.environment.isEmpty)
    }

    @Test func aSecretOfSeveralLinesAddsNoHeader() throws {
        let result = try result([
            ActionField("get", .text("http://127.0.0.1:1/")),
            ActionField("headers", .pairs([TextPair("X", "${env:LINES}")])),
        ])
        #expect(result.outcome == .failed(.notStarted) && result.startedAt == nil)
        #expect(result.explanation.contains("several lines"))
        #expect(!result.explanation.contains("Evil"))
    }

    @Test func aMissingSecretSaysWhich() throws {
        let result = try result([ActionField("get", .text("http://127.0.0.1:1/${env:NONE}"))])
        #expect(result.outcome == .failed(.notStarted))
        #expect(result.explanation == "no secret; set it")
    }

    /// A service may repeat a secret in its answer, and that goes to the log.
    @Test func aSecretThatIsAnsweredIsNotShown() throws {
        let service = try WebService { $0.send("HTTP/1.1 403 No\r\n\r\nwrong key s3cr\"et\\!") }
        defer { service.stop() }
        let result = try result([
            ActionField("get", .text(service.address())),
            ActionField("headers", .pairs([TextPair("X-Key", "${env:KEY}")])),
        ])
        #expect(result.outcome == .failed(.http(status: 403)))
        #expect(result.standardOutputTail == "wrong key …!")
    }

    @Test func aSecretThatIsRepeatedAsAnAddressIsNotShown() throws {
        let service = try WebService {
            $0.send("HTTP/1.1 404 No\r\n\r\nno /s3cr%22et%5C here")
        }
        defer { service.stop() }
        let result = try result([ActionField("get", .text(service.address("/${env:KEY}")))])
        #expect(result.standardOutputTail == "no /… here")
    }

    /// It would end the text that curl reads.
    @Test func aSecretWithANULIsRefused() throws {
        let result = try result([
            ActionField("put", .text("http://127.0.0.1:1/")),
            ActionField("body", .text("a${env:NUL}b")),
        ])
        #expect(result.outcome == .failed(.notStarted))
        #expect(result.explanation.contains("NUL"))
    }

    // MARK: How it ends

    @Test(
        arguments: [
            (200, .succeeded, "HTTP 200"), (204, .succeeded, "HTTP 204"),
            (404, .failed(.http(status: 404)), "HTTP 404"),
            (503, .failed(.http(status: 503)), "HTTP 503"),
        ] as [(Int, ActionOutcome, String)])
    func theStatusDecides(status: Int, outcome: ActionOutcome, text: String) throws {
        let service = try WebService(answer: "HTTP/1.1 \(status) X\r\nContent-Length: 0\r\n\r\n")
        defer { service.stop() }
        let result = try result([ActionField("get", .text(service.address()))])
        #expect(result.outcome == outcome && result.explanation == text)
    }

    @Test(arguments: ["http://127.0.0.1:1/", "file:///etc/passwd", "/other"])
    func noRedirectIsFollowed(target: String) throws {
        let service = try WebService(
            answer: "HTTP/1.1 302 X\r\nLocation: \(target)\r\nContent-Length: 0\r\n\r\n")
        defer { service.stop() }
        let result = try result([ActionField("get", .text(service.address()))], keepsAnswer: true)
        #expect(result.outcome == .failed(.http(status: 302)) && result.answer == nil)
        #expect(result.explanation.contains("does not follow"))
        #expect(service.requests.count == 1)
    }

    @Test func anAnswerWithoutEndIsCut() throws {
        let chunk = "10000\r\n" + String(repeating: "x", count: 65_536) + "\r\n"
        let service = try WebService { connection in
            connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
            while connection.send(chunk) {}
        }
        defer { service.stop() }
        let result = try result([ActionField("get", .text(service.address()))], keepsAnswer: true)
        #expect(result.outcome == .failed(.invalidAnswer) && result.answer == nil)
        #expect(result.explanation == "the answer is longer than 65536 bytes")
    }

    @Test func anAnswerAsLongAsTheLimitIsKept() throws {
        let body = String(repeating: "x", count: ActionLimits.httpAnswer)
        let service = try WebService(
            answer: "HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
        defer { service.stop() }
        let result = try result([ActionField("get", .text(service.address()))], keepsAnswer: true)
        #expect(result.outcome == .succeeded && result.answer == Array(body.utf8))
    }

    @Test func aServiceThatHangsTimesOut() throws {
        let service = try WebService { $0.waitForEnd() }
        defer { service.stop() }
        let result = try result(
            [ActionField("get", .text(service.address()))], timeout: .milliseconds(300))
        #expect(result.outcome == .timedOut)
    }

    /// The service may have done what it was asked to do.
    @Test func aConnectionThatBreaksIsUncertain() throws {
        let service = try WebService { _ in }
        defer { service.stop() }
        let result = try result([ActionField("put", .text(service.address()))])
        #expect(result.outcome == .lost, "\(result)")
        #expect(!result.explanation.isEmpty)
    }

    @Test(arguments: ["HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort", "nonsense\r\n\r\n"])
    func anAnswerThatIsCutShortIsUncertain(answer: String) throws {
        let service = try WebService(answer: answer)
        defer { service.stop() }
        let result = try result([ActionField("put", .text(service.address()))], keepsAnswer: true)
        #expect(result.outcome == .lost && result.answer == nil, "\(result)")
    }

    @Test(arguments: ["http://127.0.0.1:1/", "https://127.0.0.1:1/", "http://name.invalid/"])
    func whatCannotBeReachedSaysSo(address: String) throws {
        let result = try result([ActionField("get", .text(address))])
        #expect(result.outcome == .failed(.unreachable), "\(result)")
        #expect(!result.explanation.isEmpty)
    }

    /// A service that does not speak TLS; a wrong certificate ends in the same place.
    @Test func withoutTLSNothingIsSent() throws {
        let service = try WebService(answer: Self.good)
        defer { service.stop() }
        let address = "https://127.0.0.1:\(service.port)/"
        let outcomes = try Outcomes()
        runner.start(
            ActionRequest(
                run: RunID(1), .fields([ActionField("get", .text(address))]),
                timeout: .milliseconds(500)), tell: outcomes.tell)
        #expect(outcomes.waitForEnded(1))
        #expect(outcomes.results.first?.outcome != .succeeded)
        #expect(service.requests.isEmpty)
    }

    @Test func aRequestIsCancelled() throws {
        let service = try WebService { $0.waitForEnd() }
        defer { service.stop() }
        let outcomes = try Outcomes()
        runner.start(
            ActionRequest(run: RunID(7), .fields([ActionField("get", .text(service.address()))])),
            tell: outcomes.tell)
        #expect(outcomes.waitForBegun(1))
        runner.cancel(RunID(7))
        #expect(outcomes.waitForEnded(1))
        #expect(outcomes.results.first?.outcome == .cancelled)
    }

    /// Its requests are those of the runner of programs, which counts them.
    @Test func itLeavesNothingBehind() throws {
        #expect(runner.stop(within: .zero) == 0)
    }

    @Test func otherPayloadsAreRefused() throws {
        let outcomes = try Outcomes()
        runner.start(
            ActionRequest(run: RunID(1), .program(ProgramCall(["true"]))), tell: outcomes.tell)
        #expect(outcomes.waitForEnded(1))
        #expect(outcomes.results.first?.outcome == .failed(.notStarted))
    }
}
