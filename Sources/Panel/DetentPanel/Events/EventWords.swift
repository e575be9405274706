public import DetentCore
public import DetentTypes
import Glibc

extension Origin {
    /// The word in events.
    public var word: String {
        switch place {
        case .panel: "panel"
        case .web: "web"
        case .api: "api"
        case .mqtt: "mqtt"
        case .control: "control"
        case .startup: "startup"
        case .device: "device"
        }
    }
}

extension Phase {
    /// The word in events and scenarios.
    public var word: String {
        switch self {
        case .idle: "idle"
        case .pending: "pending"
        case .loading: "loading"
        case .failed: "failed"
        }
    }
}

extension Reason {
    /// The reason in words, with the names of a panel; nil if there is none.
    public func text(in plan: PanelPlan) -> String? {
        let what: String? =
            switch cause {
            case .none: nil
            case .failed(.valueUnknown(let control)):
                "\(plan.id(of: control)) is unknown"
            case .failed(let failure): failure.text
            case .timedOut: "timed out"
            case .cancelled: "cancelled"
            case .killed(let signal): "signal \(signal)"
            case .lost: "lost"
            }
        guard let what, let gesture else { return what }
        return "\(gesture.word): \(what)"
    }
}

extension ActingGesture {
    /// The key in panel files.
    public var word: String {
        switch self {
        case .click: "click"
        case .doubleClick: "double-click"
        case .multiClick: "multi-click"
        case .hold: "hold"
        case .repetition: "repeat"
        case .turn, .turnUp, .turnDown: "turn"
        }
    }
}

extension ActionFailure {
    /// The failure in words, as docs/state.md lists them.
    public var text: String {
        switch self {
        case .exit(let status): "exit \(status)"
        case .notStarted: "not started"
        case .cannotStart(let errno): "could not start: \(String(cString: strerror(Int32(errno))))"
        case .valueUnknown: "a value is unknown"
        case .stepFailed: "step failed"
        case .invalidAnswer: "invalid answer"
        case .http(let status): "HTTP \(status)"
        case .refused: "refused"
        case .unreachable: "unreachable"
        }
    }
}

extension Flag {
    /// Every flag with its word, in the order in which they are written.
    public static let words: [(flag: Flag, word: String)] = [
        (.disabled, "disabled"), (.mixed, "mixed"), (.mismatch, "mismatch"), (.stale, "stale"),
        (.unconfirmed, "unconfirmed"), (.fault, "fault"),
    ]

    /// The word of a flag in events and scenarios; several flags are joined by '+'.
    public var word: String {
        Self.words.filter { contains($0.flag) }.map(\.word).joined(separator: "+")
    }
}

extension Refusal {
    /// The word in events.
    public var word: String {
        switch self {
        case .disabled: "disabled"
        case .busy: "busy"
        case .outOfRange: "out-of-range"
        case .unsupported: "unsupported"
        case .guarded: "guarded"
        case .needsConfirmation: "needs-confirmation"
        case .lockedOut: "locked-out"
        }
    }
}

extension FaultReason {
    /// The word in events.
    public var word: String {
        switch self {
        case .line: "line"
        case .none: "none"
        }
    }
}

extension Pattern {
    /// The word in panel files, events and scenarios.
    public var word: String { words.word }

    /// What a lamp does that shows it, such as "winking twice".
    public var spoken: String { words.spoken }

    private var words: (word: String, spoken: String) {
        switch self {
        case .off: ("off", "off")
        case .steady: ("steady", "on")
        case .blink: ("blink", "blinking")
        case .wink: ("wink", "winking")
        case .doubleWink: ("double-wink", "winking twice")
        case .tripleWink: ("triple-wink", "winking three times")
        case .slowWink: ("slow-wink", "winking slowly")
        case .flashBurst: ("flash-burst", "flashing")
        case .breathe: ("breathe", "breathing")
        case .fill: ("fill", "filling")
        }
    }

    /// The pattern with a word; nil if there is none.
    public init?(word: String) {
        guard let pattern = Pattern.allCases.first(where: { $0.word == word }) else { return nil }
        self = pattern
    }
}
