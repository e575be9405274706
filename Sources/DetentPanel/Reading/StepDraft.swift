import DetentCore
import DetentTypes

/// An action while it is read.
struct ActionDraft {
    var plan: ActionPlan
    /// What the core does by itself; none where the action leaves it.
    var steps: [StepDraft] = []
    var place: SourcePlace

    /// Where it first passes the control's own value on.
    var valuePlace: SourcePlace? {
        for case .set(_, let value) in steps where value.text == StepDraft.ownValue {
            return value.place
        }
        return nil
    }
}

/// One step before lines, programs and other controls have their places.
enum StepDraft {
    /// A control by its id, and a word for its value.
    case set(control: YAMLNode, value: YAMLNode)
    case drive(YAMLNode, Level)
    case pulse(YAMLNode, TimeSpan)
    case wait(TimeSpan)
    /// A program, and where the file names it.
    case run(ActionPlan, SourcePlace)

    /// Stands for the word of the control's own value.
    static let ownValue = "{value}"

    /// The time that passes in it by itself.
    var ownTime: TimeSpan {
        switch self {
        case .pulse(_, let span), .wait(let span): span
        case .set, .drive, .run: .zero
        }
    }

    /// How many writes it waits for.
    var writes: Int {
        switch self {
        case .drive: 1
        case .pulse: 2
        case .set, .wait, .run: 0
        }
    }

    /// Whether it waits for something whose time is not known here.
    var awaitsOthers: Bool {
        switch self {
        case .set, .run: true
        case .drive, .pulse, .wait: false
        }
    }
}

/// The steps of an action that is in the plan already.
struct StepsDraft {
    var steps: [StepDraft]
    /// The actions that are these steps: one, or one for each word that `{value}` may be.
    var actions: [(id: ActionID, word: String?)]
    var place: SourcePlace
}
