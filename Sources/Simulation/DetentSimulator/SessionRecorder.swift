import DetentCore
import DetentPanel
import DetentScenario
import DetentTypes

/// A stimulus and its moment.
struct TimedStimulus: Equatable {
    var stimulus: Stimulus
    var at: Instant
}

/// The stimuli and events of a panel since its start, from which a scenario is written.
struct SessionRecorder {
    /// The moment at which the files of a session end.
    struct Cut {
        var at: Instant
        var steps: Int
        var entries: Int
        /// The states of all controls at that moment.
        var states: [ControlSnapshot]
    }

    /// Why the recording ended.
    enum End: Equatable {
        case tooManySteps
        case tooManyEvents
        /// Scenarios cannot express a stimulus.
        case unspeakable
    }

    /// The two files of a session.
    enum File {
        case scenario, expected
    }

    private let text: ScenarioText
    private let limits: (steps: Int, events: Int)
    /// The stimuli in order, including outcomes of real programs.
    private(set) var steps: [TimedStimulus] = []
    /// The number of stimuli in the scenario.
    private(set) var saidSteps = 0
    private(set) var entries: [VirtualRecord.Entry] = []
    private(set) var end: (why: End, cut: Cut)?
    /// The cut of a file whose counterpart has not been requested yet.
    private var halfGiven: (file: File, cut: Cut)?

    init(_ start: SimulationOptions) {
        text = ScenarioText(start.plan)
        limits = (start.steps, start.events)
    }

    /// Records the events of an instant; false if there are too many.
    mutating func add(_ told: [VirtualRecord.Entry]) -> Bool {
        guard end == nil else { return true }
        entries += told
        return entries.count < limits.events
    }

    /// Why the next stimulus cannot be recorded; nil if it can.
    func obstacle(to stimulus: Stimulus, at now: Instant) -> End? {
        guard end == nil else { return nil }
        if steps.count >= limits.steps { return .tooManySteps }
        return isOutcome(stimulus) || text.step(stimulus, at: now) != nil ? nil : .unspeakable
    }

    /// Records a stimulus at this moment, unless the recording has ended.
    mutating func add(_ stimulus: Stimulus, at now: Instant) {
        guard end == nil else { return }
        if !isOutcome(stimulus) { saidSteps += 1 }
        steps.append(TimedStimulus(stimulus: stimulus, at: now))
    }

    /// Ends the recording.
    mutating func end(_ why: End, _ cut: Cut) {
        if end == nil { end = (why, cut) }
    }

    /// Where a file ends: where its counterpart ended if that was just requested, otherwise now.
    mutating func cut(for file: File, now: Cut) -> Cut {
        if let end { return end.cut }
        if let given = halfGiven, given.file != file {
            halfGiven = nil
            return given.cut
        }
        halfGiven = (file, now)
        return now
    }

    /// The scenario up to a cut.
    func scenario(panel: String, start: SimulationOptions, hasRealActions: Bool, cut: Cut) -> String
    {
        var text = "# A recorded session. `detent test NAME.yaml` compares it with NAME.expected.\n"
        if let end { text += comment(end.why, at: end.cut.at) }
        if hasRealActions {
            text +=
                "# Real programs ran in the session. Here they are simulated; times may differ.\n"
        }
        text += self.text.head(
            panel: panel, bounce: start.bounce, seed: start.seed, actions: start.scripts)
        for step in steps.prefix(cut.steps) {
            text += self.text.step(step.stimulus, at: step.at) ?? ""
        }
        let expectations = cut.states.enumerated().flatMap {
            self.text.expectation($1, of: ControlID(UInt16($0)))
        }
        return text + (self.text.step(expectations, at: cut.at) ?? "")
    }

    private func comment(_ why: End, at moment: Instant) -> String {
        let time = DurationText.seconds(moment - .zero)
        return switch why {
        case .tooManySteps:
            "# It ends at \(time): more than \(limits.steps) steps are not recorded.\n"
        case .tooManyEvents:
            "# It ends at \(time): more than \(limits.events) events are not recorded.\n"
        case .unspeakable:
            "# It ends at \(time): the next action cannot be written in a scenario.\n"
        }
    }

    /// The event lines up to a cut, without the names of callers, which a scenario does not have.
    func expectedTrace(_ plan: PanelPlan, cut: Cut) -> String {
        var plan = plan
        plan.callers = []
        return VirtualRecord.ordered(Array(entries.prefix(cut.entries)))
            .map { EventLine.text($0.report, plan: plan, at: $0.at) + "\n" }.joined()
    }

    private func isOutcome(_ stimulus: Stimulus) -> Bool {
        switch stimulus {
        case .tell(.actionStarted), .tell(.actionFinished), .tell(.answered): true
        case _: false
        }
    }
}
