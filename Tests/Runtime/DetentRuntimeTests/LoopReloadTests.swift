import DetentActions
import DetentCore
import DetentHAL
import DetentPanel
import DetentPlatform
import DetentTypes
import Synchronization
import TestSupport
import Testing

@testable import DetentRuntime

/// A panel that follows another one on the loop: what it takes over, and what begins anew.
@Suite struct LoopReloadTests {
    private let backend = ScriptedBackend()

    private static func plan(_ controls: String...) throws -> PanelPlan {
        let text = """
            {panel: P, board: none, controls: {\(controls.joined(separator: ",\n"))}}
            """
        let reading = PanelReader.read(SourceText(file: "p.yaml", text: text))
        return try #require(reading.plan, "\(reading.problems.map(\.text))")
    }

    private static func lever(_ id: String, _ more: String = "") -> String {
        "\(id): {label: L, kind: switch, input: IN_\(id), debounce: none\(more)}"
    }

    private static func dial(_ id: String, most: Int = 99) -> String {
        "\(id): {label: D, kind: dial, encoder: {a: A, b: B}, range: {min: 0, max: \(most)}}"
    }

    private func edge(_ line: LineID, _ level: Level, _ sequence: UInt32) -> LineEvent {
        LineEvent(line: line, kind: .edge(level, sequence: sequence), at: MonotonicClock.now)
    }

    private func reading(_ line: LineID, _ level: Level) -> LineEvent {
        LineEvent(line: line, kind: .reading(level), at: MonotonicClock.now)
    }

    private func rig(_ plan: PanelPlan, updates: UpdateChannel? = nil) throws -> LoopRig {
        let rig = try LoopRig(plan, backend, updates: updates)
        _ = rig.open()
        rig.start()
        return rig
    }

    /// A lever that stays keeps its value; one that is new begins with the level of its line.
    @Test func whatStaysGoesOnAndTheRestBegins() throws {
        let rig = try rig(try Self.plan(Self.lever("a"), Self.lever("b")))
        backend.events = [edge(rig.line("IN_a"), .active, 1)]
        rig.inbox.wake()
        #expect(rig.turn { rig.snapshot("a")?.desired == .on })
        let next = try Self.plan(Self.lever("c"), Self.lever("a"), Self.lever("d"))
        func line(_ name: String) throws -> LineID {
            LineID(UInt16(try #require(next.lines.firstIndex { $0.name == name })))
        }
        let reports = rig.reports.count
        // What the backend tells after a change: readings of new lines, and edges that waited.
        backend.events = [
            reading(try line("IN_c"), .active), reading(try line("IN_d"), .inactive),
            edge(try line("IN_d"), .active, 1), edge(try line("IN_a"), .inactive, 2),
        ]
        var begun = 0
        try rig.follow(next, willStart: { begun += 1 })
        expectEqual(begun, 1)
        expectEqual(rig.reports[reports...].map(\.panel).filter { $0 != 1 }, [])
        expectEqual(rig.kinds("c", panel: 1).first, .changed(.on, .startup))
        // The edge came after the start, so it is one of the panel.
        #expect(rig.kinds("d", panel: 1).contains(.changed(.on, .panel)))
        #expect(rig.kinds("a", panel: 1).contains(.changed(.off, .panel)))
        #expect(
            !rig.kinds("a", panel: 1).contains {
                if case .changed(_, .startup) = $0 { true } else { false }
            })
        expectEqual(rig.values.map(\.value), [.on, .off, .on])
        expectEqual(rig.values.map(\.control.index), [0, 1, 2])
        expectEqual(backend.changes.count, 1)
        expectEqual(backend.changes[0].lines, ["IN_c", "IN_a", "IN_d"])
        expectEqual(backend.changes[0].former, [nil, LineID(0), nil])
    }

    /// A control that changes begins with the value that it had, as far as it can have it.
    @Test func valuesAreTakenOver() throws {
        let rig = try rig(try Self.plan(Self.dial("d"), Self.lever("a")))
        #expect(rig.inbox.send(.intent(rig.control("d"), Value(42), .web)))
        #expect(rig.turn { rig.snapshot("d")?.desired == Value(42) })
        let kept = Mutex<[[SavedValue]]>([])
        let next = try Self.plan(Self.dial("d", most: 50))
        try rig.follow(next, keep: { values in kept.withLock { $0.append(values) } })
        expectEqual(rig.snapshot("d")?.desired, Value(42))
        expectEqual(rig.notes, [])
        expectEqual(
            kept.withLock { $0 }, [[SavedValue(control: ControlID(0), value: Value(42))]])
        let last = try Self.plan(Self.dial("d", most: 10))
        try rig.follow(last)
        expectEqual(rig.snapshot("d")?.desired, Value(10))
        expectEqual(rig.notes, ["`42` is no longer a value of `d`: it starts with `10`"])
    }

    /// The reader of the updates hears first that another panel runs.
    @Test func theReaderIsToldFirst() throws {
        let updates = try UpdateChannel(wakeLoop: {})
        let rig = try rig(try Self.plan(Self.lever("a")), updates: updates)
        _ = updates.drain { _ in }
        backend.events = [reading(LineID(0), .active)]
        try rig.follow(try Self.plan(Self.lever("b")))
        var told: [PanelUpdate] = []
        _ = updates.drain { told.append($0.update) }
        expectEqual(told.first, .restarted)
        #expect(told.count > 1)
        guard case .report(_, number: 1) = told[1] else {
            Issue.record("\(told)")
            return
        }
    }

    /// What was asked of the former panel is never done by the next; each has its number.
    @Test func requestsAreForTheirPanel() throws {
        let rig = try rig(try Self.plan(Self.dial("d")))
        try rig.follow(try Self.plan(Self.dial("e")))
        #expect(rig.inbox.send(.intent(ControlID(0), Value(3), .web), for: 0))
        #expect(rig.inbox.send(.intent(ControlID(0), Value(5), .web), for: 1))
        rig.turn()
        expectEqual(rig.snapshot("e")?.desired, Value(5))
        try rig.follow(try Self.plan(Self.dial("f")))
        #expect(rig.inbox.send(.intent(ControlID(0), Value(6), .web), for: 1))
        #expect(rig.inbox.send(.intent(ControlID(0), Value(7), .web), for: 2))
        rig.turn()
        expectEqual(rig.snapshot("f")?.desired, Value(7))
    }

    /// A line that cannot be requested leaves the former panel as it was.
    @Test func aRefusedLineChangesNothing() throws {
        let rig = try rig(try Self.plan(Self.dial("d")))
        #expect(rig.inbox.send(.intent(ControlID(0), Value(3), .web)))
        rig.turn()
        let error = HALError(code: .busy, line: "IN_b", cause: "taken", remedy: "give it back")
        backend.changeErrors = [error]
        var begun = 0
        #expect(throws: PanelChangeError.lines([error])) {
            try rig.follow(try Self.plan(Self.lever("b")), willStart: { begun += 1 })
        }
        expectEqual(begun, 0)
        expectEqual(rig.plan.controls.map(\.id), ["d"])
        expectEqual(rig.snapshot("d")?.desired, Value(3))
        #expect(rig.inbox.send(.intent(ControlID(0), Value(4), .web), for: 0))
        rig.turn()
        expectEqual(rig.snapshot("d")?.desired, Value(4))
        #expect(rig.reports.allSatisfy { $0.panel == 0 })
    }

    /// A change that waits ends the loop between two turns, and is taken once.
    @Test func aChangeThatWaitsEndsTheLoop() throws {
        let rig = try rig(try Self.plan(Self.dial("d")))
        #expect(!rig.inbox.isChangeWaiting && rig.inbox.takeChange() == nil)
        let next = try Self.plan(Self.lever("b"))
        rig.inbox.send(try PanelChange(to: next, PanelDifference(from: rig.plan, to: next)))
        #expect(rig.inbox.isChangeWaiting)
        expectEqual(rig.runToEnd(), .change)
        expectEqual(rig.inbox.takeChange()?.plan, next)
        #expect(!rig.inbox.isChangeWaiting && rig.inbox.takeChange() == nil)
        rig.inbox.stop()
        expectEqual(rig.runToEnd(), .stopped)
    }

    /// While the lines have more events than a turn takes, the former panel goes on.
    @Test func aChangeWaitsForTheEdgesOfATurn() throws {
        let rig = try rig(try Self.plan(Self.lever("a")))
        let count = RuntimeLimits.eventsPerTurn + 3
        let stamp = MonotonicClock.now
        backend.events = (1...count).map { number in
            LineEvent(
                line: LineID(0),
                kind: .edge(number % 2 == 1 ? .active : .inactive, sequence: UInt32(number)),
                at: stamp)
        }
        rig.inbox.wake()
        rig.turn()
        expectEqual(backend.events.count, 3)
        let next = try Self.plan(Self.lever("b"))
        rig.inbox.send(try PanelChange(to: next, PanelDifference(from: rig.plan, to: next)))
        expectEqual(rig.runToEnd(), .change)
        expectEqual(backend.events.count, 0, "first the rest")
    }

    /// A reload itself is for whichever panel runs.
    @Test func aReloadIsForAnyPanel() throws {
        let inbox = try Inbox()
        var taken: [Event] = []
        #expect(inbox.send(.reload(by: .panel), for: 3))
        #expect(inbox.send(.resync(), for: 3))
        inbox.drain(for: 5) { taken.append($0.event) }
        expectEqual(taken, [.reload(by: .panel)])
    }

    // MARK: Beside the lines

    /// The service manager hears of the loop though nothing happens.
    @Test func theWatchdogWakesTheLoop() throws {
        let fed = Mutex(0)
        let rig = try LoopRig(
            try Self.plan(Self.dial("d")), backend,
            watchdog: WatchdogTimer(every: .milliseconds(1)) { fed.withLock { $0 += 1 } })
        _ = rig.open()
        rig.start()
        for count in 1...3 {
            rig.turn()
            expectEqual(fed.withLock { $0 }, count)
        }
        #expect(!rig.inbox.isStopping, "it slept for too long")
    }

    /// A backend is told which of its descriptors are ready.
    @Test func readyLinesAreMarked() throws {
        let first = try WakeUp()
        let second = try WakeUp()
        backend.descriptors = [first.descriptor, second.descriptor]
        let rig = try rig(try Self.plan(Self.dial("d")))
        second.ring()
        rig.turn()
        expectEqual(backend.ready, [1])
        second.clear()
        first.ring()
        #expect(rig.inbox.send(.intent(ControlID(0), Value(3), .web)))
        rig.turn()
        expectEqual(backend.ready, [1, 0])
        expectEqual(rig.snapshot("d")?.desired, Value(3), "and what was asked for is done")
        // Its lines are others now: the first has gone.
        backend.descriptors = [second.descriptor]
        backend.descriptorGeneration += 1
        second.ring()
        rig.turn()
        expectEqual(backend.ready, [1, 0, 0])
    }

    /// An output is driven when its control says so, and the moment of the write is heard.
    @Test func anOutputIsDrivenAndItsWriteIsTraced() throws {
        let updates = try UpdateChannel(wakeLoop: {})
        let plan = try Self.plan(
            "a: {label: L, kind: switch, input: IN, debounce: none, output: RELAY}")
        let rig = try rig(plan, updates: updates)
        let relay = rig.line("RELAY")
        updates.trace([relay])
        rig.inbox.wake()
        rig.turn()
        _ = updates.drain { _ in }
        backend.events = [edge(rig.line("IN"), .active, 1)]
        rig.inbox.wake()
        rig.turn()
        #expect(backend.calls.contains(.write(relay, .active)))
        var levels: [PanelUpdate] = []
        _ = updates.drain { if case .level = $0.update { levels.append($0.update) } }
        expectEqual(levels, [.level(relay, .active)])
    }

    /// Without anything that runs actions, an attempt has failed at once.
    @Test func withoutADispatcherActionsFail() throws {
        let plan = try Self.plan(
            "go: {label: G, kind: button, input: G, action: {run: [x], timeout: 60s}}")
        let inbox = try Inbox()
        let stream = try ReportStream()
        var loop = try PanelLoop(
            plan: plan, backend: backend, dispatcher: nil, inbox: inbox, reports: stream)
        _ = loop.open()
        loop.start()
        #expect(inbox.send(.fire(ControlID(0), .on, .web, isConfirmed: false)))
        _ = loop.turn()
        var kinds: [Report.Kind] = []
        _ = stream.drain { kinds.append($0.report.kind) }
        #expect(kinds.contains(.phase(.failed, .failed(.notStarted))), "\(kinds)")
    }
}
