import DetentCore
public import DetentPanel
public import DetentTypes

/// A panel with rows of buttons, covers, menus and contracts.
public enum PartsPanel {
    /// Three buttons with an output each.
    public static let bus = ControlID(0)
    /// A menu on four buttons.
    public static let menu = ControlID(1)
    /// A button under a cover.
    public static let arm = ControlID(2)
    /// A button that must be held.
    public static let reboot = ControlID(3)
    /// A lever under a cover.
    public static let lamp = ControlID(4)
    /// Several of three, by a row.
    public static let features = ControlID(5)
    /// A button.
    public static let left = ControlID(6)
    /// Another one.
    public static let right = ControlID(7)
    /// Commands without names.
    public static let keys = ControlID(8)

    /// The panel.
    public static let plan: PanelPlan = {
        var builder = PlanBuilder()
        builder.add(
            "bus", .choice(of: 3), .options(["CAM 1", "CAM 2", "Black"]), .buttonRow,
            contacts: 3, outputs: 3)
        let items = builder.menu(MenuItem(), MenuItem(), MenuItem(confirm: .hold(.seconds(1))))
        builder.add(
            "menu", .commands(3), .commands(["Status", "Beep", "Reboot"]), .buttonRow,
            contacts: 4,
            rules: .with {
                $0.navigation = NavigationSettings(
                    style: .menu(closeAfter: .seconds(10)), hardware: .buttons, count: 3,
                    items: items)
            })
        let button = DecoderSettings.button(ButtonSettings())
        builder.add(
            "arm", .button, .none, button, contacts: 2, rules: .with { $0.confirm = .guarded },
            hasGuard: true)
        builder.add(
            "reboot", .button, .none, button, contacts: 1,
            rules: .with { $0.confirm = .hold(.seconds(1)) },
            action: ActionSettings(timeout: .seconds(1)))
        builder.add("lamp", .onOff(latch: .toggle), .onOff, .lever, contacts: 2, hasGuard: true)
        builder.add(
            "features", .selection(of: 3, minimum: 0, maximum: 3),
            .several(["A", "B", "C"]), .buttonRow, contacts: 3)
        builder.add("left", .button, .none, button, contacts: 1)
        builder.add("right", .button, .none, button, contacts: 1)
        builder.add("keys", .commands(2), .none, .buttonRow, contacts: 2)
        return builder.plan
    }()
}
