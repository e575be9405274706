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
    /// Words of the device for values; the control's own words are understood too.
    public var words: [Word]

    /// Makes a plan; nothing is checked here.
    public init(_ source: FeedbackSource, pointer: String? = nil, words: [Word] = []) {
        self.source = source
        self.pointer = pointer
        self.words = words
    }
}

extension FeedbackPlan {
    /// The value that a word of the device means for a control; nil if it means none.
    public func value(of word: String, for control: ControlPlan) -> Value? {
        words.first { $0.text == word }?.value ?? control.value(named: word)
    }
}
