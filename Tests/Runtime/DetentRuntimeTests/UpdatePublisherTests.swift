import DetentCore
import DetentTypes
import Synchronization
import TestSupport
import Testing

@testable import DetentRuntime

/// What is published of a turn and to whom, without a loop.
@Suite struct UpdatePublisherTests {
    private let channel: UpdateChannel

    init() throws {
        channel = try UpdateChannel(wakeLoop: {})
    }

    private func at(_ nanoseconds: UInt64) -> Instant { Instant(nanoseconds: nanoseconds) }

    private func updates(_ channel: UpdateChannel? = nil) -> [PanelUpdate] {
        var updates: [PanelUpdate] = []
        _ = (channel ?? self.channel).drain { updates.append($0.update) }
        return updates
    }

    /// The end of a turn in which lines and contacts have these levels.
    private func end(
        _ publisher: inout UpdatePublisher, at moment: Instant = .zero,
        present: [UInt16: Level] = [:], contacts: [UInt16: Level] = [:]
    ) -> Bool {
        publisher.endTurn(
            at: moment, snapshot: { _ in nil }, present: { present[$0.index] },
            contact: { contacts[$0.index] })
    }

    // MARK: The channel

    /// What a reader asks for makes the loop run a turn, which alone can answer.
    @Test func whatAReaderAsksForWakesTheLoop() throws {
        let wakes = Mutex(0)
        let channel = try UpdateChannel { wakes.withLock { $0 += 1 } }
        #expect(!channel.isWatched && !channel.takeRequest())
        channel.setWatched(true)
        #expect(channel.isWatched)
        expectEqual(wakes.withLock { $0 }, 1)
        channel.setWatched(false)
        #expect(!channel.isWatched)
        expectEqual(wakes.withLock { $0 }, 2)
        channel.requestSnapshot()
        expectEqual(wakes.withLock { $0 }, 3)
        #expect(channel.takeRequest() && !channel.takeRequest(), "once for each request")
        channel.trace([LineID(1)])
        expectEqual(wakes.withLock { $0 }, 4)
    }

    @Test func tracedLinesAreTakenOnceAndBounded() {
        var version: UInt32 = 0
        expectEqual(channel.traced(since: &version), nil)
        let lines = (0..<RuntimeLimits.tracedLines + 3).map { LineID(UInt16($0)) }
        channel.trace(lines)
        expectEqual(
            channel.traced(since: &version), Array(lines.prefix(RuntimeLimits.tracedLines)))
        expectEqual(channel.traced(since: &version), nil)
        channel.trace([])
        expectEqual(channel.traced(since: &version), [])
    }

    /// While it is watched, every update wakes the reader; else only what cannot wait.
    @Test func aReaderThatWatchesIsWokenEachTime() {
        #expect(!channel.push(.simulation, at: .zero))
        channel.setWatched(true)
        #expect(channel.push(.simulation, at: .zero) && channel.push(.complete, at: .zero))
        channel.setWatched(false)
        #expect(!channel.push(.simulation, at: .zero))
        expectEqual(updates(), [.simulation, .simulation, .complete, .simulation])
    }

    @Test func theFirstUpdateThatIsDroppedWakesTheReader() {
        for round in 0..<2 {
            for _ in 0..<RuntimeLimits.updates { _ = channel.push(.simulation, at: .zero) }
            #expect(channel.push(.complete, at: .zero), "round \(round)")
            #expect(!channel.push(.complete, at: .zero))
            expectEqual(channel.drain { _ in }, 2)
        }
    }

    /// What was dropped elsewhere has a caller who wakes the reader.
    @Test func whatWasDroppedElsewhereCountsWithTheRest() {
        channel.drop(3)
        for _ in 0..<RuntimeLimits.updates { _ = channel.push(.simulation, at: .zero) }
        #expect(!channel.push(.complete, at: .zero))
        expectEqual(channel.drain { _ in }, 4)
    }

    /// A reader that waits finds what it was woken for, and then sleeps until its deadline.
    @Test func aReaderWaitsUntilItIsWoken() {
        channel.wake()
        channel.wait(until: .never)
        _ = channel.drain { _ in }
        channel.wait(until: .zero)
        expectEqual(updates(), [])
    }

    // MARK: The publisher

    @Test func withoutAReaderNothingIsKept() {
        var publisher = UpdatePublisher([], controls: 3, lines: 3)
        publisher.report(Report(control: ControlID(0), kind: .pressed), at: .zero)
        publisher.answer(RequestID(1), ControlID(0), .accepted, at: .zero)
        publisher.level(LineID(0), .active, at: .zero)
        publisher.publish(.simulation, at: .zero)
        expectEqual(end(&publisher), false)
        expectEqual(publisher.isTracing, false)
    }

    /// The levels of the moment come first; then those that change.
    @Test func tracingBeginsWithThePresentLevels() {
        var publisher = UpdatePublisher([channel], controls: 1, lines: 3)
        expectEqual(publisher.isTracing, false)
        publisher.level(LineID(0), .active, at: at(1))
        channel.trace([LineID(0), LineID(2), LineID(3)])
        let levels: [UInt16: Level] = [0: .active, 1: .active]
        expectEqual(end(&publisher, at: at(2), present: levels, contacts: [2: .inactive]), false)
        expectEqual(publisher.isTracing, true)
        expectEqual(updates(), [.level(LineID(0), .active), .contact(LineID(2), .inactive)])
        publisher.level(LineID(0), .inactive, at: at(3))
        publisher.level(LineID(1), .inactive, at: at(3))
        publisher.level(LineID(3), .inactive, at: at(3))
        expectEqual(updates(), [.level(LineID(0), .inactive)])
        publisher.lookAtContacts(at: at(4)) { $0 == LineID(2) ? .inactive : nil }
        expectEqual(updates(), [])
        publisher.lookAtContacts(at: at(5)) { $0 == LineID(2) ? .active : nil }
        expectEqual(updates(), [.contact(LineID(2), .active)])
        publisher.lookAtContacts(at: at(6)) { $0 == LineID(2) ? .active : nil }
        expectEqual(updates(), [], "told once")
        // Other lines take their place.
        channel.trace([LineID(1)])
        expectEqual(end(&publisher, at: at(7)), false)
        publisher.level(LineID(0), .active, at: at(8))
        publisher.level(LineID(1), .active, at: at(8))
        expectEqual(updates(), [.level(LineID(1), .active)])
        channel.trace([])
        expectEqual(end(&publisher, at: at(9)), false)
        publisher.level(LineID(1), .inactive, at: at(10))
        expectEqual(updates(), [])
        expectEqual(publisher.isTracing, false)
    }

    /// A panel that starts again has other contacts, and owes no answers of before.
    @Test func startingOverForgets() {
        var publisher = UpdatePublisher([channel], controls: 1, lines: 2)
        channel.trace([LineID(0)])
        expectEqual(end(&publisher, contacts: [0: .active]), false)
        _ = updates()
        publisher.answer(RequestID(1), ControlID(0), .accepted, at: .zero)
        publisher.publish(.restarted, at: .zero)
        publisher.answer(RequestID(2), ControlID(0), .accepted, at: .zero)
        publisher.lookAtContacts(at: .zero) { _ in .active }
        expectEqual(end(&publisher), false)
        expectEqual(
            updates(),
            [
                .restarted, .contact(LineID(0), .active),
                .answer(RequestID(2), ControlID(0), .accepted),
            ])
        publisher.publish(.simulation, at: .zero)
        publisher.lookAtContacts(at: .zero) { _ in .active }
        expectEqual(updates(), [.simulation], "that is no start")
    }

    /// Two changes of a control in a turn are one state; a turn without changes has none.
    @Test func aStateIsToldOnceInATurn() throws {
        let plan = try LoopRig.switches(3)
        let rig = try LoopRig(plan, ScriptedBackend())
        _ = rig.open()
        rig.start()
        let state = try #require(rig.snapshot("s1"))
        var publisher = UpdatePublisher([channel], controls: 3, lines: 0)
        func end() -> [PanelUpdate] {
            _ = publisher.endTurn(
                at: .zero, snapshot: { $0 == ControlID(2) ? nil : state }, present: { _ in nil },
                contact: { _ in nil })
            return updates().filter { if case .report = $0 { false } else { true } }
        }
        func report(_ control: UInt16) {
            publisher.report(Report(control: ControlID(control), kind: .pressed), at: .zero)
        }
        report(1)
        expectEqual(end(), [], "it is not watched")
        channel.setWatched(true)
        for control: UInt16 in [1, 1, 2, 9, 0] { report(control) }
        expectEqual(end(), [.state(ControlID(1), state), .state(ControlID(0), state)])
        expectEqual(end(), [])
        report(1)
        expectEqual(end(), [.state(ControlID(1), state)])
    }
}
