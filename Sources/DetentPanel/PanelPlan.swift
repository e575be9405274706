public import DetentCore
public import DetentTypes

/// A panel file that was read, checked and resolved against its board: what an engine, a backend
/// and the actions are built from.
///
/// Lines, actions and controls are named by their places in these arrays; `LineID`, `ActionID` and
/// `ControlID` are those places.
public struct PanelPlan: Equatable, Sendable {
    /// The panel's own name, from `panel:`.
    public var name: String
    /// The board's id, or nil for `board: none`.
    public var board: String?
    /// Lines of all uses; a control's contacts, lamps and outputs each stand together.
    public var lines: [LinePlan]
    /// Actions; those of a control by value stand together, in the order of the values.
    public var actions: [ActionPlan]
    /// Controls in the order of the file.
    public var controls: [ControlPlan]
    /// The controls that dim and test all lamps.
    public var settings = PanelSettings()
    /// What one lamp draws from its line, for wiring and warnings.
    public var lampMilliamperes = 5
    /// What controls have to do with each other.
    public var relations: RelationsPlan

    /// Makes a plan; nothing is checked here.
    public init(
        name: String, board: String? = nil, lines: [LinePlan] = [], actions: [ActionPlan] = [],
        controls: [ControlPlan] = [], relations: RelationsPlan = RelationsPlan()
    ) {
        self.name = name
        self.board = board
        self.lines = lines
        self.actions = actions
        self.controls = controls
        self.relations = relations
    }
}

/// The tables by which controls have to do with each other; each entry is named by its place.
public struct RelationsPlan: Equatable, Sendable {
    /// The rules of controls; each is of one control.
    public var rules: [RelationSettings] = []
    /// Members, listeners and chords.
    public var links: [ControlID] = []
    /// Conditions in postfix order.
    public var conditionSteps: [ConditionStep] = []
    /// Actions that the core does by itself.
    public var sequenceSteps: [SequenceStep] = []
    /// Items of menus.
    public var items: [MenuItem] = []

    /// Makes empty tables.
    public init() {}
}

/// One line of the panel.
public struct LinePlan: Equatable, Sendable {
    /// What the line is for.
    public enum Use: Equatable, Sendable {
        case contact(ContactPlan)
        case indicator
        case output(exit: ExitLevel)
    }

    /// The name as the panel file writes it, such as `GPIO17`; captures and messages use it.
    public var name: String
    /// The control that the line belongs to.
    public var control: ControlID
    /// What the line is for.
    public var use: Use
    /// Whether a closed contact, or a lit lamp, is the low electrical level.
    public var isActiveLow: Bool
    /// Kernel names that the line may have, the one of the board first.
    public var lineNames: [String]
    /// Labels of the chip, any of which may match; empty where none can be relied on.
    public var chipLabels: [String]
    /// Parent device of the chip, for chips whose label cannot be relied on.
    public var platformDevice: String?
    /// Offset on the chip; nil where only the name is known.
    public var offset: UInt32?

    /// Makes the plan of one line.
    public init(
        name: String, control: ControlID, use: Use, isActiveLow: Bool, lineNames: [String],
        chipLabels: [String] = [], platformDevice: String? = nil, offset: UInt32? = nil
    ) {
        self.name = name
        self.control = control
        self.use = use
        self.isActiveLow = isActiveLow
        self.lineNames = lineNames
        self.chipLabels = chipLabels
        self.platformDevice = platformDevice
        self.offset = offset
    }
}

/// What only an input line has.
public struct ContactPlan: Equatable, Sendable {
    /// A resistor inside the chip.
    public enum Bias: Equatable, Sendable, CaseIterable {
        case asIs, disabled, pullUp, pullDown
    }

    /// The resistor that is asked for; some chips ignore it.
    public var bias: Bias
    /// How its edges become a contact, in the core.
    public var debounce: DebounceSettings
    /// Distance of readings where the line cannot interrupt; nil where it can.
    public var polledEvery: TimeSpan?

    /// Makes the input's part.
    public init(bias: Bias, debounce: DebounceSettings, polledEvery: TimeSpan? = nil) {
        self.bias = bias
        self.debounce = debounce
        self.polledEvery = polledEvery
    }
}

/// The level an output is left at when the program ends.
public enum ExitLevel: Equatable, Sendable, CaseIterable {
    case keep, off, on

    /// The word in panel files.
    public var word: String {
        switch self {
        case .keep: "keep"
        case .off: "off"
        case .on: "on"
        }
    }

    /// What makes a line have this level after a crash.
    public var crashRemedy: String {
        switch self {
        case .keep:
            "most drivers leave a line as it was; try yours with `kill -9`, or use a latching relay"
        case .off, .on:
            "fit a resistor of 10 kΩ that pulls the line to its `\(word)` level where the driver "
                + "lets it go, or let the service manager write it: `ExecStopPost=gpioset …`"
        }
    }
}

/// One action of the panel: its settings for the engine, and what it does.
public struct ActionPlan: Equatable, Sendable {
    /// What it does.
    public enum Command: Equatable, Sendable {
        /// A program with its arguments; placeholders such as `{value}` are not yet replaced.
        case run(arguments: [String])
        /// The runner of its kind performs it.
        case call(ActionCall)
        /// The core performs the steps of its settings.
        case steps
    }

    /// What it does.
    public var command: Command
    /// When it runs, how long it may take, and what happens after it.
    public var settings: ActionSettings

    /// Makes the plan of one action.
    public init(command: Command, settings: ActionSettings) {
        self.command = command
        self.settings = settings
    }
}

/// One control of the panel.
public struct ControlPlan: Equatable, Sendable {
    /// The key in the panel file.
    public var id: String
    /// What people call it.
    public var label: String
    /// The kind's word, such as `radio-group`.
    public var kind: String
    /// The words for its values, in files and events.
    public var valueNames: ValueNames
    /// What the engine needs; lines and actions by their places in the plan.
    public var settings: ControlSettings
    /// How the page shows the control.
    public var layout: LayoutPlan
    /// The level that its outputs should have after a crash, which the program cannot grant; nil
    /// where nobody wishes for one.
    public var crashLevel: ExitLevel?

    /// Makes the plan of one control.
    public init(
        id: String, label: String, kind: String, valueNames: ValueNames, settings: ControlSettings,
        layout: LayoutPlan = LayoutPlan(), crashLevel: ExitLevel? = nil
    ) {
        self.id = id
        self.label = label
        self.kind = kind
        self.valueNames = valueNames
        self.settings = settings
        self.layout = layout
        self.crashLevel = crashLevel
    }
}

/// What only the page needs of a control.
public struct LayoutPlan: Equatable, Sendable {
    /// The group that the control is shown in; nil for the panel's own.
    public var group: String?
    /// The row in that group, from 1.
    public var row: Int
    /// Shown in place of the label on small buttons.
    public var symbol: String?
    /// Shown in place of the options' names, one for each option; empty where none has one.
    public var optionSymbols: [String?]
    /// Shown in place of on and off; nil where the words themselves are shown.
    public var stateNames: StateNames?
    /// How much a button deserves to be seen, and what it does.
    public var role = ButtonRole.normal
    /// Shown in place of a button's label while its action runs; nil: the label stays.
    public var activeLabel: String?
    /// The condition that enables the control, as the file has it; nil where there is none.
    public var enabledWhen: String?
    /// The items of a menu, one for each of its values.
    public var items: [MenuItemLayout] = []

    /// Makes a layout.
    public init(
        group: String? = nil, row: Int = 1, symbol: String? = nil, optionSymbols: [String?] = [],
        stateNames: StateNames? = nil
    ) {
        self.group = group
        self.row = row
        self.symbol = symbol
        self.optionSymbols = optionSymbols
        self.stateNames = stateNames
    }
}

/// What a button or an item of a menu is for.
public enum ButtonRole: String, Equatable, Sendable, CaseIterable {
    case normal, primary, cancel, destructive
}

/// What only the page needs of a menu's item.
public struct MenuItemLayout: Equatable, Sendable {
    /// What it is for.
    public var role: ButtonRole
    /// Shown in place of its name.
    public var symbol: String?
    /// The group between two separators, from 1.
    public var group: Int
    /// The place of the item in whose submenu it stands; nil for an item of the menu itself.
    public var parent: Int?

    /// Makes the layout of one item.
    public init(
        role: ButtonRole = .normal, symbol: String? = nil, group: Int = 1, parent: Int? = nil
    ) {
        self.role = role
        self.symbol = symbol
        self.group = group
        self.parent = parent
    }
}

/// What the page calls the two values of a switch; in files and events they stay `on` and `off`.
public struct StateNames: Equatable, Sendable {
    /// The name of on, such as Open.
    public var on: String
    /// The name of off, such as Closed.
    public var off: String

    /// Makes the names.
    public init(on: String, off: String) {
        self.on = on
        self.off = off
    }
}

/// The words for a control's values.
public enum ValueNames: Equatable, Sendable {
    /// A button has none.
    case none
    case onOff
    case threeWay
    case options([String])
    /// Several of these at once; a bit for each.
    case several([String])
    /// Events, not values: a control that runs one of several commands.
    case commands([String])
    /// A number; its raw value counts units of the last of so many decimals.
    case number(decimals: Int)
}
