import DetentCore
import DetentTypes

/// The options of a choice, in the order of the file.
struct OptionList {
    var nodes: [YAMLNode]
    var names: [String]

    var lamps: [YAMLNode] { nodes.compactMap { $0["indicator"] } }
    var actions: [YAMLNode?] { nodes.map { $0["action"] } }
    var outputs: [YAMLNode?] { nodes.map { $0["output"] } }
    var symbols: [String?] { nodes.map { $0["symbol"]?.text } }
    var captions: [String?] { nodes.map { $0["caption"]?.text } }
}

extension ControlDraft {
    /// The control's options; problems are in the log.
    func options() -> OptionList {
        // More have been reported already; the limit keeps a hostile list cheap.
        let nodes = (self["options"]?.items ?? []).prefix(Limits.options + 1).map { $0 }
        let names = nodes.map { $0.text ?? $0["name"]?.text ?? "" }
        check(names, nodes)
        return OptionList(nodes: nodes, names: names)
    }

    /// Warns if the part has too many options to tell apart.
    func warnAboutOptions(_ count: Int, most: Int, on part: String) {
        guard count > most, let place = self["options"]?.place else { return }
        log.warning(
            .tooManyOptions, at: place, "\(count) options on \(part)",
            help: "use at most \(most), or split the choice into two controls")
    }

    private func check(_ names: [String], _ nodes: [YAMLNode]) {
        guard let place = self["options"]?.place else { return }
        if names.count < 2 {
            log.error(
                .tooFewOptions, at: place, "`options` needs at least two entries",
                help: "name two options or more")
        }
        if names.count == 2, StateWords.areOnAndOff(names[0], names[1]) {
            log.warning(
                .radioOnOff, at: place,
                "`\(quoted(names[0]))` and `\(quoted(names[1]))` are the two values of a switch",
                help: "write `kind: switch`")
        }
        for (index, name) in names.enumerated() {
            guard let first = names[..<index].firstIndex(of: name), !name.isEmpty else { continue }
            log.error(
                .duplicateOption, at: nodes[index].place,
                "duplicate option `\(quoted(name))`; first at line \(nodes[first].place.line), "
                    + "column \(nodes[first].place.column)",
                help: "use each option name only once")
        }
    }
}
