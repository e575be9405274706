extension Rule {
    /// A switch is one thing that is on or off, and not a choice of two things.
    static let statesUnlike = Rule(
        "states-unlike", .warning,
        "A switch is one thing that is on or off, and not a choice of two things. Neither of two "
            + "ranges, colours or sources is the other one switched off, so nobody can guess which "
            + "is on. Only pairs that are surely such are found; others pass.")
}

extension PanelLint {
    /// Reports names of on and off that are equal, or that name two things.
    func checkStateNames(_ control: YAMLNode) {
        guard control.takes("states"), let states = control["states"], let on = states["on"]?.text,
            let off = states["off"]?.text
        else { return }
        if on == off {
            log.error(
                .duplicateOption, at: states["off"]?.place ?? states.place,
                "on and off are both named `\(quoted(off))`", help: "give each a name of its own")
            return
        }
        guard StateWords.areTwoThings(on, off) else { return }
        log.warning(
            .statesUnlike, at: states.place,
            "`\(quoted(on))` and `\(quoted(off))` are two things, not one that is on or off",
            help: "write `kind: radio-group` with these two options, or name what is switched")
    }
}

/// What the names of two states say of each other.
enum StateWords {
    /// Whether neither can be the other one switched off.
    static func areTwoThings(_ first: String, _ second: String) -> Bool {
        let words = [first, second].map { $0.lowercased() }
        if words.allSatisfy({ $0.contains(where: \.isNumber) }) { return true }
        // A and B, or X and Y.
        if words.allSatisfy({ $0.count == 1 && $0.allSatisfy(\.isLetter) }) { return true }
        return alternatives.contains { $0.isSuperset(of: words) }
    }

    /// Words of one family, none of which is the absence of another.
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
