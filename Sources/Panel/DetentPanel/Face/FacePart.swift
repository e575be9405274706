/// A part of a front panel, with the sizes that drilling and laying out need.
///
/// All lengths are in millimetres, seen from the front. Sizes are those of parts as sold; where
/// makers differ, the commonest size is given.
public struct FacePart: Equatable, Sendable {
    /// What kind of part it is; the distances between parts depend on it.
    public enum Family: Equatable, Sendable, CaseIterable {
        case toggle, pushButton, key, knob, selector, lamp
    }

    /// What has to be cut for it.
    public enum Hole: Equatable, Sendable {
        /// A round hole.
        case round(diameter: Double)
        /// A rectangular cut-out.
        case rectangle(width: Double, height: Double)
    }

    /// Its word, such as `mini-toggle`.
    public var word: String
    /// Its family.
    public var family: Family
    /// Its hole, whose centre is the centre of the part.
    public var hole: Hole
    /// Width of all that is seen of it, moved parts included.
    public var width: Double
    /// Height of all that is seen of it, moved parts included.
    public var height: Double
    /// Whether a cover has to be lifted first.
    public var hasCover = false

    /// A miniature toggle switch; its lever moves up and down.
    public static let miniToggle = FacePart(
        word: "mini-toggle", family: .toggle, hole: .round(diameter: 6.5), width: 10, height: 24)
    /// A toggle switch of full size.
    public static let toggle = FacePart(
        word: "toggle", family: .toggle, hole: .round(diameter: 12), width: 18, height: 36)
    /// A toggle switch under a cover that has to be lifted.
    public static let guardedToggle = FacePart(
        word: "guarded-toggle", family: .toggle, hole: .round(diameter: 12), width: 25, height: 48,
        hasCover: true)
    /// A push button whose wide cap carries the words.
    public static let legendButton = FacePart(
        word: "legend-button", family: .pushButton, hole: .round(diameter: 16), width: 24,
        height: 18)
    /// A push button.
    public static let pushButton = FacePart(
        word: "push-button", family: .pushButton, hole: .round(diameter: 16), width: 18, height: 18)
    /// A push button under a cover that has to be lifted.
    public static let guardedButton = FacePart(
        word: "guarded-button", family: .pushButton, hole: .round(diameter: 16), width: 30,
        height: 35, hasCover: true)
    /// A key of a row of keys that touch each other.
    public static let key = FacePart(
        word: "key", family: .key, hole: .rectangle(width: 16, height: 16), width: 18, height: 18)
    /// A knob that turns without end, as on an encoder or a dial.
    public static let knob = FacePart(
        word: "knob", family: .knob, hole: .round(diameter: 7), width: 25, height: 25)
    /// A knob with a pointer; the names of its positions are around it.
    public static let selectorKnob = FacePart(
        word: "selector-knob", family: .selector, hole: .round(diameter: 10), width: 30,
        height: 30)
    /// A small knob that turns without end.
    public static let smallKnob = FacePart(
        word: "small-knob", family: .knob, hole: .round(diameter: 7), width: 16, height: 16)
    /// A lamp of 5 mm in a holder.
    public static let largeLamp = FacePart(
        word: "large-lamp", family: .lamp, hole: .round(diameter: 8), width: 12, height: 12)
    /// A lamp of 3 mm in a holder.
    public static let lamp = FacePart(
        word: "lamp", family: .lamp, hole: .round(diameter: 6.5), width: 8, height: 8)

    /// Every part.
    public static let all = [
        miniToggle, toggle, guardedToggle, pushButton, legendButton, guardedButton, key, knob,
        smallKnob, selectorKnob, lamp, largeLamp,
    ]

    /// The least distance between the edges of two parts beside each other.
    ///
    /// From MIL-STD-1472E, table VII and its figures. Keys of one row touch. A lamp is not
    /// operated: it only keeps its holder's nut clear.
    public static func leastDistance(_ one: Family, _ other: Family) -> Double {
        switch (one, other) {
        case (.lamp, .lamp): 2
        case (.lamp, _), (_, .lamp): 4
        case (.pushButton, _), (_, .pushButton), (.key, _), (_, .key): 13
        case (.toggle, _), (_, .toggle): 19
        case (.knob, .knob), (.knob, .selector), (.selector, .knob), (.selector, .selector): 25
        }
    }
}
