import DetentTypes

/// What others have written over on a panel's own topics, and when it is set right: at once, and
/// not again within `MQTTLimits.correction`.
struct MQTTCorrection: Equatable {
    /// What is wrong at the broker.
    struct Wrong: Equatable {
        /// That the panel is offline.
        var availability = false
        /// States of controls, by their places.
        var states: Set<Int> = []
    }

    private var wrong = Wrong()
    private var opensAt = Instant.zero
    /// When `take` is due; `never` if nothing is wrong.
    private(set) var deadline = Instant.never

    /// Another client has said that the panel is offline.
    mutating func noteAvailability(at now: Instant) {
        wrong.availability = true
        deadline = min(deadline, max(now, opensAt))
    }

    /// Another client has told a state of a control that is not true.
    mutating func noteState(_ place: Int, at now: Instant) {
        wrong.states.insert(place)
        deadline = min(deadline, max(now, opensAt))
    }

    /// What is to be set right now; nil if nothing is.
    mutating func pop(at now: Instant) -> Wrong? {
        guard deadline <= now else { return nil }
        defer { wrong = Wrong() }
        deadline = .never
        opensAt = now + MQTTLimits.correction
        return wrong
    }

    /// The connection is over: the next one tells everything.
    mutating func forget() {
        wrong = Wrong()
        deadline = .never
    }
}
