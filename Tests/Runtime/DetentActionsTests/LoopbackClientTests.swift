import DetentTypes
import Glibc
import TestSupport
import Testing

@testable import DetentActions

/// Connections that are kept for a next request.
@Suite struct LoopbackClientTests {
    /// Makes requests one after another with one client.
    private final class Caller {
        let client: LoopbackClient
        let outcomes: Outcomes
        private var count: UInt32 = 0

        init(keptTime: TimeSpan = .seconds(3_600)) throws {
            client = try LoopbackClient(keptTime: keptTime)
            outcomes = try Outcomes()
        }

        deinit { client.stop() }

        /// Begins a request; false if the client does not take it.
        @discardableResult
        func begin(
            _ key: String, _ address: String, timeout: TimeSpan = .seconds(20)
        ) throws -> Bool {
            let call = try #require(
                try HTTPCall([ActionField(key, .text(address))], secret: .system))
            let plain = try #require(PlainRequest(call) { _ in nil })
            count += 1
            return client.start(
                ActionRequest(run: RunID(count), .fields([]), timeout: timeout), plain,
                tell: outcomes.tell)
        }

        /// Makes a request, and waits for its end.
        func make(_ key: String, _ address: String) throws -> ActionOutcome {
            try begin(key, address)
            guard outcomes.waitForEnded(Int(count)), let last = outcomes.results.last else {
                throw NoResult()
            }
            return last.outcome
        }
    }

    private static let good = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

    /// Answers every request of a connection.
    private static func serving() throws -> WebService {
        try WebService { connection in
            repeat { connection.send(good) } while connection.readRequest()
        }
    }

    @Test func aNextRequestUsesTheConnection() throws {
        let service = try Self.serving()
        defer { service.stop() }
        let it = try Caller()
        for key in ["put", "get", "delete", "put"] {
            expectEqual(try it.make(key, service.address("/\(key)")), .succeeded)
        }
        expectEqual(service.connections, 1)
        expectEqual(service.requests.count, 4)
        it.client.stop()
    }

    /// `localhost` is ::1 first, where nobody listens.
    @Test func aConnectionIsFoundByAnyAddressOfTheName() throws {
        let service = try Self.serving()
        defer { service.stop() }
        let it = try Caller()
        for _ in 0..<3 {
            expectEqual(try it.make("put", "http://localhost:\(service.port)/"), .succeeded)
        }
        expectEqual(service.connections, 1)
        it.client.stop()
    }

    /// It may not be done twice, so it gets a connection that no one can have closed.
    @Test(arguments: ["post", "patch"])
    func whatIsNotRepeatableHasAConnectionOfItsOwn(key: String) throws {
        let service = try Self.serving()
        defer { service.stop() }
        let it = try Caller()
        for each in ["put", key, key, "put", "put"] {
            expectEqual(try it.make(each, service.address()), .succeeded)
        }
        expectEqual(service.connections, 4)
        it.client.stop()
    }

    @Test func anotherServiceHasAnotherConnection() throws {
        let (one, two) = (try Self.serving(), try Self.serving())
        defer {
            one.stop()
            two.stop()
        }
        let it = try Caller()
        for service in [one, two, one, two] {
            expectEqual(try it.make("put", service.address()), .succeeded)
        }
        #expect(one.connections == 1 && two.connections == 1)
        it.client.stop()
    }

    /// It closes without a word after each answer: no request is lost, and none is sent twice.
    @Test func aServiceThatClosesAlwaysGetsEachRequestOnce() throws {
        let service = try WebService(answer: Self.good)
        defer { service.stop() }
        let it = try Caller()
        for number in 0..<50 {
            expectEqual(try it.make("put", service.address("/\(number)")), .succeeded)
        }
        expectEqual(service.requests.count, 50)
    }

    /// It closes at the moment of the second request, which it does not answer.
    @Test func aRequestOnAClosedConnectionIsSentAgain() throws {
        let service = try WebService { connection in
            connection.send(Self.good)
            _ = connection.readRequest()
        }
        defer { service.stop() }
        let it = try Caller()
        for path in ["/1", "/2"] {
            expectEqual(try it.make("put", service.address(path)), .succeeded)
        }
        expectEqual(service.requests.map { $0.prefix(6) }, ["PUT /1", "PUT /2", "PUT /2"])
        it.client.stop()
    }

    @Test(arguments: [true, false])
    func aRequestOnAKeptConnectionIsCancelledAndTimesOut(isCancelled: Bool) throws {
        let service = try WebService { connection in
            connection.send(Self.good)
            while connection.readRequest() {}
        }
        defer { service.stop() }
        let it = try Caller()
        expectEqual(try it.make("put", service.address()), .succeeded)
        try it.begin("put", service.address(), timeout: .milliseconds(isCancelled ? 20_000 : 30))
        if isCancelled { it.client.cancel(RunID(2)) }
        #expect(it.outcomes.waitForEnded(2))
        expectEqual(it.outcomes.results.last?.outcome, (isCancelled ? .cancelled : .timedOut))
        expectEqual(service.connections, 1)
        it.client.stop()
    }

    /// What is not answered on a connection of its own may have been done, and is not tried again.
    @Test func aRequestIsSentAgainOnlyOnce() throws {
        let service = try WebService { connection in
            if connection.isFirst { connection.send(Self.good) }
            _ = connection.isFirst && connection.readRequest()
        }
        defer { service.stop() }
        let it = try Caller()
        expectEqual(try it.make("put", service.address("/1")), .succeeded)
        expectEqual(try it.make("put", service.address("/2")), .lost)
        expectEqual(service.requests.map { $0.prefix(6) }, ["PUT /1", "PUT /2", "PUT /2"])
    }

    /// The service has begun to answer, so it has the request.
    @Test func anAnswerThatIsCutOnAKeptConnectionIsUncertain() throws {
        let service = try WebService { connection in
            connection.send(Self.good)
            if connection.readRequest() { connection.send("HTTP/1.1 200 OK\r\nContent-") }
        }
        defer { service.stop() }
        let it = try Caller()
        expectEqual(try it.make("put", service.address("/1")), .succeeded)
        expectEqual(try it.make("put", service.address("/2")), .lost)
        expectEqual(service.requests.count, 2)
    }

    /// A service that serves one connection after another never waits for one that is only kept:
    /// the second request would time out.
    @Test func requestsSideBySideDoNotWaitForAKeptConnection() throws {
        let service = try Self.serving()
        defer { service.stop() }
        let it = try Caller()
        for _ in 0..<4 { #expect(try it.begin("put", service.address())) }
        #expect(it.outcomes.waitForEnded(4))
        #expect(it.outcomes.results.allSatisfy { $0.outcome == .succeeded })
        it.client.stop()
    }

    /// A poll would keep it for the next one, for ever. What `curl` asks may be the same service.
    @Test(arguments: [true, false]) func onlyAnActionKeepsItsConnection(isAction: Bool) throws {
        let service = try Self.serving()
        defer { service.stop() }
        let programs = try ProcessSupervisor()
        let client = try LoopbackClient(keptTime: .seconds(3_600))
        let runner = HTTPRunner(programs: programs, secret: .system, loopback: client)
        let outcomes = try Outcomes()
        func make(_ number: UInt32, headers: [TextPair] = []) {
            var fields = [ActionField("get", .text(service.address("/\(number)")))]
            if !headers.isEmpty { fields.append(ActionField("headers", .pairs(headers))) }
            let command = ActionCommand(.start, action: 0, run: RunID(number))
            runner.start(
                ActionRequest(
                    run: RunID(number), .fields(fields), timeout: .seconds(20),
                    command: isAction ? command : nil), tell: outcomes.tell)
            #expect(outcomes.waitForEnded(Int(number)))
        }
        make(1)
        make(2)
        expectEqual(service.connections, (isAction ? 1 : 2))
        // This one is for curl, and the service serves one connection after another.
        make(3, headers: [TextPair("Connection", "close")])
        #expect(outcomes.results.allSatisfy { $0.outcome == .succeeded })
        _ = runner.stop(within: .seconds(10))
        _ = programs.stop(within: .seconds(10))
    }

    @Test func aConnectionIsClosedWhenItsTimeIsOver() throws {
        let closed = try Outcomes()
        let service = try WebService { connection in
            connection.send(Self.good)
            if !connection.readRequest() { closed.tell(.began(at: .zero)) }
        }
        defer { service.stop() }
        let it = try Caller(keptTime: .milliseconds(5))
        expectEqual(try it.make("put", service.address()), .succeeded)
        #expect(closed.waitForBegun(1))
    }

    @Test func itsEndClosesWhatIsKept() throws {
        let service = try Self.serving()
        let it = try Caller()
        expectEqual(try it.make("put", service.address()), .succeeded)
        it.client.stop()
        // The service ends when the connection does.
        service.stop()
    }

    // MARK: The list

    /// Both ends of a connection; the first is kept.
    private func pair() throws -> (Int32, Int32) {
        var ends: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0 else {
            throw NoResult()
        }
        return (ends[0], ends[1])
    }

    private static func place(_ number: Int) -> LoopbackAddress {
        .six(port: UInt16(1_000 + number))
    }

    private func isOpen(_ other: Int32) -> Bool {
        var byte: UInt8 = 0
        return recv(other, &byte, 1, Int32(MSG_DONTWAIT)) < 0 && errno == EAGAIN
    }

    @Test func theListHasABound() throws {
        var kept = KeptConnections()
        var others: [Int32] = []
        for number in 0...ActionLimits.keptConnections {
            let (mine, other) = try pair()
            kept.keep(KeptConnection(place: Self.place(number), descriptor: mine), until: .never)
            others.append(other)
        }
        expectEqual(kept.entries.count, ActionLimits.keptConnections)
        expectEqual(others.map { isOpen($0) }, others.indices.map { $0 < others.count - 1 })
        kept.closeAll()
        #expect(others.allSatisfy { !isOpen($0) })
        for other in others { close(other) }
    }

    @Test func aPlaceHasOneConnection() throws {
        var kept = KeptConnections()
        let (first, second) = (try pair(), try pair())
        kept.keep(KeptConnection(place: Self.place(1), descriptor: first.0), until: .never)
        kept.keep(KeptConnection(place: Self.place(1), descriptor: second.0), until: .never)
        #expect(isOpen(first.1) && !isOpen(second.1))
        #expect(kept.pop(to: [Self.place(2)]) == nil)
        expectEqual(kept.pop(to: [Self.place(2), Self.place(1)])?.descriptor, first.0)
        #expect(kept.pop(to: [Self.place(1)]) == nil)
        for descriptor in [first.0, first.1, second.1] { close(descriptor) }
    }

    @Test(arguments: [true, false])
    func whatTheServiceHasTouchedIsNotUsed(hasSpoken: Bool) throws {
        var kept = KeptConnections()
        let (mine, other) = try pair()
        kept.keep(KeptConnection(place: Self.place(1), descriptor: mine), until: .never)
        if hasSpoken { expectEqual(send(other, "x", 1, 0), 1) } else { close(other) }
        #expect(kept.pop(to: [Self.place(1)]) == nil)
        #expect(kept.entries.isEmpty)
        if hasSpoken {
            #expect(!isOpen(other))
            close(other)
        }
    }

    @Test func eachIsClosedAtItsTime() throws {
        var kept = KeptConnections()
        expectEqual(kept.deadline, .never)
        var others: [Int32] = []
        for number in 1...3 {
            let (mine, other) = try pair()
            let until = Instant.zero + .seconds(UInt64(number))
            kept.keep(KeptConnection(place: Self.place(number), descriptor: mine), until: until)
            others.append(other)
        }
        expectEqual(kept.deadline, .zero + .seconds(1))
        kept.closeExpired(at: .zero + .seconds(2))
        expectEqual(others.map { isOpen($0) }, [false, false, true])
        expectEqual(kept.deadline, .zero + .seconds(3))
        kept.close(number: 1)
        #expect(isOpen(others[2]))
        kept.close(number: 3)
        #expect(!isOpen(others[2]) && kept.entries.isEmpty)
        for other in others { close(other) }
    }
}
