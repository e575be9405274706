public import DetentTypes

/// Where a line is, in the order in which a backend looks for it.
///
/// A chip is never named by its number: `/dev/gpiochipN` changes between kernels.
public struct LineLocation: Equatable, Sendable {
    /// Kernel names of the line, any of which may match, each only if it is unique.
    public var lineNames: [String]
    /// Labels of the chip, any of which may match; empty where the label cannot be relied on.
    public var chipLabels: [String]
    /// The parent of `/sys/bus/gpio/devices/gpiochipN`, such as `44e07000.gpio`; nil if not known.
    public var platformDevice: String?
    /// The line's offset on that chip; nil where only the name is known.
    public var offset: UInt32?

    /// Makes a location; at least a name, or a chip with an offset, must be given to be found.
    public init(
        lineNames: [String] = [], chipLabels: [String] = [], platformDevice: String? = nil,
        offset: UInt32? = nil
    ) {
        self.lineNames = lineNames
        self.chipLabels = chipLabels
        self.platformDevice = platformDevice
        self.offset = offset
    }
}

/// A resistor inside the chip.
public enum Bias: Equatable, Sendable, CaseIterable {
    case asIs, disabled, pullUp, pullDown
}

/// How changes of an input reach the program.
public enum EdgeSource: Equatable, Sendable {
    /// The kernel raises an event for each edge, with its own stamp.
    case interrupt
    /// The chip cannot interrupt: the backend reads the level so often and makes an event of a
    /// change.
    case polled(every: TimeSpan)
}

/// What a line is for, with all that belongs only to that use.
public enum LineDirection: Equatable, Sendable {
    /// `kernelDebounce` is nil unless the panel asks for it: debounce belongs to the core.
    case input(bias: Bias, edges: EdgeSource, kernelDebounce: TimeSpan?)
    /// `initial` is set together with the direction, without a glitch. `onRelease` is written
    /// before the line is given back; nil keeps whatever level it has.
    case output(initial: Level, onRelease: Level?)
}

/// All that a backend has to know of one line.
public struct LineSettings: Equatable, Sendable {
    /// The line's place in the plan; events and writes name it by this.
    public var line: LineID
    /// The line's name in the panel file, for messages.
    public var name: String
    /// Where the line is.
    public var location: LineLocation
    /// Polarity; applied once, by the backend. Above it there is only active and inactive.
    public var isActiveLow: Bool
    /// What it is requested as.
    public var direction: LineDirection

    /// Makes the settings of one line.
    public init(
        line: LineID, name: String, location: LineLocation, isActiveLow: Bool,
        direction: LineDirection
    ) {
        self.line = line
        self.name = name
        self.location = location
        self.isActiveLow = isActiveLow
        self.direction = direction
    }
}
