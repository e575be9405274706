import DetentCore
import DetentPanel
import DetentPlatform
import DetentTypes
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import DetentActions
@testable import DetentRuntime

/// Queues between threads at their edges: when a reader is woken, and what has room.
@Suite struct QueueEdgeTests {
    private static func isReadable(_ descriptor: Int32) -> Bool {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&entry, 1, 0) > 0
    }

    private let pressed = Report(control: ControlID(0), kind: .pressed)

    /// The recorder is woken by the report that fills half of the ring, and by the first for which
    /// there is no room; after it has drained, by the same ones again.
    @Test func theRecorderIsWokenAtHalfAndAtTheFirstLoss() throws {
        let stream = try ReportStream()
        for _ in 0..<2 {
            let woken = (1...RuntimeLimits.reports + 3).filter { _ in
                stream.push(pressed, at: .zero)
            }
            expectEqual(woken, [RuntimeLimits.reports / 2, RuntimeLimits.reports + 1])
            expectEqual(stream.count, RuntimeLimits.reports)
            expectEqual(stream.drain { _ in }, 3)
            expectEqual(stream.count, 0)
        }
    }

    @Test func aReaderOfUpdatesIsWokenAtHalfAndAtTheFirstLoss() throws {
        let updates = try UpdateChannel(wakeLoop: {})
        for _ in 0..<2 {
            let woken = (1...RuntimeLimits.updates + 3).filter { _ in
                updates.push(.simulation, at: .zero)
            }
            expectEqual(woken, [RuntimeLimits.updates / 2, RuntimeLimits.updates + 1])
            expectEqual(updates.drain { _ in }, 3)
        }
    }

    /// Who asked for states is woken, also a reader that watches nothing.
    @Test func whoAskedForStatesIsWoken() throws {
        let (asker, other) = (try UpdateChannel {}, try UpdateChannel {})
        var publisher = UpdatePublisher([asker, other], controls: 2, lines: 0)
        func end() {
            _ = publisher.endTurn(
                at: .zero, snapshot: { _ in nil }, present: { _ in nil }, contact: { _ in nil })
        }
        end()
        #expect(!Self.isReadable(asker.descriptor) && !Self.isReadable(other.descriptor))
        asker.requestSnapshot()
        end()
        #expect(Self.isReadable(asker.descriptor) && !Self.isReadable(other.descriptor))
        _ = asker.drain { _ in }
        #expect(!Self.isReadable(asker.descriptor))
        end()
        #expect(!Self.isReadable(asker.descriptor), "once")
    }

    /// The loop wakes the recorder at the end of a turn that has something for it, and of no other.
    @Test func aTurnWakesTheRecorderIfItHasWork() throws {
        let backend = ScriptedBackend()
        let effects = EffectDispatcher(
            backend: backend, dispatcher: nil, reports: try ReportStream(), kept: nil,
            publisher: UpdatePublisher([], controls: 1, lines: 1))
        let stream = try ReportStream()
        let other = EffectDispatcher(
            backend: backend, dispatcher: nil, reports: stream, kept: nil,
            publisher: UpdatePublisher([], controls: 1, lines: 1))
        effects.endTurn()
        var queue = TurnQueue(capacity: 4)
        func turn(_ kind: Report.Kind?) -> Bool {
            if let kind {
                let report = Report(control: ControlID(0), kind: kind)
                other.carryOut(.report(report), due: .zero, now: .zero, into: &queue)
            }
            other.endTurn()
            defer { _ = stream.drain { _ in } }
            return Self.isReadable(stream.descriptor)
        }
        expectEqual(turn(.pressed), false)
        expectEqual(turn(.fault(.line)), true)
        expectEqual(turn(.pressed), false, "it was woken for the former turn")
        expectEqual(turn(nil), false)
    }

    /// Room comes back with each text that is written, not with the last of those that were taken.
    @Test func aTextThatWasWrittenLeavesRoom() throws {
        let gates = try (0..<5).map { _ in try WakeUp() }
        let begun = Atomic<Int>(0)
        let writer = try TextWriter(named: "test", capacity: 3) { _ in
            gates[begun.wrappingAdd(1, ordering: .sequentiallyConsistent).oldValue].wait()
            return 0
        }
        func hasBegun(_ count: Int) -> Bool {
            let deadline = MonotonicClock.now + .seconds(60)
            while begun.load(ordering: .sequentiallyConsistent) < count {
                if MonotonicClock.now >= deadline { return false }
                sched_yield()
            }
            return true
        }
        #expect(writer.add("a") && hasBegun(1))
        #expect(writer.add("b") && writer.add("c") && !writer.add("x"))
        gates[0].ring()
        // The next two were taken together.
        #expect(hasBegun(2) && writer.add("d") && !writer.add("y"))
        gates[1].ring()
        #expect(hasBegun(3) && writer.add("e") && !writer.add("z"))
        for gate in gates { gate.ring() }
        expectEqual(writer.stop(within: .seconds(60)), 3)
        expectEqual(begun.load(ordering: .sequentiallyConsistent), 5)
    }

    /// How many were dropped is said once, when there is room again.
    @Test func whatWasDroppedIsNotedOnce() throws {
        let gate = try WakeUp()
        let written = MessageLog()
        let writer = try TextWriter(
            named: "test", capacity: 1,
            write: { text in
                gate.wait()
                written.add(text)
                return 0
            }, note: { "dropped \($0)" })
        #expect(writer.add("a"))
        for _ in 0..<3 { #expect(!writer.add("x")) }
        gate.ring()
        func wait(_ count: Int) -> Bool {
            let deadline = MonotonicClock.now + .seconds(60)
            while written.all.count < count {
                if MonotonicClock.now >= deadline { return false }
                sched_yield()
            }
            return true
        }
        #expect(wait(2))
        #expect(writer.add("b") && wait(3))
        expectEqual(writer.stop(within: .seconds(60)), 3)
        expectEqual(written.all, ["a", "dropped 3", "b"])
    }

    /// After a write that ends it, what waits is lost too, and nothing more is taken.
    @Test func whatWaitsBehindAFailureIsLost() throws {
        let gate = try WakeUp()
        let errors = Mutex<[Int32]>([])
        let writer = try TextWriter(
            named: "test", capacity: 8,
            write: { _ in
                gate.wait()
                return EPIPE
            },
            didFail: { error in
                errors.withLock { $0.append(error) }
                return false
            })
        for text in ["a", "b", "c"] { #expect(writer.add(text)) }
        gate.ring()
        let deadline = MonotonicClock.now + .seconds(60)
        while !writer.hasFailed, MonotonicClock.now < deadline { sched_yield() }
        #expect(!writer.add("d"))
        expectEqual(writer.stop(within: .seconds(60)), 4)
        expectEqual(errors.withLock { $0 }, [EPIPE])
    }

    /// A failure that ends nothing loses its own text.
    @Test func aFailureMayBeOfOneText() throws {
        let count = Atomic<Int>(0)
        let writer = try TextWriter(named: "test", capacity: 8) { _ in
            count.wrappingAdd(1, ordering: .relaxed).oldValue == 0 ? EIO : 0
        }
        for text in ["a", "b", "c"] { #expect(writer.add(text)) }
        expectEqual(writer.stop(within: .seconds(60)), 1)
        #expect(!writer.hasFailed)
        expectEqual(count.load(ordering: .relaxed), 3)
    }

    // MARK: What the core is told of an attempt

    @Test func anAttemptIsToldByItsNumbersInTheCore() {
        func events(_ kind: ActionReport.Kind) -> [Event] {
            let report = ActionReport(run: RunID(1), control: ControlID(9), kind: kind, at: .zero)
            var events: [Event] = []
            report.forEachEvent(of: RunID(5), ControlID(3)) { events.append($0) }
            return events
        }
        let (control, run) = (ControlID(3), RunID(5))
        expectEqual(events(.started), [.actionStarted(control, run)])
        expectEqual(
            events(.finished(.timedOut)), [.actionFinished(control, run, .timedOut)])
        expectEqual(events(.answered(.on)), [.answered(control, run, .on)])
        expectEqual(
            events(.confirmed(.off)),
            [.actionFinished(control, run, .succeeded), .feedback(control, .off)])
    }

    // MARK: Displays over a reload

    /// A report of the panel that follows comes before anyone has asked to follow it.
    @Test func aReportOfTheNextPanelIsFollowed() throws {
        let plan = try LoopRig.switches(1)
        let displays = try PanelDisplays(plan, guardian: nil) { _ in }
        let difference = PanelDifference(from: plan, to: plan)
        for _ in 0..<3 { displays.replacePlan(plan, difference) }
        expectEqual(displays.following, 3)
        displays.record(TimedReport(report: pressed, at: .zero, panel: 0))
        expectEqual(displays.following, 3)
        displays.record(TimedReport(report: pressed, at: .zero, panel: 2))
        expectEqual(displays.following, 1)
        displays.record(TimedReport(report: pressed, at: .zero, panel: 1))
        expectEqual(displays.following, 1, "that is one of the past")
        displays.settle(5)
        expectEqual(displays.following, 0)
        #expect(displays.stop(within: .seconds(60)))
    }

    /// A screen whose lines are shorter than their dots is none.
    @Test(arguments: [(15, false), (16, true)]) func aLineHasRoomForItsDots(
        bytes: Int, isScreen: Bool
    ) {
        let memory = Framebuffer(width: 128, height: 64, bits: 1, lineBytes: bytes, lit: 1)
        expectEqual(DotScreen(memory, columns: 16, rows: 2) != nil, isScreen)
    }
}
