import DetentCore

extension Rule {
    /// Destructive items are at the end of their menu.
    static let destructiveLast = Rule(
        "destructive-last", .warning,
        "Destructive items are at the end of their menu. Between other items, one step too many "
            + "chooses them.")
    /// A menu has a display, or a lamp for each item.
    static let menuUnseen = Rule(
        "menu-unseen", .warning,
        "A menu has a display, or a lamp for each item. Without them, a user at the panel does "
            + "not see which item a press would choose.")
}

extension PanelLint {
    /// Warns of a destructive item that another item follows.
    func checkMenuOrder(_ control: YAMLNode) {
        guard control.takes("items", schema), let items = control["items"]?.items else { return }
        for menu in [items] + items.compactMap({ $0["items"]?.items }) {
            let named = menu.filter { $0["name"] != nil }
            guard
                let last = named.lastIndex(where: { $0["role"]?.text != "destructive" }),
                let wrong = named[..<last].first(where: { $0["role"]?.text == "destructive" }),
                let role = wrong["role"]
            else { continue }
            log.warning(
                .destructiveLast, at: role.place,
                "`\(quoted(wrong["name"]?.text ?? ""))` is destructive, and "
                    + "`\(quoted(named[last]["name"]?.text ?? ""))` comes after it",
                help: "move it to the end of its menu, after a `separator`")
        }
    }

    /// Warns of a menu on real parts that shows nothing of its items.
    func checkMenuSeen(_ id: String, _ control: YAMLNode) {
        guard let kind = control["kind"], control["display"] == nil,
            let target = plan.controls.first(where: { $0.id == id }),
            case .menu? = plan.navigation(of: target)?.style,
            target.settings.indicator.style != .perOption
        else { return }
        let noun = control["items"] == nil ? "option" : "item"
        log.warning(
            .menuUnseen, at: kind.place,
            "nothing on the panel shows which \(noun) of this menu has the focus",
            help: "add a display, such as `display: {charlcd: /dev/lcd}`, or a lamp for each "
                + "\(noun)")
    }
}
