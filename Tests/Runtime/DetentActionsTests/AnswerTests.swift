import DetentPlatform
import DetentTypes
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import DetentActions

/// What the answer of a device makes of an attempt.
@Suite struct AnswerTests {
    /// How an attempt ends.
    private struct Ending {
        var outcome = ActionOutcome.succeeded
        var answer: [UInt8]? = Array("x".utf8)
    }

    private final class Told: Sendable {
        let results = Mutex<[ActionResult]>([])
    }

    /// What the loop hears of one attempt with the value on, and what is told about its end.
    private func attempt(
        _ ending: Ending, _ answer: ActionAnswer, action: UInt16 = 0
    ) throws -> (kind: ActionReport.Kind?, result: ActionResult?) {
        let told = Told()
        let runner = try ScriptedRunner()
        let dispatcher = try ActionDispatcher(
            kinds: [.run], runners: [.run: runner],
            makeRequest: { ActionRequest(run: $0.run, .program(ProgramCall(["true"]))) },
            readAnswer: { _, _ in answer },
            didEnd: { _, result in told.results.withLock { $0.append(result) } })
        defer { dispatcher.stop(grace: .seconds(60)) }
        if action > 0 { dispatcher.add([.run]) }
        #expect(
            dispatcher.start(
                action: action, run: RunID(1), control: ControlID(3), value: .on, previous: .off,
                origin: .web))
        #expect(runner.waitForBegun(1))
        runner.end(1, ending.outcome, answer: ending.answer)
        var kinds: [ActionReport.Kind] = []
        let end = MonotonicClock.now + .seconds(60)
        while kinds.isEmpty, MonotonicClock.now < end {
            var entry = pollfd(fd: dispatcher.reportDescriptor, events: Int16(POLLIN), revents: 0)
            _ = poll(&entry, 1, 100)
            dispatcher.drainReports { if $0.kind != .started { kinds.append($0.kind) } }
        }
        let results = told.results.withLock { $0 }
        #expect(kinds.count == 1 && results.count == 1)
        expectEqual(dispatcher.details[RunID(1)], results.first)
        return (kinds.first, results.first)
    }

    @Test func aValueIsAnswered() throws {
        let end = try attempt(Ending(), .value(.off))
        expectEqual(end.kind, .answered(.off))
        expectEqual(end.result?.outcome, .succeeded)
    }

    @Test func theConfirmedValueIsSuccessOnlyIfItIsTheOneThatWasAskedFor() throws {
        expectEqual(try attempt(Ending(), .confirmed(.on)).kind, .finished(.succeeded))
        expectEqual(try attempt(Ending(), .confirmed(.off)).kind, .confirmed(.off))
    }

    @Test func anAnswerThatCannotBeReadIsAFailure() throws {
        let end = try attempt(Ending(), .unreadable("no value"))
        expectEqual(end.kind, .finished(.failed(.invalidAnswer)))
        expectEqual(end.result?.outcome, .failed(.invalidAnswer))
        expectEqual(end.result?.explanation, "no value")
    }

    @Test func onlyTheAnswerOfASuccessIsRead() throws {
        let failed = try attempt(Ending(outcome: .lost), .value(.off))
        expectEqual(failed.kind, .finished(.lost))
        let silent = try attempt(Ending(answer: nil), .value(.off))
        expectEqual(silent.kind, .finished(.succeeded))
        expectEqual(silent.result?.explanation, "as the test says")
    }

    @Test func anActionThatIsAddedLaterHasItsRunner() throws {
        expectEqual(try attempt(Ending(), .value(.on), action: 1).kind, .answered(.on))
    }
}
