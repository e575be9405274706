import DetentPanel
import DetentPlatform
import DetentRuntime
import DetentServer
import DetentTypes
import Glibc
import Synchronization
import Testing

@testable import DetentActions
@testable import DetentMQTT

/// Messages that the loop sends itself, because they were sent before.
@Suite struct BrokerExpressTests {
    /// A panel's dispatcher and outlet; the test is the loop, and the process of the connection.
    private final class Rig: Sendable {
        struct Order: Equatable {
            var order: BrokerOrder?
            /// Whether the loop itself sent it.
            var isOfLoop: Bool
        }

        private struct State {
            var orders: [Order] = []
            var hasRoom = true
            /// An attempt whose request is not made before the gate opens.
            var held: UInt32?
        }

        let plan: PanelPlan
        let outlet: BrokerOutlet
        let actions: PanelActions
        private let loop = pthread_self()
        private let state = Mutex(State())
        private let gate: WakeUp
        private let dispatcherPlace = Mutex<ActionDispatcher?>(nil)

        init(payload: String = "{value} {origin}", expresses: Bool = true) throws {
            let text = """
                {panel: P, board: none, mqtt: {url: "mqtt://h"}, controls: {
                lamp: {kind: switch, label: Lamp, input: A,
                action: {mqtt: {topic: cmnd/lamp, payload: "\(payload)"}, timeout: 1s}}}}
                """
            let reading = PanelReader.read(SourceText(file: "p.yaml", text: text))
            plan = try #require(reading.plan, "\(ProblemRenderer.text(reading.problems))")
            let programs = try ProcessSupervisor()
            let secrets = SecretSource { (_) throws(SecretError) in "geheim" }
            outlet = BrokerOutlet(refuser: programs, secrets: secrets)
            actions = PanelActions(plan)
            gate = try WakeUp()
            let dispatcher = try ActionDispatcher(
                kinds: actions.kinds, runners: [.mqtt: outlet, .run: programs],
                expresses: expresses,
                makeRequest: { [self] command in
                    if state.withLock({ $0.held == command.run.number }) {
                        gate.wait(until: MonotonicClock.now + .seconds(60))
                    }
                    return actions.request(command)
                })
            dispatcherPlace.withLock { $0 = dispatcher }
            begin()
        }

        /// A process takes messages from now on.
        func begin() {
            outlet.begun(
                ErrandWay { [self] frame in
                    let order = BrokerOrder(Array(frame.dropFirst(ErrandWay.headBytes)))
                    return state.withLock { state in
                        guard state.hasRoom else { return false }
                        let isOfLoop = pthread_equal(pthread_self(), loop) != 0
                        state.orders.append(Order(order: order, isOfLoop: isOfLoop))
                        return true
                    }
                })
            _ = say(.up)
        }

        var dispatcher: ActionDispatcher {
            dispatcherPlace.withLock { $0 }!
        }

        func say(_ word: BrokerWord) -> Bool { outlet.take(word.bytes[...], of: plan) }
        var orders: [Order] { state.withLock { $0.orders } }
        func setRoom(_ hasRoom: Bool) { state.withLock { $0.hasRoom = hasRoom } }
        func hold(_ number: UInt32) { state.withLock { $0.held = number } }
        func letGo() { gate.ring() }

        func start(_ number: UInt32, _ value: Value = .on, _ origin: Origin = .panel) {
            let isTaken = dispatcher.start(
                action: 0, run: RunID(number), control: ControlID(0), value: value,
                previous: .off, origin: origin)
            #expect(isTaken)
        }

        /// The number of the last message.
        var lastNumber: UInt32 {
            guard case .publish(let message)? = orders.last?.order else { return 0 }
            return message.number
        }

        /// Lets the loop send an attempt, which it does not pass on yet.
        func express(_ number: UInt32) throws -> (ActionCommand, ExpressMark) {
            let command = ActionCommand(
                .start, action: 0, run: RunID(number), value: .on, previous: .off)
            return (command, try #require(outlet.express(command)))
        }

        /// Passes it on; returns how it has ended by then.
        func adopt(_ command: ActionCommand, _ mark: ExpressMark) throws -> ActionOutcome? {
            let ended = Mutex<ActionResult?>(nil)
            let wakeUp = try WakeUp()
            outlet.adopt(actions.request(command), mark) { event in
                guard case .ended(let result) = event else { return }
                ended.withLock { $0 = result }
                wakeUp.ring()
            }
            wakeUp.wait(until: MonotonicClock.now + .seconds(60))
            return ended.withLock { $0?.startedAt == mark.at ? $0?.outcome : nil }
        }

        /// Takes reports until an attempt has begun or ended.
        func reports(of number: UInt32, untilEnd: Bool) -> [ActionReport.Kind] {
            var result: [ActionReport.Kind] = []
            var isDone = false
            while !isDone {
                var entry = pollfd(
                    fd: dispatcher.reportDescriptor, events: Int16(POLLIN), revents: 0)
                guard poll(&entry, 1, 60_000) == 1 else { return result }
                dispatcher.drainReports { report in
                    guard report.run == RunID(number) else { return }
                    result.append(report.kind)
                    if case .finished = report.kind { isDone = true }
                    if report.kind == .started, !untilEnd { isDone = true }
                }
            }
            return result
        }

        /// Starts an attempt, and ends it when it was sent.
        func perform(_ number: UInt32, _ value: Value = .on, _ origin: Origin = .panel) {
            let before = orders.count
            start(number, value, origin)
            // Nothing takes over what the loop has sent, before there is news.
            let isExpressed = orders.count > before && orders.last?.isOfLoop == true
            if !isExpressed { #expect(reports(of: number, untilEnd: false) == [.started]) }
            #expect(say(.ended(number, .taken)))
            let rest: [ActionReport.Kind] = [.finished(.succeeded)]
            #expect(reports(of: number, untilEnd: true) == (isExpressed ? [.started] : []) + rest)
        }

        func stop() {
            letGo()
            dispatcher.stop(grace: .seconds(10))
            dispatcherPlace.withLock { $0 = nil }
            outlet.begun(ErrandWay { _ in false })  // what it calls holds this rig
        }
    }

    private static func message(_ number: UInt32, _ payload: String) -> BrokerOrder {
        .publish(
            BrokerPublication(number: number, topic: "cmnd/lamp", payload: payload, expiry: 1))
    }

    @Test func whatWasSentBeforeIsSentByTheLoop() throws {
        let it = try Rig()
        defer { it.stop() }
        it.perform(1)
        it.perform(2)
        it.start(70_000)
        #expect(
            it.orders == [
                .init(order: Self.message(1, "on panel"), isOfLoop: false),
                .init(order: Self.message(2, "on panel"), isOfLoop: true),
                .init(order: Self.message(70_000, "on panel"), isOfLoop: true),
            ], "without a wait for another thread")
        #expect(it.say(.ended(70_000, .taken)))
        #expect(it.reports(of: 70_000, untilEnd: true) == [.started, .finished(.succeeded)])
    }

    @Test func otherWordsAreAnotherMessage() throws {
        let it = try Rig()
        defer { it.stop() }
        it.perform(1)
        it.perform(2, .off)
        it.perform(3, .on, .web)
        it.perform(4, .off)
        it.perform(5, .on, .web)
        #expect(it.orders.map(\.isOfLoop) == [false, false, false, true, true])
        #expect(it.orders[3].order == Self.message(4, "off panel"))
        #expect(it.orders[4].order == Self.message(5, "on web"))
    }

    /// It is read anew for each attempt.
    @Test func aSecretIsNotKept() throws {
        let it = try Rig(payload: "${env:KEY}")
        defer { it.stop() }
        for number in 1...3 as ClosedRange<UInt32> { it.perform(number) }
        #expect(it.orders.map(\.isOfLoop) == [false, false, false])
        #expect(it.orders[2].order == Self.message(3, "geheim"))
    }

    @Test func aLongMessageIsNotKept() throws {
        let it = try Rig(payload: String(repeating: "a", count: MQTTLimits.letterBytes))
        defer { it.stop() }
        it.perform(1)
        it.perform(2)
        #expect(it.orders.map(\.isOfLoop) == [false, false])
    }

    @Test func theLoopSendsNothingWhereItMustNot() throws {
        let it = try Rig(expresses: false)
        defer { it.stop() }
        it.perform(1)
        it.perform(2)
        #expect(it.orders.map(\.isOfLoop) == [false, false])
    }

    /// A full link or an order that waits for the keeper: none is overtaken.
    @Test func withoutRoomItWaitsLikeTheOthers() throws {
        let it = try Rig()
        defer { it.stop() }
        it.perform(1)
        it.setRoom(false)
        it.hold(2)
        it.start(2)
        it.setRoom(true)
        it.letGo()
        #expect(it.reports(of: 2, untilEnd: false) == [.started])
        #expect(it.orders.map(\.isOfLoop) == [false, false])
    }

    /// An attempt that was given up may still wait for its thread; the one after it comes last.
    @Test func noAttemptBeforeItIsOvertaken() throws {
        let it = try Rig()
        defer { it.stop() }
        it.perform(1)
        it.hold(2)
        it.start(2, .off)
        #expect(it.dispatcher.cancel(action: 0, run: RunID(2)))
        it.start(3)
        #expect(it.orders.count == 1)
        it.letGo()
        #expect(it.reports(of: 3, untilEnd: false) == [.started])
        #expect(it.orders.map(\.isOfLoop) == [false, false, false, false])
        #expect(it.orders[1].order == Self.message(2, "off panel"))
        #expect(it.orders[2].order == .cancel(2))
        #expect(it.orders[3].order == Self.message(3, "on panel"))
    }

    @Test func withoutAConnectionItFailsAtOnce() throws {
        let it = try Rig()
        defer { it.stop() }
        it.perform(1)
        #expect(it.say(.down))
        it.start(2)
        #expect(it.reports(of: 2, untilEnd: true) == [.finished(.failed(.unreachable))])
        #expect(it.orders.count == 1)
    }

    // MARK: Before the dispatcher has taken it over

    @Test(
        arguments: [
            (.taken, .succeeded), (.away, .failed(.unreachable)), (.broken, .lost),
            (.refused(135), .failed(.refused)),
        ] as [(BrokerWord.Ending, ActionOutcome)])
    func anEndThatComesFirstIsKept(ending: BrokerWord.Ending, outcome: ActionOutcome) throws {
        let it = try Rig()
        defer { it.stop() }
        it.perform(1)
        let (command, mark) = try it.express(2)
        #expect(it.orders.last?.isOfLoop == true)
        #expect(it.say(.ended(9, .taken)), "one that no attempt has")
        #expect(it.say(.ended(2, ending)))
        #expect(try it.adopt(command, mark) == outcome)
        it.perform(3)
    }

    @Test(
        arguments: [
            (.taken, .succeeded), (.away, .failed(.unreachable)), (.broken, .lost),
            (.refused(135), .failed(.refused)),
        ] as [(BrokerWord.Ending, ActionOutcome)])
    func newsOfItTakeItOver(ending: BrokerWord.Ending, outcome: ActionOutcome) throws {
        let it = try Rig()
        defer { it.stop() }
        it.perform(1)
        it.start(2)
        #expect(it.say(.ended(2, ending)))
        #expect(it.reports(of: 2, untilEnd: true) == [.started, .finished(outcome)])
        #expect(it.dispatcher.details[RunID(2)]?.startedAt != nil)
    }

    @Test func itIsLostWithItsProcess() throws {
        let it = try Rig()
        defer { it.stop() }
        it.perform(1)
        it.start(2)
        it.outlet.ended(it.plan, isRenewed: true)
        #expect(it.reports(of: 2, untilEnd: true) == [.started, .finished(.lost)])
    }

    @Test(arguments: [true, false])
    func itIsLostWithItsProcessBefore(isAnotherThere: Bool) throws {
        let it = try Rig()
        defer { it.stop() }
        it.perform(1)
        let (command, mark) = try it.express(2)
        it.outlet.ended(it.plan, isRenewed: true)
        if isAnotherThere { it.begin() }
        #expect(try it.adopt(command, mark) == .lost)
    }

    /// The process answers while the loop passes the attempt on, at any moment of it.
    @Test func newsAtTheSameMomentAreNotMissed() throws {
        let it = try Rig()
        defer { it.stop() }
        let count: UInt32 = 3_000
        let answering = try WorkerThread(named: "process") {
            let deadline = MonotonicClock.now + .seconds(60)
            var next: UInt32 = 1
            while next <= count, MonotonicClock.now < deadline {
                guard it.lastNumber >= next else { continue }
                _ = it.say(.ended(next, .taken))
                next += 1
            }
        }
        for number in 1...count {
            it.start(number)
            let kinds = it.reports(of: number, untilEnd: true)
            guard kinds == [.started, .finished(.succeeded)] else {
                Issue.record("\(number): \(kinds)")
                break
            }
        }
        answering.join()
        #expect(it.orders.count { $0.isOfLoop } > Int(count) / 2)
    }

    /// The next process may be that of a panel with other words.
    @Test func anotherProcessStartsWithoutMessages() throws {
        let it = try Rig()
        defer { it.stop() }
        it.perform(1)
        it.outlet.ended(it.plan, isRenewed: true)
        it.begin()
        it.perform(2)
        it.perform(3)
        #expect(it.orders.map(\.isOfLoop) == [false, false, true])
    }

    @Test func aCancelReachesTheProcess() throws {
        let it = try Rig()
        defer { it.stop() }
        it.perform(1)
        it.start(2)
        #expect(it.dispatcher.cancel(action: 0, run: RunID(2)))
        #expect(it.reports(of: 2, untilEnd: true) == [.started, .finished(.cancelled)])
        #expect(it.orders.last?.order == .cancel(2))
    }

    /// Each has one end, whether it was taken over or not.
    @Test func theEndOfThePanelEndsIt() throws {
        let it = try Rig()
        let dispatcher = it.dispatcher
        it.perform(1)
        it.hold(2)
        it.start(2)
        it.start(3)
        it.stop()
        var ends: [UInt32: ActionReport.Kind] = [:]
        dispatcher.drainReports { report in
            if report.kind != .started { ends[report.run.number] = report.kind }
        }
        #expect(ends == [2: .finished(.lost), 3: .finished(.lost)])
    }

    /// No more than the process takes, and no more than the list holds.
    @Test func bothListsHaveABound() throws {
        let it = try Rig(payload: "{origin}")
        defer { it.stop() }
        it.perform(1)
        it.hold(2)
        for number in 2...80 as ClosedRange<UInt32> { it.start(number) }
        let ofLoop = it.orders.count { $0.isOfLoop }
        #expect(ofLoop == MQTTLimits.publications)
        var letters = BrokerLetters()
        for value in 0..<3 * Int32(MQTTLimits.letters) {
            let command = ActionCommand(.start, action: 0, run: RunID(1), value: Value(value))
            letters.learn(
                BrokerPublication(number: 1, topic: "a", payload: "\(value)"), for: command)
            #expect(letters[command] != nil)
            #expect(letters.count <= MQTTLimits.letters)
        }
        letters.forget()
        #expect(letters.count == 0)
    }
}
