public import DetentTypes

/// Thins messages that repeat: the first of its kind is told at once, then at most one in
/// `RuntimeLimits.repeatedMessage`, with the number of those that were left out.
///
/// The newest message is always told in the end: ask `due` at `deadline`. Synchronization: none.
public struct RepeatedMessages: Equatable, Sendable {
    private struct Kind: Equatable {
        var text: String
        var toldAt: Instant
        var untold = 0
    }

    /// The newest is the last.
    private var kinds: [Kind] = []

    /// Has told nothing.
    public init() {}

    /// Takes a message; returns what is to be told now, or nil.
    public mutating func take(_ text: String, at now: Instant) -> String? {
        guard let place = kinds.firstIndex(where: { $0.text == text }) else {
            if kinds.count == RuntimeLimits.repeatedKinds { kinds.removeFirst() }
            kinds.append(Kind(text: text, toldAt: now))
            return text
        }
        var kind = kinds.remove(at: place)
        kind.untold += 1
        kinds.append(kind)
        return due(at: now)
    }

    /// When the newest message is told that was left out; `never` if it was told.
    public var deadline: Instant {
        guard let kind = kinds.last, kind.untold > 0 else { return .never }
        return kind.toldAt + RuntimeLimits.repeatedMessage
    }

    /// The newest message, if it was left out and its time has come.
    public mutating func due(at now: Instant) -> String? {
        guard deadline <= now, var kind = kinds.popLast() else { return nil }
        let times = kind.untold == 1 ? "" : " (\(kind.untold) times since it was told last)"
        (kind.toldAt, kind.untold) = (now, 0)
        kinds.append(kind)
        return kind.text + times
    }
}
