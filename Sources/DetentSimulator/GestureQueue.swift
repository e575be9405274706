import DetentCore
import DetentPanel
import DetentRuntime
import DetentTypes
import DetentWorld

/// Gestures that wait until the earlier ones on the same contact have been played.
///
/// A gesture that came while another one was being played would otherwise be lost in it: a second
/// click in the first, the rest of a turn in the next turn.
struct GestureQueue {
    /// What one hand moves at a time.
    enum Contact: Hashable, Comparable {
        case button(ControlID, Int)
        /// A lever, a selector or a knob.
        case part(ControlID)
    }

    struct Entry: Equatable {
        var gesture: Gesture
        var holder: HolderID
    }

    private var waiting: [Contact: [Entry]] = [:]
    /// When the next gesture on a contact may begin.
    private var freeAt: [Contact: Instant] = [:]
    /// Gestures that were refused since the panel started, because too many waited.
    private(set) var refused = 0

    /// How many gestures wait.
    var count: Int { waiting.values.reduce(0) { $0 + $1.count } }

    /// The next moment at which a gesture that waits begins; `never` if none waits.
    var next: Instant {
        waiting.keys.reduce(.never) { min($0, freeAt[$1] ?? .zero) }
    }

    /// Whether a gesture on a contact may begin now.
    func isFree(_ contact: Contact, at now: Instant) -> Bool {
        waiting[contact] == nil && freeAt[contact] ?? .zero <= now
    }

    /// Whether a holder has a gesture that waits for a contact.
    func waits(_ holder: HolderID, for contact: Contact) -> Bool {
        waiting[contact]?.contains { $0.holder == holder } ?? false
    }

    /// Lets a gesture wait; false where too many wait for this contact already.
    mutating func add(_ entry: Entry, for contact: Contact) -> Bool {
        guard waiting[contact, default: []].count < SimulatorLimits.waitingGestures else {
            refused += 1
            return false
        }
        waiting[contact, default: []].append(entry)
        return true
    }

    /// Takes out a gesture that may begin by now, those of one moment by their contacts.
    mutating func take(by now: Instant) -> Entry? {
        let free = waiting.keys.filter { freeAt[$0] ?? .zero <= now }
        guard let contact = free.min() else { return nil }
        let entry = waiting[contact]?.removeFirst()
        if waiting[contact]?.isEmpty == true { waiting[contact] = nil }
        return entry
    }

    /// A gesture has begun, and the next one on this contact may begin at a moment.
    mutating func occupy(_ contact: Contact, until moment: Instant) { freeAt[contact] = moment }

    /// A holder is gone: buttons that it was going to press, and not to release, come up again.
    mutating func letGo(_ holder: HolderID) {
        for contact in waiting.keys {
            guard
                case .press(let control, let button)? = waiting[contact]?
                    .last(where: { $0.holder == holder })?.gesture
            else { continue }
            // Beyond the bound, by one for each button.
            waiting[contact]?.append(
                Entry(gesture: .release(control, button: button), holder: holder))
        }
    }
}

extension Gesture {
    /// The contact that the gesture moves for some time; nil where it is done at once.
    var contact: GestureQueue.Contact? {
        switch self {
        case .press(let control, let button), .release(let control, let button),
            .click(let control, let button, _):
            .button(control, button)
        case .flip(let control, _), .select(let control, _), .turn(let control, _, _):
            .part(control)
        case .cover, .miss, .glitch, .stick, .cut, .restore: nil
        }
    }
}
