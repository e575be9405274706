import DetentTypes

/// Lets the reports of one device pass one at a time: the first at once, and of those that follow
/// too closely only the newest, when `RuntimeLimits.feedbackGap` has passed.
///
/// A device that floods so costs no more than one that reports fifty times a second, and its last
/// word is never lost. A word that is no value replaces none that is one: it follows that one.
struct FeedbackGate {
    /// What is known of the device.
    enum Word: Equatable {
        /// What it reported. `asked` is when it was asked for that, or `never`.
        case value(Value, asked: Instant)
        /// Nothing is heard of it any more, or what it says is no value.
        case lost

        fileprivate var isValue: Bool {
            switch self {
            case .value: true
            case .lost: false
            }
        }
    }

    /// The last word that passed, and when it came.
    private(set) var passed: (word: Word, at: Instant)?
    /// The newest value, and the newest word after it that is none, with their moments.
    private var waiting: [(word: Word, at: Instant)] = []
    private var opensAt = Instant.zero
    /// How many words were replaced while they waited.
    private(set) var dropped: UInt64 = 0

    /// When a word that waits may pass; `never` if none waits.
    var deadline: Instant { waiting.isEmpty ? .never : opensAt }

    /// The newest word, whether it has passed or not, and when it came.
    var last: (word: Word, at: Instant)? { waiting.last ?? passed }

    /// Takes a word; returns it if it may pass now.
    mutating func offer(_ word: Word, at now: Instant) -> Word? {
        let before = waiting.count + 1
        waiting.removeAll { word.isValue || !$0.word.isValue }
        waiting.append((word, now))
        dropped &+= UInt64(before - waiting.count)
        return due(at: now)
    }

    /// The word that may pass now.
    mutating func due(at now: Instant) -> Word? {
        guard let first = waiting.first, now >= opensAt else { return nil }
        waiting.removeFirst()
        passed = first
        opensAt = now + RuntimeLimits.feedbackGap
        return first.word
    }

    /// The word that passed found no room: it waits again, unless a newer one does.
    mutating func takeBack(_ word: Word) {
        guard let passed, waiting.allSatisfy({ word.isValue && !$0.word.isValue }) else { return }
        waiting.insert((word, passed.at), at: 0)
    }
}
