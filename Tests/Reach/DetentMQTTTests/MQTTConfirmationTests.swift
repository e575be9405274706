import DetentPanel
import DetentPlatform
import DetentRuntime
import DetentTypes
import DetentWall
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import DetentActions
@testable import DetentMQTT

/// Attempts that are done when the device says so.
@Suite struct MQTTConfirmationTests {
    private final class Rig: Sendable {
        let plan: PanelPlan
        let outlet: MQTTRunner
        let actions: PanelActions
        private let ends = Mutex<[ActionResult]>([])

        init(_ confirm: String = "topic: stat/lamp, map: {\"ON\": on}", more: String = "") throws {
            let text = """
                {panel: P, board: none, mqtt: {url: "mqtt://h"}, controls: {
                lamp: {kind: switch, label: Lamp, input: A,
                action: {mqtt: {topic: cmnd/lamp, payload: "{value}", confirm: {\(confirm)}\(more)},
                timeout: 1500ms}}}}
                """
            let reading = PanelReader.read(SourceText(file: "p.yaml", text: text))
            plan = try #require(reading.plan, "\(ProblemRenderer.text(reading.problems))")
            outlet = MQTTRunner(refuser: try ProcessSupervisor())
            actions = PanelActions(plan)
            let actions = actions
            outlet.confirm { actions.confirms($0, $1) == true }
            outlet.begun { _ in true }
            #expect(say(.up))
        }

        func start(_ number: UInt32, _ value: Value = .on) {
            let command = ActionCommand(
                .start, action: 0, run: RunID(number), control: ControlID(0), value: value)
            outlet.start(actions.request(command)) { [weak self] event in
                if case .ended(let result) = event {
                    self?.ends.withLock { $0.append(result) }
                }
            }
        }

        func say(_ word: MQTTNote) -> Bool { outlet.receive(word, of: plan) }
        func hear(_ text: String) -> Bool { say(.heard(0, skipped: 0, Array(text.utf8))) }
        var outcomes: [ActionOutcome] { ends.withLock { $0.map(\.outcome) } }
        var runs: [UInt32] { ends.withLock { $0.map(\.run.number) } }
        var lastText: String { ends.withLock { $0.last?.explanation ?? "" } }
    }

    @Test(arguments: ["ON", "on", " on \n"]) func theDeviceEndsIt(word: String) throws {
        let it = try Rig()
        it.start(1)
        #expect(it.say(.ended(1, .taken)))
        expectEqual(it.outcomes, [], "the broker has it, and the device may not")
        #expect(it.hear("off") && it.hear("nonsense") && it.hear(""))
        expectEqual(it.outcomes, [])
        #expect(it.hear(word))
        expectEqual(it.outcomes, [.succeeded])
        #expect(it.hear(word) && it.outcomes.count == 1)
    }

    /// The acknowledgement of the broker may come later than the word of the device.
    @Test func theDeviceMayBeFirst() throws {
        let it = try Rig()
        it.start(1)
        #expect(it.hear("ON"))
        expectEqual(it.outcomes, [])
        #expect(it.say(.ended(1, .taken)))
        expectEqual(it.outcomes, [.succeeded])
    }

    /// It may be of something else than the value.
    @Test func anotherWordTakesNothingBack() throws {
        let it = try Rig()
        it.start(1)
        #expect(it.hear("ON") && it.hear("{\"Uptime\": 3}"))
        #expect(it.say(.ended(1, .taken)))
        expectEqual(it.outcomes, [.succeeded])
    }

    @Test func theValueIsFoundInJSON() throws {
        let it = try Rig("topic: stat/lamp, pointer: /power")
        it.start(1)
        #expect(it.say(.ended(1, .taken)))
        #expect(it.hear("{\"power\": false}") && it.hear("{}") && it.hear("on"))
        expectEqual(it.outcomes, [])
        #expect(it.hear("{\"power\": true}"))
        expectEqual(it.outcomes, [.succeeded])
    }

    @Test func eachAttemptWaitsForItsOwnValue() throws {
        let it = try Rig()
        it.start(1, .on)
        it.start(2, .off)
        #expect(it.say(.ended(1, .taken)) && it.say(.ended(2, .taken)))
        #expect(it.hear("off"))
        expectEqual(it.runs, [2])
        #expect(it.hear("ON"))
        expectEqual(it.runs, [2, 1])
    }

    @Test func whatTheBrokerRefusesIsNotWaitedFor() throws {
        let it = try Rig()
        it.start(1)
        it.start(2)
        #expect(it.say(.ended(1, .refused(135))) && it.say(.ended(2, .broken)))
        expectEqual(it.outcomes, [.failed(.refused), .lost])
    }

    /// The broker has the message: whether the device does it is unknown.
    @Test func itIsLostWithTheConnection() throws {
        let it = try Rig()
        it.start(1)
        it.start(2)
        #expect(it.say(.ended(1, .taken)))
        #expect(it.say(.down))
        #expect(it.runs == [1] && it.outcomes == [.lost])
        #expect(it.lastText.contains("before the device confirmed"))
        #expect(it.say(.ended(2, .broken)))
        expectEqual(it.outcomes, [.lost, .lost])
    }

    /// As after the timeout: the log says what the device said.
    @Test(
        arguments: [
            ([], "`stat/lamp` said nothing"), (["OFF", "half\u{1B}[2J"], "said `half?[2J`"),
        ] as [([String], String)])
    func theReasonSaysWhatTheDeviceSaid(words: [String], text: String) throws {
        let it = try Rig()
        it.start(1)
        #expect(it.say(.ended(1, .taken)))
        for word in words { #expect(it.hear(word)) }
        it.outlet.cancel(RunID(1))
        let deadline = MonotonicClock.now + .seconds(60)
        while it.outcomes.isEmpty, MonotonicClock.now < deadline { sched_yield() }
        expectEqual(it.outcomes, [.cancelled])
        #expect(it.lastText.contains(text), "\(it.lastText)")
    }

    // MARK: Expiry

    /// Of the last message.
    private static func expiry(_ more: String) throws -> UInt32? {
        let it = try Rig(more: more)
        let last = Mutex<MQTTRequest?>(nil)
        it.outlet.begun { message in
            if case .order(let order) = message { last.withLock { $0 = order } }
            return true
        }
        it.start(1)
        guard case .publish(let message)? = last.withLock({ $0 }) else { return nil }
        return message.expiry
    }

    @Test(
        arguments: [
            ("", 2), (", retain: true", 0), (", expire: 90s", 90), (", expire: 1200ms", 2),
            (", retain: true, expire: 5s", 5),
        ] as [(String, UInt32)])
    func aMessageExpiresWithItsAttempt(more: String, seconds: UInt32) throws {
        expectEqual(try Self.expiry(more), seconds)
    }

    /// People see what the file has.
    @Test func whatIsImpliedIsNotShown() throws {
        let it = try Rig()
        let command = ActionCommand(
            .start, action: 0, run: RunID(2), control: ControlID(0), value: .on)
        let text = it.actions.text(of: command)
        #expect(text.contains("payload: on") && !text.contains("expire"), "\(text)")
    }
}
