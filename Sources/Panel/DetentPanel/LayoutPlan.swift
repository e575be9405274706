/// What only the page uses of a control.
public struct LayoutPlan: Equatable, Sendable {
    /// The group that the control is shown in; nil for the group of the panel.
    public var group: String?
    /// The row in that group, from 1.
    public var row = 1
    /// Shown instead of the label on small buttons, or beside it if `showsLabel`.
    public var symbol: String?
    /// Whether a button shows its label beside its symbol.
    public var showsLabel = false
    /// A short text below a button's symbol; nil if there is none.
    public var caption: String?
    /// A second line on a button, below its label; nil if there is none.
    public var subtitle: String?
    /// How much a button stands out.
    public var style = ButtonStyle.normal
    /// How large a button is.
    public var size = ButtonSize.regular
    /// A text that introduces the control, or that an info button reveals; nil if there is none.
    public var help: String?
    /// Shown instead of the options' names, one for each option; empty if no option has one.
    public var optionSymbols: [String?] = []
    /// Short texts below the options' symbols, one for each option; empty if no option has one.
    public var optionCaptions: [String?] = []
    /// Shown instead of on and off, or of the positions of a lever, in the order of their words;
    /// empty to show those.
    public var stateNames: [String] = []
    /// What a button is for.
    public var role = ButtonRole.normal
    /// Shown instead of a button's label while its action runs; nil to keep the label.
    public var activeLabel: String?
    /// The condition that enables the control, as written in the file; nil if there is none.
    public var enabledWhen: String?
    /// The items of a menu, one for each of its values.
    public var items: [MenuItemLayout] = []
    /// The middle of its part in millimetres from the top left of the plate; nil for a free place.
    public var place: PlatePoint?
    /// The columns of 30 mm that it takes in its row, at least.
    public var span = 1
    /// The part that the file names; nil for that of the kind.
    public var part: FacePart?
    /// Whether it has a place on the plate; without a part it has none, and is in the tray of the
    /// page.
    public var isOnPlate = true
}

/// A point of the plate, in millimetres from its top left corner.
public struct PlatePoint: Equatable, Sendable {
    /// From the left edge.
    public var x: Double
    /// From the upper edge.
    public var y: Double
}

/// What a button or an item of a menu is for.
public enum ButtonRole: String, Equatable, Sendable, CaseIterable {
    case normal, primary, cancel, destructive, close, done, info, disclosure

    /// The roles of a command; an item of a menu has one of these.
    static let commands: [ButtonRole] = [.normal, .primary, .cancel, .destructive]

    /// Whether the button acts only on the page: it has no part, and runs no action.
    public var isOfThePage: Bool {
        switch self {
        case .normal, .primary, .cancel, .destructive, .close, .done: false
        case .info, .disclosure: true
        }
    }
}

/// How much a button stands out on the page.
public enum ButtonStyle: String, Equatable, Sendable, CaseIterable {
    case normal, prominent, plain
}

/// How large a button is on the page.
public enum ButtonSize: String, Equatable, Sendable, CaseIterable {
    case small, regular, large
}
