import DetentCore
import DetentTypes

extension ControlDraft {
    /// The lamps of a control, `optionLamps` being those that its options name.
    func indicator(
        options: Int = 0, optionLamps: [YAMLNode] = []
    ) -> IndicatorSettings {
        var patterns = builder.patterns
        patterns.change(by: self["patterns"])
        patterns.change(by: self["indicator"]?["patterns"])
        checkDistinct(patterns)
        guard let node = self["indicator"] else {
            guard !optionLamps.isEmpty else { return IndicatorSettings(patterns: patterns) }
            return perOption(optionLamps, options: options, at: optionLamps[0].place, patterns)
        }
        if let first = optionLamps.first {
            log.error(
                .conflictingKeys, at: first.place,
                "an option has a lamp of its own, and the control has `indicator` too",
                help: "keep one of the two")
        }
        if let lines = node.items ?? node["lines"]?.items {
            for key in ["line", "pin", "chip", "offset", "active"] {
                guard let wrong = node.key(key) else { continue }
                log.error(
                    .conflictingKeys, at: wrong.place, "`\(key)` and `lines` exclude each other",
                    help: "write a map for each line instead")
            }
            return perOption(lines, options: options, at: node.place, patterns)
        }
        let first = builder.nextLine
        // The section of indicators has no such keys, so they have been refused already.
        builder.addDriven(node, of: self, .indicator, refusing: [])
        return IndicatorSettings(lines: LineRange(first: first, count: 1), patterns: patterns)
    }

    private func perOption(
        _ lamps: [YAMLNode], options: Int, at place: SourcePlace, _ patterns: PatternChoice
    ) -> IndicatorSettings {
        if lamps.count != options {
            log.error(
                .optionsDoNotFit, at: place,
                options == 0
                    ? "a control without options has one lamp, not a list of them"
                    : "\(lamps.count) lamps for \(options) options",
                help: options == 0 ? "write one line" : "give each option a lamp, in their order")
        }
        let first = builder.nextLine
        let bounded = lamps.prefix(Limits.options)
        for lamp in bounded { builder.addDriven(lamp, of: self, .indicator) }
        return IndicatorSettings(
            style: .perOption, lines: LineRange(first: first, count: UInt16(bounded.count)),
            patterns: patterns)
    }

    /// Warns where this control's own patterns make two conditions look the same.
    private func checkDistinct(_ patterns: PatternChoice) {
        let all = patterns.byName
        for changes in [self["patterns"], self["indicator"]?["patterns"]] {
            for entry in changes?.entries ?? [] {
                guard let own = all.first(where: { $0.name == entry.name }) else { continue }
                let twins = all.filter { $0.name != own.name && $0.pattern == own.pattern }
                    .map(\.name).filter { Set([$0, own.name]) != ["loading", "confirm"] }
                guard let twin = twins.first else { continue }
                log.warning(
                    .samePattern, at: entry.value.place,
                    "`\(own.name)` looks the same as `\(twin)`", help: "choose another pattern")
            }
        }
    }
}

extension PatternChoice {
    /// Takes the patterns that a map names.
    mutating func change(by node: YAMLNode?) {
        for entry in node?.entries ?? [] {
            guard let pattern = entry.value.text.flatMap(Pattern.init(word:)) else { continue }
            switch entry.name {
            case "fault": fault = pattern
            case "failed": failed = pattern
            case "loading": loading = pattern
            case "confirm": confirm = pattern
            case "mismatch": mismatch = pattern
            case "stale": stale = pattern
            case "mixed": mixed = pattern
            case "disabled": disabled = pattern
            default: continue
            }
        }
    }

    fileprivate var byName: [(name: String, pattern: Pattern)] {
        [
            ("fault", fault), ("failed", failed), ("loading", loading), ("confirm", confirm),
            ("mismatch", mismatch), ("stale", stale), ("mixed", mixed), ("disabled", disabled),
        ]
    }
}
