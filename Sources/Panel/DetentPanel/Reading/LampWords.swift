public import DetentCore

extension LampCondition {
    /// Whether a panel can choose its pattern: without a value a lamp is dark. The pattern of `on`
    /// is for indicators alone.
    var hasPattern: Bool { self != .off }

    /// What lamps of controls can show; only what has members is mixed.
    static func shown(hasMembers: Bool) -> [LampCondition] {
        allCases.filter { $0 != .mixed || hasMembers }
    }

    /// The word in panel files.
    var word: String {
        switch self {
        case .fault: "fault"
        case .failed: "failed"
        case .loading: "loading"
        case .confirm: "confirm"
        case .mismatch: "mismatch"
        case .stale: "stale"
        case .unconfirmed: "unconfirmed"
        case .mixed: "mixed"
        case .disabled: "disabled"
        case .on: "on"
        case .off: "off"
        }
    }

    /// What it means, in a sentence for the documents.
    var summary: String {
        switch self {
        case .fault: "A line cannot be used."
        case .failed: "The action failed."
        case .loading: "The action takes longer than `loading-after`."
        case .confirm: "A confirmation is in progress."
        case .mismatch: "The position differs from the value."
        case .stale: "The device has not confirmed anything for `stale-after`."
        case .unconfirmed:
            "The device was not asked yet, or an outcome is unknown; `off`: lamps do not tell it."
        case .mixed: "Members of a group differ."
        case .disabled: "The control is disabled."
        case .on: "The value is on, and no other condition applies."
        case .off: "The value is off, and no other condition applies."
        }
    }

    init?(word: String) {
        guard let condition = Self.allCases.first(where: { $0.word == word }) else { return nil }
        self = condition
    }
}

extension LampColor {
    /// The words in panel files; `yellow` is another word for amber.
    static let words: [String] = allCases.map(\.word) + ["yellow"]

    /// The word in panel files.
    public var word: String {
        switch self {
        case .off: "off"
        case .red: "red"
        case .green: "green"
        case .amber: "amber"
        case .blue: "blue"
        case .magenta: "magenta"
        case .cyan: "cyan"
        case .white: "white"
        }
    }

    init?(word: String) {
        if word == "yellow" {
            self = .amber
            return
        }
        guard let color = Self.allCases.first(where: { $0.word == word }) else { return nil }
        self = color
    }

    /// Whether a lamp with this number of lines, red first, can show it.
    func isMade(ofLines count: Int) -> Bool { rawValue < 1 << count }
}
