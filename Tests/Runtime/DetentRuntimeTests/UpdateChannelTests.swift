import DetentCore
import DetentHAL
import DetentPanel
import DetentPlatform
import DetentTypes
import Glibc
import TestSupport
import Testing

@testable import DetentRuntime

/// What a watcher of a running panel is told, and what it costs the loop when nobody watches.
@Suite struct UpdateChannelTests {
    /// A panel of switches in a loop that feeds a updates.
    private struct Bench {
        let rig: LoopRig
        let backend: ScriptedBackend
        let updates: UpdateChannel

        init(controls: Int) throws {
            backend = ScriptedBackend()
            updates = try UpdateChannel(wakeLoop: {})
            rig = try LoopRig(LoopRig.switches(controls), backend, updates: updates)
            _ = rig.open()
            rig.start()
        }

        var notes: [TimedUpdate] {
            var notes: [TimedUpdate] = []
            _ = updates.drain { notes.append($0) }
            return notes
        }

        func edge(_ control: Int, _ level: Level, _ sequence: UInt32) -> LineEvent {
            LineEvent(
                line: rig.line("IN\(control)"), kind: .edge(level, sequence: sequence),
                at: MonotonicClock.now)
        }

        /// Lets an edge through the loop.
        func pass(_ event: LineEvent) {
            backend.events = [event]
            rig.inbox.wake()
            rig.turn()
        }

        var isWatcherWoken: Bool {
            var entry = pollfd(fd: updates.descriptor, events: Int16(POLLIN), revents: 0)
            return poll(&entry, 1, 0) > 0
        }
    }

    @Test func withoutAWatcherReportsWaitAndNobodyIsWoken() throws {
        let bench = try Bench(controls: 2)
        _ = bench.notes
        bench.pass(bench.edge(0, .active, 1))
        #expect(!bench.isWatcherWoken)
        let notes = bench.notes.map(\.update)
        #expect(
            notes.allSatisfy { if case .report = $0 { true } else { false } },
            "states are told to watchers alone")
        #expect(notes.count >= 2)
    }

    @Test func reportsAreNumberedFromOneWithoutGaps() throws {
        let bench = try Bench(controls: 2)
        bench.pass(bench.edge(0, .active, 1))
        bench.pass(bench.edge(1, .active, 1))
        let numbers = bench.notes.compactMap {
            if case .report(_, let number) = $0.update { number } else { nil }
        }
        expectEqual(numbers, Array(1...UInt64(numbers.count)))
    }

    @Test func aWatcherSeesTheStateBehindTheReportsOfATurn() throws {
        let bench = try Bench(controls: 2)
        _ = bench.notes
        bench.updates.setWatched(true)
        bench.pass(bench.edge(1, .active, 1))
        #expect(bench.isWatcherWoken)
        let notes = bench.notes.map(\.update)
        let states = notes.compactMap {
            if case .state(let control, let state) = $0 { (control, state) } else { nil }
        }
        expectEqual(states.count, 1, "once for each control that changed")
        expectEqual(states.first?.0, ControlID(1))
        expectEqual(states.first?.1.desired, .on)
        expectEqual(states.first?.1, bench.rig.snapshot("s1"))
        guard case .state = notes.last else {
            Issue.record("the state comes after the reports")
            return
        }
    }

    /// Also where nothing has changed: the state beside an answer is always told.
    @Test func anAnswerComesBehindTheStateOfItsControl() throws {
        let bench = try Bench(controls: 2)
        _ = bench.notes
        bench.updates.setWatched(true)
        for (request, value) in [(7, Value.on), (8, .on), (9, .off)] as [(UInt32, Value)] {
            let control = ControlID(1)
            _ = bench.rig.inbox.send(
                .intent(control, value, .api, request: RequestID(request)))
            bench.rig.turn()
            let notes = bench.notes.map(\.update)
            expectEqual(notes.last, .answer(RequestID(request), control, .accepted))
            guard case .state(control, let state)? = notes.dropLast().last else {
                Issue.record("the state comes before the answer")
                return
            }
            expectEqual(state.desired, value)
        }
    }

    @Test func statesThatWereAskedForComeInTurnsAndThenAreComplete() throws {
        let count = RuntimeLimits.statesPerTurn + 3
        let bench = try Bench(controls: count)
        _ = bench.notes
        bench.updates.requestSnapshot()
        bench.rig.inbox.wake()
        bench.rig.turn()
        let first = bench.notes.map(\.update)
        expectEqual(first.count, RuntimeLimits.statesPerTurn, "an edge never waits for thousands")
        bench.rig.turn()
        let second = bench.notes.map(\.update)
        expectEqual(second.count, 4)
        expectEqual(second.last, .complete)
        let controls = (first + second).compactMap {
            if case .state(let control, _) = $0 { Int(control.index) } else { nil }
        }
        expectEqual(controls, Array(0..<count))
    }

    @Test func tracedLinesTellLevelsBeforeAndAfterDebounce() throws {
        let bench = try Bench(controls: 2)
        _ = bench.notes
        let input = bench.rig.line("IN0")
        let lamp = bench.rig.line("LAMP0")
        bench.updates.trace([input, lamp, LineID(9_999)])
        bench.rig.inbox.wake()
        bench.rig.turn()
        _ = bench.notes
        bench.pass(bench.edge(0, .active, 1))
        let levels = bench.notes.map(\.update).filter {
            switch $0 {
            case .level, .contact: true
            case .report, .state, .complete, .answer, .simulation, .restarted: false
            }
        }
        expectEqual(
            levels, [.level(input, .active), .level(lamp, .active), .contact(input, .active)])
        bench.updates.trace([])
        bench.rig.inbox.wake()
        bench.rig.turn()
        bench.pass(bench.edge(0, .inactive, 2))
        #expect(
            !bench.notes.contains {
                if case .level = $0.update { true } else { false }
            })
    }

    @Test func aFullRingDropsTheNewestAndSaysHowMany() throws {
        let updates = try UpdateChannel(wakeLoop: {})
        for _ in 0..<RuntimeLimits.updates + 7 { _ = updates.push(.simulation, at: .zero) }
        var count = 0
        expectEqual(updates.drain { _ in count += 1 }, 7)
        expectEqual(count, RuntimeLimits.updates)
        expectEqual(updates.drain { _ in }, 0, "told once")
    }

    @Test func halfAFullRingWakesEvenWhenNobodyWatches() throws {
        let updates = try UpdateChannel(wakeLoop: {})
        let wakes = (0..<RuntimeLimits.updates).count { _ in updates.push(.simulation, at: .zero) }
        expectEqual(wakes, 1)
    }

    /// Each waking is a system call of the loop, with or without a reader.
    @Test func tenThousandEdgesWithoutAReaderWakeItTwice() throws {
        let bench = try Bench(controls: 1)
        _ = bench.notes
        for edge in 1...10_000 as ClosedRange<UInt32> {
            bench.pass(bench.edge(0, edge % 2 == 1 ? .active : .inactive, edge))
        }
        var wakes: UInt64 = 0
        _ = read(bench.updates.descriptor, &wakes, 8)
        expectEqual(wakes, 2, "at half of the ring, and at the first update that is dropped")
    }

    @Test func reportsThatNobodyDrainsWakeTheRecorderTwice() throws {
        let stream = try ReportStream()
        let report = Report(control: ControlID(0), kind: .pressed)
        let wakes = (0..<2 * RuntimeLimits.reports).count { _ in stream.push(report, at: .zero) }
        expectEqual(wakes, 2, "at half of the ring, and at the first report that is dropped")
    }

    /// Each reader gets every report, and states only while it watches.
    @Test func twoReadersGetWhatTheyWant() throws {
        let first = try UpdateChannel(wakeLoop: {})
        let second = try UpdateChannel(wakeLoop: {})
        var publisher = UpdatePublisher([first, second], controls: 1, lines: 1)
        let report = Report(control: ControlID(0), kind: .pressed)
        second.setWatched(true)
        publisher.report(report, at: .zero)
        _ = publisher.endTurn(
            at: .zero, snapshot: { _ in nil }, present: { _ in nil }, contact: { _ in nil })
        first.trace([LineID(0)])
        _ = publisher.endTurn(
            at: .zero, snapshot: { _ in nil }, present: { _ in .active }, contact: { _ in nil })
        second.requestSnapshot()
        _ = publisher.endTurn(
            at: .zero, snapshot: { _ in nil }, present: { _ in nil }, contact: { _ in nil })
        var notes: [[PanelUpdate]] = [[], []]
        _ = first.drain { notes[0].append($0.update) }
        _ = second.drain { notes[1].append($0.update) }
        // What the second asked for does not tell the first that it knows all states.
        expectEqual(notes[0], [.report(report, number: 1), .level(LineID(0), .active)])
        expectEqual(notes[1], [.report(report, number: 1), .complete])
    }

    @Test func startingOverCountsReportsFromOneAgain() throws {
        let updates = try UpdateChannel(wakeLoop: {})
        var publisher = UpdatePublisher([updates], controls: 1, lines: 1)
        let report = Report(control: ControlID(0), kind: .pressed)
        publisher.report(report, at: .zero)
        publisher.publish(.restarted, at: .zero)
        publisher.report(report, at: .zero)
        var notes: [PanelUpdate] = []
        _ = updates.drain { notes.append($0.update) }
        expectEqual(notes, [.report(report, number: 1), .restarted, .report(report, number: 1)])
    }

    /// What another process could not pass on is counted with what found no room here, and once.
    @Test func whatWasDroppedElsewhereIsCountedOnce() throws {
        let updates = try UpdateChannel(wakeLoop: {})
        updates.drop(3)
        updates.drop(2)
        expectEqual(updates.drain { _ in }, 5)
        expectEqual(updates.drain { _ in }, 0)
    }
}
