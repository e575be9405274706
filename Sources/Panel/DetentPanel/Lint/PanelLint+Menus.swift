extension Rule {
    /// A menu has at most three groups.
    static let tooManyMenuGroups = Rule(
        "too-many-menu-groups", .warning,
        "A menu has at most three groups. With more groups, separators no longer help to find a "
            + "command.")
    /// A menu or a submenu has two commands or more.
    static let menuOfOne = Rule(
        "menu-of-one", .warning,
        "A menu or a submenu has two commands or more. A single command needs no list; as a button "
            + "it is one press away.")
    /// A menu does not hold every action of its panel.
    static let menuOfAll = Rule(
        "menu-of-all", .warning,
        "A menu does not hold every action of its panel. A menu hides its commands; the most "
            + "important one belongs on a button, where a finger finds it.")
}

extension PanelLint {
    /// Warns of a menu with too many groups, or with a single command.
    func checkMenu(_ control: YAMLNode) {
        guard control.takes("items", schema), let list = control["items"], let items = list.items
        else {
            return
        }
        checkGroups(items)
        let commands = items.filter { $0.text != "separator" }
        if commands.count == 1, commands[0]["items"] == nil {
            log.warning(
                .menuOfOne, at: list.place, "this menu has one command",
                help: "use `kind: button`, or add the commands that belong here")
        } else if commands.count == 1 {
            log.warning(
                .menuOfOne, at: list.place, "this menu has one item, which opens a submenu",
                help: "move the items of the submenu into the menu")
        }
        for command in commands {
            guard let inner = command["items"], inner.items?.count == 1 else { continue }
            log.warning(
                .menuOfOne, at: inner.place, "this submenu has one command",
                help: "move it into the menu")
        }
    }

    private func checkGroups(_ items: [YAMLNode]) {
        let groups = items.split { $0.text == "separator" }
        guard let item = groups.dropFirst(Limits.menuGroups).first?.first else { return }
        log.warning(
            .tooManyMenuGroups, at: item.place, "this menu has more than three groups",
            help: "merge two groups, or move one into a submenu")
    }

    /// Warns of a menu if nothing else on the panel runs an action.
    func checkMenuOfAll() {
        let acting = controls.filter { _, control in
            control["kind"]?.text == "button" || !actions(of: control).isEmpty
        }
        guard acting.count == 1, let menu = acting.first?.control, menu.takes("items", schema),
            actions(of: menu).count > 1, let list = menu["items"]
        else { return }
        log.warning(
            .menuOfAll, at: list.place, "all actions of this panel are in one menu",
            help: "give the most important one a `button`")
    }

    /// Everything that a control can run.
    private func actions(of control: YAMLNode) -> [YAMLNode] {
        let own = [control["action"]]
        let options = control["options"]?.items ?? []
        return (own + (options + commands(of: control)).map { $0["action"] }).compactMap { $0 }
    }
}
