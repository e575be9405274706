import DetentCore
import DetentTypes

/// An action while it is read.
struct ActionDraft {
    var plan: ActionPlan
    /// The steps that the core runs; empty for a program.
    var steps: [StepDraft] = []
    /// What the action says to its device; nil where the core performs it.
    var texts: ActionTexts?
    var place: SourcePlace

    /// The place of the first `{value}`.
    var valuePlace: SourcePlace? {
        for case .set(_, let value) in steps where value.text == StepDraft.ownValue {
            return value.place
        }
        return nil
    }
}

/// One step before its lines, programs and other controls have indices.
enum StepDraft {
    /// A control by its id, and a word for its value.
    case set(control: YAMLNode, value: YAMLNode)
    case drive(YAMLNode, Level)
    case pulse(YAMLNode, TimeSpan)
    case wait(TimeSpan)
    /// An action of a runner, and what it says.
    case run(ActionPlan, ActionTexts)

    /// The text that is replaced by the word of the control's own value.
    static let ownValue = "{value}"

    /// The time that the step itself takes.
    var ownTime: TimeSpan {
        switch self {
        case .pulse(_, let span), .wait(let span): span
        case .set, .drive, .run: .zero
        }
    }

    /// The number of writes that it waits for.
    var writes: Int {
        switch self {
        case .drive: 1
        case .pulse: 2
        case .set, .wait, .run: 0
        }
    }

    /// Whether it waits for something that takes an unknown time.
    var awaitsOthers: Bool {
        switch self {
        case .set, .run: true
        case .drive, .pulse, .wait: false
        }
    }
}

/// What an action says to its device.
struct ActionTexts {
    let kind: ActionKind
    /// The value of the kind's key.
    let node: YAMLNode
    /// Where the kind's key is.
    let place: SourcePlace

    /// Nil where the core performs the action.
    init?(_ node: YAMLNode, _ kind: ActionKind) {
        guard kind.work.leavesCore, let value = node[kind.word] else { return nil }
        self.kind = kind
        self.node = value
        place = node.key(kind.word)?.place ?? node.place
    }
}

/// The steps of an action that is already in the plan.
struct StepsDraft {
    var steps: [StepDraft]
    /// The actions with these steps: one, or one for each word that `{value}` can be.
    var actions: [(id: ActionID, word: String?)]
    var place: SourcePlace
}
