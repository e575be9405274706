public import DetentCore
public import DetentTypes

/// A control at a quiet moment: the world beside the engine.
public struct ControlState: Equatable, Sendable {
    /// A contact of the control.
    public struct Contact: Equatable, Sendable {
        /// The line of the contact.
        public var line: LineID
        /// What a meter at the line says.
        public var world: Level
        /// What the engine has; nil if the line is not a contact.
        public var engine: Level?
    }

    /// An output or a lamp with levels.
    public struct Output: Equatable, Sendable {
        /// Its line.
        public var line: LineID
        /// What the backend was told last: nothing while it is off.
        public var told: Strength
    }

    /// The control.
    public var control: ControlID
    /// Its contacts.
    public var contacts: [Contact]
    /// Its outputs and lamps with levels.
    public var outputs: [Output]
    /// The position of the part in the world; nil for parts without a position.
    public var position: Int?
    /// What a dial must show after every detent and every word from outside; nil where edges were
    /// lost, so that it is unknown.
    public var dial: Int32?
    /// What the engine says.
    public var snapshot: ControlSnapshot
    /// Its last position came after its last word from outside, and every action since succeeds.
    public var mustFollow: Bool
    /// What its last press in peace asked for; nil if there was none since.
    public var pressed: Value?
}
