import DetentPlatform
import DetentTypes
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import DetentActions

/// Services that drip or never end, against both ways to make a request.
@Suite(.serialized) final class HTTPHostileTests {
    private let programs: ProcessSupervisor
    private let runners: [HTTPRunnerTests.Client: HTTPRunner]

    init() throws {
        programs = try ProcessSupervisor()
        let secret = SecretSource { _ in "" }
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

    private func result(
        _ client: HTTPRunnerTests.Client, _ service: WebService, timeout: TimeSpan
    ) throws -> ActionResult {
        let outcomes = try Outcomes()
        try #require(runners[client]).start(
            ActionRequest(
                run: RunID(1), .fields([ActionField("get", .text(service.address()))]),
                timeout: timeout, keepsAnswer: true), tell: outcomes.tell)
        guard outcomes.waitForEnded(1), let result = outcomes.results.first else {
            throw NoResult()
        }
        return result
    }

    /// What a service has seen of its connection.
    private final class Seen: Sendable {
        let wasAsked = Atomic<Bool>(false)
        let wasClosed = Atomic<Bool>(false)
        let sent = Atomic<Int>(0)
        let error = Atomic<Int32>(0)
    }

    /// Where a service begins to drip.
    enum Part {
        case status, head, body, chunk

        /// What comes at once.
        var start: String {
            switch self {
            case .status: ""
            case .head: "HTTP/1.1 200 OK\r\nX-Slow: "
            case .body: "HTTP/1.1 200 OK\r\nContent-Length: 60000\r\n\r\n"
            case .chunk: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffff\r\n"
            }
        }

        /// What comes byte by byte.
        var drops: String { self == .status ? "HTTP/1.1 200 " : "x" }
    }

    /// The time of an attempt is the time of all of it: a byte now and then does not lengthen it.
    @Test(
        arguments: HTTPRunnerTests.Client.allCases,
        [
            (.status, 20), (.status, 1_000), (.head, 20), (.head, 1_000), (.body, 20),
            (.body, 1_000), (.chunk, 20), (.chunk, 1_000),
        ] as [(Part, Int32)])
    func aServiceThatDripsTimesOut(
        client: HTTPRunnerTests.Client, drip: (part: Part, milliseconds: Int32)
    ) throws {
        let (part, milliseconds) = drip
        let seen = Seen()
        let service = try WebService { connection in
            seen.wasAsked.store(true, ordering: .relaxed)
            connection.send(part.start)
            var drops = Array(repeating: Array(part.drops), count: 3_000).flatMap { $0 }[...]
            while !connection.isOver(within: milliseconds), let drop = drops.popFirst() {
                connection.send(String(drop))
            }
            seen.wasClosed.store(!drops.isEmpty, ordering: .relaxed)
        }
        // On a busy machine the time may be over before curl has asked: then it has more.
        for timeout: TimeSpan in [.milliseconds(300), .seconds(3), .seconds(9)] {
            let start = MonotonicClock.now
            let result = try result(client, service, timeout: timeout)
            let span = MonotonicClock.now - start
            #expect(result.outcome == .timedOut && result.answer == nil, "\(result)")
            #expect(span >= timeout)
            #expect(span < timeout + .seconds(20), "it ends at once on a machine at rest")
            if seen.wasAsked.load(ordering: .relaxed) { break }
        }
        service.stop()
        let wasClosed = seen.wasClosed.load(ordering: .relaxed)
        #expect(wasClosed, "the connection is closed")
    }

    /// 10 GB are promised, and a gigabyte would come: it is cut after what may be kept.
    @Test(arguments: HTTPRunnerTests.Client.allCases)
    func aHugeAnswerIsCut(client: HTTPRunnerTests.Client) throws {
        let seen = Seen()
        let most = 1 << 30
        let chunk = String(repeating: "x", count: 65_536)
        let service = try WebService { connection in
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 10000000000\r\n\r\n")
            while seen.sent.load(ordering: .relaxed) < most, connection.send(chunk) {
                seen.sent.wrappingAdd(chunk.utf8.count, ordering: .relaxed)
            }
            seen.error.store(errno, ordering: .relaxed)
        }
        let result = try result(client, service, timeout: .seconds(50))
        service.stop()
        #expect(result.outcome == .failed(.invalidAnswer) && result.answer == nil, "\(result)")
        expectEqual(result.explanation, "the answer is longer than 65536 bytes")
        // The rest is what the kernel holds for both sides of a connection, and curl's pipe.
        let count = seen.sent.load(ordering: .relaxed)
        #expect(count < 64 << 20, "\(count) bytes were taken")
        let why = seen.error.load(ordering: .relaxed)
        #expect(why == EPIPE || why == ECONNRESET, "the connection is closed: \(why)")
        #expect(result.standardOutputTail?.utf8.count ?? 0 <= ActionLimits.outputTail)
    }

    /// What is kept of an answer does not depend on what is promised or sent.
    @Test func anAnswerKeepsNoMoreThanItsBound() {
        var answer = HTTPAnswer()
        answer.take("HTTP/1.1 200 OK\r\nContent-Length: 10000000000\r\n\r\n".utf8)
        let bytes = [UInt8](repeating: 0x78, count: 16_384)
        for _ in 0..<1_000 { answer.take(bytes) }
        expectEqual(answer.progress, .tooLong)
        expectEqual(answer.body.count, ActionLimits.httpAnswer)
        // An array doubles, and takes what the allocator rounds up to.
        #expect(answer.body.capacity < 2 * ActionLimits.httpAnswer + 4_096)
    }
}

extension WebService.Connection {
    /// Waits for the other side to close, this long at most; whether it has.
    fileprivate func isOver(within milliseconds: Int32) -> Bool {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&entry, 1, milliseconds) == 1 else { return false }
        var byte: UInt8 = 0
        return recv(descriptor, &byte, 1, 0) <= 0
    }
}
