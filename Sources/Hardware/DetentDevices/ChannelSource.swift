public import DetentHAL

/// One source of lines beside GPIO chips, for what connects the modules: which lines it takes, and
/// what it finds on this machine.
public struct ChannelSource: Sendable {
    /// A channel of this machine that an owner may search for.
    public struct Channel: Sendable {
        /// Its settings as an input.
        public var settings: LineSettings
        /// How a panel file names it.
        public var panelText: String
        /// Where it is, for people.
        public var place: String
    }

    /// Whether a line is one of its channels.
    public let takes: @Sendable (LineSettings) -> Bool
    /// Makes a backend for such lines.
    public let makeBackend: @Sendable () -> any GPIOBackend
    /// What would keep a panel from using these lines; opens none.
    public let problems: @Sendable ([LineSettings]) -> [HALError]
    /// The channels of a device, or of all devices, that tell of changes.
    public let channels: @Sendable (_ device: String?) -> [Channel]
    /// How a panel file writes an output of this name; nil if there is none. No hand moves an
    /// output, so that a search cannot find it.
    public var output: @Sendable (_ name: String) -> String? = { _ in nil }

    /// Every source.
    public static let all: [ChannelSource] = [.input, .analog, .level]

    /// The backend of lines: `chips` alone where all are lines of chips.
    public static func backend(
        for lines: [LineSettings], chips: any GPIOBackend
    ) -> any GPIOBackend {
        let needed = all.filter { source in lines.contains(where: source.takes) }
        guard !needed.isEmpty else { return chips }
        return JoinedBackend(
            needed.map { JoinedBackend.Member($0.makeBackend(), takes: $0.takes) }
                + [JoinedBackend.Member(chips) { _ in true }])
    }
}
