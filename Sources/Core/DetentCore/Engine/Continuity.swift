/// What a control of a panel takes over from the same control of the panel before it.
public struct Continuity: OptionSet, Equatable, Sendable, BitwiseCopyable {
    /// A bit for each part.
    public var rawValue: UInt8

    /// Makes a set of bits.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// The shown and the confirmed value. An attempt that runs ends without an effect, so the
    /// value is then unconfirmed.
    public static var value: Continuity { Continuity(rawValue: 1) }
    /// The lamps keep their levels: their lines and their style are the same.
    public static var lamps: Continuity { Continuity(rawValue: 2) }
    /// The outputs keep their levels and their dead times: their lines and rules are the same.
    public static var outputs: Continuity { Continuity(rawValue: 4) }
    /// Everything, also what is under way: nothing that the engine knows of the control changed.
    public static var everything: Continuity { Continuity(rawValue: 15) }
}
