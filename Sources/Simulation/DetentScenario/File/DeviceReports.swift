public import DetentTypes

/// What a device says, word by word, one report after another.
public struct DeviceReports: Equatable, Sendable {
    /// The reports, in turns; at least one.
    public var texts: [String]
    /// How many there are in all.
    public var count: Int
    /// The time from one to the next.
    public var period: TimeSpan

    /// Makes a series of reports; without a count, each text once.
    public init(_ texts: [String], count: Int? = nil, period: TimeSpan = .zero) {
        self.texts = texts
        self.count = count ?? texts.count
        self.period = period
    }
}
