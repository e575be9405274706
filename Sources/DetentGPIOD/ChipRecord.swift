/// The kernel's information about one line.
public struct LineRecord: Equatable, Sendable {
    /// Its offset on the chip, from 0.
    public var offset: UInt32
    /// The kernel's name; empty if the line has none. Names need not be unique.
    public var name: String
    /// The consumer that uses the line; empty if the line is free, or if a driver gave no name.
    public var consumer: String
    /// Whether the line is in use.
    public var isUsed: Bool
    /// Whether it is an output.
    public var isOutput: Bool
    /// Whether its consumer uses it as active-low.
    public var isActiveLow: Bool

    /// Makes a record.
    public init(
        offset: UInt32, name: String = "", consumer: String = "", isUsed: Bool = false,
        isOutput: Bool = false, isActiveLow: Bool = false
    ) {
        self.offset = offset
        self.name = name
        self.consumer = consumer
        self.isUsed = isUsed
        self.isOutput = isOutput
        self.isActiveLow = isActiveLow
    }
}

/// The information about one chip, whether or not it could be opened.
public struct ChipRecord: Equatable, Sendable {
    /// The device node, such as `/dev/gpiochip0`. It does not identify the chip, because the number
    /// changes.
    public var path: String
    /// The driver's label, such as `pinctrl-rp1`; empty if the chip could not be opened.
    public var label: String
    /// The parent device, such as `44e07000.gpio`; empty if `/sys` does not name it.
    public var parent: String
    /// The bus of the parent, such as `platform` or `i2c`; empty if unknown.
    public var subsystem: String
    /// Whether every access waits for a slow bus.
    public var sleeps: Bool
    /// The error number of opening the chip; 0 if it was opened.
    public var errno: Int32
    /// The error number of reading the lines; 0 if they were read.
    public var lineErrno: Int32
    /// Permission bits of the device node, such as 0o660.
    public var mode: UInt32
    /// The user that owns the device node.
    public var owner: String
    /// The group that owns the device node.
    public var group: String
    /// All lines in the order of their offsets; empty if the chip could not be opened.
    public var lines: [LineRecord]

    /// Makes a record; the defaults are those of an ordinary chip.
    public init(
        path: String, label: String, parent: String = "", subsystem: String = "platform",
        sleeps: Bool = false, errno: Int32 = 0, lineErrno: Int32 = 0, mode: UInt32 = 0o660,
        owner: String = "root", group: String = "gpio", lines: [LineRecord]
    ) {
        self.path = path
        self.label = label
        self.parent = parent
        self.subsystem = subsystem
        self.sleeps = sleeps
        self.errno = errno
        self.lineErrno = lineErrno
        self.mode = mode
        self.owner = owner
        self.group = group
        self.lines = lines
    }
}
