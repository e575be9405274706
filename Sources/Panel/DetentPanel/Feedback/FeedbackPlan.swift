public import DetentTypes

/// How the device of a control reports its value, and what its words mean.
public struct FeedbackPlan: Equatable, Sendable {
    /// A word of the device, and the value that it means.
    public struct Word: Equatable, Sendable {
        /// What the device says.
        public var text: String
        /// The value of the control.
        public var value: Value

        /// Makes an entry.
        public init(_ text: String, _ value: Value) {
            self.text = text
            self.value = value
        }
    }

    /// What reports the value.
    public var source: FeedbackSource
    /// Where the JSON of a report has the value; nil if the report is the value itself.
    public var pointer: String?
    /// Words of the device for values, before those of the control's `deviceWords`.
    public var words: [Word]
    /// How long after an action the device may still report another value than the new one.
    public var lag: TimeSpan

    /// Makes a plan; nothing is checked here.
    public init(
        _ source: FeedbackSource, pointer: String? = nil, words: [Word] = [], lag: TimeSpan = .zero
    ) {
        self.source = source
        self.pointer = pointer
        self.words = words
        self.lag = lag
    }
}

extension FeedbackPlan {
    /// The value that a word of the device means for a control; nil if it means none. `1.0` is the
    /// word `1` too.
    public func value(of word: String, for control: ControlPlan) -> Value? {
        if let place = DeviceWords.index(of: word, in: words.map(\.text)) {
            return words[place].value
        }
        return hasDeviceWords ? control.value(ofDevice: word) : control.value(nearest: word)
    }

    /// Whether the source says what the device says: another panel has the words of a control, and
    /// a line has a level.
    var hasDeviceWords: Bool {
        switch source {
        case .program, .request, .topic, .message, .wire: true
        case .line, .control: false
        }
    }

    /// What a device says for a value of a control.
    package func word(of value: Value, for control: ControlPlan) -> String {
        if let known = words.first(where: { $0.value == value }) { return known.text }
        return hasDeviceWords ? control.deviceWord(of: value) : control.valueNames.name(of: value)
    }
}
