import DetentPlatform
import DetentTypes
import Glibc
import Synchronization
import Testing

@testable import DetentActions

/// Requests that the loop sends itself, because they were made before and a connection is open.
@Suite struct HTTPExpressTests {
    /// Makes requests as the dispatcher and the loop do.
    private final class Caller {
        let runner: HTTPRunner
        let outcomes: Outcomes
        private let client: LoopbackClient
        private let programs: ProcessSupervisor
        private(set) var count: UInt32 = 0
        /// Whether the loop sent each request.
        private(set) var isOfLoop: [Bool] = []

        init() throws {
            programs = try ProcessSupervisor()
            client = try LoopbackClient(keptTime: .seconds(3_600))
            runner = HTTPRunner(
                programs: programs, secret: SecretSource { _ in "geheim" }, loopback: client)
            outcomes = try Outcomes()
        }

        deinit { stop() }

        func stop() {
            _ = runner.stop(within: .seconds(10))
            _ = programs.stop(within: .seconds(10))
        }

        func closeKept() { client.closeKept() }

        func request(
            _ fields: [ActionField], _ command: ActionCommand?, timeout: TimeSpan = .seconds(20)
        ) -> ActionRequest {
            ActionRequest(run: RunID(count), .fields(fields), timeout: timeout, command: command)
        }

        func nextCommand(_ value: Value = .on) -> ActionCommand {
            count += 1
            return ActionCommand(.start, action: 3, run: RunID(count), value: value)
        }

        /// Makes a request, and waits for its end.
        @discardableResult
        func make(
            _ key: String, _ address: String, body: String? = nil, value: Value = .on,
            isPoll: Bool = false
        ) throws -> ActionResult {
            let command = nextCommand(value)
            var fields = [ActionField(key, .text(address))]
            if let body { fields.append(ActionField("body", .text(body))) }
            let request = request(fields, isPoll ? nil : command)
            let mark = isPoll ? nil : runner.express(command)
            isOfLoop.append(mark != nil)
            if let mark {
                runner.adopt(request, mark, tell: outcomes.tell)
            } else {
                runner.start(request, tell: outcomes.tell)
            }
            guard outcomes.waitForEnded(isOfLoop.count), let last = outcomes.results.last else {
                throw NoResult()
            }
            #expect(last.run == RunID(count))
            if let mark { #expect(last.startedAt == mark.at) }
            return last
        }
    }

    private static let good = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

    /// Answers every request of a connection.
    private static func serving() throws -> WebService {
        try WebService { connection in
            repeat { connection.send(good) } while connection.readRequest()
        }
    }

    @Test(arguments: ["put", "get", "delete"]) func whatWasMadeBeforeIsSentByTheLoop(
        key: String
    ) throws {
        let service = try Self.serving()
        defer { service.stop() }
        let it = try Caller()
        defer { it.stop() }
        for _ in 0..<3 {
            let body = key == "put" ? "on" : nil
            #expect(try it.make(key, service.address(), body: body).outcome == .succeeded)
        }
        #expect(it.isOfLoop == [false, true, true])
        #expect(service.connections == 1 && service.requests.count == 3)
        #expect(Set(service.requests).count == 1, "to the byte")
    }

    @Test func anotherValueIsAnotherRequest() throws {
        let service = try Self.serving()
        defer { service.stop() }
        let it = try Caller()
        defer { it.stop() }
        for number in [1, 2, 1, 2] as [Int32] {
            try it.make("put", service.address(), body: "\(number)", value: Value(number))
        }
        #expect(it.isOfLoop == [false, false, true, true])
        #expect(service.requests.map { $0.last } == ["1", "2", "1", "2"])
    }

    @Test func othersAreMadeAnew() throws {
        let service = try Self.serving()
        defer { service.stop() }
        let it = try Caller()
        defer { it.stop() }
        let long = String(repeating: "a", count: ActionLimits.httpLetterBytes)
        for _ in 0..<2 {
            try it.make("post", service.address(), value: Value(1))
            try it.make("put", service.address("/${env:KEY}"), value: Value(2))
            try it.make("put", service.address(), body: long, value: Value(3))
            try it.make("put", service.address(), value: Value(4), isPoll: true)
        }
        #expect(!it.isOfLoop.contains(true))
        // Without a connection of an earlier request there is nothing to send on.
        try it.make("put", service.address(), value: Value(5))
        it.closeKept()
        try it.make("put", service.address(), value: Value(5))
        try it.make("put", service.address(), value: Value(5))
        #expect(it.isOfLoop.suffix(3) == [false, false, true])
    }

    /// The service closes at the moment of the request, which it does not answer.
    @Test func aRequestOnAClosedConnectionIsSentAgain() throws {
        let service = try WebService { connection in
            connection.send(Self.good)
            if connection.isFirst { _ = connection.readRequest() }
        }
        defer { service.stop() }
        let it = try Caller()
        defer { it.stop() }
        for _ in 0..<2 { #expect(try it.make("put", service.address()).outcome == .succeeded) }
        #expect(it.isOfLoop == [false, true])
        #expect(service.connections == 2 && service.requests.count == 3)
    }

    /// The service closes before, and nobody has noticed.
    @Test func aConnectionThatIsOverIsNotUsed() throws {
        let service = try WebService(answer: Self.good)
        defer { service.stop() }
        let it = try Caller()
        defer { it.stop() }
        for number in 0..<50 {
            #expect(try it.make("put", service.address()).outcome == .succeeded, "\(number)")
        }
        #expect(service.requests.count == 50, "none is sent twice")
    }

    @Test func itIsCancelledAndTimesOutAsOthers() throws {
        let service = try WebService { connection in
            connection.send(Self.good)
            while connection.readRequest() {}
        }
        defer { service.stop() }
        for isCancelled in [true, false] {
            let it = try Caller()
            defer { it.stop() }
            let fields = [ActionField("put", .text(service.address()))]
            try it.make("put", service.address())
            let command = it.nextCommand()
            let mark = try #require(it.runner.express(command))
            let timeout = TimeSpan.milliseconds(isCancelled ? 20_000 : 30)
            it.runner.adopt(
                it.request(fields, command, timeout: timeout), mark, tell: it.outcomes.tell)
            if isCancelled { it.runner.cancel(command.run) }
            #expect(it.outcomes.waitForEnded(2))
            let result = try #require(it.outcomes.results.last)
            #expect(result.outcome == (isCancelled ? .cancelled : .timedOut))
            #expect(result.startedAt == mark.at)
        }
    }

    /// Between both calls, another request of the same service has a connection of its own, and
    /// only one of the two is kept.
    @Test func anotherRequestDoesNotWaitForIt() throws {
        let service = try WebServices()
        defer { service.stop() }
        let it = try Caller()
        defer { it.stop() }
        try it.make("put", service.address)
        let command = it.nextCommand()
        let mark = try #require(it.runner.express(command))
        #expect(it.runner.express(command) == nil, "it is taken")
        #expect(try it.make("get", service.address, value: Value(9)).outcome == .succeeded)
        let fields = [ActionField("put", .text(service.address))]
        it.runner.adopt(
            ActionRequest(run: command.run, .fields(fields), command: command), mark,
            tell: it.outcomes.tell)
        #expect(it.outcomes.waitForEnded(3))
        #expect(it.outcomes.results.allSatisfy { $0.outcome == .succeeded })
        #expect(service.connections == 2)
        #expect(it.runner.express(command) != nil)
        #expect(it.runner.express(command) == nil, "one connection is kept")
    }

    /// What was sent and is not taken over has no end to tell, and leaves no connection.
    @Test func aStopClosesWhatWasSent() throws {
        let isOver = try WakeUp()
        let service = try WebService { connection in
            connection.send(Self.good)
            while connection.readRequest() {}
            isOver.ring()
        }
        defer { service.stop() }
        let it = try Caller()
        try it.make("put", service.address())
        let command = it.nextCommand()
        #expect(it.runner.express(command) != nil)
        it.stop()
        isOver.wait(until: MonotonicClock.now + .seconds(60))
        #expect(service.requests.count == 2)
        #expect(it.runner.express(it.nextCommand()) == nil)
        #expect(it.outcomes.results.count == 1)
    }

    /// The kernel took only a part of it.
    @Test(arguments: [0, 1, 20]) func theRestIsSentLater(count: Int) throws {
        let service = try Self.serving()
        defer { service.stop() }
        let fields = [
            ActionField("put", .text(service.address())), ActionField("body", .text("x")),
        ]
        let call = try #require(try HTTPCall(fields, secret: .system))
        let plain = try #require(PlainRequest(call) { _ in nil })
        let place = try #require(plain.route.places.first)
        let descriptor = try place.connect()
        var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        #expect(poll(&entry, 1, 60_000) == 1)
        #expect(send(descriptor, plain.bytes, count, Int32(MSG_NOSIGNAL)) == count)
        let outcomes = try Outcomes()
        var exchange = PlainExchange(
            ActionRequest(run: RunID(1), .fields(fields)), call, plain,
            .sent(
                KeptConnection(place: place, descriptor: descriptor), count: count, at: .zero),
            keeps: false, tell: outcomes.tell)
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 4_096, alignment: 1)
        defer { buffer.deallocate() }
        while exchange.ending == nil { exchange.advance(with: buffer) }
        exchange.finish()
        #expect(outcomes.results.map(\.outcome) == [.succeeded])
        #expect(service.requests == [String(decoding: plain.bytes, as: UTF8.self)])
        #expect(service.connections == 1)
    }

    /// A runner that sends nothing, beside one that does: each takes over only what it sent.
    private final class Declining: ExpressRunner {
        func express(_ command: ActionCommand) -> ExpressMark? { nil }
        func begin(takeOver: @escaping @Sendable () -> Void) {}
        func adopt(
            _ request: ActionRequest, _ mark: ExpressMark,
            tell: @escaping @Sendable (AttemptEvent) -> Void
        ) { Issue.record("nothing was sent") }
        func start(
            _ request: ActionRequest, tell: @escaping @Sendable (AttemptEvent) -> Void
        ) { Issue.record("no such action") }
        func cancel(_ run: RunID) {}
        func stop(within span: TimeSpan) -> Int { 0 }
    }

    @Test func theLoopSendsWhileTheDispatcherIsHeld() throws {
        let service = try Self.serving()
        defer { service.stop() }
        let it = try Caller()
        let gate = try WakeUp()
        let address = service.address()
        let dispatcher = try ActionDispatcher(
            kinds: [.http], runners: [.mqtt: Declining(), .http: it.runner, .osc: Declining()],
            makeRequest: { command in
                if command.run == RunID(2) { gate.wait(until: MonotonicClock.now + .seconds(60)) }
                return ActionRequest(
                    run: command.run, .fields([ActionField("put", .text(address))]),
                    command: command)
            })
        func start(_ number: UInt32) {
            #expect(
                dispatcher.start(
                    action: 0, run: RunID(number), control: ControlID(0), value: .on,
                    previous: .off, origin: .panel))
        }
        func reports() -> [ActionReport.Kind] {
            var kinds: [ActionReport.Kind] = []
            while kinds.count < 2 {
                var entry = pollfd(
                    fd: dispatcher.reportDescriptor, events: Int16(POLLIN), revents: 0)
                guard poll(&entry, 1, 60_000) == 1 else { break }
                dispatcher.drainReports { kinds.append($0.kind) }
            }
            return kinds
        }
        start(1)
        #expect(reports() == [.started, .finished(.succeeded)])
        start(2)
        let deadline = MonotonicClock.now + .seconds(60)
        while service.requests.count < 2, MonotonicClock.now < deadline { sched_yield() }
        #expect(service.requests.count == 2)
        gate.ring()
        #expect(reports() == [.started, .finished(.succeeded)])
        dispatcher.stop(grace: .seconds(10))
    }
}

/// A service that answers several connections at the same time.
private final class WebServices {
    private let inner: WebService

    init() throws {
        inner = try WebService { connection in
            let descriptor = dup(connection.descriptor)
            let answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
            _ = try? WorkerThread(named: "web-connection") {
                defer { close(descriptor) }
                var buffer = [UInt8](repeating: 0, count: 4_096)
                repeat {
                    send(descriptor, answer, answer.utf8.count, Int32(MSG_NOSIGNAL))
                } while recv(descriptor, &buffer, buffer.count, 0) > 0
            }
        }
    }

    var address: String { inner.address() }
    var connections: Int { inner.connections }

    func stop() { inner.stop() }
}
