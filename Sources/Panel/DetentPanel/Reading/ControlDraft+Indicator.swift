import DetentCore
import DetentTypes

extension ControlDraft {
    /// The lamps of a control; `optionLamps` are those in the options.
    func indicator(
        options: Int = 0, optionLamps: [YAMLNode] = []
    ) -> IndicatorSettings {
        let node = self["indicator"]
        var settings = IndicatorSettings(patterns: builder.patterns)
        settings.patterns.change(by: self["patterns"])
        settings.patterns.change(by: node?["patterns"])
        if let first = optionLamps.first, node != nil {
            log.error(
                .conflictingKeys, at: first.place,
                "both an option and the control have an `indicator`",
                help: "remove one of them")
        }
        if let node {
            settings.brightness = UInt8(
                clamping: node["brightness"]?.text.flatMap(Measure.percent.whole)
                    ?? Defaults.brightness)
            addLamps(node, options: options, to: &settings)
        } else if let first = optionLamps.first {
            addLamps(optionLamps, options: options, at: first.place, to: &settings)
        }
        settings.hasLevels = builder.haveLevels(settings.lines)
        let hasColors = settings.style == .twoColor || settings.style == .rgb
        let patterns = [self["patterns"], node?["patterns"]]
        if self["kind"]?.text != Kind.indicator.word {
            refusePatternOfOn(patterns)
            settings.patterns[.on] = .steady
        }
        LookCheck(
            log: log, patterns: settings.patterns, colors: hasColors ? settings.colors : nil,
            shown: shownConditions
        ).check(patterns + (hasColors ? [node?["colors"]] : []))
        return settings
    }

    /// The lamp of a control tells what becomes of it: it is steady while all is well.
    private func refusePatternOfOn(_ maps: [YAMLNode?]) {
        for map in maps {
            map?.refuse(["on"], log, .keyNotForKind) {
                (
                    "`\($0)` has a pattern only on an `indicator`: the lamp of a control is steady "
                        + "while all is well",
                    "remove it, or add an `indicator` that shows this control"
                )
            }
        }
    }

    /// The conditions that the lamp can show: an indicator of an expression or a device has few,
    /// and only what has members, or shows it, is mixed.
    private var shownConditions: [LampCondition] {
        guard self["kind"]?.text == Kind.indicator.word else {
            return LampCondition.shown(hasMembers: self["members"] != nil)
        }
        guard let show = self["show"]?.text else {
            return LampCondition.allCases.filter {
                ![.failed, .loading, .confirm, .mixed].contains($0)
            }
        }
        if ConditionReader.isControl(show) {
            return LampCondition.shown(hasMembers: builder.hasMembers)
        }
        return self["output"] == nil ? [.on, .off] : [.fault, .on, .off]
    }

    private func addLamps(
        _ node: YAMLNode, options: Int, to settings: inout IndicatorSettings
    ) {
        if ["red", "green", "blue"].contains(where: { node[$0] != nil }) {
            return addColors(node, to: &settings)
        }
        let colored = "give the lamp the lines `red` and `green`, and optionally `blue`"
        node.refuse(["colors"], log, .keyNotForKind) {
            ("`\($0)` needs a lamp with several colours", colored)
        }
        if let lines = node.items ?? node["lines"]?.items {
            refuseLine(node, beside: "lines", help: "write a map for each line instead")
            return addLamps(lines, options: options, at: node.place, to: &settings)
        }
        settings.lines = PlanRange(first: builder.nextLine, count: 1)
        // The section of indicators has no such keys, so the schema has refused them already.
        builder.addDriven(node, of: self, .indicator, refusing: [])
    }

    /// A lamp for each option.
    private func addLamps(
        _ lamps: [YAMLNode], options: Int, at place: SourcePlace,
        to settings: inout IndicatorSettings
    ) {
        if lamps.count != options {
            log.error(
                .optionsDoNotFit, at: place,
                options == 0
                    ? "a control without options has one lamp, not a list of them"
                    : "\(lamps.count) lamps for \(options) options",
                help: options == 0 ? "write one line" : "give each option a lamp, in their order")
        }
        add(Array(lamps.prefix(Limits.options)), .perOption, to: &settings)
    }

    /// One lamp with a line for each of its colours.
    private func addColors(_ node: YAMLNode, to settings: inout IndicatorSettings) {
        refuseLine(node, beside: "red", help: "keep the lines of the colours")
        let choice = "a control has one lamp of several colours, or a lamp for each option"
        node.refuse(["lines"], log) { ("`\($0)` and `red` cannot be combined", choice) }
        for name in ["red", "green"] where node[name] == nil {
            log.error(
                .missingKey, at: node.place, "a lamp with several colours needs `\(name)`",
                help: "add `\(name):`; a lamp of one colour is a `line`")
        }
        let lines = ["red", "green", "blue"].compactMap { node[$0] }
        add(lines, node["blue"] == nil ? .twoColor : .rgb, to: &settings)
        settings.colors.change(by: builder.colors, lines: lines.count, log: nil)
        settings.colors.change(by: node["colors"], lines: lines.count, log: log)
    }

    private func add(
        _ lamps: [YAMLNode], _ style: IndicatorSettings.Style,
        to settings: inout IndicatorSettings
    ) {
        settings.style = style
        settings.lines = PlanRange(first: builder.nextLine, count: UInt16(lamps.count))
        for lamp in lamps { builder.addDriven(lamp, of: self, .indicator) }
    }

    private func refuseLine(_ node: YAMLNode, beside other: String, help: String) {
        node.refuse(["line", "pin", "chip", "offset", "active", "led", "pwm"], log) {
            ("`\($0)` and `\(other)` cannot be combined", help)
        }
    }
}

extension PatternChoice {
    /// Changes the patterns that a map has.
    mutating func change(by node: YAMLNode?) {
        for entry in node?.entries ?? [] {
            guard let condition = LampCondition(word: entry.name), condition.hasPattern,
                let pattern = entry.value.text.flatMap(Pattern.init(word:))
            else { continue }
            self[condition] = pattern
        }
    }
}

extension ColorChoice {
    /// Changes the colours that a map has, if a lamp with this number of lines can make them. With
    /// a log, the others are errors.
    mutating func change(by node: YAMLNode?, lines: Int, log: ProblemLog?) {
        for entry in node?.entries ?? [] {
            guard let condition = LampCondition(word: entry.name),
                let color = entry.value.text.flatMap(LampColor.init(word:))
            else { continue }
            guard !color.isMade(ofLines: lines) else {
                self[condition] = color
                continue
            }
            let made = LampColor.allCases.filter { $0.isMade(ofLines: lines) }.map(\.word)
            log?.error(
                .colorNotMade, at: entry.value.place,
                "a lamp of red and green cannot be \(color.word)",
                help: "add its `blue` line, or choose one of: \(made.joined(separator: ", "))")
        }
    }
}
