import DetentTypes
import TestSupport
import Testing

@testable import DetentCore

/// Who asks from outside gets the answer to the own request, in the step that handled it.
@Suite struct RequestTests {
    private static func ask(
        _ bench: Bench, _ value: Value, _ request: UInt32, control: UInt16 = 0, at now: Int = 10
    ) -> [String] {
        bench.send(
            .intent(ControlID(control), value, .api, request: RequestID(request)), now)
    }

    @Test func anAnswerComesBehindTheReportsOfItsStep() {
        let bench = Bench.remote(ActionSettings(timeout: .seconds(5)))
        expectEqual(
            Self.ask(bench, .on, 7),
            [
                "10 c0 changed 1 by api", "10 c0 phase pending",
                "10 start a0 r1 c0 1 after ? by api", "10 answer q7 c0 accepted",
            ])
    }

    /// The core says nothing else here, so who asked could only wait.
    @Test func askingForWhatIsSetIsAnsweredToo() {
        let bench = Bench.remote(ActionSettings(timeout: .seconds(5)))
        _ = Self.ask(bench, .on, 1) + bench.finish(1, .succeeded, 20)
        expectEqual(Self.ask(bench, .on, 2, at: 30), ["30 answer q2 c0 accepted"])
    }

    @Test func twoWhoAskAtOnceGetTheirOwnAnswers() {
        let bench = Bench.remote(ActionSettings(timeout: .seconds(5), supersede: .ignore))
        _ = Self.ask(bench, .on, 1)
        expectEqual(Self.ask(bench, .on, 2), ["10 answer q2 c0 accepted"])
        expectEqual(
            Self.ask(bench, .off, 3),
            [
                "10 c0 refused busy by api", "10 answer q3 c0 refused(DetentCore.Refusal.busy)",
            ])
    }

    @Test func nobodyWaitsForNumberZero() {
        let bench = Bench.remote(ActionSettings(timeout: .seconds(5)))
        #expect(!Self.ask(bench, .on, 0).contains { $0.contains("answer") })
        expectEqual(Self.ask(bench, .on, 1, control: 9), ["10 answer q1 c9 noControl"])
        expectEqual(bench.counters.ignoredEvents, 1)
    }

    @Test func stagedGroupedDisabledAndGuardedAreAnswered() {
        var panel = RuledPanel()
        let main = panel.toggle()
        let busy = panel.toggle(ActionSettings(supersede: .ignore))
        let free = panel.toggle()
        let group = panel.add(ControlSettings(nature: .group), members: [busy, free])
        let disabled = panel.toggle(when: [.equal(main, .on)])
        let form = ControlID(6)
        let staged = panel.toggle { $0.form = .member(of: form) }
        _ = panel.add(ControlSettings(nature: .form), members: [staged])
        let bench = panel.bench()
        _ = bench.start()
        #expect(
            Self.ask(bench, .on, 1, control: staged).contains("10 answer q1 c\(staged) accepted"))
        expectEqual(Self.ask(bench, .on, 2, control: group).last, "10 answer q2 c\(group) accepted")
        // One member takes it and one does not: the group has not done what it was asked for.
        let partly = Self.ask(bench, .off, 3, control: group)
        expectEqual(partly.last, "10 answer q3 c\(group) refused(DetentCore.Refusal.busy)")
        #expect(partly.contains("10 c\(free) changed 0 by control"))
        expectEqual(
            Self.ask(bench, .on, 4, control: disabled).last,
            "10 answer q4 c\(disabled) refused(DetentCore.Refusal.disabled)")
        expectEqual(
            Self.ask(bench, .on, 5, control: form.index).last,
            "10 answer q5 c6 refused(DetentCore.Refusal.unsupported)")
        expectEqual(
            Self.ask(bench, Value(9), 6, control: free).last,
            "10 answer q6 c\(free) refused(DetentCore.Refusal.outOfRange)")
    }

    /// A checker that saw nothing would pass everything.
    @Test func plantedFaultsAreNoticed() {
        let control = ControlID(3)
        let event = Event.intent(control, .on, .api, request: RequestID(4))
        let answer = Effect.answer(RequestID(4), control, .accepted)
        let edge = Event.edge(LineID(0), .active, sequence: 0)
        #expect(RequestLaw.fault(of: event, [answer]) == nil)
        expectEqual(RequestLaw.fault(of: event, []), "0 answers instead of 1")
        expectEqual(RequestLaw.fault(of: event, [answer, answer]), "2 answers instead of 1")
        expectEqual(
            RequestLaw.fault(of: event, [.answer(RequestID(5), control, .accepted)]),
            "the answer of another request")
        expectEqual(
            RequestLaw.fault(of: event, [.answer(RequestID(4), ControlID(0), .accepted)]),
            "an answer for another control")
        expectEqual(RequestLaw.fault(of: edge, [answer]), "an answer that nobody waits for")
        expectEqual(
            RequestLaw.fault(of: RequestLaw.numbered(event, 0), [answer]),
            "an answer that nobody waits for")
    }
}
