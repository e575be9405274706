import Certificates
import DetentTypes
import TestSupport
import Testing

@testable import DetentActions

/// Certificates of services: only a trusted one for the right name is given a request.
@Suite(
    .serialized, .enabled(if: Certificates.isInstalled, "openssl is not installed"))
struct HTTPTrustTests {
    /// Starts programs that trust an authority, as the environment of a panel says it.
    private final class Trusting: ActionRunner {
        let programs: ProcessSupervisor
        let authority: String

        init(_ programs: ProcessSupervisor, _ authority: String) {
            (self.programs, self.authority) = (programs, authority)
        }

        func start(_ request: ActionRequest, tell: @escaping @Sendable (AttemptEvent) -> Void) {
            var request = request
            if case .program(var call) = request.payload {
                call.environment.append((name: "CURL_CA_BUNDLE", value: authority))
                request.payload = .program(call)
            }
            programs.start(request, tell: tell)
        }

        func cancel(_ run: RunID) { programs.cancel(run) }
        func stop(within span: TimeSpan) -> Int { programs.stop(within: span) }
    }

    private static let secret = "correct-horse-battery"

    /// A request with a secret to the service, whose authority is trusted.
    private func begin(
        _ service: TLSService, trusting authority: String?, _ programs: ProcessSupervisor
    ) throws -> Outcomes {
        let runner: any ActionRunner = authority.map { Trusting(programs, $0) } ?? programs
        let http = HTTPRunner(
            programs: runner, secret: SecretSource { _ in Self.secret },
            loopback: try LoopbackClient())
        let outcomes = try Outcomes()
        let fields = [
            ActionField("put", .text("https://127.0.0.1:\(service.port)/lamp")),
            ActionField("headers", .pairs([TextPair("X-Key", "${env:KEY}")])),
            ActionField("body", .text("on")),
        ]
        http.start(
            ActionRequest(run: RunID(1), .fields(fields), timeout: .seconds(50)),
            tell: outcomes.tell)
        return outcomes
    }

    /// A refusal names the reason, and the service has seen nothing of the request.
    private func expectRefusal(
        of name: String, in certificates: Certificates, trusting authority: String?,
        because reason: String
    ) throws {
        let programs = try ProcessSupervisor()
        defer { _ = programs.stop(within: .seconds(10)) }
        let service = try TLSService(certificates, name)
        let outcomes = try begin(service, trusting: authority, programs)
        try #require(outcomes.waitForEnded(1))
        let result = try #require(outcomes.results.first)
        expectEqual(result.outcome, .failed(.unreachable), "\(result)")
        #expect(result.explanation.contains(reason), "\(result.explanation)")
        #expect(!result.explanation.contains(Self.secret))
        #expect(service.waitForEnd(), "\(service.said)")
        for word in ["PUT /lamp", "X-Key", Self.secret] {
            #expect(!service.said.contains(word), "\(service.said)")
        }
    }

    @Test func aCertificateThatNobodySignedIsRefused() throws {
        let certificates = try Certificates()
        try certificates.selfSign("lamp", for: "IP:127.0.0.1")
        try expectRefusal(
            of: "lamp", in: certificates, trusting: nil, because: "self-signed certificate")
        // Another authority does not help.
        try expectRefusal(
            of: "lamp", in: certificates, trusting: certificates.path("ca.pem"),
            because: "self-signed certificate")
    }

    @Test func anExpiredCertificateIsRefused() throws {
        let certificates = try Certificates()
        try certificates.issue("lamp", for: "IP:127.0.0.1", days: -1)
        try expectRefusal(
            of: "lamp", in: certificates, trusting: certificates.path("ca.pem"),
            because: "expired")
    }

    @Test func aCertificateForAnotherNameIsRefused() throws {
        let certificates = try Certificates()
        try certificates.issue("lamp", for: "DNS:other.example")
        try expectRefusal(
            of: "lamp", in: certificates, trusting: certificates.path("ca.pem"),
            because: "no alternative certificate subject name matches")
    }

    @Test func anUnknownAuthorityIsRefused() throws {
        let certificates = try Certificates()
        let others = try Certificates()
        try certificates.issue("lamp", for: "IP:127.0.0.1")
        try expectRefusal(
            of: "lamp", in: certificates, trusting: others.path("ca.pem"),
            because: "unable to get local issuer")
    }

    /// `CURL_CA_BUNDLE` names the authority of a house.
    @Test func aTrustedCertificateIsGivenTheRequest() throws {
        let certificates = try Certificates()
        try certificates.issue("lamp", for: "IP:127.0.0.1")
        let programs = try ProcessSupervisor()
        defer { _ = programs.stop(within: .seconds(10)) }
        let service = try TLSService(certificates, "lamp")
        let outcomes = try begin(
            service, trusting: certificates.path("ca.pem"), programs)
        try #require(service.wait(for: "\r\n\r\non"), "\(service.said)")
        service.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        try #require(outcomes.waitForEnded(1))
        expectEqual(outcomes.results.first?.outcome, .succeeded, "\(outcomes.results)")
        #expect(service.said.contains("PUT /lamp HTTP/1.1\r\n"))
        #expect(service.said.contains("X-Key: \(Self.secret)\r\n"))
    }
}
