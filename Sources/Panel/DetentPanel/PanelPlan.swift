public import DetentCore
public import DetentHAL
public import DetentTypes

/// A panel file that was read, checked and resolved against its board.
///
/// The engine, the backend and the actions are built from it. `LineID`, `ActionID` and `ControlID`
/// are indices of these arrays.
public struct PanelPlan: Equatable, Sendable {
    /// The panel's name, from `panel:`.
    public var name: String
    /// The board's id, or nil for `board: none`.
    public var board: String?
    /// Functions of the board that its owner has switched off, such as `spi0`.
    public var freeFunctions: [String] = []
    /// All lines. The contacts of a control are consecutive; so are its lamps and its outputs.
    public var lines: [LinePlan]
    /// All actions. The actions of a control by value are consecutive, in the order of the values.
    public var actions: [ActionPlan]
    /// Controls in the order of the file.
    public var controls: [ControlPlan]
    /// Gestures that act, those of a control together. In the engine they are controls behind those
    /// of the file; everything is told of their owners.
    public var gestures: [GesturePlan] = []
    /// The controls that dim and test all lamps.
    public var settings = PanelSettings()
    /// The current that one lamp draws from its line.
    public var lampMilliamperes = Defaults.lampMilliamperes
    /// The width of the front panel in millimetres; nil where the file gives none.
    public var plateMillimeters: Double?
    /// Groups in the order in which they are placed; the others follow in the order of the file.
    public var groupOrder: [String] = []
    /// Groups with a line of help.
    public var groupHelps: [GroupHelp] = []
    /// The chips that the file names.
    public var chips: [ChipPlan] = []
    /// The displays, those of `displays:` first.
    public var displays: [DisplayPlan] = []
    /// How many events are kept in the history; nil for `history: off`.
    public var historyRows: Int? = Defaults.historyRows
    /// The MQTT broker; nil if the file has none.
    public var broker: BrokerPlan?
    /// The names of callers with a token, by the number that `Origin.caller` has, from 1; empty
    /// where there are no tokens. The panel file does not give them.
    public var callers: [String?] = []
    /// Relations between controls.
    public var relations: RelationsPlan
    /// The controls that another one, a condition, an action or a display names.
    public var mentioned: Set<ControlID> = []

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

    /// The id of a control; `#` and its index if it is not in the plan.
    func id(of control: ControlID) -> String {
        let index = Int(control.index)
        return controls.indices.contains(index) ? controls[index].id : "#\(index)"
    }

    /// The name of the caller who asked for a change; nil where it is not known.
    func callerName(of origin: Origin) -> String? {
        let place = Int(origin.caller) - 1
        return callers.indices.contains(place) ? callers[place] : nil
    }
}

/// The tables of relations between controls.
public struct RelationsPlan: Equatable, Sendable {
    /// The relations of controls; each entry belongs to one control.
    public var settings: [RelationSettings] = []
    /// Members, listeners and chords.
    public var links: [ControlID] = []
    /// Conditions in postfix order.
    public var conditionSteps: [ConditionStep] = []
    /// Steps of the actions that the core runs itself.
    public var sequenceSteps: [SequenceStep] = []
    /// Items of menus.
    public var items: [MenuItem] = []

    /// Makes empty tables.
    public init() {}
}

/// The line under the title of a group.
public struct GroupHelp: Equatable, Sendable {
    /// The name of the group.
    public var name: String
    /// The text.
    public var help: String
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
    /// Kernel names that the line may have, the name on this board first.
    public var lineNames: [String]
    /// Labels of the chip, any of which may match; empty if none is reliable.
    public var chipLabels: [String] = []
    /// Parent device of the chip, for chips without a reliable label.
    public var platformDevice: String?
    /// Offset on the chip; nil if only the name is known.
    public var offset: UInt32?
    /// The channel of another device that makes the line; nil for a line of a GPIO chip.
    public var channel: DeviceChannel?
    /// The model of its chip; nil if it is not known, or no expander.
    public var chipModel: ChipModel?
}

/// The settings of an input line.
public struct ContactPlan: Equatable, Sendable {
    /// A resistor inside the chip.
    public enum Bias: Equatable, Sendable, CaseIterable {
        case asIs, disabled, pullUp, pullDown
    }

    /// The configured resistor; some chips ignore it.
    public var bias: Bias
    /// How the core debounces it.
    public var debounce: DebounceSettings
    /// Time between readings of a line without interrupts; nil for a line with interrupts.
    public var polledEvery: TimeSpan?
}

/// The level of an output after the program ends.
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

    /// How to make sure that a line keeps this level after the last process has ended.
    public var crashRemedy: String {
        switch self {
        case .keep:
            "most drivers keep the level; test yours with `kill -9`, or use a latching relay"
        case .off, .on:
            "fit a resistor of 10 kΩ that pulls the line to its `\(word)` level when the driver "
                + "releases it; `detent run --restart-after 1s` holds the level until the panel "
                + "starts again"
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
    /// When it runs, how long it may take, and what happens afterwards.
    public var settings: ActionSettings
    /// Whether it replaces `{steps}`: the value of an attempt is then a number of detents.
    public var usesSteps = false
}

/// A gesture that runs an action of its own.
public struct GesturePlan: Equatable, Sendable {
    /// The control whose gesture it is.
    public var owner: ControlID
    /// Which gesture.
    public var gesture: ActingGesture
    /// The settings for the engine.
    public var settings: ControlSettings
}

/// One control of the panel.
public struct ControlPlan: Equatable, Sendable {
    /// The key in the panel file.
    public var id: String
    /// The name that people see.
    public var label: String
    /// The kind's word, such as `radio-group`.
    public var kind: String
    /// The words for its values, in files and events.
    public var valueNames: ValueNames
    /// What its device calls them.
    public var deviceWords = DeviceWords.own
    /// The settings for the engine; lines and actions are indices of the plan.
    public var settings: ControlSettings
    /// What it looks like.
    public var look = ControlLook.cap
    /// How the page shows the control.
    public var layout = LayoutPlan()
    /// The level that its outputs get when the panel crashes; nil if the file has no `on-crash`.
    public var crashLevel: ExitLevel?
    /// How its device reports its value without being asked; nil if it does not.
    public var feedback: FeedbackPlan?
}

/// What only the page uses of an item of a menu.
public struct MenuItemLayout: Equatable, Sendable {
    /// The purpose of the item.
    public var role = ButtonRole.normal
    /// Shown instead of its name.
    public var symbol: String?
    /// The group between two separators, from 1.
    public var group = 1
    /// The index of the item whose submenu contains it; nil for an item of the menu itself.
    public var parent: Int?
}

/// The words for a control's values.
public enum ValueNames: Equatable, Sendable {
    /// No values: a button.
    case none
    case onOff
    case threeWay
    case options([String])
    /// Several of these at the same time; one bit for each.
    case several([String])
    /// Commands, which are events, not values.
    case commands([String])
    /// A number; its raw value counts units of the last decimal.
    case number(decimals: Int)
}
