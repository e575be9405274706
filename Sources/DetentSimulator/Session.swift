import DetentCore
import DetentPanel
import DetentRuntime
import DetentScenario
import DetentTypes
import DetentWorld

/// A stimulus and its moment.
struct TimedStimulus: Equatable {
    var stimulus: Stimulus
    var at: Instant
}

/// What was done to a panel since it started, and what it told: what a scenario is written from.
struct Session {
    /// A moment up to which a session is told.
    struct Cut {
        var at: Instant
        var steps: Int
        var entries: Int
        /// The states of all controls then.
        var states: [ControlSnapshot]
    }

    /// Why no more is recorded.
    enum End: Equatable {
        case tooManySteps
        case tooManyEvents
        /// Something was done for which scenarios have no words.
        case unspeakable
    }

    /// The two files that are made of a session.
    enum File {
        case scenario, expected
    }

    private let text: ScenarioText
    private let limits: (steps: Int, events: Int)
    /// What was done, in order; outcomes of real programs among it.
    private(set) var steps: [TimedStimulus] = []
    /// What of it a scenario says.
    private(set) var saidSteps = 0
    private(set) var entries: [VirtualRecord.Entry] = []
    private(set) var end: (why: End, cut: Cut)?
    /// The cut of a file whose other half has not been asked for yet.
    private var halfGiven: (file: File, cut: Cut)?

    init(_ start: DeskStart) {
        text = ScenarioText(start.plan)
        limits = (start.steps, start.events)
    }

    /// Keeps what the panel told at an instant; false where no more can be kept.
    mutating func add(_ told: [VirtualRecord.Entry]) -> Bool {
        guard end == nil else { return true }
        entries += told
        return entries.count < limits.events
    }

    /// Why something cannot be kept that is about to be done; nil where it can.
    func obstacle(to stimulus: Stimulus, at now: Instant) -> End? {
        guard end == nil else { return nil }
        if steps.count >= limits.steps { return .tooManySteps }
        return isOutcome(stimulus) || text.step(stimulus, at: now) != nil ? nil : .unspeakable
    }

    /// Keeps what is done now, unless the recording has ended.
    mutating func add(_ stimulus: Stimulus, at now: Instant) {
        guard end == nil else { return }
        if !isOutcome(stimulus) { saidSteps += 1 }
        steps.append(TimedStimulus(stimulus: stimulus, at: now))
    }

    /// No more is recorded from here on.
    mutating func end(_ why: End, _ cut: Cut) {
        if end == nil { end = (why, cut) }
    }

    /// Where a file ends: where its other half did, if that was just asked for, or else here.
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
    func scenario(panel: String, start: DeskStart, hasRealActions: Bool, cut: Cut) -> String {
        var text = "# A recorded session. Beside NAME.expected, `detent test NAME.yaml` compares.\n"
        if let end { text += comment(end.why, at: end.cut.at) }
        if hasRealActions {
            text += "# Real programs ran; here their actions are played, so times may differ.\n"
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
            "# It ends at \(time): then came what scenarios have no words for.\n"
        }
    }

    /// The event lines up to a cut.
    func expectedTrace(_ plan: PanelPlan, cut: Cut) -> String {
        VirtualRecord.ordered(Array(entries.prefix(cut.entries)))
            .map { EventLine.text($0.report, plan: plan, at: $0.at) + "\n" }.joined()
    }

    private func isOutcome(_ stimulus: Stimulus) -> Bool {
        switch stimulus {
        case .tell(.actionStarted), .tell(.actionFinished), .tell(.answered): true
        case _: false
        }
    }
}
