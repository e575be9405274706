public import DetentTypes

/// What a destructive control needs in addition to a press.
public enum ConfirmSettings: Equatable, Sendable, BitwiseCopyable {
    /// Nothing: a press fires it.
    case none
    /// Held this long; the level is read once more before it fires.
    case hold(TimeSpan)
    /// Pressed a second time within this. The first half second does not count: what was not seen
    /// is not confirmed, and a nervous double press fires nothing. So a time of less never fires.
    case pressTwice(within: TimeSpan)
    /// A press and its release arm it for this long; a press while it is armed fires. The first
    /// half second after the release does not count, as after the first of two presses.
    case arm(TimeSpan)
    /// Its guard's contact, the last of the control's contacts, must be open.
    case guarded
    /// All of the control's members are pressed together, and so long; zero: at once.
    case chord(hold: TimeSpan)

    /// Whether the press that asks is the first of what it takes.
    var beginsWithPress: Bool {
        switch self {
        case .hold, .pressTwice, .arm: true
        case .none, .guarded, .chord: false
        }
    }

    /// 500 ms: longer than the second press of a double click comes after the first.
    public static var armingPause: TimeSpan { .milliseconds(500) }

    /// Whether a request from outside the panel may fire it at all.
    var allowsRemote: Bool {
        switch self {
        case .none, .hold, .pressTwice, .arm: true
        case .guarded, .chord: false
        }
    }
}
