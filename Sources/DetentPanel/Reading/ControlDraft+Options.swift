import DetentCore
import DetentTypes

/// The options of a choice as the file lists them.
struct OptionList {
    var nodes: [YAMLNode]
    var names: [String]

    var lamps: [YAMLNode] { nodes.compactMap { $0["indicator"] } }
    var actions: [YAMLNode?] { nodes.map { $0["action"] } }
    var outputs: [YAMLNode?] { nodes.map { $0["output"] } }
    var symbols: [String?] { nodes.map { $0["symbol"]?.text } }
}

extension ControlDraft {
    /// The control's options; problems are in the log.
    func options() -> OptionList {
        // More are an error already; the bound keeps a hostile list cheap.
        let nodes = (self["options"]?.items ?? []).prefix(Limits.options + 1).map { $0 }
        let names = nodes.map { $0.text ?? $0["name"]?.text ?? "" }
        check(names, nodes)
        return OptionList(nodes: nodes, names: names)
    }

    /// Warns where people cannot tell so many options apart on such a part.
    func warnAboutOptions(_ count: Int, most: Int, on part: String) {
        guard count > most, let place = self["options"]?.place else { return }
        log.warning(
            .tooManyOptions, at: place, "\(count) options on \(part)",
            help: "people tell up to \(most) apart; split the choice")
    }

    private func check(_ names: [String], _ nodes: [YAMLNode]) {
        guard let place = self["options"]?.place else { return }
        if names.count < 2 {
            log.error(
                .tooFewOptions, at: place, "a choice of \(names.count) is none",
                help: "name two options or more")
        }
        if Set(names.map { $0.lowercased() }) == ["on", "off"] {
            log.warning(
                .radioOnOff, at: place, "a choice of on and off is a switch",
                help: "write `kind: switch`")
        }
        for (index, name) in names.enumerated() {
            guard let first = names[..<index].firstIndex(of: name), !name.isEmpty else { continue }
            log.error(
                .duplicateOption, at: nodes[index].place,
                "option `\(quoted(name))` stands twice; first at line "
                    + "\(nodes[first].place.line), column \(nodes[first].place.column)",
                help: "name each option once")
        }
    }
}
