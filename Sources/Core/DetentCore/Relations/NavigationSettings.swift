public import DetentTypes

/// How one of several options is found without a contact for each: by turning, or by few buttons.
public struct NavigationSettings: Equatable, Sendable, BitwiseCopyable {
    /// When what is found counts.
    public enum Style: Equatable, Sendable, BitwiseCopyable {
        /// The value follows the turn, as soon as that has rested for `settle`.
        case followTurn(settle: TimeSpan)
        /// A turn moves the focus, a press chooses; the focus lapses after `closeAfter`.
        case focus(closeAfter: TimeSpan)
        /// A press opens, a turn moves, a press chooses and closes; it closes by itself after
        /// `closeAfter`.
        case menu(closeAfter: TimeSpan)
    }

    /// What is turned and pressed.
    public enum Hardware: Equatable, Sendable, BitwiseCopyable {
        /// An encoder, with a push contact for the styles that have a press. Where the push has a
        /// hold time, holding it goes back, so it chooses when it is let go before; an item that is
        /// confirmed by its press takes that press itself.
        case encoder
        /// Buttons in this order: up, down, select, and back where there is a fourth.
        case buttons
        /// One button: a hold opens a menu and chooses, a click moves on and begins again at the
        /// end.
        case oneButton
    }

    /// When what is found counts.
    public var style: Style
    /// What is turned and pressed.
    public var hardware: Hardware
    /// How many options or items there are, at most 32.
    public var count: UInt8
    /// The items of a menu in the plan's table; none where they are a flat list of options.
    public var items: PlanRange

    /// Makes the settings.
    public init(style: Style, hardware: Hardware, count: UInt8, items: PlanRange = .none) {
        self.style = style
        self.hardware = hardware
        self.count = count
        self.items = items
    }

    /// Whether a choice ends it; a focus stays for the next press.
    var closesOnChoice: Bool {
        switch style {
        case .followTurn, .menu: true
        case .focus: false
        }
    }

    var isMenu: Bool {
        switch style {
        case .menu: true
        case .followTurn, .focus: false
        }
    }
}

/// One item of a menu; its place among the items of the menu is its value.
public struct MenuItem: Equatable, Sendable, BitwiseCopyable {
    /// The item in whose submenu this one is; 255 for an item of the menu itself.
    public var parent: UInt8
    /// Whether choosing it opens a submenu rather than firing it.
    public var isSubmenu: Bool
    /// What it needs in addition to a choice, if not what the whole menu needs. A chord is not
    /// possible.
    public var confirm: ConfirmSettings

    /// The value of `parent` for items of the menu itself.
    public static var topLevel: UInt8 { 255 }

    /// Makes an item.
    public init(
        parent: UInt8 = MenuItem.topLevel, isSubmenu: Bool = false,
        confirm: ConfirmSettings = .none
    ) {
        self.parent = parent
        self.isSubmenu = isSubmenu
        self.confirm = confirm
    }
}
