public import DetentTypes

/// The part behind a control's contacts, and the times it needs.
public enum DecoderSettings: Equatable, Sendable, BitwiseCopyable {
    /// The control has no contacts.
    case none
    /// One momentary contact.
    case button(ButtonSettings)
    /// One contact that holds its position, or two of a changeover lever: closed on, closed off.
    case lever
    /// A contact for each position, or coded. A three-way lever is one with the contacts down and
    /// up, three positions, and the second position closing none.
    case selector(SelectorSettings)
    /// Contacts A and B, and the push contact as third where there is one.
    case encoder(EncoderSettings)
    /// Momentary contacts, each a button of its own.
    case buttonRow
    /// A line whose samples tell the position: a potentiometer, or a selector on a ladder of
    /// resistors.
    case analog(AnalogSettings)
}

extension DecoderSettings {
    /// The times of the part's button: of the only one, or of the push contact of an encoder.
    @inline(__always)
    public var button: ButtonSettings? {
        switch self {
        case .button(let button): button
        case .encoder(let encoder): encoder.push
        case .none, .lever, .selector, .buttonRow, .analog: nil
        }
    }

    /// Whether the part stays where a hand leaves it.
    public var holdsPosition: Bool {
        switch self {
        case .lever, .selector, .analog: true
        case .none, .button, .encoder, .buttonRow: false
        }
    }

    /// The number of positions in which it stays; 0 if it has none.
    public var positions: Int {
        switch self {
        case .none, .button, .encoder, .buttonRow: 0
        case .lever: 2
        case .selector(let selector): Int(selector.positions)
        case .analog(let analog): Int(analog.positions)
        }
    }

    /// How many buttons a finger finds at a part.
    ///
    /// - Parameter contacts: of the part, without that of its cover.
    public func buttons(contacts: Int) -> Int {
        switch self {
        case .none, .lever, .selector, .analog: 0
        case .button: 1
        case .encoder: contacts > 2 ? 1 : 0
        case .buttonRow: contacts
        }
    }

    /// Whether both are the same part. Times of gestures and of settling are not of the part.
    public func isSamePart(as other: DecoderSettings) -> Bool {
        switch (self, other) {
        case (.none, .none), (.button, .button), (.lever, .lever), (.buttonRow, .buttonRow): true
        case (.selector(let own), .selector(let other)):
            own.coding == other.coding && own.positions == other.positions
                && own.nonePosition == other.nonePosition
        case (.encoder(let own), .encoder(let other)):
            own.transitions == other.transitions && own.rest == other.rest
        case (.analog(let own), .analog(let other)): own == other
        case (.none, _), (.button, _), (.lever, _), (.buttonRow, _), (.selector, _),
            (.encoder, _), (.analog, _):
            false
        }
    }
}

/// Times of a push button's gestures; `never` and zero counts turn a gesture off.
public struct ButtonSettings: Equatable, Sendable, BitwiseCopyable {
    /// Longest press that still is a click.
    public var clickWithin: TimeSpan
    /// A click waits until no second one can follow.
    public var isClickPostponed: Bool
    /// Largest gap from a release to the next press of a double or multi click; zero: no such
    /// gesture.
    public var multiClickGap: TimeSpan
    /// How many clicks make the gesture: 2 for a double click, more for a multi click.
    public var multiClickCount: UInt8
    /// A press this long is a hold, reported at that very moment; zero: no such gesture.
    public var hold: TimeSpan
    /// First repetition this long after the press; zero: none.
    public var repeatAfter: TimeSpan
    /// Further repetitions at this distance.
    public var repeatEvery: TimeSpan
    /// One press does one thing: what it does without a gesture waits until none can come.
    public var isExclusive: Bool

    /// Makes the settings; by default a press of any length is one click, and nothing else exists.
    public init(
        clickWithin: TimeSpan = TimeSpan(nanoseconds: .max), isClickPostponed: Bool = false,
        multiClickGap: TimeSpan = .zero, multiClickCount: UInt8 = 2, hold: TimeSpan = .zero,
        repeatAfter: TimeSpan = .zero, repeatEvery: TimeSpan = .zero, isExclusive: Bool = false
    ) {
        self.clickWithin = clickWithin
        self.isClickPostponed = isClickPostponed
        self.multiClickGap = multiClickGap
        self.multiClickCount = multiClickCount
        self.hold = hold
        self.repeatAfter = repeatAfter
        self.repeatEvery = repeatEvery
        self.isExclusive = isExclusive
    }
}

/// How a selector's contacts name its position.
public struct SelectorSettings: Equatable, Sendable, BitwiseCopyable {
    /// The code on the contacts.
    public enum Coding: Equatable, Sendable, BitwiseCopyable {
        /// A contact for each position.
        case contacts
        /// The first line is the lowest bit.
        case binary
        /// Reflected Gray code; the first line is the lowest bit.
        case gray
    }

    /// How contacts name positions.
    public var coding: Coding
    /// How long a position must hold before it counts, and two contacts before they are invalid.
    public var settle: TimeSpan
    /// How many positions there are, at most 24.
    public var positions: UInt8
    /// The position that closes no contact, or 255 where each position has a contact. The contacts
    /// belong to the other positions in their order.
    public var nonePosition: UInt8

    /// The value of `nonePosition` that means no such position.
    public static var everyPositionHasContact: UInt8 { 255 }

    /// Makes the settings; 30 ms lets a finger pass a detent without a report of what lies between.
    public init(
        coding: Coding = .contacts, settle: TimeSpan = .milliseconds(30), positions: UInt8,
        nonePosition: UInt8 = SelectorSettings.everyPositionHasContact
    ) {
        self.coding = coding
        self.settle = settle
        self.positions = positions
        self.nonePosition = nonePosition
    }
}

/// How an encoder's quadrature makes detents.
public struct EncoderSettings: Equatable, Sendable, BitwiseCopyable {
    /// Transitions from one detent to the next: 1, 2 or 4.
    public var transitions: UInt8
    /// Logical level of A (bit 1) and B (bit 0) at rest.
    public var rest: UInt8
    /// The push contact's gestures; nil where there is no push contact.
    public var push: ButtonSettings?

    /// Makes the settings.
    public init(transitions: UInt8 = 4, rest: UInt8 = 0, push: ButtonSettings? = nil) {
        self.transitions = transitions
        self.rest = rest
        self.push = push
    }
}
