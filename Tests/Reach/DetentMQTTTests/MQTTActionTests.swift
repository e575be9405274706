import DetentActions
import DetentCore
import DetentPanel
import DetentPlatform
import DetentRuntime
import DetentTypes
import DetentWall
import Synchronization
import TestSupport
import Testing

@testable import DetentMQTT

/// Actions and reports of devices through Debian's broker on the loopback.
@Suite(.serialized, .enabled(if: Mosquitto.isInstalled, "mosquitto is not installed"))
struct MQTTActionTests {
    /// A panel with its outlet and its connection in one process.
    private final class Rig: Sendable {
        /// What the panel was told, and a bell for it.
        private struct State {
            var ends: [UInt32: ActionResult] = [:]
            var reports: [Event] = []
            var log = ""
            var isUp = false
            var intake: FeedbackIntake?
        }

        let plan: PanelPlan
        let outlet: MQTTRunner
        private let client: MQTTThread
        private let state = Mutex(State())
        private let changed: WakeUp

        init(_ port: UInt16) throws {
            let text = """
                {panel: Lab, board: none, mqtt: {url: "mqtt://127.0.0.1:\(port)"}, controls: {
                lamp: {kind: switch, label: Lamp, input: A,
                  action: {mqtt: {topic: cmnd/lamp, payload: x}, timeout: 1s},
                  feedback: {mqtt: stat/lamp, map: {"ON": on, "OFF": off}}},
                pump: {kind: indicator, label: Pump, indicator: B,
                  feedback: {panel: Boiler Room, control: pump}}}}
                """
            let reading = PanelReader.read(SourceText(file: "panel.yaml", text: text))
            let plan = try #require(reading.plan, "\(ProblemRenderer.text(reading.problems))")
            self.plan = plan
            let panel = try FakePanel(plan)
            let outlet = MQTTRunner(refuser: try ProcessSupervisor())
            self.outlet = outlet
            changed = try WakeUp()
            let box = WeakRig()
            let client = try MQTTThread(
                panel,
                tell: { word in
                    _ = outlet.receive(word, of: plan)
                    box.rig?.note(word)
                }, say: { _ in })
            self.client = client
            outlet.wakes {
                while let order = outlet.next() { client.deliver(order) }
            }
            box.set(self)
            let intake = FeedbackIntake(
                plan, send: { event, _, _ in box.rig?.note(event) ?? true },
                log: { box.rig?.note(log: $0) }, wake: {})
            state.withLock { $0.intake = intake }
            outlet.report(to: intake)
        }

        private final class WeakRig: Sendable {
            private struct Place: Sendable { nonisolated(unsafe) weak var rig: Rig? }
            private let place = Mutex(Place())

            var rig: Rig? { place.withLock { $0.rig } }
            func set(_ rig: Rig) { place.withLock { $0.rig = rig } }
        }

        func stop() {
            client.stop()
            _ = outlet.stop(within: .zero)
            outlet.wakes {}  // what it calls holds this rig
        }

        private func note(_ word: MQTTNote) {
            state.withLock {
                if word == .up { $0.isUp = true }
                if word == .down { $0.isUp = false }
            }
            changed.ring()
        }

        private func note(_ event: Event) -> Bool {
            state.withLock { $0.reports.append(event) }
            changed.ring()
            return true
        }

        private func note(log text: String) {
            state.withLock { $0.log += text }
            changed.ring()
        }

        /// Waits until a condition holds, 30 s at most; passes waiting reports meanwhile.
        func wait(until holds: (Rig) -> Bool) -> Bool {
            let deadline = MonotonicClock.now + .seconds(30)
            while !holds(self) {
                let now = MonotonicClock.now
                guard now < deadline else { return false }
                let intake = state.withLock { $0.intake }
                intake?.passDue(at: now)
                changed.wait(until: min(now + .milliseconds(20), deadline))
                changed.clear()
            }
            return true
        }

        var isUp: Bool { state.withLock { $0.isUp } }
        var log: String { state.withLock { $0.log } }
        var reports: [Event] { state.withLock { $0.reports } }
        /// What was reported of a control last; without the broker all of them are lost.
        func last(of control: ControlID) -> Event? {
            reports.last { event in
                switch event {
                case .feedback(control, _, _), .feedbackLost(control): true
                default: false
                }
            }
        }
        func result(_ number: UInt32) -> ActionResult? { state.withLock { $0.ends[number] } }

        func send(
            _ number: UInt32, _ topic: String, _ payload: String, qos: Int = 1, retain: Bool = false
        ) {
            let fields = [
                ActionField("topic", .text(topic)), ActionField("payload", .text(payload)),
                ActionField("qos", .integer(qos)), ActionField("retain", .boolean(retain)),
            ]
            outlet.start(ActionRequest(run: RunID(number), .fields(fields))) { [weak self] event in
                guard let self, case .ended(let result) = event else { return }
                state.withLock { $0.ends[number] = result }
                changed.ring()
            }
        }

        /// The outcome of an attempt, when it is there.
        func outcome(_ number: UInt32) -> ActionOutcome? {
            _ = wait { $0.result(number) != nil }
            return result(number)?.outcome
        }
    }

    private static let lamp = ControlID(0)
    private static let pump = ControlID(1)

    @Test func aMessageArrives() throws {
        let broker = try Mosquitto()
        let observer = try Observer(broker.port)
        let it = try Rig(broker.port)
        defer { it.stop() }
        #expect(it.wait { $0.isUp })
        it.send(1, "cmnd/lamp", "ein Licht")
        expectEqual(it.outcome(1), .succeeded)
        #expect(try observer.wait { $0.last("cmnd/lamp") == "ein Licht" })
        it.send(2, "cmnd/lamp", "", qos: 0)
        expectEqual(it.outcome(2), .succeeded)
        #expect(try observer.wait { $0.all("cmnd/lamp") == ["ein Licht", ""] })
        // Only what is to be kept is kept.
        it.send(3, "cmnd/kept", "k", retain: true)
        expectEqual(it.outcome(3), .succeeded)
        let later = try Observer(broker.port, named: "later")
        #expect(try later.wait { $0.last("cmnd/kept") == "k" })
        #expect(later.all("cmnd/lamp").isEmpty)
    }

    @Test func withoutTheBrokerItFailsAndLaterItWorksAgain() throws {
        let broker = try Mosquitto()
        let it = try Rig(broker.port)
        defer { it.stop() }
        #expect(it.wait { $0.isUp })
        it.send(1, "cmnd/lamp", "1")
        expectEqual(it.outcome(1), .succeeded)
        broker.kill()
        #expect(it.wait { !$0.isUp })
        it.send(2, "cmnd/lamp", "2")
        expectEqual(it.outcome(2), .failed(.unreachable))
        try broker.start()
        let observer = try Observer(broker.port)
        #expect(it.wait { $0.isUp })
        it.send(3, "cmnd/lamp", "3")
        expectEqual(it.outcome(3), .succeeded)
        #expect(try observer.wait { $0.last("cmnd/lamp") == "3" })
        expectEqual(observer.all("cmnd/lamp"), ["3"], "what failed is not sent later")
    }

    /// The broker dies with messages on their way: each of them ends, and none succeeds unheard.
    @Test func aBrokerThatDiesMidwayEndsEveryMessage() throws {
        let broker = try Mosquitto()
        let it = try Rig(broker.port)
        defer { it.stop() }
        #expect(it.wait { $0.isUp })
        let text = String(repeating: "a", count: 8_000)
        for number in 1...40 as ClosedRange<UInt32> { it.send(number, "cmnd/lamp", text) }
        broker.kill()
        for number in 1...40 as ClosedRange<UInt32> {
            let outcome = it.outcome(number)
            #expect(
                outcome == .succeeded || outcome == .lost || outcome == .failed(.unreachable),
                "\(number): \(String(describing: outcome))")
        }
    }

    @Test func whatTheBrokerForbidsIsRefused() throws {
        let broker = try Mosquitto("allow_anonymous true\nacl_file /dev/null")
        let it = try Rig(broker.port)
        defer { it.stop() }
        #expect(it.wait { $0.isUp })
        it.send(1, "cmnd/lamp", "1")
        expectEqual(it.outcome(1), .failed(.refused))
        expectEqual(it.result(1)?.explanation.contains("does not allow the panel to write"), true)
    }

    // MARK: Feedback

    @Test func reportsArriveAlsoThoseThatTheBrokerKeeps() throws {
        let broker = try Mosquitto()
        let observer = try Observer(broker.port)
        observer.publish("stat/lamp", "ON", isRetained: true)
        #expect(try observer.wait { $0.isFlushed })
        let it = try Rig(broker.port)
        defer { it.stop() }
        #expect(it.wait { $0.reports.contains(.feedback(Self.lamp, .on)) })
        observer.publish("stat/lamp", "OFF")
        #expect(try observer.wait { $0.isFlushed })
        #expect(it.wait { $0.last(of: Self.lamp) == .feedback(Self.lamp, .off) })
        observer.publish("stat/lamp", bytes: [0xFF, 0x80])
        #expect(try observer.wait { $0.isFlushed })
        #expect(it.wait { $0.last(of: Self.lamp) == .feedbackLost(Self.lamp) })
        #expect(it.log.contains("feedback of lamp"))
        observer.publish("stat/lamp", bytes: [UInt8](repeating: 0x61, count: 60_000))
        observer.publish("stat/lamp", "ON")
        #expect(try observer.wait { $0.isFlushed })
        #expect(it.wait { $0.last(of: Self.lamp) == .feedback(Self.lamp, .on) })
        // Nobody says more: the value is not known to be right.
        broker.kill()
        #expect(it.wait { $0.last(of: Self.lamp) == .feedbackLost(Self.lamp) })
    }

    @Test func aControlOfAnotherPanelIsHeardWhileThatPanelIsThere() throws {
        let broker = try Mosquitto()
        let observer = try Observer(broker.port)
        let it = try Rig(broker.port)
        defer { it.stop() }
        #expect(it.wait { $0.isUp })
        let state = "{\"value\": \"off\", \"actual\": \"on\", \"phase\": \"pending\"}"
        observer.publish("detent/boiler-room/pump/state", state, isRetained: true)
        observer.publish("detent/boiler-room/availability", "online", isRetained: true)
        #expect(try observer.wait { $0.isFlushed })
        #expect(it.wait { $0.last(of: Self.pump) == .feedback(Self.pump, .on) })
        observer.publish("detent/boiler-room/availability", "offline", isRetained: true)
        #expect(try observer.wait { $0.isFlushed })
        #expect(it.wait { $0.last(of: Self.pump) == .feedbackLost(Self.pump) })
        #expect(it.log.contains("pump of the panel Boiler Room is offline"))
    }

    /// A device that never pauses costs no more than fifty reports a second, and its last word
    /// counts; an action goes through meanwhile.
    @Test func aFloodIsThinned() throws {
        let broker = try Mosquitto(
            "allow_anonymous true\nmax_queued_messages 0\nmax_inflight_messages 0")
        let it = try Rig(broker.port)
        defer { it.stop() }
        #expect(it.wait { $0.isUp })
        let flood = try Observer(broker.port, named: "flood", filter: nil)
        let start = MonotonicClock.now
        for count in 0..<100_000 {
            flood.publish(
                "stat/lamp", bytes: Array((count % 2 == 0 ? "ON" : "OFF").utf8), isFleeting: true)
        }
        it.send(1, "cmnd/lamp", "1")
        flood.publish("stat/lamp", "ON")
        #expect(try flood.wait { $0.isFlushed })
        expectEqual(it.outcome(1), .succeeded)
        #expect(it.wait { $0.log.contains("reports faster than every 20 ms") })
        #expect(it.wait { $0.last(of: Self.lamp) == .feedback(Self.lamp, .on) })
        let span = MonotonicClock.now - start
        #expect(it.reports.count <= Int(span.nanoseconds / 20_000_000) + 5)
    }
}
