import DetentActions
import DetentPanel
import DetentRuntime
import DetentTypes
import DetentWall
import TestSupport
import Testing

@testable import DetentMQTT

/// Messages of devices: the newest wait, and another panel has to be there.
@Suite struct MQTTListenerTests {
    private static let sources: [FeedbackSource] = [
        .topic("stat/lamp"), .control("pump", panel: "Boiler Room"), .topic("stat/fan"),
    ]
    private static let state = "detent/boiler-room/pump/state"
    private static let availability = "detent/boiler-room/availability"
    private static let start = Instant.zero + .seconds(1)

    private static func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

    /// The broker may have kept it from before the action.
    @Test func whatWasKeptConfirmsNothing() {
        var it = MQTTListener(
            [.topic("stat/a"), .topic("stat/b")], unkept: ["stat/a"])
        let now = Instant.zero + .seconds(1)
        it.receive("stat/a", Array("ON".utf8), isRetained: true)
        #expect(it.next(at: now) == nil)
        it.receive("stat/b", Array("ON".utf8), isRetained: true)
        expectEqual(it.next(at: now), .heard(1, skipped: 0, Array("ON".utf8)))
        it.receive("stat/a", Array("ON".utf8))
        expectEqual(it.next(at: now), .heard(0, skipped: 0, Array("ON".utf8)))
    }

    /// The newest may be about something else, or what is wanted has other words around it.
    @Test func theMessagesOfAGapPassInTheirOrder() {
        var it = MQTTListener(Self.sources)
        var now = Self.start
        it.receive("stat/lamp", Self.bytes("1"))
        expectEqual(it.next(at: now), .heard(0, skipped: 0, Self.bytes("1")))
        for text in ["2", "3", "4"] { it.receive("stat/lamp", Self.bytes(text)) }
        it.receive("stat/fan", Self.bytes("x"))
        it.receive("stat/other", Self.bytes("x"))
        expectEqual(it.next(at: now), .heard(2, skipped: 0, Self.bytes("x")))
        #expect(it.next(at: now + .milliseconds(19)) == nil)
        expectEqual(it.deadline, now + RuntimeLimits.feedbackGap)
        now = it.deadline
        for text in ["2", "3", "4"] {
            expectEqual(it.next(at: now), .heard(0, skipped: 0, Self.bytes(text)))
        }
        #expect(it.next(at: now) == nil)
        // Of a flood the oldest are dropped.
        let most = RuntimeLimits.waitingReports
        for number in 0..<100 { it.receive("stat/lamp", Self.bytes("\(number)")) }
        now = it.deadline
        expectEqual(
            it.next(at: now),
            .heard(0, skipped: UInt16(100 - most), Self.bytes("\(100 - most)")))
        expectEqual(it.next(at: now), .heard(0, skipped: 0, Self.bytes("\(101 - most)")))
        it.disconnected()
        expectEqual(it.deadline, .never)
    }

    /// A topic that floods lets the others pass.
    @Test func aFloodHoldsUpNoOtherTopic() {
        var it = MQTTListener(Self.sources)
        it.receive("stat/lamp", Self.bytes("0"))
        it.receive("stat/fan", Self.bytes("x"))
        var heard: [MQTTNote] = []
        for number in 1...50 {
            it.receive("stat/lamp", Self.bytes("\(number)"))
            if let note = it.next(at: Self.start) { heard.append(note) }
        }
        #expect(heard.contains(.heard(2, skipped: 0, Self.bytes("x"))), "\(heard)")
    }

    /// However many devices flood, what waits has a bound in bytes, and a quiet one loses nothing.
    @Test func floodsAreBoundedInBytes() {
        let count = 40
        var it = MQTTListener((0..<count).map { .topic("t/\($0)") } + [.topic("quiet")])
        it.receive("quiet", Self.bytes("x"))
        let large = [UInt8](repeating: 0x61, count: ActionLimits.reportLine)
        for _ in 0..<RuntimeLimits.waitingReports {
            for place in 0..<count { it.receive("t/\(place)", large) }
        }
        var bytes = 0
        var skipped: UInt16 = 0
        var isQuietHeard = false
        while let note = it.next(at: Self.start) {
            guard case .heard(let place, let missing, let text) = note else { continue }
            bytes += text.count
            skipped += missing
            if Int(place) == count { isQuietHeard = true }
        }
        #expect(isQuietHeard)
        #expect(bytes <= MQTTLimits.waitingReportBytes, "\(bytes)")
        let passed = bytes / large.count
        expectEqual(passed + Int(skipped), count * RuntimeLimits.waitingReports, "all are counted")
    }

    @Test func itSubscribesToEachTopicOnce() {
        let it = MQTTListener(Self.sources + [.control("fan", panel: "boiler room")])
        expectEqual(
            it.topics,
            [
                Self.availability, "detent/boiler-room/fan/state", Self.state, "stat/fan",
                "stat/lamp",
            ])
    }

    @Test func aMessageThatIsTooLongIsNoReport() {
        var it = MQTTListener(Self.sources)
        it.receive("stat/lamp", [UInt8](repeating: 0x61, count: ActionLimits.reportLine + 1))
        expectEqual(it.next(at: Self.start), .lost(0, .tooLong))
        it.refused("stat/fan")
        expectEqual(it.next(at: Self.start), .lost(2, .forbidden))
    }

    /// The broker keeps the last state of a panel that is gone.
    @Test(arguments: [false, true]) func thePanelMustBeThere(stateFirst: Bool) {
        var it = MQTTListener(Self.sources)
        let messages = [(Self.state, "{}"), (Self.availability, "offline")]
        for (topic, text) in stateFirst ? messages : messages.reversed() {
            it.receive(topic, Self.bytes(text))
        }
        expectEqual(it.next(at: Self.start), .lost(1, .offline))
        expectEqual(it.deadline, .never)
        // It comes back: states first.
        it.receive(Self.state, Self.bytes("{\"actual\": 1}"))
        expectEqual(it.deadline, .never)
        it.receive(Self.availability, Self.bytes("online"))
        let later = Self.start + .seconds(1)
        expectEqual(it.next(at: later), .heard(1, skipped: 0, Self.bytes("{\"actual\": 1}")))
        it.receive(Self.state, Self.bytes("{\"actual\": 2}"))
        expectEqual(
            it.next(at: later + .seconds(1)), .heard(1, skipped: 0, Self.bytes("{\"actual\": 2}")))
    }

    @Test func theEndOfAConnectionForgetsWhatItHeard() {
        var it = MQTTListener(Self.sources)
        it.receive(Self.availability, Self.bytes("online"))
        it.receive("stat/lamp", Self.bytes("1"))
        it.disconnected()
        #expect(it.next(at: Self.start) == nil && it.deadline == .never)
        it.receive(Self.state, Self.bytes("{}"))
        expectEqual(it.deadline, .never, "nobody said that the panel is there")
    }
}
