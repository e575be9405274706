internal import DetentCore
internal import DetentPanel
internal import DetentScenario
internal import DetentSoak
internal import DetentTypes
internal import DetentWorld

/// The random users of soak, as far as the real world can do what they do.
///
/// Soak compares virtual time with a model of the laws. Here the same hands, callers, failures and
/// restarts meet the program itself.
struct RandomUsers {
    /// How much anybody does.
    private static var deeds: Int { 40 }
    /// What one step causes and the next one does have an order in the real world.
    private static var moment: TimeSpan { .milliseconds(5) }
    /// Nothing meets a turn that is under way.
    private static var turn: TimeSpan { .milliseconds(600) }
    /// A program needs time to start.
    private static var start: TimeSpan { .seconds(1) }
    /// Whoever ends a panel waits until its attempts have ended: their programs would be ended in
    /// the real world, and what they had done then is chance.
    private static var longestAttempt: TimeSpan { .seconds(6) }

    private let panelFile: String
    private let plan: PanelPlan
    private let questions: Questions

    /// Reads the panel that the users touch.
    init(panelFile: String) throws {
        let reading = PanelReader.read(file: panelFile)
        guard let plan = reading.plan else {
            throw Failure(reading.problems.map(\.text).joined(separator: "\n"))
        }
        self.panelFile = panelFile
        self.plan = plan
        questions = Questions(plan)
    }

    /// What the user of a seed does.
    func scenario(seed: UInt64) -> Scenario {
        var user = SoakUser(seed: seed, plan: plan, trouble: Self.trouble(seed))
        var scenario = Scenario(
            file: "seed \(seed)", panelFile: panelFile, plan: plan, bounce: .all(.none),
            seed: seed, actions: [:], steps: [])
        var parts = PhysicalModel(plan, seed: seed, bounce: scenario.bounce)
        var now = Instant.zero
        for step in user.round(Self.deeds) {
            now = now + max(step.after, Self.moment)
            let place = SourcePlace(line: scenario.steps.count + 1, column: 1)
            guard let work = work(step.work) else { continue }
            let next = ScenarioStep(place: place, verb: "step", at: now, work: work)
            guard Refusals.refusal(of: next, plan, questions) == nil else { continue }
            parts.advance(to: now) { _ in }
            switch work {
            case .apply(.gestures(let gestures)):
                // A finger that is on a button already cannot press it.
                guard gestures.allSatisfy({ Self.makes($0.gesture, on: &parts) }) else { continue }
                if case .turn? = gestures.first?.gesture { now = now + Self.turn }
            case .restart(let pause), .powerCut(let pause):
                now = now + Self.longestAttempt
                scenario.steps.append(
                    ScenarioStep(place: place, verb: "step", at: now, work: work))
                now = now + pause
                continue
            case .apply, .wait, .waitUntil, .expect, .reload: break
            }
            scenario.steps.append(next)
        }
        return scenario
    }

    /// What goes wrong: what has no word in the real world is left out.
    private static func trouble(_ seed: UInt64) -> SoakTrouble {
        var trouble = SoakTrouble(seed: seed)
        trouble.losesEdges = false
        trouble.reloads = false
        trouble.isHostile = false
        trouble.wakeEvery = .zero
        trouble.races = false
        return trouble
    }

    private static func makes(_ gesture: Gesture, on parts: inout PhysicalModel) -> Bool {
        do {
            try parts.apply(gesture, at: parts.now)
            return true
        } catch {
            return false
        }
    }

    /// The work of a scenario's step; nil if the real world has no word for it.
    private func work(_ work: SoakStep.Work) -> ScenarioStep.Work? {
        switch work {
        case .apply(let stimulus): canBeSaid(stimulus) ? .apply(stimulus) : nil
        case .restart(let pause): .restart(max(pause, Self.start))
        case .powerCut(let pause): .powerCut(max(pause, Self.start))
        case .lose, .sleep, .unplug, .replug, .reload, .rest: nil
        }
    }

    /// Whether a caller or a device has words for it.
    private func canBeSaid(_ stimulus: Stimulus) -> Bool {
        switch stimulus {
        case .tell(.intent(let control, let value, _, _)):
            plan[control].settings.nature.domain.contains(value) && value != .mixed
        case .tell(.change(let control, let distance, _, _)):
            plan[control].change(by: distance) != nil
        case .tell(.fire(let control, let item, _, _, _)):
            // A plain button has one event, and callers have one word for it.
            switch plan[control].valueNames.eventWords.count {
            case 0, 1: item == .on
            case let count: (0..<Int32(count)).contains(item.raw)
            }
        case .feedback(let control, let value):
            plan[control].feedback != nil
                && plan[control].settings.nature.domain.contains(value)
        case .actions(let control, _), .failAction(let control, _):
            !questions.actions(of: control).isEmpty
        case .tell, .gestures, .finishAction, .failNext, .bounce, .device, .report, .silence,
            .loseFeedback, .broker:
            true
        }
    }
}
