import DetentCore

/// A kind of control: its keys, and how they become settings.
struct Kind: Sendable {
    /// The word in `kind:`.
    let word: String
    /// How the page and the plate draw it.
    let look: ControlLook
    /// What it is, in a sentence.
    let summary: String
    /// Required keys: exactly one of each group.
    let requires: [[String]]
    /// Optional keys.
    let allows: [String]
    /// For keys of other kinds that people try here: what to do instead.
    var remedies: [String: String] = [:]
    /// Whether it can have a value without a part: with `part: none`.
    var canLackPart = false
    /// Why a form cannot stage it, and what can be staged instead; nil if it can.
    var reasonAgainstStaging: String?
    /// Makes the settings from the keys; problems go to the draft's log.
    let make: @Sendable (ControlDraft) -> Parts

    /// The result of reading a control's keys.
    struct Parts {
        var names: ValueNames
        var settings: ControlSettings
        var layout: LayoutPlan
    }

    /// Every kind, in the order of the documents.
    static let all: [Kind] = [
        .switch, .toggleButton, .checkbox, .checkboxGroup, .button, .radioGroup, .segmented,
        .popUp, .pullDown, .threeWay, .dial, .form, .indicator,
    ]

    /// Its own keys, and those of every kind.
    var ownKeys: [String] { Self.common + requires.flatMap(\.self) + allows }

    /// Its own contacts; it has one of them, unless it lacks a part.
    static let contacts: Set<String> = [
        "input", "lever", "selector", "analog", "buttons", "encoder",
    ]

    private static let common = [
        "kind", "label", "symbol", "group", "row", "at", "span", "part", "help", "display",
        "indicator",
        "patterns",
        "enabled-when", "on-enable", "stale-after", "audit",
    ]

    /// The remedies of every kind that has none of its own.
    static let commonRemedies = ["scale": ofDials, "offset": ofDials]
    private static let ofDials =
        "only the numbers of a `dial` have it; named values have `words`"

    static let looks = ["show-label", "caption", "subtitle", "style", "size"]
    static let gestures = [
        "click", "double-click", "multi-click", "hold", "repeat", "exclusive",
    ]
    static let outputs = ["outputs", "transition", "dead-time", "pulse", "on-exit", "on-crash"]
    static let values = [
        "default", "startup", "startup-runs-action", "startup-delay", "query", "feedback",
        "expires",
    ]
}
