extension Rule {
    /// A switch is one thing that is on or off, not a choice between two things.
    static let statesUnlike = Rule(
        "states-unlike", .warning,
        "A switch is one thing that is on or off, not a choice between two things. If the states "
            + "are two ranges, colours or sources, it is unclear which one is on. The rule reports "
            + "only pairs that are certainly two things.")
}

extension PanelLint {
    /// Reports names of on and off that are equal, or that name two different things.
    func checkStateNames(_ control: YAMLNode) {
        guard control.takes("states"), let states = control["states"], let on = states["on"]?.text,
            let off = states["off"]?.text
        else { return }
        if on == off {
            log.error(
                .duplicateOption, at: states["off"]?.place ?? states.place,
                "on and off are both named `\(quoted(off))`", help: "use two different names")
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

    /// Families of words in which no word means that another one is off.
    private static let alternatives: [Set<String>] = [
        [
            "amber", "black", "blue", "cyan", "green", "magenta", "orange", "pink", "purple", "red",
            "violet", "white", "yellow",
        ],
        ["back", "backward", "backwards", "forward", "forwards", "front", "rear", "reverse"],
        ["left", "right"], ["clockwise", "counter-clockwise", "counterclockwise"],
        ["east", "north", "south", "west"],
        ["cool", "cooling", "dry", "heat", "heating"],
        ["celsius", "fahrenheit", "kelvin"], ["imperial", "metric"], ["ac", "dc"],
        ["battery", "diesel", "gas", "generator", "grid", "mains", "solar"],
        ["aux", "bluetooth", "cd", "hdmi", "phono", "radio", "tape", "tv", "usb", "vinyl"],
        ["indoor", "indoors", "outdoor", "outdoors"], ["inside", "outside"],
        ["autumn", "spring", "summer", "winter"], ["coffee", "tea", "water"],
    ]
}
