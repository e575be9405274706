package import DetentTypes
internal import DetentWorld

/// What a scenario does to a panel in virtual time, with the moment of each deed, and the events
/// that follow from it.
///
/// A wait for a state has become a time, so another world can do the same without looking at the
/// panel. Contacts do not bounce.
package struct ScenarioTape {
    /// What is done to the panel.
    package enum Deed: Equatable, Sendable {
        case apply(Stimulus)
        /// The process ends and starts again after a pause; if not orderly, the power fails.
        case restart(TimeSpan, isOrderly: Bool)
    }

    /// A deed, with its moment.
    package struct Entry: Equatable, Sendable {
        /// What is done.
        package var deed: Deed
        /// When, since the panel first started.
        package var at: Instant
    }

    /// The deeds, in order.
    package private(set) var entries: [Entry] = []
    /// The event lines until a moment after the end, in order.
    package private(set) var events: [String] = []
    /// When the last step had ended.
    package private(set) var end = Instant.zero

    /// What one step causes and the next one does would be at one moment, which has no order in
    /// another world.
    private static var moment: TimeSpan { .milliseconds(5) }

    /// Plays a scenario in virtual time, and goes on for a while after its end.
    ///
    /// - Throws: `EngineError` if the panel does not fit the engine.
    package init(_ scenario: Scenario, goingOnFor rest: TimeSpan) throws {
        let scenario = scenario.withoutBounce
        let player = try VirtualPlayer(scenario, isTraced: false)
        for step in scenario.steps {
            let begin = max(player.moment, step.at ?? .zero)
            try player.play(step)
            if step.at == nil, step.work.reachesOut { player.wait(Self.moment) }
            if let deed = step.deed { entries.append(Entry(deed: deed, at: begin)) }
        }
        end = player.moment
        player.wait(rest)
        events = player.panel.record.eventLines(scenario.plan)
    }
}

extension ScenarioStep.Work {
    /// Whether it ends with an event from outside the lines.
    fileprivate var reachesOut: Bool {
        switch self {
        case .waitUntil: true
        case .apply(let stimulus):
            switch stimulus {
            case .gestures, .device, .actions, .bounce, .failNext, .silence: false
            case .tell, .failAction, .finishAction, .feedback, .report, .loseFeedback, .broker: true
            }
        case .wait, .expect, .restart, .powerCut, .reload: false
        }
    }
}

extension ScenarioStep {
    /// What it does to the panel; nil for a step that waits or looks.
    fileprivate var deed: ScenarioTape.Deed? {
        switch work {
        case .apply(let stimulus): .apply(stimulus)
        case .restart(let pause): .restart(pause, isOrderly: true)
        case .powerCut(let pause): .restart(pause, isOrderly: false)
        case .wait, .waitUntil, .expect, .reload: nil
        }
    }
}

extension Scenario {
    /// The same with contacts that never bounce.
    fileprivate var withoutBounce: Scenario {
        var scenario = self
        scenario.bounce = bounce.withoutBounce
        scenario.steps.removeAll { step in
            if case .apply(.bounce) = step.work { true } else { false }
        }
        return scenario
    }
}
