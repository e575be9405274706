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
}
