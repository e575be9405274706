/// What the kernel says of one line.
public struct LineRecord: Equatable, Sendable {
    /// Place on its chip, from 0.
    public var offset: UInt32
    /// The kernel's name; empty where the line has none. Names need not be unique.
    public var name: String
    /// Who holds the line; empty where it is free, or where a driver gave no name.
    public var consumer: String
    /// Whether somebody holds the line.
    public var isUsed: Bool
    /// Whether it is driven.
    public var isOutput: Bool
    /// Whether its holder takes low for active.
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

/// What is known of one chip, opened or not.
public struct ChipRecord: Equatable, Sendable {
    /// The device node, such as `/dev/gpiochip0`; never an identity, as the number changes.
    public var path: String
    /// The driver's label, such as `pinctrl-rp1`; empty where the chip could not be opened.
    public var label: String
    /// The parent device, such as `44e07000.gpio`; empty where `/sys` does not tell.
    public var parent: String
    /// The bus of the parent, such as `platform` or `i2c`; empty where unknown.
    public var subsystem: String
    /// Whether every access waits for a slow bus.
    public var sleeps: Bool
    /// Why the chip could not be opened, as an error number; 0 where it could.
    public var errno: Int32
    /// Why the lines could not be asked for, as an error number; 0 where they could.
    public var lineErrno: Int32
    /// Permission bits of the device node, such as 0o660.
    public var mode: UInt32
    /// The user that owns the device node.
    public var owner: String
    /// The group that owns the device node.
    public var group: String
    /// All lines in the order of their offsets; empty where the chip could not be opened.
    public var lines: [LineRecord]

    /// Makes a record; what is left out is as on a chip without peculiarities.
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
