/// The patterns a lamp can show; each but the first two has an on and an off variant.
public enum Pattern: UInt8, Equatable, Sendable, BitwiseCopyable, CaseIterable {
    case off
    case steady
    case blink
    case wink
    case doubleWink
    case tripleWink
    case slowWink
    case flashBurst
    case breathe
    /// Lit for a share of each period that grows with the progress of a confirmation; half of it
    /// where there is no progress to tell.
    case fill
}
