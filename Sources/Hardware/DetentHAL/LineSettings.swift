public import DetentTypes

/// The location of a line, in the order in which a backend searches.
///
/// A chip is never identified by its number: `/dev/gpiochipN` changes between kernels.
public struct LineLocation: Equatable, Sendable {
    /// Kernel names of the line. Any of them may match, if it is unique.
    public var lineNames: [String]
    /// Labels of the chip, any of which may match; empty if the label is not reliable.
    public var chipLabels: [String]
    /// The parent of `/sys/bus/gpio/devices/gpiochipN`, such as `44e07000.gpio`; nil if not known.
    public var platformDevice: String?
    /// The line's offset on that chip; nil if only the name is known.
    public var offset: UInt32?
    /// The channel of another device that makes the line; nil for a line of a GPIO chip.
    public var channel: DeviceChannel?

    /// Makes a location. It needs at least a name, or a chip with an offset.
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
    /// The chip cannot interrupt: the backend reads the level at this interval and reports a change
    /// as an edge.
    case polled(every: TimeSpan)
}

/// How a line is used, with the settings of that use.
public enum LineDirection: Equatable, Sendable {
    /// `kernelDebounce` is nil unless the panel asks for it: debounce belongs to the core.
    case input(bias: Bias, edges: EdgeSource, kernelDebounce: TimeSpan?)
    /// `initial` is set together with the direction, without a glitch. `onRelease` is written
    /// before the line is released; nil keeps the current level.
    case output(initial: Level, onRelease: Level?)
}

/// The settings of one line for a backend.
public struct LineSettings: Equatable, Sendable {
    /// The line's index in the plan; events and writes use it.
    public var line: LineID
    /// The line's name in the panel file, for messages.
    public var name: String
    /// Where the line is.
    public var location: LineLocation
    /// Polarity. The backend applies it; callers see only active and inactive.
    public var isActiveLow: Bool
    /// The direction, with its settings.
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
