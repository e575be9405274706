import DetentTypes

extension Value {
    /// The bit of the option that this value names; 0 where it names none of
    /// `EngineLimits.options`.
    @inline(__always)
    var optionBit: UInt32 {
        raw >= 0 && raw < Int32(EngineLimits.options) ? 1 << UInt32(raw) : 0
    }
}
