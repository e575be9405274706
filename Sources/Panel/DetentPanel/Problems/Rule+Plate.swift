// The front panel.
extension Rule {
    /// A part must suit the control that it operates.
    static let partDoesNotFit = Rule(
        "part-does-not-fit",
        "A part must suit the control that it operates. A knob cannot press a button, and a "
            + "control that is confirmed by a cover needs a part with a cover.")
    /// Every part must be on the plate.
    static let outsidePlate = Rule(
        "outside-plate",
        "Every part must be on the plate. `at` gives the middle of a part; its edges are half "
            + "its size away.")
    /// Two parts must not overlap.
    static let partsOverlap = Rule(
        "parts-overlap",
        "Two parts must not overlap. The sizes of docs/face.md include what moves, such as a lever "
            + "or an open cover.")
    /// Parts must be far enough from each other to be operated without touching a neighbour.
    static let partsTooNear = Rule(
        "parts-too-near", .warning,
        "Parts must be far enough from each other to be operated without touching a neighbour. The "
            + "distances from edge to edge are those of MIL-STD-1472E: 19mm between levers, 13mm "
            + "from a button, 25mm between knobs.")

    /// The rules of the front panel.
    static let plate: [Rule] = [partDoesNotFit, outsidePlate, partsOverlap, partsTooNear]
}
