import DetentTypes
import TestSupport
import Testing

@testable import DetentCore

/// Actions that the core does step by step.
@Suite struct SequenceDialogueTests {
    /// A switch (control 0) whose action is these steps. Around it: a switch with an action that
    /// leaves the core (1), a button (2), and lines 0 and 1 for its steps. Action 2 is for `run`.
    private static func bench(
        _ steps: [SequenceStep], _ settings: ActionSettings = ActionSettings(),
        other: ActionSettings = ActionSettings(timeout: .seconds(5))
    ) -> Bench {
        var panel = RuledPanel()
        let lines = panel.lines(2)
        let run = ActionID(2)
        let control = panel.add(
            ControlSettings(
                nature: .onOff(latch: .toggle), actions: .perValue(first: ActionID(0), present: 2),
                stepOutputs: lines))
        _ = panel.action(settings, steps: steps)
        _ = panel.toggle(other)
        expectEqual(panel.action(ActionSettings(timeout: .milliseconds(400))), run)
        _ = panel.add(ControlSettings(nature: .button, actions: .any(panel.action())))
        let bench = panel.bench()
        _ =
            bench.start() + bench.feedback(.off, 0, control: control)
            + bench.feedback(.off, 0, control: 1)
        return bench
    }

    private static let other = ControlID(1)
    private static let button = ControlID(2)

    @Test func setAwaitsTheOther() {
        let bench = Self.bench([.set(Self.other, .on)])
        expectEqual(
            bench.intent(.on, 10),
            [
                "10 c0 changed 1 by web", "10 c0 phase pending", "10 c1 changed 1 by control",
                "10 c1 phase pending", "10 start a1 r2 c1 1 after 0 by control",
            ])
        expectEqual(
            bench.finish(2, .succeeded, 60, control: 1),
            [
                "60 c1 phase idle", "60 c1 confirmed 1", "60 c0 phase idle", "60 c0 confirmed 1",
            ])
    }

    /// What is true already needs no action; what is being asked for is joined.
    @Test func setOfATrueValueIsDoneAtOnce() {
        let bench = Self.bench([.set(Self.other, .on)])
        _ = bench.feedback(.on, 5, control: 1)
        expectEqual(bench.intent(.on, 10).last, "10 c0 confirmed 1")
        _ = bench.intent(.off, 20) + bench.intent(.off, 21, control: 1)
        _ = bench.finish(2, .succeeded, 22, control: 1) + bench.intent(.on, 30, control: 1)
        expectEqual(bench.intent(.on, 40), ["40 c0 changed 1 by web", "40 c0 phase pending"])
        expectEqual(bench.finish(3, .succeeded, 50, control: 1).last, "50 c0 confirmed 1")
    }

    @Test func setFailsWhereTheOtherFails() {
        let bench = Self.bench([.set(Self.other, .on)])
        _ = bench.intent(.on, 10)
        expectEqual(
            bench.finish(2, .failed(.exit(7)), 60, control: 1),
            [
                "60 c1 changed 0 by device", "60 c1 phase failed: code 7",
                "60 c0 changed 0 by device", "60 c0 phase failed: step failed",
            ])
    }

    @Test func setFailsWhereTheOtherRefuses() {
        let bench = Self.bench(
            [.wait(.milliseconds(5)), .set(Self.other, .on)],
            other: ActionSettings(timeout: .seconds(5), supersede: .ignore))
        _ = bench.intent(.on, 10) + bench.finish(1, .succeeded, 11, control: 1)
        _ = bench.run(14)
        expectEqual(bench.snapshot(0).phase, .pending)
        // The other is busy with another value by then.
        _ = bench.feedback(.on, 14, control: 1) + bench.intent(.off, 14, control: 1)
        expectEqual(
            bench.run(20),
            [
                "15 c1 refused busy by control", "15 c0 changed 0 by device",
                "15 c0 phase failed: step failed",
            ])
    }

    @Test(arguments: [ActionSettings.Supersede.wait, .cancel])
    func setFailsAtOnceWhereSomebodyWantsAnotherValue(supersede: ActionSettings.Supersede) {
        let bench = Self.bench(
            [.set(Self.other, .on)],
            other: ActionSettings(timeout: .seconds(5), supersede: supersede))
        _ = bench.intent(.on, 10)
        let log = bench.intent(.off, 20, control: 1)
        expectEqual(Bench.of(0, log), ["20 changed 0 by device", "20 phase failed: step failed"])
    }

    @Test func fireAwaitsTheEndOfItsAction() {
        let bench = Self.bench([.fire(Self.button, .on), .drive(LineID(0), .active)])
        #expect(bench.intent(.on, 10).contains("10 start a3 r2 c2 1 after ? by control"))
        expectEqual(bench.snapshot(0).phase, .pending)
        #expect(bench.finish(2, .succeeded, 30, control: 2).contains("30 drive l0 on"))
        expectEqual(bench.written(0, .active, 31).last, "31 c0 confirmed 1")
        let failing = Self.bench([.fire(Self.button, .on)])
        _ = failing.intent(.on, 10)
        expectEqual(
            Bench.of(0, failing.finish(2, .failed(.exit(1)), 30, control: 2)).last,
            "30 phase failed: step failed")
    }

    /// A pulse and a wait count from what was written, not from what was asked for.
    @Test func pulsesCountFromTheWrite() {
        let bench = Self.bench([.pulse(LineID(0), .milliseconds(100)), .drive(LineID(1), .active)])
        expectEqual(bench.intent(.on, 10).suffix(2), ["10 drive l0 on", "10 c0 output l0 on"])
        expectEqual(bench.run(400), ["160 c0 phase loading"])
        // The stamp of another level, or of another line, is not this write's.
        expectEqual(bench.written(0, .inactive, 410) + bench.written(1, .active, 410), [])
        expectEqual(bench.written(0, .active, 420), [])
        expectEqual(bench.run(600), ["520 drive l0 off", "520 c0 output l0 off"])
        expectEqual(
            bench.written(0, .inactive, 700), ["700 drive l1 on", "700 c0 output l1 on"])
        expectEqual(bench.written(1, .active, 710), ["710 c0 phase idle", "710 c0 confirmed 1"])
    }

    @Test func aDelayBetweenStepsCountsFromTheWrite() {
        let bench = Self.bench([.drive(LineID(0), .active), .wait(.milliseconds(50))])
        _ = bench.intent(.on, 10) + bench.written(0, .active, 200)
        expectEqual(bench.run(249), [])
        expectEqual(bench.run(250), ["250 c0 phase idle", "250 c0 confirmed 1"])
    }

    static let interruptions = [
        "supersede", "timeout", "fault", "unwritten timeout",
    ]

    /// Whatever ends it early, a pulse is switched off.
    @Test(arguments: interruptions)
    func aPulseIsSwitchedOffWhateverEndsIt(reason: String) {
        let settings = ActionSettings(timeout: .milliseconds(500), supersede: .cancel)
        let bench = Self.bench([.pulse(LineID(0), .seconds(60))], settings)
        _ = bench.intent(.on, 10)
        if reason != "unwritten timeout" { _ = bench.written(0, .active, 11) }
        let log: [String]
        switch reason {
        case "supersede": log = bench.intent(.off, 100)
        case "fault": log = bench.send(.lineFault(LineID(0)), 100)
        case _: log = bench.run(600)
        }
        expectEqual(log.count { $0.hasSuffix("drive l0 off") }, 1)
        expectEqual(log.contains { $0.hasSuffix("drive l0 on") }, false)
        #expect(bench.snapshot(0).phase != .pending)
        // Nothing of it is left.
        #expect(!bench.run(100_000).contains { $0.contains("drive") })
    }

    @Test func runHasItsOwnTimeout() {
        let bench = Self.bench([.run(ActionID(2)), .wait(.milliseconds(10))])
        expectEqual(bench.intent(.on, 0).last, "0 start a2 r1 c0 1 after 0 by web")
        // The time in the queue does not count.
        _ = bench.run(300) + bench.send(.actionStarted(ControlID(0), RunID(1)), 300)
        expectEqual(bench.run(699).contains { $0.contains("cancel") }, false)
        expectEqual(
            bench.run(700),
            [
                "700 cancel a2 r1", "700 c0 changed 0 by device",
                "700 c0 phase failed: timeout", "700 c0 confirmed 0",
            ])
    }

    @Test func theTimeoutOfAllStepsIsNotProlongedByOne() {
        let bench = Self.bench(
            [.run(ActionID(2))], ActionSettings(timeout: .milliseconds(300)))
        _ = bench.intent(.on, 0) + bench.run(200)
        _ = bench.send(.actionStarted(ControlID(0), RunID(1)), 200)
        #expect(bench.run(300).contains("300 cancel a2 r1"))
        expectEqual(bench.snapshot(0).phase, .failed)
    }

    @Test func outcomesPassThrough() {
        for (outcome, actual) in [
            (ActionOutcome.failed(.exit(4)), Value.off), (.lost, .off), (.succeeded, .on),
        ] {
            let bench = Self.bench([.run(ActionID(2))])
            _ = bench.intent(.on, 10)
            let log = bench.finish(1, outcome, 20)
            expectEqual(bench.snapshot(0).actual, actual)
            expectEqual((outcome == .failed(.exit(4))), log.contains("20 c0 phase failed: code 4"))
        }
    }

    /// An outcome that nobody outside can know is not believed.
    @Test func onlyARunningActionCanEndFromOutside() {
        let bench = Self.bench([.wait(.milliseconds(100)), .drive(LineID(0), .active)])
        _ = bench.intent(.on, 10)
        let before = bench.counters.ignoredEvents
        expectEqual(bench.finish(1, .failed(.exit(1)), 20), [])
        expectEqual(bench.finish(1, .succeeded, 30), [])
        expectEqual(bench.counters.ignoredEvents, before + 2)
        #expect(bench.run(200).contains("110 drive l0 on"))
    }

    @Test func cancelPassesToTheRunningAction() {
        let bench = Self.bench(
            [.run(ActionID(2))], ActionSettings(supersede: .cancel))
        _ = bench.intent(.on, 10)
        #expect(bench.intent(.off, 20).contains("20 cancel a2 r1"))
        expectEqual(bench.snapshot(0).actual, .off)
        // Its late outcome is nobody's.
        expectEqual(bench.finish(1, .succeeded, 30), [])
        expectEqual(bench.snapshot(0).actual, .off)
    }

    @Test func aNewerIntentWaitsForTheLastStep() {
        let bench = Self.bench([.wait(.milliseconds(100)), .wait(.milliseconds(100))])
        _ = bench.intent(.on, 10)
        expectEqual(bench.intent(.off, 20), ["20 c0 changed 0 by web"])
        expectEqual(
            bench.run(1_000),
            [
                "160 c0 phase loading", "210 c0 phase idle", "210 c0 confirmed 0",
            ])
    }

    /// What was done before a step fails stays done, so the value that comes back is made true.
    @Test func aRevertUndoesTheStepsThatWereDone() {
        var panel = RuledPanel()
        let lines = panel.lines(1)
        _ = panel.add(
            ControlSettings(
                nature: .onOff(latch: .toggle), actions: .perValue(first: ActionID(0), present: 3),
                stepOutputs: lines))
        _ = panel.action(steps: [.drive(LineID(0), .inactive)])
        _ = panel.action(steps: [.drive(LineID(0), .active), .run(ActionID(2))])
        _ = panel.action()
        let bench = panel.bench()
        _ = bench.start() + bench.feedback(.off, 0)
        _ = bench.intent(.on, 10) + bench.written(0, .active, 11)
        expectEqual(
            bench.finish(1, .failed(.exit(2)), 20),
            [
                "20 c0 changed 0 by device", "20 c0 phase failed: code 2",
                "20 c0 flag unconfirmed", "20 drive l0 off", "20 c0 output l0 off",
            ])
        expectEqual(
            bench.written(0, .inactive, 21), ["21 c0 confirmed 0", "21 c0 no unconfirmed"])
    }

    @Test func retryBeginsWithTheFirstStep() {
        let bench = Self.bench(
            [.drive(LineID(0), .active), .run(ActionID(2))],
            ActionSettings(
                onFailure: .retry(count: 1, backoff: .milliseconds(100), thenKeep: true)))
        _ = bench.intent(.on, 10) + bench.written(0, .active, 11)
        _ = bench.finish(1, .failed(.exit(1)), 20)
        #expect(bench.run(120).contains("120 drive l0 on"))
        #expect(bench.written(0, .active, 121).contains("121 start a2 r2 c0 1 after 0 by web"))
        #expect(bench.finish(2, .succeeded, 130).contains("130 c0 confirmed 1"))
    }

    @Test func aSequenceMaySetAControlWithASequence() {
        var panel = RuledPanel()
        let lines = panel.lines(1)
        let inner = panel.add(
            ControlSettings(
                nature: .onOff(latch: .toggle),
                actions: .any(panel.action(steps: [.pulse(LineID(0), .milliseconds(20))])),
                stepOutputs: lines))
        let outer = panel.toggle(steps: [.set(ControlID(inner), .on), .wait(.milliseconds(5))])
        let bench = panel.bench()
        _ = bench.start()
        #expect(bench.intent(.on, 10, control: outer).contains("10 drive l0 on"))
        _ = bench.written(0, .active, 11) + bench.run(31)
        #expect(bench.written(0, .inactive, 32).contains("32 c0 confirmed 1"))
        expectEqual(bench.snapshot(outer).actual, .unknown)
        #expect(bench.run(100).contains("37 c1 confirmed 1"))
    }

    /// A group is awaited until all its members are there, a form until it is applied.
    @Test func groupsAndFormsAreAwaited() {
        var panel = RuledPanel()
        let members = [panel.toggle(ActionSettings(timeout: .seconds(5))), panel.toggle()]
        let group = panel.add(ControlSettings(nature: .group), members: members)
        let sequence = panel.toggle(steps: [.set(ControlID(group), .on)])
        let form = ControlID(5)
        let field = panel.toggle(ActionSettings(timeout: .seconds(5))) {
            $0.form = .member(of: form)
        }
        _ = panel.add(ControlSettings(nature: .form), members: [field])
        let apply = panel.add(ControlSettings(nature: .button)) { $0.form = .apply(form) }
        let applying = panel.toggle(steps: [.fire(ControlID(apply), .on)])
        let bench = panel.bench()
        _ = bench.start()
        _ = bench.intent(.on, 10, control: sequence)
        expectEqual(bench.snapshot(sequence).phase, .pending)
        _ = bench.finish(2, .succeeded, 20, control: members[0])
        expectEqual(bench.snapshot(sequence).actual, .on)
        _ = bench.intent(.on, 30, control: field) + bench.intent(.on, 40, control: applying)
        expectEqual(bench.snapshot(applying).phase, .pending)
        _ = bench.finish(4, .succeeded, 50, control: field)
        expectEqual(bench.snapshot(applying).actual, .on)
    }

    /// A destructive control is not fired by others.
    @Test func whatNeedsConfirmationFailsTheStep() {
        var panel = RuledPanel()
        let button = panel.add(
            ControlSettings(nature: .button, actions: .any(panel.action()))
        ) { $0.confirm = .pressTwice(within: .seconds(3)) }
        let control = panel.toggle(steps: [.fire(ControlID(button), .on)])
        let bench = panel.bench()
        _ = bench.start()
        #expect(
            bench.intent(.on, 10, control: control).contains(
                "10 c0 refused needsConfirmation by control"))
        expectEqual(bench.snapshot(control).phase, .failed)
    }
}
