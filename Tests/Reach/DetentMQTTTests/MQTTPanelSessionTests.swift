import DetentCore
import DetentPanel
import DetentRuntime
import DetentTypes
import TestSupport
import Testing

@testable import DetentMQTT

/// What a panel tells a broker, without a broker.
@Suite struct MQTTPanelSessionTests {
    private static let lamp = ControlID(0)
    private static let start = ControlID(1)
    private static let cams = ControlID(2)

    private func session(
        _ keys: String = "topic: t", formerTopics: [String] = []
    ) throws -> MQTTPanelSession {
        let plan = try HomeAssistantTests.plan(
            "lamp: {kind: switch, label: Lamp, input: A}, "
                + "start: {kind: button, label: Start, input: B}, "
                + "cams: {kind: segmented, label: Cams, buttons: [C, D], options: [one, two], "
                + "selection: {multiple: {min: 0, max: 2}}}, "
                + "menu: {kind: pull-down, label: Menu, encoder: {a: E, b: F, push: G}, "
                + "items: [{name: Scan}]}, "
                + "all: {kind: checkbox-group, label: All, input: H, members: [box]}, "
                + "box: {kind: checkbox, label: Box, input: I}",
            mqtt: keys)
        let broker = try #require(plan.broker)
        let facts = MQTTFacts(version: "1", formerTopics: formerTopics)
        return MQTTPanelSession(plan, broker, facts: facts, seed: 1)
    }

    private func messages(_ session: inout MQTTPanelSession) -> [MQTTMessage] {
        var all: [MQTTMessage] = []
        while let message = session.next() { all.append(message) }
        return all
    }

    private func ready(
        _ keys: String = "topic: t", formerTopics: [String] = []
    ) throws -> MQTTPanelSession {
        var session = try session(keys, formerTopics: formerTopics)
        for control in session.plan.allControls {
            session.receive(TimedUpdate(.state(control, FakePanel.snapshot(.off)), at: .zero))
        }
        session.receive(TimedUpdate(.complete, at: .zero))
        session.connected()
        _ = messages(&session)
        return session
    }

    private func report(
        _ session: inout MQTTPanelSession, _ control: ControlID, _ kind: Report.Kind
    ) {
        session.receive(
            TimedUpdate(.report(Report(control: control, kind: kind), number: 1), at: .zero))
    }

    @Test func theControlOfATopic() throws {
        let topics = try session("topic: house/desk").topics
        let found = try #require(topics.control("house/desk/lamp/state"))
        #expect(found.id == "lamp" && found.use == .state)
        for other in [
            "house/desk/lamp", "house/desk/lamp/", "house/desk/lamp/state/x",
            "house/desk/lamp/colour", "house/desks/lamp/state", "house/desk", "house/de", "",
            "xhouse/desk/lamp/state", "house/deskxlamp/state",
        ] {
            #expect(topics.control(other) == nil, "\(other)")
        }
    }

    @Test func nothingIsOnlineBeforeAllStatesAreKnown() throws {
        var session = try session()
        session.connected()
        session.receive(TimedUpdate(.state(Self.lamp, FakePanel.snapshot(.on)), at: .zero))
        #expect(!messages(&session).contains { $0.text == "online" })
        session.receive(TimedUpdate(.complete, at: .zero))
        expectEqual(
            messages(&session),
            [
                MQTTMessage(topic: "t/availability", text: "online", isRetained: true)
            ])
    }

    /// Another panel would show the alarm of a control that was removed for ever.
    @Test func theStateOfARemovedControlIsEmptied() throws {
        var session = try ready()
        let state = Array(
            #"{"value": "on", "actual": "on", "phase": "idle", "reason": null, "flags": []}"#.utf8)
        #expect(MQTTState.isState(state))
        func receive(_ topic: String, _ bytes: [UInt8], isRetained: Bool = true) {
            _ = session.receive(topic, bytes, isRetained: isRetained, now: .zero)
        }
        receive("t/alarm/state", state)
        receive("t/lamp/state", state)
        receive("t/other/state", Array("on".utf8))
        receive("t/other/state", Array("{}".utf8))
        receive("t/live/state", state, isRetained: false)
        receive("t/alarm/set", state)
        receive("u/alarm/state", state)
        expectEqual(
            messages(&session),
            [MQTTMessage(topic: "t/alarm/state", text: "", isRetained: true)])
        #expect(
            session.subscriptions.contains {
                $0.filter == "t/+/state" && $0.wantsRetained && !$0.hearsOwn
            })
        for number in 0..<2_000 { receive("t/c\(number)/state", state) }
        expectEqual(messages(&session).count, MQTTLimits.leftovers)
        // Others chose the topics, which can be long.
        let long = String(repeating: "x", count: 60_000)
        for number in 0..<100 { receive("t/\(long)\(number)/state", state) }
        expectEqual(messages(&session).count, MQTTLimits.leftoverBytes / 60_000)
    }

    /// A lamp that blinks changes the snapshot thirty times a second; the broker sees none of it.
    @Test func aStateIsToldWhenItChanged() throws {
        var session = try ready()
        session.receive(TimedUpdate(.state(Self.lamp, FakePanel.snapshot(.off)), at: .zero))
        #expect(messages(&session).isEmpty)
        for value in [Value.on, .off, .on] {
            session.receive(TimedUpdate(.state(Self.lamp, FakePanel.snapshot(value)), at: .zero))
        }
        // Only the newest of three.
        let told = messages(&session)
        expectEqual(told.map(\.topic), ["t/lamp/state"])
        expectEqual(told.first?.text.hasPrefix("{\"value\": \"on\""), true)
    }

    @Test func statesOfEveryShapeHaveTheirWords() throws {
        var session = try ready()
        session.receive(TimedUpdate(.state(Self.cams, FakePanel.snapshot(Value(3))), at: .zero))
        session.receive(TimedUpdate(.state(ControlID(4), FakePanel.snapshot(.mixed)), at: .zero))
        session.receive(TimedUpdate(.state(Self.lamp, FakePanel.snapshot(.unknown)), at: .zero))
        session.receive(
            TimedUpdate(.state(Self.start, FakePanel.snapshot(.unknown, [.stale])), at: .zero))
        let told = messages(&session).map { $0.text.prefix(32) }
        expectEqual(
            told,
            [
                "{\"value\": [\"one\", \"two\"], \"actua",
                "{\"value\": \"mixed\", \"actual\": \"mi",
                "{\"value\": \"unknown\", \"actual\": \"", "{\"value\": null, \"actual\": null, ",
            ])
    }

    @Test func theReasonOfAFailureIsTold() throws {
        var session = try ready()
        report(&session, Self.lamp, .phase(.failed, .failed(.exit(3))))
        var failed = FakePanel.snapshot(.off)
        failed.phase = .failed
        session.receive(TimedUpdate(.state(Self.lamp, failed), at: .zero))
        expectEqual(messages(&session).last?.text.contains("\"reason\": \"exit 3\""), true)
    }

    // MARK: Events

    @Test func eventsOfTheTimeWithoutAConnectionAreDroppedAndCounted() throws {
        var session = try ready()
        session.disconnected()
        report(&session, Self.start, .pressed)
        session.connected()
        #expect(!messages(&session).contains { $0.topic.hasSuffix("/event") })
        expectEqual(session.droppedEvents, 1)
    }

    @Test func theOldestEventIsDroppedWhenThereIsNoRoom() throws {
        var session = try ready()
        for count in 1...MQTTLimits.waitingEvents + 3 {
            report(&session, Self.start, .multiClicked(count: UInt8(truncatingIfNeeded: count)))
        }
        let told = messages(&session)
        expectEqual(told.count, MQTTLimits.waitingEvents)
        expectEqual(told.first?.text.contains("\"count\": 4,"), true)
        expectEqual(session.droppedEvents, 3)
        #expect(told.allSatisfy { !$0.isRetained })
    }

    @Test func eventTypesAreThoseOfHomeAssistant() throws {
        var session = try ready()
        let kinds: [Report.Kind] = [
            .pressed, .released, .pressed, .held, .released, .clicked, .doubleClicked,
            .multiClicked(count: 3),
        ]
        for kind in kinds { report(&session, Self.start, kind) }
        report(&session, ControlID(3), .chosen(Value(0), .panel))
        report(&session, Self.start, .repeated)
        let types = try messages(&session).map {
            try JSONReader.read(Array($0.text.utf8))["event_type"]?.text
        }
        expectEqual(
            types,
            [
                "press_start", "press_end", "press_start", "long_press_start", "long_press_end",
                "multi_press_end", "multi_press_end", "multi_press_end", "Scan",
            ])
    }

    // MARK: Commands

    private func send(
        _ session: inout MQTTPanelSession, _ topic: String, _ text: String, isRetained: Bool = false
    ) -> Event? {
        session.receive(topic, Array(text.utf8), isRetained: isRetained, now: .zero)?.event
    }

    @Test func severalOptionsAreAddedAndRemoved() throws {
        var session = try ready()
        session.receive(TimedUpdate(.state(Self.cams, FakePanel.snapshot(Value(1))), at: .zero))
        guard case .intent(Self.cams, Value(3), .mqtt, _)? = send(&session, "t/cams/set", "+two"),
            case .intent(Self.cams, Value(0), .mqtt, _)? = send(&session, "t/cams/set", "-one"),
            case .intent(Self.cams, Value(2), .mqtt, _)? = send(
                &session, "t/cams/set", "{\"value\": [\"two\"]}")
        else {
            Issue.record("a command was not understood")
            return
        }
        #expect(send(&session, "t/cams/set", "+three") == nil)
    }

    @Test(arguments: [("toggle", Int32(1)), ("{\"value\": \"toggle\"}", 1)])
    func aChangeCountsFromWhatThePanelShows(text: String, distance: Int32) throws {
        var session = try ready()
        guard case .change(Self.lamp, distance, .mqtt, _)? = send(&session, "t/lamp/set", text)
        else {
            Issue.record("it was not understood")
            return
        }
        for wrong in ["next", "{\"by\": 1}"] {
            #expect(send(&session, "t/lamp/set", wrong) == nil)
            #expect(send(&session, "t/cams/set", wrong) == nil, "several options have no next one")
        }
    }

    @Test(arguments: [
        "t/lamp/state", "t/lamp/event", "t/lamp", "t/lamp/set/x", "t//set", "other/lamp/set",
        "t/nothing/set", "",
    ])
    func otherTopicsDoNothing(topic: String) throws {
        var session = try ready()
        #expect(send(&session, topic, "on") == nil)
        #expect(messages(&session).isEmpty)
    }

    @Test func aStoredCommandIsRefused() throws {
        var session = try ready()
        #expect(send(&session, "t/lamp/set", "on", isRetained: true) == nil)
        expectEqual(messages(&session).first?.text.contains("\"retained\""), true)
        expectEqual(session.refusedCommands, 1)
        // An empty one only clears what was stored.
        #expect(send(&session, "t/lamp/set", "", isRetained: true) == nil)
        #expect(messages(&session).isEmpty)
    }

    @Test func commandsThatWaitAreBounded() throws {
        var session = try ready()
        for _ in 0..<MQTTLimits.waitingCommands {
            #expect(send(&session, "t/lamp/set", "on") != nil)
        }
        #expect(send(&session, "t/lamp/set", "on") == nil)
        expectEqual(messages(&session).last?.text.contains("\"busy\""), true)
        // Their answers make room; so does time, if the panel never answers.
        #expect(
            session.receive(
                "t/lamp/set", Array("on".utf8), isRetained: false, now: .zero + .seconds(5)) != nil)
    }

    @Test func answersThatFindNoRoomAreCounted() throws {
        var session = try ready()
        for _ in 0..<MQTTLimits.waitingAnswers + 2 { _ = send(&session, "t/lamp/set", "x") }
        expectEqual(messages(&session).count, MQTTLimits.waitingAnswers)
        expectEqual(session.droppedAnswers, 2)
    }

    @Test func aPanelThatTakesNothingIsSaid() throws {
        var session = try ready()
        #expect(send(&session, "t/lamp/set", "on") != nil)
        session.notTaken()
        expectEqual(messages(&session).last?.text.contains("\"busy\""), true)
    }

    @Test func whoMayOnlyViewSubscribesToNoCommand() throws {
        var session = try ready("topic: t, role: view")
        expectEqual(
            session.subscriptions.map(\.filter), ["t/announced", "t/availability", "t/+/state"])
        #expect(send(&session, "t/lamp/set", "on") == nil)
        #expect(try self.session().subscriptions.map(\.filter).contains("t/+/set"))
    }

    // MARK: Its own topics

    private func hear(
        _ session: inout MQTTPanelSession, _ topic: String, _ text: String,
        isRetained: Bool = false,
        at now: Instant = .zero
    ) {
        _ = session.receive(topic, Array(text.utf8), isRetained: isRetained, now: now)
    }

    /// Somebody says that the panel is offline, or tells a state that is not true.
    @Test func whatOthersSayOnItsTopicsIsSetRight() throws {
        var session = try ready()
        let own = session.subscriptions.filter { !$0.hearsOwn }.map(\.filter)
        expectEqual(own, ["t/availability", "t/+/state"])
        hear(&session, "t/availability", "online")
        hear(&session, "t/availability", "offline", isRetained: true)
        hear(&session, "t/nothing/state", "{}")
        expectEqual(session.deadline, .never, "nothing of this is false")
        hear(&session, "t/availability", "offline")
        hear(&session, "t/lamp/state", "{}")
        expectEqual(session.deadline, .zero)
        #expect(messages(&session).isEmpty)
        session.advance(to: .zero)
        let told = messages(&session)
        expectEqual(told.map(\.topic), ["t/lamp/state", "t/availability"])
        #expect(told.last?.text == "online" && told.allSatisfy(\.isRetained))
        // Two panels with the same topics do not drive each other.
        let later = Instant.zero + .seconds(1)
        hear(&session, "t/availability", "offline", at: later)
        session.advance(to: later)
        #expect(messages(&session).isEmpty)
        expectEqual(session.deadline, .zero + MQTTLimits.correction)
        session.advance(to: session.deadline)
        expectEqual(messages(&session).map(\.text), ["online"])
        expectEqual(session.deadline, .never)
    }

    /// The true state, which comes back from a broker of version 3.1.1, is no reason.
    @Test func itsOwnWordsAreNoReason() throws {
        var session = try session()
        for control in session.plan.allControls {
            session.receive(TimedUpdate(.state(control, FakePanel.snapshot(.off)), at: .zero))
        }
        session.receive(TimedUpdate(.complete, at: .zero))
        session.connected()
        for message in messages(&session) { hear(&session, message.topic, message.text) }
        expectEqual(session.deadline, .never)
        hear(&session, "t/lamp/state", "{}")
        session.disconnected()
        expectEqual(session.deadline, .never, "the next connection tells everything")
    }

    @Test func afterABirthEverythingIsToldAgainWithinFiveSeconds() throws {
        var session = try ready("topic: t, discovery: ha")
        _ = send(&session, "ha/status", "online")
        let at = session.tellAgainAt
        #expect(at <= .zero + MQTTLimits.birthWait)
        session.advance(to: at)
        let told = messages(&session)
        #expect(told.contains { $0.topic == "t/lamp/state" })
        #expect(told.contains { $0.text == "online" })
        #expect(told.contains { $0.topic == "ha/device/t/config" })
        expectEqual(session.tellAgainAt, .never)
    }
}
