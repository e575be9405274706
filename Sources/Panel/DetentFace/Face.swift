public import DetentPanel

/// Where everything is on a front panel: millimetres from the top left corner of the plate.
public struct Face: Equatable, Sendable {
    /// A place and a size.
    public struct Area: Equatable, Sendable {
        /// The left edge.
        public var x: Double
        /// The upper edge.
        public var y: Double
        /// From the left to the right edge.
        public var width: Double
        /// From the upper to the lower edge.
        public var height: Double

        /// The right edge.
        public var right: Double { x + width }
        /// The lower edge.
        public var bottom: Double { y + height }

        /// Whether two areas have a point in common.
        public func overlaps(_ other: Area) -> Bool {
            x < other.right && other.x < right && y < other.bottom && other.y < bottom
        }

        /// Whether another area is inside.
        public func contains(_ other: Area) -> Bool {
            x <= other.x && other.right <= right && y <= other.y && other.bottom <= bottom
        }

        func moved(x: Double, y: Double) -> Area {
            Area(x: self.x + x, y: self.y + y, width: width, height: height)
        }
    }

    /// Engraved words; `area` has room for them.
    public struct Label: Equatable, Sendable {
        /// How large the words are.
        public enum Size: Equatable, Sendable {
            case panel, group, control, option

            /// Height of capitals is about 0.7 of it.
            public var fontSizeMillimeters: Double {
                switch self {
                case .panel: 6
                case .group: 4
                case .control: ControlPlan.labelLetters
                case .option: ControlPlan.capLetters
                }
            }
        }

        /// Where in its area each line is.
        public enum Alignment: Equatable, Sendable {
            case start, middle, end
        }

        /// The words, one line each.
        public var lines: [String]
        /// How large the words are.
        public var size: Size
        /// Where in the area each line is.
        public var alignment: Alignment
        /// The room that the words have.
        public var area: Area
        /// The place in the plan of the control that they belong to; nil for the others.
        public var control: Int?
    }

    /// The room of one control: its label, its lamps and its parts.
    public struct Cell: Equatable, Sendable {
        /// The place of the control in the plan.
        public var control: Int
        /// All of it.
        public var area: Area
        /// Its operated parts; the lamp where there is none.
        public var core: Area
        /// What operates it. A control without hardware has room for the usual part of its kind,
        /// for the page, and no placement.
        public var part: FacePart
        /// How many keys are beside each other.
        public var columns: Int
        /// Room for a display that shows the value; nil where the part itself shows it. It has no
        /// hole: displays differ too much.
        public var window: Area?
    }

    /// One part in its place.
    public struct Placement: Equatable, Sendable {
        /// What is there.
        public var part: FacePart
        /// The place of its control in the plan.
        public var control: Int
        /// All that is seen of it; the hole is in the middle.
        public var area: Area
        /// What its own line tells it: the name of a lamp's or key's option; nil for the others.
        public var option: String?
    }

    /// The outline around the members, the status and the buttons of a form.
    public struct Form: Equatable, Sendable {
        /// Its label.
        public var name: String
        /// The outline.
        public var area: Area
    }

    /// One engraved box.
    public struct Group: Equatable, Sendable {
        /// Its name; nil for the controls that are in none.
        public var name: String?
        /// The box.
        public var area: Area
        /// The rooms of its controls.
        public var cells: [Cell]
    }

    /// The width of the plate.
    public var width: Double
    /// The height of the plate.
    public var height: Double
    /// The boxes, in the order of the panel file.
    public var groups: [Group]
    /// The outlines of forms: one in each group that has controls of a form.
    public var forms: [Form]
    /// All engraved words.
    public var labels: [Label]
    /// All parts.
    public var placements: [Placement]

    /// Whether something is drilled for a control.
    public func isDrilled(_ control: Int) -> Bool {
        placements.contains { $0.control == control }
    }
}
