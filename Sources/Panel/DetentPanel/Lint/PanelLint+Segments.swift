extension Rule {
    /// A row of segments has two to five.
    static let segmentedCount = Rule(
        "segmented-count", .warning,
        "A row of segments has two to five. A phone shows five; more are too narrow for a finger "
            + "and too many to read at a glance.")
    /// A segment that can be chosen has a noun as its name, such as `Day`.
    static let segmentNoun = Rule(
        "segment-noun", .warning,
        "A segment that can be chosen has a noun as its name, such as `Day`. A verb promises that "
            + "a press does something. The rule reports only words that are always verbs.")
    /// The name of a segment is in title case.
    static let segmentTitleCase = Rule(
        "segment-title-case", .warning,
        "The name of a segment is in title case. Segments are labels of buttons side by side, so "
            + "a different beginning is easily seen. Units are left as they are.")
    /// The names of segments have similar lengths.
    static let segmentLengths = Rule(
        "segment-lengths", .warning,
        "The names of segments have similar lengths. All segments have the same width, so one long "
            + "name makes a row of empty ones. Segments with symbols are not compared.")
}

extension PanelLint {
    /// Checks the number and the names of the segments of a row.
    func checkSegments(_ control: YAMLNode) {
        guard control["kind"]?.text == "segmented", let list = control["options"],
            let options = list.items
        else { return }
        let isMomentary = control["selection"]?.text == "momentary"
        if options.count > Limits.segments {
            log.warning(
                .segmentedCount, at: list.place, "\(options.count) segments in one row",
                help: "use at most \(Limits.segments), or \(insteadOfSegments(control))")
        }
        for option in options.prefix(Limits.options) {
            let name = option["name"] ?? option
            guard let text = name.text else { continue }
            if !isMomentary, let verb = Verbs.verb(beginning: text) {
                log.warning(
                    .segmentNoun, at: name.place,
                    "the segment begins with the verb `\(quoted(verb))`, but choosing it runs no "
                        + "command",
                    help: "name what is chosen, or write `selection: momentary` for commands")
            } else if let better = TitleCase.corrected(text) {
                log.warning(
                    .segmentTitleCase, at: name.place, "the segment is not in title case",
                    help: "write `\(quoted(better))`")
            }
        }
        checkLengths(options, at: list.place)
    }

    /// What holds more options than a row of segments.
    private func insteadOfSegments(_ control: YAMLNode) -> String {
        if control["selection"]?.text == "momentary" { return "`kind: pull-down`" }
        let isMultiple =
            control["selection"]?.text == "multiple" || control["selection"]?["multiple"] != nil
        return isMultiple ? "a `checkbox` for each" : "`kind: pop-up`"
    }

    private func checkLengths(_ options: [YAMLNode], at place: SourcePlace) {
        let names = options.prefix(Limits.options).filter { $0["symbol"] == nil }
            .compactMap { ($0["name"] ?? $0).text }.sorted { $0.count < $1.count }
        guard let short = names.first, let long = names.last, short != long,
            long.count >= short.count + Self.unlikeBy, long.count >= short.count * Self.unlikeTimes
        else { return }
        log.warning(
            .segmentLengths, at: place,
            "`\(quoted(long))` has \(long.count) characters and `\(quoted(short))` has "
                + "\(short.count)",
            help: "use names of similar length, or a symbol for each segment")
    }

    /// `Off` and `Automatic` are still alike; a name of ten characters more is not.
    private static let unlikeBy = 10
    private static let unlikeTimes = 3
}

/// Finds verbs at the beginning of a segment's name.
enum Verbs {
    /// The first word of a name if it is certainly a verb in the imperative.
    static func verb(beginning name: String) -> String? {
        let word = name.prefix(while: \.isLetter)
        return verbs.contains(word.lowercased()) ? String(word) : nil
    }

    /// Verbs that are neither nouns nor adjectives in the same form.
    private static let verbs: Set = [
        "accept", "activate", "add", "adjust", "apply", "begin", "bring", "calibrate", "choose",
        "confirm", "connect", "continue", "create", "deactivate", "decrease", "delete", "destroy",
        "disable", "disarm", "discard", "disconnect", "edit", "eject", "enable", "enter", "erase",
        "execute", "increase", "initialize", "insert", "install", "overwrite", "proceed",
        "publish", "receive", "reject", "remove", "rename", "replace", "restore", "save", "select",
        "send", "submit", "toggle", "turn", "undo", "uninstall", "unlock", "write",
    ]
}
