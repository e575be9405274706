import DetentCore
import DetentPanel
import DetentTypes
import Synchronization
import TestSupport
import Testing

@testable import DetentRuntime

/// Reports from any source, on their way to the panel.
@Suite struct FeedbackIntakeTests {
    /// What the intake sends and says.
    private final class Rig: Sendable {
        struct Sent: Equatable {
            var event: Event
            var panel: UInt32
            var at: Instant
        }

        let sent = Mutex<[Sent]>([])
        let log = Mutex<[String]>([])
        let hasRoom = Mutex(true)
        /// How often a report waited.
        let wakes = Mutex(0)

        func intake(_ plan: PanelPlan) -> FeedbackIntake {
            FeedbackIntake(
                plan,
                send: { [self] event, panel, at in
                    guard hasRoom.withLock({ $0 }) else { return false }
                    sent.withLock { $0.append(Sent(event: event, panel: panel, at: at)) }
                    return true
                }, log: { [self] text in log.withLock { $0.append(text) } },
                wake: { [self] in wakes.withLock { $0 += 1 } })
        }

        func take() -> [Sent] {
            sent.withLock { sent in
                defer { sent = [] }
                return sent
            }
        }

        func takeLog() -> [String] {
            log.withLock { log in
                defer { log = [] }
                return log
            }
        }
    }

    private static func plan(
        _ feedback: String, more: String = "", rules: String = ""
    ) throws -> PanelPlan {
        let text = """
            {panel: P, board: none, controls: {\(more)
            c: {kind: switch, label: Lamp, input: A, action: {run: [x], timeout: 1s},
            feedback: {\(feedback)}\(rules)}}}
            """
        let reading = PanelReader.read(SourceText(file: "p.yaml", text: text))
        return try #require(reading.plan, "\(reading.problems)")
    }

    private static let source = FeedbackSource.program(arguments: ["w"])
    private static let control = ControlID(0)

    private static func ms(_ count: UInt64) -> Instant { .zero + .milliseconds(count) }

    /// Who passes on what waits is woken for it, and for nothing else.
    @Test func aReportThatWaitsWakes() throws {
        let rig = Rig()
        let intake = rig.intake(try Self.plan("watch: [w]"))
        intake.receive(Array("on".utf8), from: Self.source, at: Self.ms(0))
        expectEqual(rig.wakes.withLock { $0 }, 0, "it has passed")
        intake.receive(Array("off".utf8), from: Self.source, at: Self.ms(1))
        expectEqual(rig.wakes.withLock { $0 }, 1)
        intake.receive(Array("off".utf8), from: .topic("x"), at: Self.ms(1))
        expectEqual(rig.wakes.withLock { $0 }, 1)
        expectEqual(intake.deadline, Self.ms(20))
    }

    /// Reports that were left out on the way here are told like those that are left out here.
    @Test func reportsThatWereSkippedAreToldOnce() throws {
        let rig = Rig()
        let intake = rig.intake(try Self.plan("watch: [w]"))
        for moment: UInt64 in [0, 100] {
            intake.receive(
                Array("on".utf8), from: Self.source, at: Self.ms(moment), skipped: 2)
        }
        let log = rig.takeLog()
        expectEqual(log.count, 1)
        #expect(log[0].contains("reports faster than every 20 ms"), "\(log)")
    }

    @Test func aReportIsAnEventWithItsMoment() throws {
        let rig = Rig()
        let intake = rig.intake(try Self.plan("watch: [w], map: {\"AN\": on}"))
        intake.receive(Array("AN".utf8), from: Self.source, at: Self.ms(5))
        intake.receive(Array(" off \n".utf8), from: Self.source, at: Self.ms(50))
        intake.receive(Array("on".utf8), from: .topic("x"), at: Self.ms(60))
        expectEqual(
            rig.take(),
            [
                .init(event: .feedback(Self.control, .on), panel: 0, at: Self.ms(5)),
                .init(event: .feedback(Self.control, .off), panel: 0, at: Self.ms(50)),
            ])
        expectEqual(rig.takeLog(), [])
    }

    @Test func aPointerFindsTheValue() throws {
        let rig = Rig()
        let intake = rig.intake(try Self.plan("watch: [w], pointer: /a/b"))
        intake.receive(Array(#"{"a": {"b": true}}"#.utf8), from: Self.source, at: Self.ms(5))
        expectEqual(rig.take().map(\.event), [.feedback(Self.control, .on)])
    }

    @Test(
        arguments: [
            "maybe", "\u{FF}", String(repeating: "x", count: 5_000), "{\"a\"",
        ])
    func whatIsNoValueMakesItStaleAndIsTold(word: String) throws {
        let rig = Rig()
        let intake = rig.intake(try Self.plan("watch: [w]"))
        var bytes = Array(word.utf8)
        if word == "\u{FF}" { bytes = [0xFF, 0xFE] }
        intake.receive(bytes, from: Self.source, at: Self.ms(5))
        expectEqual(rig.take().map(\.event), [.feedbackLost(Self.control)])
        let log = rig.takeLog()
        #expect(log.count == 1 && log[0].hasPrefix("detent: feedback of c: it"), "\(log)")
        // The same again is no news; another one would fill the log.
        intake.receive(bytes, from: Self.source, at: Self.ms(50))
        intake.receive(Array("other".utf8), from: Self.source, at: Self.ms(100))
        expectEqual(rig.takeLog(), [])
        intake.receive(Array("on".utf8), from: Self.source, at: Self.ms(150))
        expectEqual(rig.takeLog(), ["detent: the feedback of c works again\n"])
        expectEqual(rig.take().last?.event, .feedback(Self.control, .on))
    }

    /// A hundred thousand reports in a second: fifty pass, and the last of them is the last word.
    @Test func aFloodIsThinnedAndItsLastWordPasses() throws {
        let rig = Rig()
        let intake = rig.intake(try Self.plan("watch: [w]"))
        let on = Array("on".utf8)
        let off = Array("off".utf8)
        for count in 0..<100_000 as Range<UInt64> {
            let now = Instant.zero + TimeSpan(nanoseconds: count * 10_000)
            intake.passDue(at: now)
            intake.receive(count % 2 == 0 ? on : off, from: Self.source, at: now)
        }
        intake.passDue(at: intake.deadline)
        let sent = rig.take()
        #expect((50...52).contains(sent.count), "\(sent.count)")
        expectEqual(sent.last?.event, .feedback(Self.control, .off))
        expectEqual(intake.deadline, .never)
        expectEqual(rig.takeLog().count, 1)
    }

    /// A device may report other things too, and a message of another kind says nothing.
    @Test(arguments: ["watch: [w], pointer: /a", "watch: [w], pointer: /a, stale-after: 1h"])
    func whatIsAboutSomethingElseChangesNothing(feedback: String) throws {
        let rig = Rig()
        let parts = feedback.split(separator: ", stale-after", maxSplits: 1)
        let more = parts.count > 1 ? ", stale-after\(parts[1])" : ""
        let intake = rig.intake(try Self.plan(String(parts[0]), rules: more))
        let others = ["{\"b\": 1}", "[]", "7", "\"a\"", " ", "\r"]
        for (place, text) in others.enumerated() {
            intake.receive(Array(text.utf8), from: Self.source, at: Self.ms(UInt64(place)))
        }
        expectEqual(rig.take(), [])
        let told = rig.takeLog()
        #expect(told.count == 1 && told[0].contains("has nothing at `/a`"), "\(told)")
        // Within the gap, before and after a value.
        let texts = ["{\"a\": \"off\"}", "{\"b\": 1}", "{\"a\": \"on\"}", "{\"b\": 2}", ""]
        for text in texts { intake.receive(Array(text.utf8), from: Self.source, at: Self.ms(100)) }
        intake.passDue(at: intake.deadline)
        expectEqual(
            rig.take().map(\.event),
            [.feedback(Self.control, .off), .feedback(Self.control, .on)])
        expectEqual(intake.deadline, .never)
        #expect(!rig.takeLog().contains { $0.contains("nothing at") }, "it has values")
    }

    /// A broker forgets what it kept by an empty message: the control of the other panel is gone.
    @Test func anEmptyMessageIsNoValue() throws {
        let rig = Rig()
        let text =
            "{panel: P, board: none, mqtt: {url: \"mqtt://h\"}, controls: {c: {kind: indicator, "
            + "label: Alarm, indicator: L, feedback: {panel: Boiler, control: alarm}}}}"
        let plan = try #require(PanelReader.read(SourceText(file: "p.yaml", text: text)).plan)
        let source = try #require(plan.controls[0].feedback?.source)
        let intake = rig.intake(plan)
        intake.receive(Array("{\"actual\": \"on\"}".utf8), from: source, at: Self.ms(5))
        intake.receive([], from: source, at: Self.ms(100))
        expectEqual(
            rig.take().map(\.event), [.feedback(Self.control, .on), .feedbackLost(Self.control)])
    }

    /// A service that was asked for a value and says something else is told, each time anew.
    @Test func anAnswerWithoutTheValueIsTold() throws {
        let rig = Rig()
        let intake = rig.intake(try Self.plan("watch: [w], pointer: /a"))
        intake.receive(
            Array("{\"a\": \"on\"}".utf8), from: Self.source, at: Self.ms(5), asked: Self.ms(1))
        intake.receive(
            Array("{\"error\": 1}".utf8), from: Self.source, at: Self.ms(100), asked: Self.ms(50))
        expectEqual(rig.take().count, 1)
        #expect(rig.takeLog().first?.contains("has nothing at `/a`: it changes nothing") == true)
    }

    /// A word that is no value follows the value before it; both are told.
    @Test func whatIsNoValueReplacesNone() throws {
        let rig = Rig()
        let intake = rig.intake(try Self.plan("watch: [w]"))
        for text in ["off", "on", "OK"] {
            intake.receive(Array(text.utf8), from: Self.source, at: Self.ms(5))
        }
        intake.passDue(at: Self.ms(25))
        intake.passDue(at: Self.ms(45))
        expectEqual(
            rig.take().map(\.event),
            [
                .feedback(Self.control, .off), .feedback(Self.control, .on),
                .feedbackLost(Self.control),
            ])
    }

    /// What a request that began earlier was answered is known as such.
    @Test func anAnswerSaysWhenItWasAskedFor() throws {
        let rig = Rig()
        let intake = rig.intake(try Self.plan("watch: [w]"))
        intake.receive(Array("on".utf8), from: Self.source, at: Self.ms(90), asked: Self.ms(5))
        expectEqual(
            rig.take(),
            [
                .init(
                    event: .feedback(Self.control, .on, asked: Self.ms(5)), panel: 0,
                    at: Self.ms(90))
            ])
    }

    @Test func withoutRoomTheReportWaits() throws {
        let rig = Rig()
        let intake = rig.intake(try Self.plan("watch: [w]"))
        rig.hasRoom.withLock { $0 = false }
        intake.receive(Array("on".utf8), from: Self.source, at: Self.ms(5))
        expectEqual(intake.deadline, Self.ms(25))
        rig.hasRoom.withLock { $0 = true }
        intake.passDue(at: Self.ms(25))
        expectEqual(rig.take().map(\.event), [.feedback(Self.control, .on)])
    }

    @Test func aLostSourceIsTold() throws {
        let rig = Rig()
        let intake = rig.intake(try Self.plan("watch: [w]"))
        intake.lose(Self.source, because: "it ended", remedy: "look", at: Self.ms(5))
        expectEqual(rig.take().map(\.event), [.feedbackLost(Self.control)])
        expectEqual(rig.takeLog(), ["detent: feedback of c: it ended\nhelp: look\n"])
    }

    /// Why a source is gone is said though a report was unreadable just before; not too often.
    @Test func eachReasonIsTold() throws {
        let rig = Rig()
        let intake = rig.intake(try Self.plan("watch: [w]"))
        intake.receive(Array("maybe".utf8), from: Self.source, at: Self.ms(5))
        for (place, name) in ["a", "b", "a", "b"].enumerated() {
            let now = Self.ms(UInt64(place + 1) * 100)
            intake.lose(Self.source, because: name, remedy: "look", at: now)
        }
        let log = rig.takeLog()
        expectEqual(log.count, 3, "\(log)")
        expectEqual(log.dropFirst().map { $0.contains(": a\n") }, [true, false])
        for (place, name) in ["c", "d", "e"].enumerated() {
            let now = Self.ms(UInt64(place + 5) * 100)
            intake.lose(Self.source, because: name, remedy: "look", at: now)
        }
        expectEqual(rig.takeLog().count, 1, "no more than \(RuntimeLimits.feedbackLogFaults)")
        intake.lose(Self.source, because: "d", remedy: "look", at: Self.ms(20_000))
        expectEqual(rig.takeLog().count, 1)
    }

    /// Indices and the number of the panel change; what the device said last is said again.
    @Test func afterAReloadTheLastWordCountsAgain() throws {
        let rig = Rig()
        let intake = rig.intake(try Self.plan("watch: [w]"))
        intake.receive(Array("on".utf8), from: Self.source, at: Self.ms(5))
        intake.receive(Array("off".utf8), from: Self.source, at: Self.ms(6))
        _ = rig.take()
        let more = "b: {kind: switch, label: Fan, input: B},"
        intake.replacePlan(try Self.plan("watch: [w]", more: more), at: Self.ms(7))
        expectEqual(
            rig.take(),
            [
                .init(
                    event: .feedback(ControlID(1), .off, asked: Self.ms(6)), panel: 1,
                    at: Self.ms(7))
            ], "an action may have ended since it was heard")
        intake.replacePlan(try Self.plan("watch: [other]", more: more), at: Self.ms(8))
        expectEqual(rig.take(), [])
    }

    /// What the device said last may mean something else with other words.
    @Test func aLastWordIsForgottenWithItsMeaning() throws {
        let rig = Rig()
        let words = ", words: {on: \"ON\", off: \"OFF\"}"
        let intake = rig.intake(try Self.plan("watch: [w]", rules: words))
        intake.receive(Array("OFF".utf8), from: Self.source, at: Self.ms(1))
        expectEqual(rig.take().map(\.event), [.feedback(ControlID(0), .off)])
        intake.replacePlan(try Self.plan("watch: [w]", rules: words), at: Self.ms(100))
        expectEqual(rig.take().count, 1)
        let others = ", words: {on: \"OFF\", off: \"ON\"}"
        intake.replacePlan(try Self.plan("watch: [w]", rules: others), at: Self.ms(200))
        expectEqual(rig.take(), [])
        intake.receive(Array("OFF".utf8), from: Self.source, at: Self.ms(300))
        expectEqual(rig.take().map(\.event), [.feedback(ControlID(0), .on)])
    }
}
