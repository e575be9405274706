import DetentTypes
import DetentWorld

/// Gestures that wait for earlier ones of the same control, in the order in which they came.
///
/// Otherwise a gesture during another one would be lost: a second click within the first, or the
/// rest of a turn in the next. And a click on one key of a part would overtake those on another.
struct GestureQueue {
    struct Entry: Equatable {
        var gesture: Gesture
        var source: InputSourceID
    }

    private var waiting: [ControlID: [Entry]] = [:]
    /// When the next gesture on a contact may begin.
    private var freeAt: [Gesture.Contact: Instant] = [:]
    /// Gestures that were refused since the panel started because too many were waiting.
    private(set) var refused = 0

    /// The number of waiting gestures.
    var count: Int { waiting.values.reduce(0) { $0 + $1.count } }

    /// The next moment at which a waiting gesture begins; `never` if there is none.
    var next: Instant {
        waiting.values.reduce(.never) { min($0, $1.first.map { mayBegin($0.gesture) } ?? .never) }
    }

    /// Whether a gesture may begin now.
    func isFree(_ gesture: Gesture, at now: Instant) -> Bool {
        guard let control = gesture.contact?.control else { return true }
        return waiting[control] == nil && mayBegin(gesture) <= now
    }

    /// When a gesture may begin that has none before it. A finger that comes down needs its own
    /// button only, because two fingers can be down together; anything else needs the whole part.
    private func mayBegin(_ gesture: Gesture) -> Instant {
        guard let contact = gesture.contact else { return .zero }
        if gesture.push == .down || gesture.push == .up { return freeAt[contact] ?? .zero }
        return freeAt.reduce(.zero) {
            $1.key.control == contact.control ? max($0, $1.value) : $0
        }
    }

    /// Whether a gesture is on the contact of its control that was touched last.
    func repeatsContact(_ gesture: Gesture) -> Bool {
        guard let contact = gesture.contact else { return false }
        let touched = freeAt.filter { $0.key.control == contact.control }
        return touched.max { ($0.value, $0.key) < ($1.value, $1.key) }?.key == contact
    }

    /// Whether an input source has a gesture waiting for a contact.
    func waits(_ source: InputSourceID, for contact: Gesture.Contact) -> Bool {
        waiting[contact.control]?.contains {
            $0.source == source && $0.gesture.contact == contact
        } ?? false
    }

    /// Adds a waiting gesture of a contact; false if too many wait for its control.
    mutating func add(_ entry: Entry) -> Bool {
        guard let control = entry.gesture.contact?.control,
            waiting[control, default: []].count < SimulatorLimits.waitingGestures
        else {
            refused += 1
            return false
        }
        waiting[control, default: []].append(entry)
        return true
    }

    /// Removes a gesture that may begin by now; gestures at the same moment are in the order of
    /// their controls.
    mutating func pop(by now: Instant) -> Entry? {
        let free = waiting.filter { $1.first.map { mayBegin($0.gesture) <= now } ?? false }
        guard let control = free.keys.min(by: { $0.index < $1.index }) else { return nil }
        let entry = waiting[control]?.removeFirst()
        if waiting[control]?.isEmpty == true { waiting[control] = nil }
        return entry
    }

    /// A gesture has begun, and the next one on this contact may begin at a moment.
    mutating func occupy(_ contact: Gesture.Contact, until moment: Instant) {
        freeAt[contact] = moment
    }

    /// An input source has disconnected: buttons that its waiting gestures press are released
    /// again.
    mutating func releaseAll(_ source: InputSourceID) {
        for (control, entries) in waiting {
            let mine = entries.filter { $0.source == source }
            for contact in Set(mine.compactMap(\.gesture.contact)) {
                guard case .button(_, let button) = contact,
                    mine.last(where: { $0.gesture.contact == contact })?.gesture.push == .down
                else { continue }
                // This can exceed the limit by one gesture for each button.
                waiting[control]?.append(
                    Entry(gesture: .release(control, button: button), source: source))
            }
        }
    }
}
