public import DetentTypes

/// A channel of a device that is no GPIO chip, such as a key of a button box.
///
/// The line that a channel makes has levels and edges as any other. One backend takes the channels
/// of a kind.
public struct DeviceChannel: Equatable, Sendable {
    /// What channels of a kind have in common: the backend that takes them.
    public struct Kind: Equatable, Hashable, Sendable {
        /// The word of the kind.
        public let word: String

        /// Makes a kind of channel.
        public init(_ word: String) { self.word = word }
    }

    /// The kind of channel.
    public var kind: Kind
    /// The device, as the panel file names it. Never a number that the kernel gives in the order
    /// of detection.
    public var device: String
    /// The channel, as the panel file names it.
    public var name: String
    /// The number of the channel on its device.
    public var number: UInt32
    /// Which of the lines that the channel makes: an axis that turns makes two.
    public var part: UInt8
    /// Whether no other program may have the device.
    public var isExclusive: Bool
    /// How far a sample may be from the last one that was told before it has to be told.
    public var tolerance: UInt32 = 0
    /// Whether an output only shows something: the kernel may have it again at the end.
    public var isLamp = false

    /// The time from one pulse to the next; zero for channels without pulses.
    public var period = TimeSpan.zero

    /// Makes a channel.
    public init(
        kind: Kind, device: String, name: String, number: UInt32, part: UInt8 = 0,
        isExclusive: Bool = false
    ) {
        self.kind = kind
        self.device = device
        self.name = name
        self.number = number
        self.part = part
        self.isExclusive = isExclusive
    }
}
