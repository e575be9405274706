import DetentCore
import DetentHAL
import DetentPanel
import DetentPlatform
import DetentTypes
import Glibc
import Testing

@testable import DetentRuntime

/// What a watcher of a running panel is told, and what it costs the loop when nobody watches.
@Suite struct WatchTests {
    /// A panel of switches in a loop that feeds a watch.
    private struct Bench {
        let rig: LoopRig
        let backend: ScriptedBackend
        let watch: PanelWatch

        init(controls: Int) throws {
            backend = ScriptedBackend()
            watch = try PanelWatch(wakeLoop: {})
            rig = try LoopRig(LoopRig.switches(controls), backend, watch: watch)
            _ = rig.open()
            rig.start()
        }

        var notes: [TimedNote] {
            var notes: [TimedNote] = []
            _ = watch.drain { notes.append($0) }
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
            var entry = pollfd(fd: watch.descriptor, events: Int16(POLLIN), revents: 0)
            return poll(&entry, 1, 0) > 0
        }
    }

    @Test func withoutAWatcherReportsWaitAndNobodyIsWoken() throws {
        let bench = try Bench(controls: 2)
        _ = bench.notes
        bench.pass(bench.edge(0, .active, 1))
        #expect(!bench.isWatcherWoken)
        let notes = bench.notes.map(\.note)
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
            if case .report(_, let number) = $0.note { number } else { nil }
        }
        #expect(numbers == Array(1...UInt64(numbers.count)))
    }

    @Test func aWatcherSeesTheStateBehindTheReportsOfATurn() throws {
        let bench = try Bench(controls: 2)
        _ = bench.notes
        bench.watch.setWatched(true)
        bench.pass(bench.edge(1, .active, 1))
        #expect(bench.isWatcherWoken)
        let notes = bench.notes.map(\.note)
        let states = notes.compactMap {
            if case .state(let control, let state) = $0 { (control, state) } else { nil }
        }
        #expect(states.count == 1, "once for each control that changed")
        #expect(states.first?.0 == ControlID(1))
        #expect(states.first?.1.desired == .on)
        #expect(states.first?.1 == bench.rig.snapshot("s1"))
        guard case .state = notes.last else {
            Issue.record("the state comes after the reports")
            return
        }
    }

    /// Also where nothing has changed: the state beside an answer is always told.
    @Test func anAnswerComesBehindTheStateOfItsControl() throws {
        let bench = try Bench(controls: 2)
        _ = bench.notes
        bench.watch.setWatched(true)
        for (request, value) in [(7, Value.on), (8, .on), (9, .off)] as [(UInt32, Value)] {
            let control = ControlID(1)
            _ = bench.rig.inbox.send(
                .intent(control, value, .api, request: RequestID(request)))
            bench.rig.turn()
            let notes = bench.notes.map(\.note)
            #expect(notes.last == .answer(RequestID(request), control, .accepted))
            guard case .state(control, let state)? = notes.dropLast().last else {
                Issue.record("the state comes before the answer")
                return
            }
            #expect(state.desired == value)
        }
    }

    @Test func statesThatWereAskedForComeInTurnsAndThenAreComplete() throws {
        let count = RuntimeLimits.statesPerTurn + 3
        let bench = try Bench(controls: count)
        _ = bench.notes
        bench.watch.askForStates()
        bench.rig.inbox.wake()
        bench.rig.turn()
        let first = bench.notes.map(\.note)
        #expect(first.count == RuntimeLimits.statesPerTurn, "an edge never waits for thousands")
        bench.rig.turn()
        let second = bench.notes.map(\.note)
        #expect(second.count == 4)
        #expect(second.last == .complete)
        let controls = (first + second).compactMap {
            if case .state(let control, _) = $0 { Int(control.index) } else { nil }
        }
        #expect(controls == Array(0..<count))
    }

    @Test func tracedLinesTellLevelsBeforeAndAfterDebounce() throws {
        let bench = try Bench(controls: 2)
        _ = bench.notes
        let input = bench.rig.line("IN0")
        let lamp = bench.rig.line("LAMP0")
        bench.watch.trace([input, lamp, LineID(9_999)])
        bench.rig.inbox.wake()
        bench.rig.turn()
        _ = bench.notes
        bench.pass(bench.edge(0, .active, 1))
        let levels = bench.notes.map(\.note).filter {
            switch $0 {
            case .level, .contact: true
            case .report, .state, .complete, .answer, .desk, .startedOver: false
            }
        }
        #expect(
            levels == [.level(input, .active), .level(lamp, .active), .contact(input, .active)])
        bench.watch.trace([])
        bench.rig.inbox.wake()
        bench.rig.turn()
        bench.pass(bench.edge(0, .inactive, 2))
        #expect(
            !bench.notes.contains {
                if case .level = $0.note { true } else { false }
            })
    }

    @Test func aFullRingDropsTheNewestAndSaysHowMany() throws {
        let watch = try PanelWatch(wakeLoop: {})
        for _ in 0..<RuntimeLimits.notes + 7 { _ = watch.push(.desk, at: .zero) }
        var count = 0
        #expect(watch.drain { _ in count += 1 } == 7)
        #expect(count == RuntimeLimits.notes)
        #expect(watch.drain { _ in } == 0, "told once")
    }

    @Test func halfAFullRingWakesEvenWhenNobodyWatches() throws {
        let watch = try PanelWatch(wakeLoop: {})
        let wakes = (0..<RuntimeLimits.notes).count { _ in watch.push(.desk, at: .zero) }
        #expect(wakes == 1)
    }

    @Test func startingOverCountsReportsFromOneAgain() throws {
        let watch = try PanelWatch(wakeLoop: {})
        var feeder = WatchFeeder(watch, controls: 1, lines: 1)
        let report = Report(control: ControlID(0), kind: .pressed)
        feeder.report(report, at: .zero)
        feeder.tell(.startedOver, at: .zero)
        feeder.report(report, at: .zero)
        var notes: [WatchNote] = []
        _ = watch.drain { notes.append($0.note) }
        #expect(notes == [.report(report, number: 1), .startedOver, .report(report, number: 1)])
    }
}
