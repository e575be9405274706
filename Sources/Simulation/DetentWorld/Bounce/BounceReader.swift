public import DetentPanel
import DetentTypes

/// Reads bounce profiles: files of simulator/bounce/, and profiles in a scenario.
public enum BounceReader {
    private static let keys = [
        "id", "closes", "opens", "longest", "tail", "clean-closes", "clean-opens",
        "shortest-pulse", "longest-pulse", "transition", "gap", "travel", "closing", "opening",
    ]
    /// The keys of a model, which say nothing beside a measurement.
    private static let modelKeys = [
        "closes", "opens", "longest", "tail", "shortest-pulse", "longest-pulse",
    ]

    /// A profile: a name, `typical`, or a map with at least `closes`.
    public static func choice(_ node: YAMLNode, _ log: ProblemLog) -> BounceChoice? {
        word(node, log, more: [])?.choice
    }

    /// The same for one control during a run, or `original`.
    package static func change(_ node: YAMLNode, _ log: ProblemLog) -> BounceSelection? {
        word(node, log, more: ["original"])
    }

    private static func word(
        _ node: YAMLNode, _ log: ProblemLog, more: [String]
    ) -> BounceSelection? {
        if node.entries != nil { return profile(node, log).map(BounceSelection.profile) }
        let names = BounceCatalogue.builtIn.names + ["typical"] + more
        switch node.word(of: names, log, "bounce") {
        case nil: return nil
        case "typical": return .typical
        case "original": return .original
        case .some(let name): return .named(name)
        }
    }

    /// A profile from a map: a measurement with `closing` and `opening`, or a model with `closes`.
    /// Nil if these are missing or have problems.
    ///
    /// Missing keys of a model follow from `closes`: see `BounceProfile.init`.
    public static func profile(_ node: YAMLNode, _ log: ProblemLog) -> BounceProfile? {
        guard node.hasOnly(keys, log, in: "a bounce profile") else { return nil }
        func percent(_ key: String) -> UInt8? {
            node[key]?.integer(in: 0...100, log, key).map { UInt8($0) }
        }
        let isMeasured = node["closing"] != nil || node["opening"] != nil
        guard var profile = isMeasured ? measurement(node, log) : model(node, log)
        else { return nil }
        if let tail = percent("tail") { profile.tail = tail }
        if let clean = percent("clean-closes") { profile.cleanCloses = clean }
        if let clean = percent("clean-opens") { profile.cleanOpens = clean }
        if let pulse = time("shortest-pulse", node, log) { profile.shortestPulse = pulse }
        if let gap = time("gap", node, log) { profile.gap = gap }
        if let travel = time("travel", node, log) { profile.travel = travel }
        let words = BounceProfile.Transition.allCases.map(\.rawValue)
        if let word = node["transition"]?.word(of: words, log, "transition") {
            profile.transition = BounceProfile.Transition(rawValue: word) ?? .breakBeforeMake
        }
        return profile
    }

    private static func time(_ key: String, _ node: YAMLNode, _ log: ProblemLog) -> TimeSpan? {
        node[key]?.duration(in: .zero...TimeSpan.seconds(1), log, key)
    }

    private static func model(_ node: YAMLNode, _ log: ProblemLog) -> BounceProfile? {
        guard node["closes"] != nil else {
            return log.refuse(
                .missingKey, at: node.place, "the bounce profile has no `closes`",
                help: "write the bounce time of a closing contact, such as `closes: 3ms`")
        }
        guard let closes = time("closes", node, log) else { return nil }
        return BounceProfile(
            closes: closes, opens: time("opens", node, log), longest: time("longest", node, log),
            longestPulse: time("longest-pulse", node, log))
    }

    private static func measurement(_ node: YAMLNode, _ log: ProblemLog) -> BounceProfile? {
        if let entry = node.entries?.first(where: { modelKeys.contains($0.name) }) {
            return log.refuse(
                .conflictingKeys, at: entry.key.place,
                "`\(entry.name)` cannot be given with a measurement",
                help: "remove it, or remove `closing` and `opening`")
        }
        guard let closing = node["closing"], let opening = node["opening"] else {
            return log.refuse(
                .missingKey, at: node.place, "a measurement has `closing` and `opening`",
                help: "write `[]` for the direction in which the contact never bounces")
        }
        guard let closing = MeasuredBounceReader.bounce(closing, log, "closing"),
            let opening = MeasuredBounceReader.bounce(opening, log, "opening")
        else { return nil }
        return BounceProfile(
            BounceProfile.Measured(closing: closing, opening: opening), cleanCloses: 0,
            cleanOpens: 0)
    }
}

extension YAMLNode {
    /// Whether the node is a map with known keys only; each other key is a problem.
    package func hasOnly(_ known: [String], _ log: ProblemLog, in what: String) -> Bool {
        guard let entries else {
            log.error(
                .wrongType, at: place, "\(what) must be a map, not \(form)",
                help: "keys: \(known.joined(separator: ", "))", known: known.map { $0 + ":" })
            return false
        }
        var isKnown = true
        for entry in entries where !known.contains(entry.name) {
            isKnown = false
            log.error(
                .unknownKey, at: entry.key.place,
                "`\(quoted(entry.name))` is not a valid key of \(what)",
                help: didYouMean(entry.name, among: known)
                    + "keys: \(known.joined(separator: ", "))",
                known: known)
        }
        return isKnown
    }
}
