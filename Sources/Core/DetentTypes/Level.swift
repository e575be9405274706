/// The logical level of a line, after polarity: a closed contact and a lit lamp are `active`.
public enum Level: UInt8, Equatable, Sendable, BitwiseCopyable {
    case inactive = 0
    case active = 1

    /// The other level.
    @inlinable
    public var opposite: Level {
        switch self {
        case .inactive: .active
        case .active: .inactive
        }
    }

    /// The level that says whether `condition` holds.
    @inlinable
    public init(_ condition: Bool) {
        self = condition ? .active : .inactive
    }
}
