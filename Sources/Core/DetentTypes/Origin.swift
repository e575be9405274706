/// Who asked for a change: where they are, and which of the callers with a token.
///
/// One byte: the place in the lower three bits, the caller above them.
public struct Origin: RawRepresentable, Equatable, Sendable, BitwiseCopyable {
    /// Where a change is asked for.
    public enum Place: UInt8, Equatable, Sendable, BitwiseCopyable, CaseIterable {
        case panel, web, api, mqtt, control, startup, device

        /// Whether a caller from outside asked, and no hand at the panel.
        public var isRemote: Bool {
            switch self {
            case .web, .api, .mqtt: true
            case .panel, .control, .startup, .device: false
            }
        }
    }

    /// The largest number of a caller: what fits above the place.
    public static var callerLimit: UInt8 { 31 }

    /// The byte.
    public let rawValue: UInt8

    /// An origin without the number of a caller.
    public init(_ place: Place) { rawValue = place.rawValue }

    /// Reads the byte of an origin; nil if it is none.
    public init?(rawValue: UInt8) {
        guard Place(rawValue: rawValue & 7) != nil else { return nil }
        self.rawValue = rawValue
    }

    /// The same place, with the number of the caller.
    ///
    /// - Parameter caller: from 1 to `callerLimit`; any other number gives 0, an unknown caller.
    public func by(_ caller: UInt8) -> Origin {
        let caller = caller <= Self.callerLimit ? caller : 0
        return Origin(rawValue: place.rawValue | caller << 3) ?? self
    }

    /// Where it was asked for.
    public var place: Place { Place(rawValue: rawValue & 7) ?? .panel }

    /// The number of the caller, from 1; 0 where it is not known.
    public var caller: UInt8 { rawValue >> 3 }

    /// Whether a caller from outside asked, and no hand at the panel.
    public var isRemote: Bool { place.isRemote }

    /// A hand at the panel.
    public static var panel: Origin { Origin(.panel) }
    /// The page.
    public static var web: Origin { Origin(.web) }
    /// A request over HTTP.
    public static var api: Origin { Origin(.api) }
    /// A message through the broker.
    public static var mqtt: Origin { Origin(.mqtt) }
    /// Another control, or a rule.
    public static var control: Origin { Origin(.control) }
    /// The start of the panel.
    public static var startup: Origin { Origin(.startup) }
    /// The device itself.
    public static var device: Origin { Origin(.device) }
}
