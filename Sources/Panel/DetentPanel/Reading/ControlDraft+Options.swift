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
        checkMeanings(names, nodes)
        return OptionList(nodes: nodes, names: names)
    }

    /// Warns if the part has too many options to tell apart.
    func warnAboutOptions(_ count: Int, most: Int, on part: String) {
        guard count > most, let place = self["options"]?.place else { return }
        log.warning(
            .tooManyOptions, at: place, "\(count) options on \(part)",
            help: "use at most \(most), or split the choice into two controls")
    }

    /// Names that mean something else where values are read.
    private func checkMeanings(_ names: [String], _ nodes: [YAMLNode]) {
        let selection = self["selection"]
        // Commands are events, and no value.
        if selection?.text == "momentary" { return }
        let isSeveral = selection?.text == "multiple" || selection?["multiple"] != nil
        for (name, node) in zip(names, nodes) {
            if name == "unknown" || isSeveral && name == "none" {
                log.error(
                    .reservedOption, at: node.place,
                    "an option cannot have the name `\(name)`, which means "
                        + (name == "none" ? "no option" : "that the value is not known"),
                    help: "write another name, such as `Not \(name == "none" ? "Any" : "Known")`")
            } else if builder.broker?.discovery != nil, !isSeveral, Self.isLostAtHomeAssistant(name)
            {
                log.warning(
                    .optionAtHomeAssistant, at: node.place,
                    "Home Assistant does not show the option `\(quoted(name))`",
                    help: "write another name, or `discovery: off` in `mqtt`")
            }
        }
    }

    private static func isLostAtHomeAssistant(_ name: String) -> Bool {
        name.lowercased() == "none" || name == "unavailable"
            || name.first?.isWhitespace == true || name.last?.isWhitespace == true
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
                help: "use each option name only once", related: nodes[first].place)
        }
    }
}
