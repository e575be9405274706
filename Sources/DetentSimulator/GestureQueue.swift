import DetentTypes
import DetentWorld

/// Gestures that wait for earlier ones on the same contact.
///
/// Otherwise a gesture during another one would be lost: a second click within the first, or the
/// rest of a turn in the next.
struct GestureQueue {
    struct Entry: Equatable {
        var gesture: Gesture
        var source: InputSourceID
    }

    private var waiting: [Gesture.Contact: [Entry]] = [:]
    /// When the next gesture on a contact may begin.
    private var freeAt: [Gesture.Contact: Instant] = [:]
    /// Gestures that were refused since the panel started because too many were waiting.
    private(set) var refused = 0

    /// The number of waiting gestures.
    var count: Int { waiting.values.reduce(0) { $0 + $1.count } }

    /// The next moment at which a waiting gesture begins; `never` if there is none.
    var next: Instant {
        waiting.keys.reduce(.never) { min($0, freeAt[$1] ?? .zero) }
    }

    /// Whether a gesture on a contact may begin now.
    func isFree(_ contact: Gesture.Contact, at now: Instant) -> Bool {
        waiting[contact] == nil && freeAt[contact] ?? .zero <= now
    }

    /// Whether an input source has a gesture waiting for a contact.
    func waits(_ source: InputSourceID, for contact: Gesture.Contact) -> Bool {
        waiting[contact]?.contains { $0.source == source } ?? false
    }

    /// Adds a waiting gesture; false if too many are waiting for this contact.
    mutating func add(_ entry: Entry, for contact: Gesture.Contact) -> Bool {
        guard waiting[contact, default: []].count < SimulatorLimits.waitingGestures else {
            refused += 1
            return false
        }
        waiting[contact, default: []].append(entry)
        return true
    }

    /// Removes a gesture that may begin by now; gestures at the same moment are in the order of
    /// their contacts.
    mutating func take(by now: Instant) -> Entry? {
        let free = waiting.keys.filter { freeAt[$0] ?? .zero <= now }
        guard let contact = free.min() else { return nil }
        let entry = waiting[contact]?.removeFirst()
        if waiting[contact]?.isEmpty == true { waiting[contact] = nil }
        return entry
    }

    /// A gesture has begun, and the next one on this contact may begin at a moment.
    mutating func occupy(_ contact: Gesture.Contact, until moment: Instant) {
        freeAt[contact] = moment
    }

    /// An input source has disconnected: buttons that its waiting gestures press are released
    /// again.
    mutating func releaseAll(_ source: InputSourceID) {
        for contact in waiting.keys {
            guard case .button(let control, let button) = contact,
                waiting[contact]?.last(where: { $0.source == source })?.gesture.push == .down
            else { continue }
            // This can exceed the limit by one gesture for each button.
            waiting[contact]?.append(
                Entry(gesture: .release(control, button: button), source: source))
        }
    }
}
