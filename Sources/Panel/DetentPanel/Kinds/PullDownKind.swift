import DetentCore
import DetentTypes

extension Kind {
    /// A menu of commands.
    static let pullDown = Kind(
        word: "pull-down",
        look: .menu,
        summary: "A menu of commands; its label is the title. It keeps no state: choosing an item "
            + "runs its action. Separators divide items into groups, and there is one level of "
            + "submenus; destructive items need confirmation.",
        requires: [["encoder", "buttons", "input"], ["items"]],
        allows: ["debounce", "close-after", "words", "on-exit", "on-crash"] + gestures
    ) { draft in
        let list = MenuList(draft)
        let count = list.items.count
        var settings = ControlSettings(nature: .commands(UInt8(clamping: count)))
        draft.addMenuParts(count: count, to: &settings)
        settings.indicator = draft.indicator()
        let names = ValueNames.commands(list.items.map(\.name))
        settings.actions = draft.actions(names, optionActions: list.items.map { $0.node["action"] })
        let items = list.items.map { item in
            MenuItem(
                parent: item.parent.map { UInt8(clamping: $0) } ?? MenuItem.topLevel,
                isSubmenu: item.node["items"] != nil, confirm: draft.confirm(item.node))
        }
        refuseHolds(items, list, draft)
        let place = Int(draft.control.index)
        draft.later { relations in relations.change(place) { $0.items = items } }
        var layout = draft.layout()
        layout.items = list.items.map(\.layout)
        return Parts(names: names, settings: settings, layout: layout)
    }

    private static func refuseHolds(
        _ items: [MenuItem], _ list: MenuList, _ draft: ControlDraft
    ) {
        for (item, source) in zip(items, list.items) {
            switch item.confirm {
            case .hold where draft["input"] != nil:
                draft.log.error(
                    .conflictingKeys, at: source.node["confirm"]?.place ?? source.node.place,
                    "a menu with one button already uses a hold to choose, so a hold cannot "
                        + "confirm",
                    help: "write `confirm: {press-twice: 3s}`")
            case .guarded, .chord:
                draft.log.error(
                    .conflictingKeys, at: source.node["confirm"]?.place ?? source.node.place,
                    "a menu item must be confirmed with the part that chooses it",
                    help: draft["input"] == nil
                        ? "write `confirm: {hold: 2s}`, `{press-twice: 3s}` or `{arm: 5s}`"
                        : "write `confirm: {press-twice: 3s}` or `{arm: 5s}`")
            case .none, .hold, .pressTwice, .arm:
                continue
            }
        }
    }
}

/// The items of a menu in the order of their values: each item before those of its submenu.
struct MenuList {
    struct Item {
        var name: String
        var node: YAMLNode
        /// The index of the item whose submenu contains this one.
        var parent: Int?
        var layout: MenuItemLayout
    }

    private(set) var items: [Item] = []

    init(_ draft: ControlDraft) {
        var groups = 1
        for node in (draft["items"]?.items ?? []).prefix(Limits.menuItems) {
            if node.text == "separator" {
                groups += 1
                continue
            }
            add(node, parent: nil, group: groups, draft)
            let parent = items.count - 1
            for child in (node["items"]?.items ?? []).prefix(Limits.menuItems) {
                add(child, parent: parent, group: groups, draft)
            }
        }
        if items.count > Limits.menuItems, let place = draft["items"]?.place {
            draft.log.error(
                .outOfRange, at: place, "the menu has \(items.count) items, submenus included",
                help: "allowed: up to \(Limits.menuItems)")
        }
        checkNames(draft)
    }

    private mutating func add(
        _ node: YAMLNode, parent: Int?, group: Int, _ draft: ControlDraft
    ) {
        let name = node["name"]?.text ?? ""
        let role = draft.role(node)
        if node["items"] != nil {
            let text = "an item with `items` opens a submenu and does nothing else"
            node.refuse(["action", "confirm"], draft.log) {
                (text, "remove `\($0)`, or move it to an item of the submenu")
            }
        }
        items.append(
            Item(
                name: name, node: node, parent: parent,
                layout: MenuItemLayout(
                    role: role, symbol: node["symbol"]?.text, group: group, parent: parent)))
    }

    private func checkNames(_ draft: ControlDraft) {
        for (index, item) in items.enumerated() where !item.name.isEmpty {
            guard let first = items[..<index].first(where: { $0.name == item.name }) else {
                continue
            }
            draft.log.error(
                .duplicateOption, at: item.node.place,
                "duplicate item `\(quoted(item.name))`; first at line \(first.node.place.line), "
                    + "column \(first.node.place.column)",
                help: "use each item name only once, submenus included",
                related: first.node.place)
        }
    }
}
