import DetentCore
import DetentPanel
import DetentPlatform
import DetentRuntime
import DetentTypes
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import DetentServer
@testable import DetentWall

/// The panel's side of the wall, with a test in the place of the gateway.
@Suite struct ChildKeeperTests {
    /// A keeper on a thread of its own, and the other end of its links.
    private final class Bench {
        let panel: ServedPanel
        /// Where connections wait for the gateway.
        let port: Int
        private let shared: Shared
        private let worker: WorkerThread

        private final class Shared: Sendable {
            let links = Mutex<[ChildLink]>([])
            let said = Mutex<[String]>([])
            let isEnding = Atomic<Bool>(false)
            let bell: WakeUp
            let started: WakeUp
            let rested: WakeUp
            let rests = Atomic<Int>(0)

            init() throws {
                bell = try WakeUp()
                started = try WakeUp()
                rested = try WakeUp()
            }
        }

        init(
            _ panel: ServedPanel, task: ScriptedTask? = nil, restTime: TimeSpan = .seconds(60),
            times: LifeTimes = LifeTimes(), launches: Bool = true,
            rights: ChildRights = ChildRights(
                origins: [.web, .api, .mqtt], operates: true, reloads: true)
        ) throws {
            self.panel = panel
            let shared = try Shared()
            self.shared = shared
            task?.wakes { shared.bell.ring() }
            let listening = try ListeningSocket(address: "127.0.0.1", port: 0)
            port = listening.port
            worker = try WorkerThread(named: "keeper") {
                var keeper = ChildKeeper(
                    port: panel, socket: listening, setup: ChildSetup(), name: "the gateway",
                    rights: { _ in rights },
                    launch: { link, _, _ in
                        guard launches else { return -EAGAIN }
                        let end = fcntl(link, F_DUPFD_CLOEXEC, 3)
                        shared.links.withLock { $0.append(ChildLink(end)) }
                        shared.started.ring()
                        // Any child of this process: the keeper ends and reaps it.
                        return Bench.child()
                    }, task: task, times: times, restTime: restTime,
                    rest: {
                        shared.rests.wrappingAdd(1, ordering: .sequentiallyConsistent)
                        shared.rested.ring()
                    }, say: { text in shared.said.withLock { $0.append(text) } })
                keeper.keep(shared.bell) { shared.isEnding.load(ordering: .acquiring) }
            }
        }

        deinit {
            shared.isEnding.store(true, ordering: .releasing)
            shared.bell.ring()
            // The keeper waits for the end of the last one.
            shared.links.withLock { $0 = [] }
            worker.join()
        }

        var said: [String] { shared.said.withLock { $0 } }

        private static func child() -> pid_t {
            var process = pid_t()
            var argv: [UnsafeMutablePointer<CChar>?] = [strdup("true"), nil]
            defer { argv.forEach { free($0) } }
            let error = posix_spawn(&process, "/bin/true", nil, nil, &argv, environ)
            return error == 0 ? process : -error
        }

        /// How often it has given memory back, when it has done so again.
        func rests() -> Int {
            shared.rested.wait(until: MonotonicClock.now + .seconds(20))
            shared.rested.clear()
            return shared.rests.load(ordering: .sequentiallyConsistent)
        }

        /// Waits for the link of the next gateway.
        func link(_ number: Int) throws -> ChildLink {
            let deadline = MonotonicClock.now + .seconds(20)
            while shared.links.withLock({ $0.count }) <= number, MonotonicClock.now < deadline {
                shared.started.wait(until: deadline)
                shared.started.clear()
            }
            return try #require(
                shared.links.withLock { $0.count > number ? $0[number] : nil })
        }
    }

    /// What a process does for the panel: `next` says what the test gave, and `up` is understood.
    private final class ScriptedTask: ChildTask {
        private struct State {
            var messages: [PanelMessage] = []
            var taken = 0
            var ends: [Bool] = []
            var ring: @Sendable () -> Void = {}
            var send: (@Sendable (PanelMessage) -> Bool)?
        }

        private let state = Mutex(State())

        func next() -> PanelMessage? {
            state.withLock { $0.messages.isEmpty ? nil : $0.messages.removeFirst() }
        }

        func receive(_ note: MQTTNote, of plan: PanelPlan) -> Bool {
            guard note == .up else { return false }
            state.withLock { $0.taken += 1 }
            return true
        }

        func ended(_ plan: PanelPlan, isRestarted: Bool) {
            state.withLock { state in
                state.ends.append(isRestarted)
                state.send = nil  // it holds the link, which would stay open
            }
        }

        func wakes(with ring: @escaping @Sendable () -> Void) { state.withLock { $0.ring = ring } }

        func begun(_ send: @escaping @Sendable (PanelMessage) -> Bool) {
            state.withLock { $0.send = send }
        }

        /// Sends a message past the keeper; nil before the process takes messages.
        func pass(_ message: PanelMessage) -> Bool? { state.withLock { $0.send }?(message) }

        func ask(_ message: PanelMessage) {
            let ring = state.withLock { state in
                state.messages.append(message)
                return state.ring
            }
            ring()
        }

        var taken: Int { state.withLock { $0.taken } }
        var ends: [Bool] { state.withLock { $0.ends } }
    }

    private static func order(_ number: UInt32, payload: String = "") -> PanelMessage {
        .order(.publish(MQTTPublication(number: number, topic: "t", payload: payload)))
    }

    /// The next message; nil at the end. Questions whether it is alive are answered.
    private func message(_ link: ChildLink) -> PanelMessage? {
        while let message = anyMessage(link) {
            guard case .ping(let number) = message else { return message }
            _ = link.send(ChildMessage.alive(number, isBusy: false).bytes, waits: true)
        }
        return nil
    }

    /// The next message; nil at the end.
    private func anyMessage(_ link: ChildLink) -> PanelMessage? {
        var ready = pollfd(fd: link.descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&ready, 1, 20_000) == 1 else { return nil }
        var buffer = [UInt8](repeating: 0, count: PanelMessage.byteLimit)
        guard case .message(let bytes) = link.receive(into: &buffer, waits: true) else {
            return nil
        }
        return PanelMessage(bytes)
    }

    private func send(_ request: PanelRequest, _ link: ChildLink) {
        #expect(link.send(request.bytes, waits: true))
    }

    /// The updates up to the first that is wanted; nil if the link ends before.
    private func updates(
        _ link: ChildLink, until isLast: (PanelUpdate) -> Bool
    ) -> [PanelUpdate]? {
        var all: [PanelUpdate] = []
        while case .updates(let new)? = message(link) {
            all += new.map(\.update)
            if all.contains(where: isLast) { return all }
        }
        return nil
    }

    private func history(_ link: ChildLink) -> [UInt64]? {
        send(.begin, link)
        var numbers: [UInt64] = []
        while let message = message(link) {
            switch message {
            case .updates(let new):
                for update in new {
                    if case .report(_, let number) = update.update { numbers.append(number) }
                }
            case .served: return numbers
            case .dropped, .reloaded, .figures, .order, .ping, .token: return nil
            }
        }
        return nil
    }

    @Test func aRequestIsAnsweredThroughTheLink() throws {
        let bench = try Bench(ServedPanel())
        let link = try bench.link(0)
        #expect(history(link) != nil)
        send(.watch(true), link)
        send(.snapshot, link)
        let states = try #require(updates(link) { $0 == .complete })
        let known = states.count { if case .state = $0 { true } else { false } }
        #expect(known >= bench.panel.plan.controls.count)
        send(.intent(bench.panel.control("output"), .on, .web, RequestID(9)), link)
        let answer = try #require(
            updates(link) { if case .answer(RequestID(9), _, _) = $0 { true } else { false } })
        #expect(answer.contains { if case .report = $0 { true } else { false } })
    }

    // MARK: Rights

    private static let viewer = ChildRights(origins: [.web, .api], operates: false)
    private static let broker = ChildRights(origins: [.mqtt], operates: true)
    private static let page = ChildRights(origins: [.web, .api], operates: true)

    /// The panel ends a process that asks for more than any caller of it may.
    @Test(
        arguments: [
            (viewer, .intent(ControlID(0), .on, .web, .none)),
            (viewer, .fire(ControlID(3), .on, .api, .none)),
            (viewer, .change(ControlID(0), 1, .web, .none)),
            (broker, .change(ControlID(0), 1, .web, .none)),
            (
                viewer,
                .confirming(
                    String(repeating: "0", count: 32),
                    .fire(ControlID(3), .on, .web, .none))
            ),
            (viewer, .resync(.web)), (viewer, .lampTest(true, .web)),
            (viewer, .close(ControlID(0), .web)),
            (viewer, .reload(.web)),
            (broker, .intent(ControlID(0), .on, .web, .none)), (broker, .resync(.web)),
            (broker, .reload(.mqtt)), (broker, .lampTest(true, .web)),
            (page, .close(ControlID(0), .mqtt)), (page, .fire(ControlID(3), .on, .mqtt, .none)),
            (page, .reload(.web)), (page, .reload(.mqtt)),
        ] as [(ChildRights, PanelRequest)])
    func whatNoCallerMayEndsTheProcess(rights: ChildRights, request: PanelRequest) throws {
        let bench = try Bench(ServedPanel(), rights: rights)
        let link = try bench.link(0)
        #expect(history(link) != nil)
        send(request, link)
        #expect(message(link) == nil, "the link is closed")
        #expect(history(try bench.link(1)) != nil)
        #expect(bench.said.first?.contains("it sent a message that is not allowed") == true)
    }

    /// The panel issues the tokens: neither a claim nor an old token fires what is destructive.
    @Test func theTokenOfAPanelFiresOnce() throws {
        let bench = try Bench(ServedPanel())
        let link = try bench.link(0)
        #expect(history(link) != nil)
        let erase = bench.panel.control("erase")
        let fire = PanelRequest.fire(erase, .on, .web, RequestID(7))
        func token() -> ConfirmTokens.Token? {
            while let message = message(link) {
                if case .token(RequestID(7), let token) = message { return token }
            }
            return nil
        }
        send(.watch(true), link)
        send(fire, link)
        let first = try #require(token())
        send(.confirming(String(repeating: "0", count: 32), fire), link)
        #expect(token() != nil, "a made-up one is worth nothing")
        send(.confirming(first, .fire(bench.panel.control("arm"), .on, .web, RequestID(8))), link)
        send(.confirming(first, fire), link)
        let isAnswered = updates(link) { update in
            if case .answer(RequestID(7), _, .accepted) = update { true } else { false }
        }
        #expect(isAnswered != nil)
        send(.confirming(first, fire), link)
        #expect(token() != nil, "it is used up")
    }

    // MARK: Alive

    /// After its start, a gateway is asked once; then nobody asks until something is owed.
    @Test func aConnectionThatWaitsIsAReasonToAsk() throws {
        let bench = try Bench(ServedPanel(), times: LifeTimes(answer: .seconds(2)))
        let link = try bench.link(0)
        #expect(history(link) != nil)
        expectEqual(anyMessage(link), .ping(1))
        send(link, .alive(1, isBusy: false))
        let client = try #require(RawClient(port: bench.port))
        expectEqual(anyMessage(link), .ping(2))
        // It does not answer. A keeper that is late itself asks again.
        while let message = anyMessage(link) {
            guard case .ping = message else {
                Issue.record("\(message)")
                return
            }
        }
        let next = try bench.link(1)
        #expect(history(next) != nil)
        expectEqual(anyMessage(next), .ping(1))
        expectEqual(bench.said.last?.contains("the gateway was ended: it hung for 2s"), true)
        _ = client
    }

    /// A page is open: its gateway is asked on and on, until it says that nobody is there.
    @Test func aBusyGatewayIsAskedAgain() throws {
        let bench = try Bench(ServedPanel())
        let link = try bench.link(0)
        #expect(history(link) != nil)
        for number in 1...3 as ClosedRange<UInt32> {
            expectEqual(anyMessage(link), .ping(number))
            send(link, .alive(number, isBusy: number < 3))
        }
        send(link, .alive(0, isBusy: true))
        expectEqual(anyMessage(link), .ping(4), "a connection was accepted meanwhile")
        _ = bench
    }

    @Test func aProcessThatNeverBeginsIsEnded() throws {
        let bench = try Bench(ServedPanel(), times: LifeTimes(start: .milliseconds(100)))
        let link = try bench.link(0)
        #expect(anyMessage(link) == nil)
        _ = try bench.link(1)
        expectEqual(bench.said.first?.contains("it did not begin for 100ms"), true)
    }

    /// No client waits for ever for a gateway that cannot start.
    @Test func whoWaitsForAGatewayThatDoesNotStartIsTurnedAway() throws {
        let bench = try Bench(
            ServedPanel(), times: LifeTimes(unserved: .milliseconds(50)), launches: false)
        for _ in 0..<2 {
            let client = try #require(RawClient(port: bench.port))
            #expect(client.isClosed)
        }
    }

    private func send(_ link: ChildLink, _ life: ChildMessage) {
        #expect(link.send(life.bytes, waits: true))
    }

    @Test func itRestsOnceAfterRequests() throws {
        let bench = try Bench(ServedPanel(), restTime: .milliseconds(50))
        let link = try bench.link(0)
        for rest in 1...3 {
            #expect(history(link) != nil)
            expectEqual(bench.rests(), rest)
        }
    }

    /// The next gateway gets the events of the one before, each once and in order.
    @Test func theEventsOutliveAGateway() throws {
        let bench = try Bench(ServedPanel())
        let first = try bench.link(0)
        let before = try #require(history(first))
        send(.intent(bench.panel.control("output"), .on, .web, .none), first)
        first.end()
        let second = try bench.link(1)
        bench.panel.flood(20)
        let after = try #require(history(second))
        #expect(after.count >= before.count + 20)
        expectEqual(after, (1...UInt64(after.count)).map { $0 })
        #expect(bench.said.count == 1 && bench.said[0].contains("starts again in 100 ms"))
    }

    @Test(
        arguments: [
            [0], [99], [2, 2], [5, 0, 0], Array(repeating: 4, count: 200), MQTTNote.up.bytes,
            PanelMessage.served.bytes,
        ] as [[UInt8]])
    func aGatewayThatSendsNonsenseIsEnded(_ message: [UInt8]) throws {
        let bench = try Bench(ServedPanel())
        let link = try bench.link(0)
        #expect(history(link) != nil)
        #expect(link.send(message, waits: true))
        #expect(self.message(link) == nil, "the link is closed")
        let next = try bench.link(1)
        #expect(history(next) != nil, "the next one is served")
    }

    @Test func aMessageOfATaskGoesToItsProcessOnly() throws {
        let task = ScriptedTask()
        let bench = try Bench(ServedPanel(), task: task)
        let link = try bench.link(0)
        task.ask(Self.order(1))
        #expect(history(link) != nil, "it waits until the process is served")
        expectEqual(message(link), Self.order(1))
        task.ask(.figures(MQTTFigures()))
        task.ask(Self.order(2))
        expectEqual(message(link), .figures(MQTTFigures()))
        expectEqual(message(link), Self.order(2))
        #expect(link.send(MQTTNote.up.bytes, waits: true))
        // Requests are taken in their order, so it was taken before this is answered.
        send(.snapshot, link)
        #expect(updates(link) { $0 == .complete } != nil)
        #expect(task.taken == 1 && task.ends.isEmpty)
        #expect(link.send(MQTTNote.down.bytes, waits: true))
        #expect(message(link) == nil, "what the task does not understand ends the process")
        _ = try bench.link(1)
        expectEqual(task.ends, [false])
    }

    @Test func aProcessThatIsNotServedHasNoTask() throws {
        let task = ScriptedTask()
        let bench = try Bench(ServedPanel(), task: task)
        let link = try bench.link(0)
        #expect(link.send(MQTTNote.up.bytes, waits: true))
        #expect(message(link) == nil)
        expectEqual(task.taken, 0)
        _ = bench
    }

    @Test func noMoreStatesAreMadeForAGatewayThatHasEnded() throws {
        let bench = try Bench(ServedPanel())
        let link = try bench.link(0)
        #expect(history(link) != nil)
        send(.watch(true), link)
        send(.snapshot, link)
        #expect(updates(link) { $0 == .complete } != nil)
        #expect(bench.panel.updates.isWatched)
        link.end()
        _ = try bench.link(1)
        #expect(!bench.panel.updates.isWatched)
    }

    /// A message can go to the process from any thread, past the keeper, while there is room.
    @Test func aMessageCanGoPastTheKeeper() throws {
        let task = ScriptedTask()
        let bench = try Bench(ServedPanel(), task: task)
        let link = try bench.link(0)
        #expect(task.pass(Self.order(1)) == nil)
        #expect(history(link) != nil)
        // The keeper says so after it has sent the history.
        let deadline = MonotonicClock.now + .seconds(20)
        while task.pass(Self.order(1)) == nil { try #require(MonotonicClock.now < deadline) }
        expectEqual(message(link), Self.order(1))
        let long = Self.order(7, payload: String(repeating: "a", count: 10_000))
        var count = 0
        while task.pass(long) == true { count += 1 }
        #expect(count > 0 && count < 1_000)
        expectEqual(message(link), long)
        link.end()
        _ = try bench.link(1)
        #expect(task.pass(Self.order(1)) != true, "the first process has ended")
    }

    @Test func aFullPanelTakesTheRequestLater() throws {
        let panel = try ServedPanel()
        let bench = try Bench(panel)
        let link = try bench.link(0)
        #expect(history(link) != nil)
        panel.isFull = true
        send(.watch(true), link)
        send(.intent(panel.control("output"), .on, .web, RequestID(5)), link)
        panel.isFull = false
        #expect(
            updates(link) { if case .answer(RequestID(5), _, _) = $0 { true } else { false } }
                != nil)
    }
}
