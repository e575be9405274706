import DetentActions
import DetentCore
import DetentHAL
import DetentPanel
import DetentPlatform
import DetentTypes
import Glibc
import TestSupport
import Testing

@testable import DetentRuntime

/// One edge, end to end, on the loop's own thread.
@Suite struct PanelLoopTests {
    private func edge(
        _ line: LineID, _ level: Level, _ sequence: UInt32, at stamp: Instant = MonotonicClock.now
    ) -> LineEvent {
        LineEvent(line: line, kind: .edge(level, sequence: sequence), at: stamp)
    }

    private func reading(_ line: LineID, _ level: Level) -> LineEvent {
        LineEvent(line: line, kind: .reading(level), at: MonotonicClock.now)
    }

    @Test func nothingIsDrivenOrStartedBeforeTheLinesAreRead() throws {
        let backend = ScriptedBackend()
        let rig = try LoopRig(LoopRig.switches(1, action: LoopRig.action), backend)
        #expect(rig.open().isEmpty)
        expectEqual(backend.calls, [.open])
        #expect(rig.runner.begun.isEmpty)
        backend.events = [reading(rig.line("IN0"), .active)]
        rig.start()
        expectEqual(backend.calls, [.open, .write(rig.line("LAMP0"), .active)])
        #expect(rig.runner.waitForBegun(1))
        expectEqual(rig.runner.begun[0].payload.program?.arguments, ["nothing", "on"])
        #expect(rig.kinds("s0").contains(.changed(.on, .startup)))
        rig.close()
        expectEqual(backend.calls.last, .close)
    }

    @Test func lampIsWrittenBeforeTheRecorderIsWoken() throws {
        let backend = ScriptedBackend()
        let rig = try LoopRig(LoopRig.switches(1), backend)
        _ = rig.open()
        rig.start()
        rig.stream.addListeners(1)
        var wasWoken: [Bool] = []
        backend.willWrite = { [stream = rig.stream] _ in
            wasWoken.append(Self.isReadable(stream.descriptor))
        }
        backend.events = [edge(rig.line("IN0"), .active, 1)]
        #expect(rig.turn { rig.kinds("s0").contains(.changed(.on, .panel)) })
        expectEqual(wasWoken, [false])
        expectEqual(backend.calls.last, .write(rig.line("LAMP0"), .active))
    }

    @Test func reportsArePublishedAfterTheLamps() throws {
        let backend = ScriptedBackend()
        let rig = try LoopRig(LoopRig.switches(3), backend)
        _ = rig.open()
        rig.start()
        var waiting: [Int] = []
        backend.willWrite = { [stream = rig.stream] _ in waiting.append(stream.count) }
        backend.events = (0..<3).map { edge(rig.line("IN\($0)"), .active, 1) }
        #expect(rig.turn { rig.kinds("s2").contains(.changed(.on, .panel)) })
        expectEqual(waiting, [0, 0, 0], "nothing is published before the last lamp")
        let controls = rig.reports.map(\.report.control.index)
        expectEqual(controls, controls.sorted(), "in the order of the edges")
    }

    @Test func reportsBeyondTheHeldOnesArePublishedBetweenLamps() throws {
        let backend = ScriptedBackend()
        let rig = try LoopRig(LoopRig.switches(RuntimeLimits.heldReports), backend)
        _ = rig.open()
        rig.start()
        let before = rig.reports.count
        backend.events = (0..<RuntimeLimits.heldReports).map {
            edge(rig.line("IN\($0)"), .active, 1)
        }
        let last = "s\(RuntimeLimits.heldReports - 1)"
        #expect(rig.turn { rig.kinds(last).contains(.changed(.on, .panel)) })
        let controls = rig.reports.dropFirst(before).map(\.report.control.index)
        #expect(controls.count > RuntimeLimits.heldReports)
        expectEqual(controls, controls.sorted(), "none is lost or moved")
    }

    @Test func linesThatStampTheirEdgesNeedNoClockBeforeTheirLamps() throws {
        let backend = ScriptedBackend()
        backend.stampsEdges = true
        let rig = try LoopRig(LoopRig.switches(1), backend)
        _ = rig.open()
        rig.start()
        let stamp = MonotonicClock.now + .milliseconds(1)
        var drained: [Instant] = []
        var written: [Instant] = []
        backend.willDrain = { drained.append($0) }
        backend.willWrite = { written.append($0) }
        backend.events = [edge(rig.line("IN0"), .active, 1, at: stamp)]
        rig.inbox.wake()  // a descriptor is ready, as it is after an edge
        let before = MonotonicClock.now
        rig.turn()
        let after = MonotonicClock.now
        #expect(drained.allSatisfy { (before...after).contains($0) })
        expectEqual(written, [stamp], "the edge is later than the clock of the turn")
        expectEqual(rig.reports.last?.at, stamp)
        // A deadline that passed during the sleep is due in the next turn.
        rig.inbox.wake()
        rig.turn()
        expectEqual(drained.count, 2)
        #expect(drained[1] >= stamp, "no time runs, so the loop's moment stays the last edge")
    }

    private static func isReadable(_ descriptor: Int32) -> Bool {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&entry, 1, 0) > 0
    }

    @Test func edgesRequestsAndOutcomesAreMergedByStamp() throws {
        let backend = ScriptedBackend()
        let rig = try LoopRig(LoopRig.switches(4, action: LoopRig.action), backend)
        _ = rig.open()
        rig.start()
        #expect(rig.runner.waitForBegun(4))
        let first = MonotonicClock.now
        #expect(rig.inbox.send(.intent(rig.control("s1"), .on, .web)))
        // The attempt of the start-up, for `off`.
        let run = try #require(
            rig.runner.begun.first {
                $0.payload.program?.environment.contains { $0.value == "s2" } == true
            }?.run)
        rig.runner.end(run)
        let last = MonotonicClock.now
        backend.events = [
            edge(rig.line("IN0"), .active, 1, at: first),
            edge(rig.line("IN3"), .active, 1, at: last),
        ]
        let before = rig.reports.count
        rig.turn()
        let order = rig.reports[before...].filter {
            switch $0.report.kind {
            case .changed, .confirmed: true
            default: false
            }
        }
        expectEqual(order.map { Int($0.report.control.index) }, [0, 1, 2, 3])
        expectEqual(order.first?.at, first)
        expectEqual(order.last?.at, last)
        expectEqual(order.map(\.at.nanoseconds), order.map(\.at.nanoseconds).sorted())
    }

    @Test func moreEdgesThanATurnTakesStayInOrderWithRequests() throws {
        let backend = ScriptedBackend()
        let rig = try LoopRig(LoopRig.switches(2), backend)
        _ = rig.open()
        rig.start()
        let begin = MonotonicClock.now.nanoseconds
        let count = 3 * RuntimeLimits.eventsPerTurn + 1
        // All older than the request, though most of them are drained after it.
        backend.events = (1...count).map { number in
            edge(
                rig.line("IN0"), Level(number % 2 == 1), UInt32(number),
                at: Instant(nanoseconds: begin - UInt64(count - number)))
        }
        #expect(rig.inbox.send(.intent(rig.control("s1"), .on, .web)))
        var turns = 0
        while !rig.kinds("s1").contains(.changed(.on, .web)), turns < 20 {
            rig.turn()
            turns += 1
        }
        expectEqual(turns, 4)
        expectEqual(rig.snapshot("s0")?.desired, .on, "the last of an odd number of edges")
        expectEqual(rig.snapshot("s0")?.lost, 0)
    }

    /// The newest word of the broker's connection reaches the panel, with its moment.
    @Test func theBrokerThatIsGoneIsTold() throws {
        let reading = PanelReader.read(
            SourceText(
                file: "p.yaml",
                text: """
                    {panel: P, board: none, mqtt: {url: "mqtt://h"}, controls: {
                    away: {kind: indicator, label: Away, indicator: L, show: broker is offline}}}
                    """))
        let rig = try LoopRig(try #require(reading.plan), ScriptedBackend())
        _ = rig.open()
        let before = MonotonicClock.now
        rig.inbox.tellBroker(isOffline: true, at: before)
        rig.start()
        #expect(rig.turn { rig.snapshot("away")?.desired == .on })
        rig.inbox.tellBroker(isOffline: true, at: before)
        rig.inbox.tellBroker(isOffline: false, at: MonotonicClock.now)
        #expect(rig.turn { rig.snapshot("away")?.desired == .off })
    }

    @Test func signalEndsTheLoop() throws {
        var mask = sigset_t()
        pthread_sigmask(SIG_SETMASK, nil, &mask)
        defer { pthread_sigmask(SIG_SETMASK, &mask, nil) }
        let signals = try SignalInbox()
        let backend = ScriptedBackend()
        let rig = try LoopRig(LoopRig.switches(1), backend, signals: signals)
        _ = rig.open()
        rig.start()
        // To this thread alone; others of the test process have not blocked it.
        pthread_kill(pthread_self(), SIGTERM)
        expectEqual(rig.run(), SIGTERM)
        rig.close()
        expectEqual(backend.calls.last, .close)
    }

    @Test func stopEndsTheLoop() throws {
        let rig = try LoopRig(LoopRig.switches(1), ScriptedBackend())
        _ = rig.open()
        rig.start()
        rig.inbox.stop()
        #expect(rig.run() == nil)
    }

    @Test func fullActionRingIsAFailureThatTheEngineHears() throws {
        let gate = try WakeUp()
        let count = 8
        let rig = try LoopRig(
            LoopRig.switches(count, action: LoopRig.action), ScriptedBackend(), commandCapacity: 1,
            willMakeRequest: { gate.wait() })
        defer { gate.ring() }
        _ = rig.open()
        rig.start()
        let refused = (0..<count).filter {
            rig.kinds("s\($0)").contains(.phase(.failed, .failed(.notStarted)))
        }
        // One attempt is being made and one waits; there is no room for others.
        #expect(refused.count >= count - 2, "\(refused)")
        for number in refused { expectEqual(rig.snapshot("s\(number)")?.phase, .failed) }
        for number in 0..<count where !refused.contains(number) {
            expectEqual(rig.snapshot("s\(number)")?.phase, .pending)
        }
    }

    @Test func linesThatAreMissingAreFaultyAndComeBack() throws {
        let backend = ScriptedBackend()
        backend.refused = ["IN1"]
        let rig = try LoopRig(LoopRig.switches(2, action: LoopRig.action), backend)
        expectEqual(rig.open().map(\.line), ["IN1"])
        expectEqual(backend.calls, [.open])
        #expect(rig.runner.begun.isEmpty)
        backend.events = [reading(rig.line("IN0"), .active)]
        rig.start()
        expectEqual(rig.snapshot("s0")?.flags.contains(.fault), false)
        expectEqual(rig.snapshot("s0")?.desired, .on)
        expectEqual(rig.snapshot("s1")?.flags.contains(.fault), true)
        #expect(rig.kinds("s1").contains(.fault(.line)))
        backend.events = [
            LineEvent(line: rig.line("IN1"), kind: .restored, at: MonotonicClock.now),
            reading(rig.line("IN1"), .active),
        ]
        #expect(rig.turn { rig.kinds("s1").contains(.fault(.none)) })
        expectEqual(rig.snapshot("s1")?.flags.contains(.fault), false)
    }

    @Test func hungActionsDelayNoEdge() throws {
        let backend = ScriptedBackend()
        let rig = try LoopRig(LoopRig.switches(17, action: LoopRig.action), backend)
        _ = rig.open()
        rig.start()
        #expect(rig.runner.waitForBegun(17), "all of them hang from the start")
        for number in 0..<17 {
            backend.events = [edge(rig.line("IN\(number)"), .active, 1)]
            rig.turn()
            #expect(rig.kinds("s\(number)").contains(.changed(.on, .panel)), "in the next turn")
            #expect(backend.calls.contains(.write(rig.line("LAMP\(number)"), .active)))
        }
        expectEqual(rig.runner.begun.count, 17, "one in flight for each control")
    }
}
