import DetentPanel
import DetentRuntime
import DetentTypes
import DetentWall
import Synchronization
import TestSupport
import Testing

@testable import DetentActions
@testable import DetentMQTT

/// The panel's side of the connection: what becomes of an attempt, and what a word can do.
@Suite struct MQTTRunnerTests {
    /// Ends what is refused, at once.
    private final class Refuser: ActionRunner {
        func start(_ request: ActionRequest, tell: @escaping @Sendable (AttemptEvent) -> Void) {
            guard case .refused(let explanation) = request.payload else {
                Issue.record("started: \(request)")
                return
            }
            tell(
                .ended(
                    ActionResult(
                        run: request.run, outcome: .failed(.notStarted), explanation: explanation,
                        startedAt: nil, endedAt: .zero)))
        }

        func cancel(_ run: RunID) {}
        func stop(within span: TimeSpan) -> Int { 0 }
    }

    private final class Rig: Sendable {
        let plan: PanelPlan
        let outlet: MQTTRunner
        let ends = Mutex<[ActionResult]>([])
        let begun = Mutex(0)
        let rings = Mutex(0)
        let events = Mutex<[String]>([])
        let log = Mutex("")

        init() throws {
            let text = """
                {panel: P, board: none, mqtt: {url: "mqtt://h"}, controls: {
                c: {kind: switch, label: Lamp, input: A,
                action: {mqtt: {topic: cmnd/lamp, payload: "{value}"}, timeout: 1s},
                feedback: {mqtt: stat/lamp, pointer: /power}}}}
                """
            let reading = PanelReader.read(SourceText(file: "p.yaml", text: text))
            plan = try #require(reading.plan, "\(ProblemRenderer.text(reading.problems))")
            let secrets = SecretSource { (_) throws(SecretError) in "geheim" }
            outlet = MQTTRunner(refuser: Refuser(), secrets: secrets)
            outlet.wakes { [weak self] in self?.rings.withLock { $0 += 1 } }
            let intake = FeedbackIntake(
                plan,
                send: { [weak self] event, _, _ in
                    self?.events.withLock { $0.append("\(event)") }
                    return true
                }, log: { [weak self] text in self?.log.withLock { $0 += text } }, wake: {})
            outlet.report(to: intake)
        }

        func start(_ number: UInt32, topic: String = "cmnd/lamp", _ more: [ActionField] = []) {
            let fields = [ActionField("topic", .text(topic))] + more
            outlet.start(ActionRequest(run: RunID(number), .fields(fields))) { [weak self] event in
                switch event {
                case .began: self?.begun.withLock { $0 += 1 }
                case .ended(let result): self?.ends.withLock { $0.append(result) }
                }
            }
        }

        func say(_ word: MQTTNote) -> Bool { outlet.receive(word, of: plan) }
        var outcomes: [ActionOutcome] { ends.withLock { $0.map(\.outcome) } }
        var lastText: String { ends.withLock { $0.last?.explanation ?? "" } }
    }

    /// Conditions of the panel know at any time whether the broker is offline.
    @Test func eachChangeOfTheConnectionIsTold() throws {
        let it = try Rig()
        let told = Mutex<[Bool]>([])
        it.outlet.observe { isOffline, _ in told.withLock { $0.append(isOffline) } }
        #expect(it.say(.up) && it.say(.down) && it.say(.up))
        it.outlet.ended(it.plan, isRestarted: true)
        expectEqual(told.withLock { $0 }, [true, false, true, false, true])
        // Who asks later learns what is.
        #expect(it.say(.up))
        let later = Mutex<[Bool]>([])
        it.outlet.observe { isOffline, _ in later.withLock { $0.append(isOffline) } }
        expectEqual(later.withLock { $0 }, [false])
    }

    @Test func withoutAConnectionItFailsAtOnce() throws {
        let it = try Rig()
        it.start(1)
        expectEqual(it.outcomes, [.failed(.unreachable)])
        expectEqual(it.lastText, "the broker is not connected; nothing was sent")
        #expect(it.outlet.next() == nil)
        #expect(it.say(.up))
        #expect(it.outlet.next() == nil, "nothing was kept for later")
        #expect(it.say(.down))
        it.start(2)
        expectEqual(it.outcomes.count, 2)
    }

    @Test func theBrokerEndsIt() throws {
        let it = try Rig()
        #expect(it.say(.up))
        it.start(
            5,
            [
                ActionField("payload", .text("on ${env:KEY}")), ActionField("qos", .integer(0)),
                ActionField("retain", .boolean(true)),
            ])
        expectEqual(it.rings.withLock { $0 }, 1)
        expectEqual(
            it.outlet.next(),
            .order(
                .publish(
                    MQTTPublication(
                        number: 5, topic: "cmnd/lamp", payload: "on geheim",
                        isRetained: true, isFleeting: true))))
        expectEqual(it.begun.withLock { $0 }, 1)
        expectEqual(it.outcomes, [])
        #expect(it.say(.ended(4, .taken)), "a number that no attempt has is ignored")
        #expect(it.say(.ended(5, .taken)) && it.say(.ended(5, .refused(135))))
        expectEqual(it.outcomes, [.succeeded])
    }

    @Test(arguments: [
        (MQTTNote.Ending.away, ActionOutcome.failed(.unreachable)), (.broken, .lost),
        (.refused(135), .failed(.refused)), (.refused(151), .failed(.refused)),
    ]) func everyEndHasItsOutcome(_ ending: MQTTNote.Ending, _ outcome: ActionOutcome) throws {
        let it = try Rig()
        #expect(it.say(.up))
        it.start(1, [ActionField("payload", .text("${env:KEY}"))])
        _ = it.outlet.next()
        #expect(it.say(.ended(1, ending)))
        expectEqual(it.outcomes, [outcome])
        #expect(!it.lastText.contains("geheim"))
    }

    @Test func whatCannotBeSentIsRefused() throws {
        let it = try Rig()
        #expect(it.say(.up))
        it.start(1, topic: "cmnd/#1")
        #expect(it.lastText.contains("`cmnd/#1` is not a topic"))
        it.start(
            2,
            [
                ActionField(
                    "payload",
                    .text(String(repeating: "a", count: MQTTLimits.publicationBytes + 1)))
            ])
        it.start(3, topic: "")
        expectEqual(
            it.outcomes, [.failed(.notStarted), .failed(.notStarted), .failed(.notStarted)])
        #expect(it.outlet.next() == nil)
    }

    @Test func aCancelEndsIt() throws {
        let it = try Rig()
        #expect(it.say(.up))
        it.start(1)
        it.start(2)
        it.outlet.cancel(RunID(1))
        it.outlet.cancel(RunID(9))
        expectEqual(it.outcomes, [.cancelled])
        guard case .order(.publish(let message))? = it.outlet.next() else {
            Issue.record("the second one was not sent")
            return
        }
        expectEqual(message.number, 2)
        it.outlet.cancel(RunID(2))
        expectEqual(it.lastText, "cancelled; the broker may have the message already")
        expectEqual(it.outlet.next(), .order(.cancel(2)))
        #expect(it.say(.ended(2, .taken)))
        expectEqual(it.outcomes, [.cancelled, .cancelled])
    }

    /// An order goes to the process in the call that decides it; one that finds no room waits, and
    /// none overtakes it.
    @Test func anOrderGoesAtOnceWhileThereIsRoom() throws {
        let it = try Rig()
        let passed = Mutex<[PanelMessage]>([])
        let hasRoom = Mutex(true)
        it.outlet.begun { message in
            guard hasRoom.withLock({ $0 }) else { return false }
            passed.withLock { $0.append(message) }
            return true
        }
        func numbers() -> [UInt32] {
            passed.withLock { $0 }.compactMap {
                if case .order(.publish(let message)) = $0 { message.number } else { nil }
            }
        }
        #expect(it.say(.up))
        it.start(1)
        expectEqual(numbers(), [1])
        #expect(it.begun.withLock { $0 } == 1 && it.rings.withLock { $0 } == 0)
        it.outlet.cancel(RunID(1))
        expectEqual(passed.withLock { $0.last }, .order(.cancel(1)))
        it.start(2)
        hasRoom.withLock { $0 = false }
        it.start(3)
        hasRoom.withLock { $0 = true }
        it.start(4)
        #expect(numbers() == [1, 2] && it.begun.withLock { $0 } == 2)
        expectEqual(it.rings.withLock { $0 }, 2)
        #expect(it.outlet.next() != nil && it.outlet.next() != nil)
        expectEqual(it.begun.withLock { $0 }, 4)
        it.start(5)
        expectEqual(numbers(), [1, 2], "the keeper may not have sent the fourth")
        #expect(it.outlet.next() != nil && it.outlet.next() == nil)
        it.start(6)
        expectEqual(numbers(), [1, 2, 6])
        it.outlet.ended(it.plan, isRestarted: false)
        #expect(it.say(.up))
        it.start(7)
        expectEqual(numbers(), [1, 2, 6], "a process that has ended gets nothing")
    }

    /// What was passed on may have been sent, so its value is unknown; the rest was not sent.
    @Test func theEndOfTheProcessEndsAll() throws {
        let it = try Rig()
        #expect(it.say(.up))
        it.start(1)
        it.start(2)
        _ = it.outlet.next()
        it.outlet.ended(it.plan, isRestarted: false)
        expectEqual(it.outcomes, [.lost, .failed(.unreachable)])
        expectEqual(it.events.withLock { $0.count }, 1, "and the device is not heard any more")
        it.start(3)
        expectEqual(it.outcomes.last, .failed(.unreachable))
        expectEqual(it.outlet.stop(within: .zero), 0)
    }

    @Test func theEndOfThePanelEndsAll() throws {
        let it = try Rig()
        #expect(it.say(.up))
        it.start(1)
        it.start(2)
        _ = it.outlet.next()
        expectEqual(it.outlet.stop(within: .zero), 0)
        expectEqual(it.outcomes, [.lost, .lost])
        #expect(it.say(.ended(1, .taken)) && it.outcomes.count == 2)
    }

    // MARK: Feedback

    @Test func messagesBecomeReports() throws {
        let it = try Rig()
        #expect(it.say(.heard(0, skipped: 0, Array("{\"power\": \"on\"}".utf8))))
        let first = it.events.withLock { $0 }
        #expect(first.count == 1 && first[0].contains("feedback("), "\(first)")
        #expect(it.say(.heard(0, skipped: 0, [0xFF, 0xFE])))
        #expect(it.log.withLock { $0 }.contains("its answer is not JSON"))
        #expect(!it.say(.heard(1, skipped: 0, [])), "the panel has one source only")
        #expect(!it.say(.lost(7, .offline)))
    }

    @Test func withoutTheBrokerTheDeviceIsNotHeard() throws {
        let it = try Rig()
        #expect(it.say(.down))
        expectEqual(it.events.withLock { $0.last }?.contains("feedbackLost"), true)
        #expect(it.log.withLock { $0 }.contains("feedback of c: the broker is not connected"))
        #expect(it.say(.up))
        expectEqual(it.events.withLock { $0.count }, 1, "only a report ends it")
    }
}
