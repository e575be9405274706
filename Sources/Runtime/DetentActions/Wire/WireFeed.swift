public import DetentTypes

/// A source of feedback at a wire: what is sent when the wire is open, and again and again, and
/// whose lines are reports.
public struct WireFeed: Equatable, Sendable {
    /// The kind of the wire.
    public var kind: ActionKindID
    /// The keys of the panel file.
    public var fields: [ActionField]

    /// Takes the keys of a source.
    public init(_ kind: ActionKindID, _ fields: [ActionField]) {
        self.kind = kind
        self.fields = fields
    }

    /// Where it comes from; nil if the keys have no place.
    public var place: WirePlace? { WirePlace(kind, fields) }

    /// Whether the device is asked.
    var asks: Bool { fields["text"] != nil || fields["hex"] != nil }

    /// The time between two questions; nil to ask only when the wire is open.
    var every: TimeSpan? {
        if case .duration(let span)? = fields["every"] { span } else { nil }
    }
}

/// What is heard of a source at a wire.
public enum WireNews: Equatable, Sendable {
    /// A line, and when the question was asked that it answers; `never` without one.
    case report([UInt8], asked: Instant)
    /// The wire is gone: why.
    case lost(String)
}
