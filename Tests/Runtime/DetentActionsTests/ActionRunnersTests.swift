import DetentPlatform
import DetentTypes
import TestSupport
import Testing

@testable import DetentActions

/// Which runner carries out which kind of action.
@Suite struct ActionRunnersTests {
    private static let call = ActionKindID("call")

    private func dispatcher(
        kinds: [ActionKindID?], _ runners: ActionRunners
    ) throws -> ActionDispatcher {
        try ActionDispatcher(kinds: kinds, runners: runners) {
            ActionRequest(run: $0.run, .fields([]))
        }
    }

    private func start(_ dispatcher: ActionDispatcher, action: UInt16, run: UInt32) -> Bool {
        dispatcher.start(
            action: action, run: RunID(run), control: ControlID(0), value: .on, previous: .off,
            origin: .web)
    }

    @Test func eachKindHasItsRunner() throws {
        let (programs, calls) = (try ScriptedRunner(), try ScriptedRunner())
        let dispatcher = try dispatcher(
            kinds: [.run, Self.call, .run], [.run: programs, Self.call: calls])
        defer { dispatcher.stop(grace: .zero) }
        for run: UInt32 in 1...3 { #expect(start(dispatcher, action: UInt16(run - 1), run: run)) }
        #expect(programs.waitForBegun(2) && calls.waitForBegun(1))
        #expect(programs.begun == [1, 3] && calls.begun == [2])
        #expect(dispatcher.cancel(action: 1, run: RunID(2)))
        #expect(calls.waitForCancelled(1))
        #expect(programs.cancelled.isEmpty)
    }

    /// The one that waits behind it goes to the same runner.
    @Test func theNextAttemptStaysWithItsRunner() throws {
        let (programs, calls) = (try ScriptedRunner(), try ScriptedRunner())
        let dispatcher = try dispatcher(kinds: [Self.call], [.run: programs, Self.call: calls])
        defer { dispatcher.stop(grace: .zero) }
        for run: UInt32 in 1...2 { #expect(start(dispatcher, action: 0, run: run)) }
        #expect(calls.waitForBegun(1))
        calls.end(1)
        #expect(calls.waitForBegun(2))
        #expect(programs.begun.isEmpty)
    }

    @Test(
        arguments: [
            (0, "the core performs this action"), (1, "this program has no runner for `call`"),
            (2, "unknown action"),
        ] as [(UInt16, String)])
    func withoutARunnerNothingStarts(action: UInt16, text: String) throws {
        let programs = try ScriptedRunner()
        let ended = try Outcomes()
        let dispatcher = try ActionDispatcher(
            kinds: [nil, Self.call], runners: [.run: programs],
            makeRequest: { ActionRequest(run: $0.run, .fields([])) },
            didEnd: { ended.tell(.ended($1)) })
        defer { dispatcher.stop(grace: .zero) }
        #expect(start(dispatcher, action: action, run: 1))
        #expect(ended.waitForEnded(1))
        expectEqual(ended.results.map(\.outcome), [.failed(.notStarted)])
        expectEqual(ended.results.map(\.explanation), [text])
        #expect(programs.begun.isEmpty)
    }

    /// All attempts are cancelled at once, so that the first runner takes no time from the others.
    @Test func theEndCancelsOnAllRunners() throws {
        let (programs, calls) = (try ScriptedRunner(), try ScriptedRunner())
        let dispatcher = try dispatcher(
            kinds: [.run, Self.call], [.run: programs, Self.call: calls])
        for run: UInt32 in 1...2 { #expect(start(dispatcher, action: UInt16(run - 1), run: run)) }
        #expect(programs.waitForBegun(1) && calls.waitForBegun(1))
        dispatcher.stop(grace: .zero)
        #expect(programs.cancelled == [1] && calls.cancelled == [2])
    }

    /// A runner that serves two kinds is stopped once, and its attempts are counted once.
    @Test func aSharedRunnerIsStoppedOnce() throws {
        let shared = CountingRunner()
        let dispatcher = try dispatcher(
            kinds: [.run, Self.call], ActionRunners(shared, for: [.run, Self.call]))
        expectEqual(dispatcher.stop(grace: .zero), 1)
    }

    @Test func eachRunnerIsStopped() throws {
        let dispatcher = try dispatcher(
            kinds: [.run, Self.call], [.run: CountingRunner(), Self.call: CountingRunner()])
        expectEqual(dispatcher.stop(grace: .zero), 2)
    }

    @Test(arguments: [ActionPayload.fields([]), .simulated(ControlID(0), .on)])
    func theSupervisorStartsProgramsOnly(payload: ActionPayload) throws {
        let supervisor = try ProcessSupervisor()
        defer { _ = supervisor.stop(within: .seconds(10)) }
        let result = try supervisor.result(of: ActionRequest(run: RunID(1), payload))
        expectEqual(result.outcome, .failed(.notStarted))
        expectEqual(result.explanation, "this runner starts programs only")
    }
}

/// A runner that says at each stop that one attempt was left.
private final class CountingRunner: ActionRunner {
    func start(_ request: ActionRequest, tell: @escaping @Sendable (AttemptEvent) -> Void) {}
    func cancel(_ run: RunID) {}
    func stop(within span: TimeSpan) -> Int { 1 }
}
