/// A symbol that the page can draw in place of a label.
package struct FaceSymbol: Sendable {
    /// The word in `symbol`.
    package let word: String
    /// What it looks like.
    package let look: String

    /// Every symbol, in the order of the page's own list; a test compares both.
    package static let all = [
        ("pump", "a circle with a propeller"), ("flame", "a flame"), ("sun", "a sun with rays"),
        ("fish", "a fish"), ("drop", "a drop of water"), ("target", "a circle with cross hairs"),
        ("microphone", "a microphone"), ("power", "an open circle with a line at its top"),
        ("play", "a triangle that points to the right"), ("stop", "a square"),
        ("pause", "two upright lines"), ("record", "a circle"), ("up", "an arrow that points up"),
        ("down", "an arrow that points down"), ("open", "an angle that points down"),
        ("left", "an arrow that points to the left"),
        ("right", "an arrow that points to the right"), ("plus", "a plus sign"),
        ("minus", "a minus sign"), ("check", "a check mark"), ("info", "an i in a circle"),
        ("cross", "two crossed lines"), ("lock", "a padlock"), ("bell", "a bell"),
        ("fan", "a fan with four blades"), ("light", "a light bulb"), ("camera", "a camera"),
        ("snow", "a snowflake"), ("heart", "a heart"),
    ].map { FaceSymbol(word: $0.0, look: $0.1) }

    /// The words of all.
    package static let words = all.map(\.word)
}
