extension Rule {
    /// A switch is one thing that is on or off, not a choice between two things.
    static let statesUnlike = Rule(
        "states-unlike", .warning,
        "A switch is one thing that is on or off, not a choice between two things. If the states "
            + "are two ranges, colours or sources, it is unclear which one is on. The rule reports "
            + "only pairs that are certainly two things.")
    /// Names of states say more than on and off.
    static let statesOnOff = Rule(
        "states-on-off", .warning,
        "Names of states say more than on and off. `Yes` answers a question that no label asks, "
            + "and `Enabled` only says on in a longer word.")
}

extension PanelLint {
    /// Reports names of on and off that are equal, or that name two different things.
    func checkStateNames(_ control: YAMLNode) {
        guard control.takes("states", schema), let states = control["states"] else { return }
        let entries = states.entries ?? []
        for (place, entry) in entries.enumerated() {
            guard let name = entry.value.text,
                let twin = entries[..<place].first(where: { $0.value.text == name })
            else { continue }
            log.error(
                .duplicateOption, at: entry.value.place,
                "\(twin.name) and \(entry.name) are both named `\(quoted(name))`",
                help: "use different names")
            return
        }
        guard let on = states["on"]?.text, let off = states["off"]?.text else { return }
        if StateWords.areOnAndOff(on, off) {
            log.warning(
                .statesOnOff, at: states.place,
                "`\(quoted(on))` and `\(quoted(off))` say no more than on and off",
                help: "remove `states`, or name what is different, such as `Open` and `Closed`")
            return
        }
        guard StateWords.areTwoThings(on, off) else { return }
        log.warning(
            .statesUnlike, at: states.place,
            "`\(quoted(on))` and `\(quoted(off))` are two things, not two states of one thing",
            help: "use `kind: radio-group` with these two options, or name the thing that is "
                + "switched")
    }
}

/// Compares the names of two states.
enum StateWords {
    /// Whether they certainly name two things, not one thing on and off.
    static func areTwoThings(_ first: String, _ second: String) -> Bool {
        let words = [first, second].map { $0.lowercased() }
        if words.allSatisfy({ $0.contains(where: \.isNumber) }) { return true }
        // A and B, or X and Y.
        if words.allSatisfy({ $0.count == 1 && $0.allSatisfy(\.isLetter) }) { return true }
        return alternatives.contains { $0.isSuperset(of: words) }
    }

    /// Whether they are other words for on and off, in either order.
    static func areOnAndOff(_ first: String, _ second: String) -> Bool {
        let pair: Set = [first.lowercased(), second.lowercased()]
        return synonyms.contains(pair)
    }

    private static let synonyms: [Set<String>] = [
        ["on", "off"], ["yes", "no"], ["enabled", "disabled"], ["enable", "disable"],
        ["true", "false"], ["active", "inactive"], ["activated", "deactivated"],
        ["switched on", "switched off"], ["turned on", "turned off"],
    ]

    /// Families of words in which no word means that another one is off.
    private static let alternatives: [Set<String>] = [
        [
            "amber", "black", "blue", "cyan", "green", "magenta", "orange", "pink", "purple", "red",
            "violet", "white", "yellow",
        ],
        ["back", "backward", "backwards", "forward", "forwards", "front", "rear", "reverse"],
        ["left", "right"], ["clockwise", "counter-clockwise", "counterclockwise"],
        ["east", "north", "south", "west"],
        ["cool", "cooling", "dry", "heat", "heating"], ["cold", "hot", "lukewarm", "warm"],
        ["celsius", "fahrenheit", "kelvin"], ["imperial", "metric"], ["ac", "dc"],
        ["battery", "diesel", "gas", "generator", "grid", "mains", "solar"],
        ["aux", "bluetooth", "cd", "hdmi", "phono", "radio", "tape", "tv", "usb", "vinyl"],
        ["indoor", "indoors", "outdoor", "outdoors"], ["inside", "outside"],
        ["autumn", "spring", "summer", "winter"], ["coffee", "tea", "water"],
        // Pairs of ways to work and of sources, each named as a whole.
        ["radio", "disc"], ["dipole", "beam"], ["am", "fm"], ["line", "mic"], ["mono", "stereo"],
        ["main", "standby"], ["main", "reserve"], ["local", "remote"], ["internal", "external"],
        ["fast", "slow"], ["day", "night"], ["high", "low"], ["up", "down"],
        ["manual", "automatic"], ["manual", "auto"], ["hand", "auto"], ["usb", "lsb"],
        ["cw", "ssb"], ["analog", "digital"], ["single", "dual"], ["series", "parallel"],
        ["master", "slave"], ["primary", "secondary"], ["input", "output"], ["send", "return"],
        ["coarse", "fine"], ["wide", "narrow"], ["long", "short"],
        ["program", "preview"],
    ]
}
