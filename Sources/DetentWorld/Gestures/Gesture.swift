public import DetentTypes

/// A gesture of a user, or a fault of a line.
public enum Gesture: Equatable, Sendable {
    /// Presses a button or the knob of an encoder, and holds it; `button` counts from 0 in a row of
    /// buttons.
    case press(ControlID, button: Int = 0)
    case release(ControlID, button: Int = 0)
    /// Presses and releases after `hold`.
    case click(ControlID, button: Int = 0, hold: TimeSpan)
    /// Opens or shuts the cover of a part.
    case cover(ControlID, isOpen: Bool)
    /// Moves a lever to a position: 0 and 1, or 0, 1 and 2 of a three-way lever.
    case flip(ControlID, to: Int)
    /// Moves a selector to a position from 0, through all positions in between.
    case select(ControlID, Int)
    /// Turns an encoder or a selector by a number of detents; clockwise is positive.
    case turn(ControlID, detents: Int, perSecond: Int)
    /// The next `count` transitions of an encoder do not reach its contacts.
    case miss(ControlID, count: Int)
    /// Inverts the level of a line for `width`.
    case glitch(LineID, width: TimeSpan)
    /// A line keeps a level regardless of its contact.
    case stick(LineID, Level)
    /// The wire of a line breaks: the pull resistor determines the level.
    case cut(LineID)
    /// Ends `stick` and `cut`.
    case restore(LineID)

    /// The target of a gesture.
    public enum Subject: Equatable, Sendable {
        case control(ControlID)
        case line(LineID)
    }

    /// The target of the gesture.
    public var subject: Subject {
        switch self {
        case .press(let id, _), .release(let id, _), .click(let id, _, _), .cover(let id, _),
            .flip(let id, _), .select(let id, _), .turn(let id, _, _), .miss(let id, _):
            .control(id)
        case .glitch(let id, _), .stick(let id, _), .cut(let id), .restore(let id): .line(id)
        }
    }

    /// The default duration of a click: 80 ms, longer than any usual debounce time.
    public static let clickHold = TimeSpan.milliseconds(80)
    /// The default speed of a knob, in detents per second.
    public static let turnsPerSecond = 20
}

/// Why a gesture cannot be performed; it then has no effect.
public enum GestureError: Error, Equatable, Sendable {
    /// No such control or contact line.
    case unknown
    /// The part does not support the gesture, such as turning a lever.
    case wrongPart
    /// No such position or button.
    case outOfRange
    /// More than `WorldLimits` allows at a time.
    case tooMuch
}
