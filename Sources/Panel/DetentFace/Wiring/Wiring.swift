public import DetentPanel

/// How the parts of a panel are connected to the header of its board.
public struct Wiring: Equatable, Sendable {
    /// A pin of a header.
    public struct Pin: Equatable, Sendable {
        /// The header's name.
        public var header: String
        /// The number on the header.
        public var number: Int
        /// The name of the pin, such as GPIO17 or GND.
        public var name: String
    }

    /// The resistor that holds an input at rest.
    public enum Pull: Equatable, Sendable {
        /// The resistor inside the chip.
        case inside
        /// A resistor on the board, in words.
        case onBoard(String)
        /// A resistor of `Resistor.pull` from the line to this pin.
        case external(Pin?)
    }

    /// What is between the line and the part.
    public enum Through: Equatable, Sendable {
        case contact(Pull)
        /// The wiper of a potentiometer at a channel of a converter; one end goes to ground, the
        /// other one to this pin. A ladder of resistors is connected like it.
        case wiper(supply: Pin?)
        /// A lamp with its resistor in ohms.
        case lamp(LampColor, ohms: Int)
        /// A lamp that needs a transistor, because of its current or its voltage.
        case lampDriver(LampColor?)
        /// A relay or another load, never without a driver. `hold` is a resistor that keeps the
        /// level of `on-crash`.
        case load(hold: Pin?)
    }

    /// One line of the panel.
    public struct Wire: Equatable, Sendable {
        /// The place of its control in the plan.
        public var control: Int
        /// The control's id.
        public var id: String
        /// What the wire is for, such as `a`, `lamp` or the name of an option.
        public var use: String
        /// The name in the panel file.
        public var line: String
        /// Its pin; nil if it is not on a header.
        public var pin: Pin?
        /// Where the other side of the part is connected: ground or supply; nil if it needs neither
        /// or the header has none.
        public var common: Pin?
        /// What is between the line and the part.
        public var through: Through
    }

    /// A row of the list of parts.
    public struct Part: Equatable, Sendable {
        /// How many.
        public var count: Int
        /// What to buy.
        public var name: String
        /// The controls that need it.
        public var controls: [String]
    }

    /// The panel's name.
    public var panel: String
    /// The label of each control of the plan.
    public var labels: [String]
    /// The board.
    public var board: Board
    /// The current of a lamp in milliamperes.
    public var lampMilliamperes: Int
    /// Every line, in the order of the controls.
    public var wires: [Wire]
    /// What to buy.
    public var parts: [Part]
    /// What the owner has to know.
    public var notes: [String]

    /// The supply of lamps and pull-ups in millivolts: the logic voltage of the board.
    public var supplyMillivolts: Int? { board.logicMillivolts }

    /// Why a panel has no wiring: it names no board.
    public static let needsBoard = (
        cause: "the panel names no board with a header, so its pins are not known",
        remedy: "write `board: NAME` in the panel file; `detent boards` lists the names"
    )

    /// Connects a panel to the board that it names; nil if it names none with a header.
    public init?(_ plan: PanelPlan) {
        guard let board = plan.board.flatMap({ BoardCatalogue.builtIn.board(named: $0).board })
        else { return nil }
        self.init(plan, on: board)
    }

    /// Connects a panel to its board; each common wire goes to the nearest free pin.
    ///
    /// - Parameter board: the board of the plan; with another one the pins are not found.
    public init(_ plan: PanelPlan, on board: Board) {
        var planner = WiringPlanner(plan, board)
        panel = plan.name
        labels = plan.controls.map(\.label)
        self.board = board
        lampMilliamperes = plan.lampMilliamperes
        wires = planner.wires()
        parts = WiringParts.list(plan, wires)
        notes = planner.notes(for: wires)
    }
}

extension Wiring.Pin: CustomStringConvertible {
    /// The pin for people, such as `pin 11 GPIO17`.
    public var description: String { "pin \(number) \(name)" }
}
