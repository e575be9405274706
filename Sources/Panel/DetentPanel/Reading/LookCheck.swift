import DetentCore

/// Warns of conditions whose lamps look the same, or differ only in colour, which not all people
/// can see.
struct LookCheck {
    let log: ProblemLog
    let patterns: PatternChoice
    /// Nil for lamps with one colour.
    let colors: ColorChoice?
    /// The conditions that the lamp can show.
    let shown: [LampCondition]

    /// Checks the conditions in the maps, each pair once.
    func check(_ maps: [YAMLNode?]) {
        var seen: Set<Set<String>> = []
        for entry in maps.flatMap({ $0?.entries ?? [] }) {
            guard let own = LampCondition(word: entry.name) else { continue }
            let twins = shown.filter {
                $0 != own && isTold($0) && isTold(own) && pattern(of: $0) == pattern(of: own)
            }
            guard let twin = twins.first, seen.insert([own.word, twin.word]).inserted else {
                continue
            }
            warn(own, twin, at: entry.value.place)
        }
    }

    private func isTold(_ condition: LampCondition) -> Bool {
        shown.contains(condition)
            && (condition != .unconfirmed || patterns[.unconfirmed] != .off)
    }

    /// The visible pattern of a condition: none without light; `off` can have a colour.
    private func pattern(of condition: LampCondition) -> Pattern {
        let pattern = patterns[condition]
        guard let colors else { return pattern }
        if colors[condition] == .off { return .off }
        return condition == .off ? .steady : pattern
    }

    private func warn(_ own: LampCondition, _ twin: LampCondition, at place: SourcePlace) {
        guard let colors, colors[own] != colors[twin], pattern(of: own) != .off else {
            log.warning(
                .samePattern, at: place, "`\(own.word)` looks the same as `\(twin.word)`",
                help: "choose another pattern")
            return
        }
        let areValues = Set([own.word, twin.word]) == ["on", "off"]
        log.warning(
            .colorOnly, at: place,
            "`\(own.word)` differs from `\(twin.word)` by its colour only",
            help: areValues ? "leave the lamp dark for off" : "choose another pattern")
    }
}
