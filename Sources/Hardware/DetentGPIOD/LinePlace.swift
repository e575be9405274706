public import DetentTypes

/// Where a line of the panel was found on this machine.
public struct LinePlace: Equatable, Sendable {
    /// The line's index in the plan.
    public var line: LineID
    /// The device node of its chip, such as `/dev/gpiochip0`. It is valid until the chip goes away.
    public var chip: String
    /// Its offset on the chip.
    public var offset: UInt32

    /// Makes a place.
    public init(line: LineID, chip: String, offset: UInt32) {
        self.line = line
        self.chip = chip
        self.offset = offset
    }
}
