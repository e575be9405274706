extension Rule {
    /// A row of segments has two to seven.
    static let segmentedCount = Rule(
        "segmented-count", .warning,
        "A row of segments has two to seven. More segments are too narrow for a finger and too "
            + "many to read at a glance.")
    /// A menu has at most three groups.
    static let tooManyMenuGroups = Rule(
        "too-many-menu-groups", .warning,
        "A menu has at most three groups. With more groups, separators no longer help to find a "
            + "command.")
}

extension PanelLint {
    /// Warns of choices and menus with too many entries.
    func checkCounts(_ control: YAMLNode) {
        let options = control["options"]
        let count = options?.items?.count ?? 0
        if control["kind"]?.text == "segmented", let options, count > 7 {
            log.warning(
                .segmentedCount, at: options.place, "\(count) segments in one row",
                help: "use at most seven, or `kind: pop-up`")
        }
        if control["kind"]?.text == "radio-group", control["buttons"] != nil, let options,
            count > 5
        {
            log.warning(
                .tooManyOptions, at: options.place, "\(count) options on push buttons",
                help: "use at most five on buttons, or `kind: pop-up`")
        }
        checkMenuGroups(control)
    }

    private func checkMenuGroups(_ control: YAMLNode) {
        var groups = 0
        var isInGroup = false
        for item in control["items"]?.items ?? [] {
            if item.text == "separator" {
                isInGroup = false
                continue
            }
            guard !isInGroup else { continue }
            isInGroup = true
            groups += 1
            guard groups == 4 else { continue }
            log.warning(
                .tooManyMenuGroups, at: item.place, "this menu has more than three groups",
                help: "merge two groups, or move one into a submenu")
        }
    }
}
