/// The kernel's information about one line.
public struct LineRecord: Equatable, Sendable {
    /// Its offset on the chip, from 0.
    public var offset: UInt32
    /// The kernel's name; empty if the line has none. Names need not be unique.
    public var name = ""
    /// The consumer that uses the line; empty if the line is free, or if a driver gave no name.
    public var consumer = ""
    /// Whether the line is in use.
    public var isUsed = false
    /// Whether it is an output.
    public var isOutput = false
    /// Whether its consumer uses it as active-low.
    public var isActiveLow = false
}

/// The information about one chip, whether or not it could be opened.
public struct ChipRecord: Equatable, Sendable {
    /// The device node, such as `/dev/gpiochip0`. It does not identify the chip, because the number
    /// changes.
    public var path: String
    /// The driver's label, such as `pinctrl-rp1`; empty if the chip could not be opened.
    public var label: String
    /// The parent device, such as `44e07000.gpio`; empty if `/sys` does not name it.
    public var parent = ""
    /// The name that the parent has on its bus, such as `mcp23017` on I2C; empty if it has none.
    public var model = ""
    /// The bus of the parent, such as `platform` or `i2c`; empty if unknown.
    public var subsystem = "platform"
    /// Whether every access waits for a slow bus.
    public var sleeps = false
    /// The error number of opening the chip; 0 if it was opened.
    public var errno: Int32 = 0
    /// The error number of reading the lines; 0 if they were read.
    public var lineErrno: Int32 = 0
    /// Permission bits of the device node, such as 0o660.
    public var mode: UInt32 = 0o660
    /// The user that owns the device node.
    public var owner = "root"
    /// The group that owns the device node.
    public var group = "gpio"
    /// All lines in the order of their offsets; empty if the chip could not be opened.
    public var lines: [LineRecord]
}
