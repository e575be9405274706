/// How a control looks on the page and on the plate.
///
/// Kinds that look alike share one, and a new kind names one of these.
public enum ControlLook: String, Sendable, CaseIterable {
    /// A cap that fires, with its words on it.
    case button
    /// A cap that keeps a value, with its words on it.
    case cap
    /// A lever, or a small cap beside its label.
    case `switch`
    /// A box with a tick.
    case checkbox
    /// A row of caps that stand apart.
    case row
    /// A row of caps that are joined.
    case segments
    /// A list that opens, where one option is chosen.
    case popUp = "pop-up"
    /// A list of commands that opens.
    case menu
    /// A lever with a centre.
    case threeWay = "three-way"
    /// A knob without an end, with its value beside it.
    case knob
    /// A lamp.
    case lamp

    /// Whether its words are on the cap.
    public var isWritten: Bool { self == .button || self == .cap }

    /// Whether it opens.
    public var isMenu: Bool { self == .popUp || self == .menu }
}
