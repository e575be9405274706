import DetentCore
import DetentPanel
import DetentScenario
import DetentTypes
import DetentWorld
import TestSupport
import Testing

/// Steps that are written as text are read as the same steps again.
@Suite struct ScenarioTextTests {
    private func plan(_ name: String) throws -> PanelPlan {
        let reading = PanelReader.read(file: ScenarioTests.root + "/panels/\(name)/panel.yaml")
        return try #require(reading.plan)
    }

    private func control(_ id: String, _ plan: PanelPlan) throws -> ControlID {
        ControlID(UInt16(try #require(plan.controls.firstIndex { $0.id == id })))
    }

    /// What written steps are read as.
    private func again(
        _ works: [Stimulus], at moments: [Instant], _ name: String, _ plan: PanelPlan
    ) throws -> [ScenarioStep] {
        let writer = ScenarioText(plan)
        var text = writer.head(
            panel: ScenarioTests.root + "/panels/\(name)/panel.yaml", bounce: .typical, seed: 9,
            actions: [ControlID(0): ActionScript(takes: .nanoseconds(3), then: .lose)])
        for (work, moment) in zip(works, moments) {
            text += try #require(writer.step(work, at: moment), "\(work)")
        }
        let reading = ScenarioReader.read(SourceText(file: "t.yaml", text: text))
        let scenario = try #require(
            reading.scenario, "\(reading.problems.map(ProblemRenderer.text))\n\(text)")
        expectEqual(scenario.seed, 9)
        expectEqual(scenario.bounce, BounceCatalogue.builtIn.typical)
        expectEqual(
            scenario.actions, [ControlID(0): ActionScript(takes: .nanoseconds(3), then: .lose)])
        return scenario.steps
    }

    private static let measured: BounceProfile = {
        let times = (1...7).map { TimeSpan.nanoseconds(UInt64($0) * 1_001) }
        let all = MeasuredBounce.Class(share: 100, lengths: times, pulses: [1, 9], widths: times)
        var profile = BounceProfile(
            BounceProfile.Measured(closing: MeasuredBounce([all]), opening: MeasuredBounce([])),
            cleanCloses: 12, cleanOpens: 100)
        profile.travel = .milliseconds(3)
        return profile
    }()

    @Test func everySortOfStepComesBack() throws {
        let plan = try plan("lab-supply")
        let output = try control("output", plan)
        let range = try control("range", plan)
        let dial = try control("set-point", plan)
        let calibrate = try control("calibrate", plan)
        let line = LineID(plan.controls[Int(range.index)].settings.contacts.first + 1)
        func of(_ gesture: Gesture, _ control: ControlID) -> Stimulus {
            .gestures([PartGesture(gesture, control)])
        }
        var odd = BounceProfile(closes: .microseconds(3), opens: .nanoseconds(7))
        odd.tail = 3
        odd.cleanOpens = 99
        odd.longestPulse = .microseconds(1)
        odd.transition = .makeBeforeBreak
        odd.gap = .nanoseconds(1)
        let works: [Stimulus] = [
            of(.press(calibrate), calibrate), of(.release(calibrate), calibrate),
            of(.click(calibrate, hold: Gesture.clickHold), calibrate),
            of(.click(calibrate, hold: .nanoseconds(1_000_000_001)), calibrate),
            of(.flip(output, to: 1), output), of(.flip(range, to: 3), range),
            of(.select(range, 0), range),
            of(.turn(dial, detents: -4, perSecond: Gesture.turnsPerSecond), dial),
            of(.turn(dial, detents: 7, perSecond: 5), dial),
            of(.glitch(line, width: .nanoseconds(50)), range),
            of(.stick(line, .active), range), of(.stick(line, .inactive), range),
            of(.cut(line), range), of(.restore(line), range),
            .tell(.intent(output, .on, .web)), .tell(.intent(dial, Value(-5), .api)),
            .tell(.intent(dial, Value(1_234), .mqtt)),
            .tell(.fire(calibrate, .on, .api, isConfirmed: false)),
            .tell(.fire(calibrate, .on, .web, isConfirmed: true)), .tell(.resync()),
            .tell(.resync(by: .web)), .tell(.resync(by: .api)),
            .tell(.lampTest(isOn: true)), .tell(.lampTest(isOn: false, by: .web)),
            .device(output, .on), .feedback(range, Value(2)), .silence(output),
            .loseFeedback(range), .failAction(output, code: 3), .finishAction(output),
            .failNext, .actions(output, ActionScript(takes: .nanoseconds(5), then: .hang)),
            .actions(output, ActionScript(then: .fail(code: -1))),
            .actions(output, ActionScript(takes: .seconds(90), then: .lose)),
            .bounce(output, .typical), .bounce(output, .original), .bounce(range, .named("worn")),
            .bounce(output, .profile(BounceProfile(closes: .milliseconds(3)))),
            .bounce(output, .profile(odd)), .bounce(output, .profile(Self.measured)),
        ]
        let moments = works.indices.map {
            Instant(nanoseconds: UInt64($0) * 86_400_000_000_123 + 1)
        }
        let steps = try again(works, at: moments, "lab-supply", plan)
        expectEqual(steps.map(\.work), works.map { .apply($0) })
        expectEqual(steps.map(\.at), moments)
    }

    @Test func reportsAndTheBrokerComeBack() throws {
        let plan = try self.plan("home-lights")
        let shed = try control("shed", plan)
        let works: [Stimulus] = [
            .report(shed, DeviceReports(["ON"])),
            .report(shed, DeviceReports(["no: \"{}\"", "", "\u{7}ü\n"], count: 2)),
            .report(shed, DeviceReports(["1"], count: 9, period: .nanoseconds(3))),
            .broker(isThere: false), .broker(isThere: true),
        ]
        let moments = works.indices.map { Instant(nanoseconds: UInt64($0) + 1) }
        let steps = try again(works, at: moments, "home-lights", plan)
        expectEqual(steps.map(\.work), works.map { .apply($0) })
    }

    @Test(arguments: [
        "studio-tally", "kiosk", "flight-overhead", "home-lights", "cnc-pendant",
    ]) func everyButtonPositionAndEventOfAPanelHasWords(_ name: String) throws {
        let plan = try plan(name)
        var works: [Stimulus] = []
        for (place, it) in plan.controls.enumerated() {
            let control = ControlID(UInt16(place))
            works += plan.buttonWords(of: control).indices.flatMap {
                [
                    .gestures([PartGesture(.press(control, button: $0), control)]),
                    .gestures([
                        PartGesture(.click(control, button: $0, hold: .seconds(2)), control)
                    ]),
                ]
            }
            if it.settings.hasGuard {
                works.append(.gestures([PartGesture(.cover(control, isOpen: true), control)]))
            }
            switch it.valueNames {
            case .none, .number: break
            case .commands(let words):
                works += words.indices.map {
                    .tell(.fire(control, Value(Int32($0)), .web, isConfirmed: true))
                }
            case .onOff, .threeWay, .options:
                works += it.valueNames.words.indices.map {
                    .tell(.intent(control, Value(Int32($0)), .web))
                }
            case .several(let words):
                works += (0..<min(8, 1 << words.count)).map {
                    .tell(.intent(control, Value(Int32($0)), .web))
                }
            }
        }
        let moments = works.map { _ in Instant.zero }
        expectEqual(try again(works, at: moments, name, plan).map(\.work), works.map { .apply($0) })
        #expect(!works.isEmpty)
    }

    @Test func whatHasNoWordsIsNotWritten() throws {
        let plan = try plan("lab-supply")
        let writer = ScenarioText(plan)
        let output = try control("output", plan)
        let silent: [Stimulus] = [
            .tell(.intent(output, Value(7), .api)), .tell(.intent(output, .on, .control)),
            .tell(.tick), .tell(.fire(output, .on, .api, isConfirmed: false)),
            .tell(.intent(ControlID(99), .on, .api)), .device(output, .unknown),
            .gestures([PartGesture(.miss(output, count: 1), output)]),
            .gestures([PartGesture(.press(output, button: 1), output)]),
            .gestures([PartGesture(.flip(output, to: 2), output)]),
            .gestures([PartGesture(.cut(LineID(999)), output)]),
        ]
        for work in silent { #expect(writer.step(work, at: .zero) == nil, "\(work)") }
    }

    @Test func wordsThatLookLikeSomethingElseAreQuoted() throws {
        let file = """
            panel: Odd
            board: none
            controls:
              mode:
                kind: radio-group
                label: Mode
                selector: [A, B, C, D]
                options: ["null", "~", "a: b", "-5"]

            """
        let reading = PanelReader.read(SourceText(file: "odd.yaml", text: file))
        let plan = try #require(
            reading.plan, "\(reading.problems.map(ProblemRenderer.text))")
        let writer = ScenarioText(plan)
        let texts = (0..<4).compactMap {
            writer.step(.tell(.intent(ControlID(0), Value(Int32($0)), .api)), at: .zero)
        }
        for (text, word) in zip(texts, ["\"null\"", "\"~\"", "\"a: b\"", "\"-5\""]) {
            #expect(text.contains("set: {mode: \(word)}"), "\(text)")
        }
        expectEqual(texts.count, 4)
    }
}
