import DetentPlatform
import DetentTypes
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import DetentActions

/// Commands in, reports out: as the real-time loop sees it.
@Suite(.serialized) struct ActionDispatcherTests {
    private func start(_ dispatcher: ActionDispatcher, action: UInt16 = 0, run: UInt32) -> Bool {
        dispatcher.start(
            action: action, run: RunID(run), control: ControlID(3), value: .on, previous: .off,
            origin: .web)
    }

    /// Drains until so many attempts are finished, as the loop does it: only when it is woken.
    private func reports(_ dispatcher: ActionDispatcher, untilFinished count: Int) -> [ActionReport]
    {
        var result: [ActionReport] = []
        var finished = 0
        while finished < count {
            var entry = pollfd(
                fd: dispatcher.reportDescriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&entry, 1, 60_000) == 1 else { return result }
            dispatcher.drainReports { report in
                result.append(report)
                if case .finished = report.kind { finished += 1 }
            }
        }
        return result
    }

    private func dispatcher(
        _ runner: any ActionRunner, actions: Int = 1, commands: Int = 1_024, reports: Int = 4_096
    ) throws -> ActionDispatcher {
        try ActionDispatcher(
            kinds: Array(repeating: .run, count: actions), runners: [.run: runner],
            commandCapacity: commands, reportCapacity: reports
        ) { ActionRequest(run: $0.run, .program(ProgramCall(["true"]))) }
    }

    /// A dispatcher cancels under its own lock: a runner that told the end at once would stop it.
    @Test func aMessageThatWaitsCanBeCancelled() throws {
        let dispatcher = try ActionDispatcher(
            kinds: Array(repeating: .osc, count: 8), runners: [.osc: OSCRunner()]
        ) {
            ActionRequest(
                run: $0.run,
                .fields([
                    ActionField("to", .text("127.0.0.1:9")), ActionField("address", .text("/a")),
                ]))
        }
        defer { dispatcher.stop(grace: .seconds(10)) }
        for run in 0..<400 as Range<UInt32> {
            #expect(start(dispatcher, action: UInt16(run % 8), run: run))
            #expect(dispatcher.cancel(action: UInt16(run % 8), run: RunID(run)))
        }
        let ends = reports(dispatcher, untilFinished: 400)
        expectEqual(Set(ends.map(\.run)).count, 400)
    }

    @Test func attemptIsStartedAndFinished() throws {
        let templates = ["printf", "%s", "{control}={value} was {previous}"].map {
            TextTemplate($0)
        }
        let dispatcher = try ActionDispatcher(kinds: [.run], runners: [.run: ProcessSupervisor()]) {
            command in
            let words = ActionWords(
                value: "on", previous: "off", control: "lamp", origin: "\(command.origin)")
            return ActionRequest(
                run: command.run,
                .program(
                    ProgramCall(
                        templates.map { $0.filled(with: words) }, environment: words.environment,
                        keepsStandardOutput: true)))
        }
        defer { dispatcher.stop(grace: .seconds(10)) }
        let before = MonotonicClock.now
        #expect(start(dispatcher, run: 5))
        let reports = reports(dispatcher, untilFinished: 1)
        expectEqual(reports.map(\.kind), [.started, .finished(.succeeded)])
        #expect(reports.allSatisfy { $0.run == RunID(5) && $0.at >= before })
        #expect(reports[0].at <= reports[1].at)
        let details = try #require(dispatcher.details[RunID(5)])
        expectEqual(details.standardOutputTail, "lamp=on was off")
        #expect(dispatcher.details[RunID(6)] == nil)
    }

    @Test func oneAttemptOfAnActionRunsAtOnce() throws {
        let runner = try ScriptedRunner()
        let dispatcher = try dispatcher(runner)
        defer { dispatcher.stop(grace: .zero) }
        for run: UInt32 in 1...3 { #expect(start(dispatcher, run: run)) }
        for run: UInt32 in 1...3 {
            #expect(runner.waitForBegun(Int(run)))
            expectEqual(runner.begun, Array(1...run))
            runner.end(run)
        }
        let finished = reports(dispatcher, untilFinished: 3).filter { $0.kind != .started }
        expectEqual(finished.map(\.run.number), [1, 2, 3])
    }

    @Test func newestIsRefusedWhenTheQueueIsFull() throws {
        let runner = try ScriptedRunner()
        let dispatcher = try dispatcher(runner)
        defer { dispatcher.stop(grace: .zero) }
        for run: UInt32 in 1...10 { #expect(start(dispatcher, run: run)) }
        let refused = reports(dispatcher, untilFinished: 1)
        expectEqual(refused.map(\.run.number), [10])
        expectEqual(refused.map(\.kind), [.finished(.failed(.notStarted))])
        expectEqual(dispatcher.details[RunID(10)]?.explanation.contains("already waiting"), true)
    }

    @Test func cancelInTheQueueNeverBegins() throws {
        let runner = try ScriptedRunner()
        let dispatcher = try dispatcher(runner)
        defer { dispatcher.stop(grace: .zero) }
        for run: UInt32 in 1...3 { #expect(start(dispatcher, run: run)) }
        #expect(dispatcher.cancel(action: 0, run: RunID(2)))
        #expect(dispatcher.cancel(action: 0, run: RunID(99)))
        expectEqual(
            reports(dispatcher, untilFinished: 1).map(\.kind), [.finished(.cancelled)])
        runner.end(1)
        #expect(runner.waitForBegun(2))
        expectEqual(runner.begun, [1, 3])
        #expect(dispatcher.cancel(action: 0, run: RunID(3)))
        #expect(runner.waitForCancelled(1))
        expectEqual(runner.cancelled, [3])
    }

    /// It may reach its device although it was given up; the one after it comes last.
    @Test func anAttemptThatWasGivenUpIsNotOvertaken() throws {
        let gate = try WakeUp()
        let runner = try ScriptedRunner()
        let dispatcher = try ActionDispatcher(kinds: [.run], runners: [.run: runner]) { command in
            if command.run == RunID(1) { gate.wait(until: MonotonicClock.now + .seconds(60)) }
            return ActionRequest(run: command.run, .program(ProgramCall(["true"])))
        }
        defer { dispatcher.stop(grace: .zero) }
        #expect(start(dispatcher, run: 1))
        #expect(dispatcher.cancel(action: 0, run: RunID(1)))
        #expect(start(dispatcher, run: 2))
        expectEqual(runner.begun, [])
        gate.ring()
        #expect(runner.waitForCancelled(1))
        expectEqual(runner.begun, [1])
        runner.end(1, .cancelled)
        #expect(runner.waitForBegun(2))
        expectEqual(runner.begun, [1, 2])
    }

    @Test func totalOfRunningProgramsIsBounded() throws {
        let runner = try ScriptedRunner()
        let dispatcher = try dispatcher(runner, actions: 70)
        defer { dispatcher.stop(grace: .zero) }
        for run: UInt32 in 1...70 {
            #expect(start(dispatcher, action: UInt16(run - 1), run: run))
        }
        // Behind all of them: when it is answered, they have been looked at.
        #expect(start(dispatcher, action: 70, run: 71))
        _ = reports(dispatcher, untilFinished: 1)
        expectEqual(runner.begun, Array(1...64))
        runner.end(10)
        #expect(runner.waitForBegun(65))
        expectEqual(runner.begun.last, 65)
    }

    @Test func waitingAttemptWakesNobody() throws {
        let runner = try ScriptedRunner()
        let dispatcher = try dispatcher(runner)
        defer { dispatcher.stop(grace: .zero) }
        for run: UInt32 in 1...3 { #expect(start(dispatcher, run: run)) }
        // The cancel comes behind them, so they have been looked at when it arrives.
        #expect(dispatcher.cancel(action: 0, run: RunID(1)))
        #expect(runner.waitForCancelled(1))
        var entry = pollfd(fd: dispatcher.reportDescriptor, events: Int16(POLLIN), revents: 0)
        expectEqual(poll(&entry, 1, 0), 0)
    }

    /// Its thread has ended then, so that nothing is told any more.
    @Test func nothingHoldsADispatcherThatWasStopped() throws {
        for _ in 0..<50 {
            var dispatcher: ActionDispatcher? = try dispatcher(try ScriptedRunner())
            weak let held = dispatcher
            dispatcher?.stop(grace: .zero)
            dispatcher = nil
            #expect(held == nil)
        }
    }

    @Test func unknownActionIsRefused() throws {
        let dispatcher = try dispatcher(try ScriptedRunner())
        defer { dispatcher.stop(grace: .zero) }
        #expect(start(dispatcher, action: 1, run: 1))
        expectEqual(
            reports(dispatcher, untilFinished: 1).map(\.kind), [.finished(.failed(.notStarted))])
    }

    @Test func hungActionsDelayNoOther() throws {
        let dispatcher = try ActionDispatcher(
            kinds: Array(repeating: .run, count: 17), runners: [.run: ProcessSupervisor()]
        ) {
            ActionRequest(
                run: $0.run,
                .program(ProgramCall($0.action == 16 ? ["true"] : ["sleep", "1000"])))
        }
        for run: UInt32 in 1...17 {
            #expect(start(dispatcher, action: UInt16(run - 1), run: run))
        }
        let last = reports(dispatcher, untilFinished: 1).last
        expectEqual(last?.run, RunID(17))
        expectEqual(last?.kind, .finished(.succeeded))
        expectEqual(dispatcher.stop(grace: .seconds(20)), 0)
        let rest = reports(dispatcher, untilFinished: 16).filter { $0.kind != .started }
        #expect(rest.allSatisfy { $0.kind == .finished(.cancelled) })
        expectEqual(rest.count, 16)
    }

    @Test func fullReportsKeepTheirOrder() throws {
        let dispatcher = try dispatcher(try ScriptedRunner(), reports: 4)
        defer { dispatcher.stop(grace: .zero) }
        for run: UInt32 in 1...500 { #expect(start(dispatcher, action: 9, run: run)) }
        let reports = reports(dispatcher, untilFinished: 500)
        expectEqual(reports.map(\.run.number), Array(1...500))
    }

    @Test func fullCommandsAreSaidSo() throws {
        let gate = try WakeUp()
        let entered = try WakeUp()
        let runner = try ScriptedRunner()
        let dispatcher = try ActionDispatcher(
            kinds: [.run], runners: [.run: runner], commandCapacity: 4
        ) { command in
            entered.ring()
            gate.wait(until: MonotonicClock.now + .seconds(60))
            return ActionRequest(run: command.run, .program(ProgramCall(["true"])))
        }
        #expect(start(dispatcher, run: 1))
        entered.wait(until: MonotonicClock.now + .seconds(60))
        for run: UInt32 in 2...5 { #expect(start(dispatcher, run: run)) }
        #expect(!start(dispatcher, run: 6))
        gate.ring()
        #expect(runner.waitForBegun(1))
        dispatcher.stop(grace: .zero)
        let ends = reports(dispatcher, untilFinished: 4).filter { $0.kind != .started }
        expectEqual(ends.map(\.run.number), [2, 3, 4, 5])
        #expect(ends.allSatisfy { $0.kind == .finished(.cancelled) })
    }
}
