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

    /// A part that can perform one gesture at a time.
    public enum Contact: Hashable, Comparable, Sendable {
        case button(ControlID, Int)
        /// A lever, a selector or a knob.
        case part(ControlID)

        /// The control that has it.
        package var control: ControlID {
            switch self {
            case .button(let control, _), .part(let control): control
            }
        }
    }

    /// What a finger does on a button.
    public enum Push: Equatable, Sendable {
        case down, up
        /// Down, and up again after this time.
        case click(TimeSpan)
    }

    /// The target of the gesture.
    public var subject: Subject { traits.subject }

    /// The contact that the gesture occupies for some time; nil if it is immediate.
    public var contact: Contact? { traits.contact }

    /// What a finger does; nil for gestures that move no button.
    public var push: Push? { traits.push }

    /// How long a click or a glitch lasts; nil for the other gestures.
    public var duration: TimeSpan? { traits.duration }

    private struct Traits {
        var subject: Subject
        var contact: Contact?
        var push: Push?
        var duration: TimeSpan?
    }

    private var traits: Traits {
        switch self {
        case .press(let id, let button):
            Traits(subject: .control(id), contact: .button(id, button), push: .down)
        case .release(let id, let button):
            Traits(subject: .control(id), contact: .button(id, button), push: .up)
        case .click(let id, let button, let hold):
            Traits(
                subject: .control(id), contact: .button(id, button), push: .click(hold),
                duration: hold)
        case .flip(let id, _), .select(let id, _), .turn(let id, _, _):
            Traits(subject: .control(id), contact: .part(id))
        case .cover(let id, _), .miss(let id, _): Traits(subject: .control(id))
        case .glitch(let id, let width): Traits(subject: .line(id), duration: width)
        case .stick(let id, _), .cut(let id), .restore(let id): Traits(subject: .line(id))
        }
    }

    /// The default duration of a click: 80 ms, longer than any usual debounce time.
    public static let clickHold = TimeSpan.milliseconds(80)
    /// The default speed of a knob, in detents per second.
    public static let turnsPerSecond = 20

    /// A device holds the line of its feedback at a level.
    public static func held(_ line: LineID, _ level: Level) -> Gesture { .stick(line, level) }
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
