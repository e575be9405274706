import DetentCore
import DetentScenario
import DetentTypes
import DetentWorld

/// What a run has touched since its last rest.
struct SoakTouched {
    /// Controls whose actions have a script.
    var scripts: Set<ControlID> = []
    /// Lines with a fault.
    var wires: Set<LineID> = []
    /// Buttons that were pushed.
    var buttons: Set<Gesture.Contact> = []
    /// Controls that were moved, or asked for a value.
    var parts: Set<ControlID> = []
    /// Edges may have been lost.
    var hasLosses = false
    /// The broker is away.
    var isBrokerAway = false

    /// Takes a change from outside.
    mutating func add(_ stimulus: Stimulus) {
        switch stimulus {
        case .gestures(let gestures):
            for gesture in gestures { add(gesture) }
        case .actions(let control, _), .failAction(let control, _), .finishAction(let control):
            scripts.insert(control)
        case .broker(let isThere): isBrokerAway = !isThere
        case .tell(.intent(let control, _, _, _)), .tell(.change(let control, _, _, _)):
            parts.insert(control)
        case .feedback(let control, _), .report(let control, _), .device(let control, _),
            .silence(let control), .loseFeedback(let control):
            parts.insert(control)
        default: break
        }
    }

    private mutating func add(_ it: PartGesture) {
        switch it.gesture {
        case .press, .release, .click:
            if let contact = it.gesture.contact { buttons.insert(contact) }
        case .flip, .select, .turn, .cover, .miss: parts.insert(it.control)
        case .glitch, .restore: break
        case .stick(let line, _), .cut(let line): wires.insert(line)
        }
    }
}

/// What happened in a run at a moment, as far as a scenario says it.
struct SoakEntry: Equatable, Sendable {
    enum Work: Equatable, Sendable {
        case stimulus(Stimulus)
        case restart(TimeSpan)
        case powerCut(TimeSpan)
        case reload([ControlID])
        /// No step of a scenario does it.
        case note(String)
    }

    var at: Instant
    var work: Work

    /// The controls whose parts it moves.
    var controls: [ControlID] {
        guard case .stimulus(.gestures(let gestures)) = work else { return [] }
        return gestures.map(\.control)
    }
}
