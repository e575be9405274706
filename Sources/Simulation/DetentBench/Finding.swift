/// One line of the report of `detent doctor`.
public struct Finding: Equatable, Sendable {
    /// What a finding means for the panel.
    public enum Weight: Equatable, Sendable {
        /// Nothing to do.
        case fine
        /// The panel runs, but the user may want to know.
        case note
        /// It stops the panel, or a part of it.
        case problem
    }

    /// What it means for the panel.
    public var weight: Weight
    /// What was found, in one line.
    public var text: String
    /// What to do, in one line; empty only if there is nothing to do.
    public var help: String

    static func fine(_ text: String) -> Finding {
        Finding(weight: .fine, text: text, help: "")
    }

    static func note(_ text: String, _ help: String) -> Finding {
        Finding(weight: .note, text: text, help: help)
    }

    static func problem(_ text: String, _ help: String) -> Finding {
        Finding(weight: .problem, text: text, help: help)
    }
}
