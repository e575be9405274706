import DetentTypes

/// Lets the reports of one device pass one at a time: the first at once, and of those that follow
/// too closely only the newest, when `RuntimeLimits.feedbackGap` has passed.
///
/// A device that floods so costs no more than one that reports fifty times a second, and its last
/// word is never lost.
struct FeedbackGate: Equatable {
    /// What is known of the device.
    enum Word: Equatable {
        case value(Value)
        /// Nothing is heard of it any more, or what it says is no value.
        case lost
    }

    /// The last word that passed.
    private(set) var passed: Word?
    /// The newest word that waits.
    private var waiting: Word?
    private var opensAt = Instant.zero
    /// How many words were replaced while they waited.
    private(set) var dropped: UInt64 = 0

    /// When a word that waits may pass; `never` if none waits.
    var deadline: Instant { waiting == nil ? .never : opensAt }

    /// Takes a word; returns it if it may pass now.
    mutating func offer(_ word: Word, at now: Instant) -> Word? {
        if waiting != nil { dropped &+= 1 }
        waiting = word
        return due(at: now)
    }

    /// The word that may pass now.
    mutating func due(at now: Instant) -> Word? {
        guard let word = waiting, now >= opensAt else { return nil }
        waiting = nil
        passed = word
        opensAt = now + RuntimeLimits.feedbackGap
        return word
    }

    /// The word that passed found no room: it waits again, unless a newer one does.
    mutating func takeBack(_ word: Word) {
        if waiting == nil { waiting = word }
    }
}
