public import DetentTypes

/// What a hand, or an accident, does to the panel.
public enum Gesture: Equatable, Sendable {
    /// A finger goes down on a button, or on an encoder's knob, and stays; `button` counts from 0
    /// in a row of several.
    case press(ControlID, button: Int = 0)
    case release(ControlID, button: Int = 0)
    /// Down, and up again after `hold`.
    case click(ControlID, button: Int = 0, hold: TimeSpan)
    /// The cover over a part is lifted or shut.
    case cover(ControlID, isOpen: Bool)
    /// A lever goes to a position: 0 and 1, or 0, 1 and 2 of a three-way lever.
    case flip(ControlID, to: Int)
    /// A selector goes to a position from 0, through all between.
    case select(ControlID, Int)
    /// An encoder or a selector moves by a number of detents, clockwise positive.
    case turn(ControlID, detents: Int, perSecond: Int)
    /// The next `count` transitions of an encoder do not reach its contacts.
    case miss(ControlID, count: Int)
    /// A line has the other level for `width`.
    case glitch(LineID, width: TimeSpan)
    /// A line keeps a level whatever its contact does.
    case stick(LineID, Level)
    /// A line's wire breaks: the pull resistor wins.
    case cut(LineID)
    /// Ends `stick` and `cut`.
    case restore(LineID)

    /// What a gesture moves, or gives a fault.
    public enum Subject: Equatable, Sendable {
        case control(ControlID)
        case line(LineID)
    }

    /// What the gesture moves, or gives a fault.
    public var subject: Subject {
        switch self {
        case .press(let id, _), .release(let id, _), .click(let id, _, _), .cover(let id, _),
            .flip(let id, _), .select(let id, _), .turn(let id, _, _), .miss(let id, _):
            .control(id)
        case .glitch(let id, _), .stick(let id, _), .cut(let id), .restore(let id): .line(id)
        }
    }

    /// How long a click lasts by default: 80 ms, longer than any debounce time in use.
    public static let clickHold = TimeSpan.milliseconds(80)
    /// How fast a hand turns a knob by default.
    public static let turnsPerSecond = 20
}

/// Why a gesture cannot be made; nothing has happened then.
public enum GestureError: Error, Equatable, Sendable {
    /// No such control or contact line.
    case unknown
    /// The part cannot be moved so, such as a lever that is turned.
    case wrongPart
    /// No such position or button.
    case outOfRange
    /// More than `WorldLimits` allows at once.
    case tooMuch
}
