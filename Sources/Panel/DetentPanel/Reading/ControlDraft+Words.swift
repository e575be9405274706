import DetentCore
import DetentTypes

/// Tries each word of a control where an action puts it into an address, a topic or JSON: what one
/// word makes wrong would be found by the finger that chooses it.
extension ControlDraft {
    /// Tries the words of the control in its actions.
    func tryWords(_ names: ValueNames, optionActions: [YAMLNode?]) {
        let said = deviceWords(names).words(as: names)
        for (word, node) in zip(said, optionActions) { node.map { tryWords([word], in: $0) } }
        guard let node = self["action"], !said.isEmpty else { return }
        guard node.isActionPerValue(builder.schema) else {
            return tryWords(Self.tried(said, names), in: node)
        }
        for entry in node.entries ?? [] {
            guard let place = names.words.firstIndex(of: entry.name) else { continue }
            tryWords([said[place]], in: entry.value)
        }
    }

    /// The words that `{value}` can be; of several options that can be chosen together, each alone,
    /// none, and two.
    private static func tried(_ words: [String], _ names: ValueNames) -> [String] {
        guard case .several = names else { return words }
        return words + ["none", words.prefix(2).joined(separator: "+")]
    }

    /// Tries words in the texts of an action.
    func tryWords(_ words: [String], in node: YAMLNode) {
        for entry in node.entries ?? [] {
            let kind = builder.schema.actionKinds.first { $0.word == entry.name }
            guard let kind, kind.work == .runner, case .section(let section) = kind.shape else {
                for step in entry.value.items ?? [] { tryWords(words, in: step) }
                continue
            }
            for key in builder.schema.keys(in: section) {
                guard let field = entry.value[key.name], let text = field.text,
                    text.contains("{")
                else { continue }
                let names = TextTemplate.names(in: text)
                let template = TextTemplate(text, in: key.shape.language, others: names)
                let others = names.map { _ in "0" }
                func filled(_ word: String) -> String {
                    template.filled(with: ownWords(word, others: others))
                }
                guard key.shape.isAddress || isJSON(filled("0")) else { continue }
                let place = ActionTexts.Text(name: key.name, node: field, shape: key.shape)
                check(words.map { ($0, filled($0)) }, in: place)
            }
        }
    }

    /// Words of this control for a template; only `{value}` and the others matter.
    func ownWords(_ word: String, others: [String]) -> ActionWords {
        ActionWords(
            value: word, previous: word, control: id, origin: "panel",
            group: self["group"]?.text ?? "", others: others)
    }

    /// Checks a text with one word after another in it.
    func check(_ filled: [(word: String, text: String)], in text: ActionTexts.Text) {
        switch text.shape {
        case .address(let form): check(filled, form, at: text.node.place)
        case .body where TextTemplate.beginsAsJSON(text.node.text ?? ""):
            checkJSON(filled, named: text.name, at: text.node.place)
        case _: break
        }
    }

    private func check(
        _ filled: [(word: String, text: String)], _ form: AddressForm, at place: SourcePlace
    ) {
        for (word, text) in filled {
            // A word in a path is encoded; a host cannot be.
            let host = text.firstRange(of: "://").map { text[$0.upperBound...] }
            let isHost = host?.prefix { !"/?#".contains($0) }.contains("%") != true
            if form.fits(text), isHost { continue }
            return log.error(
                .invalidArgument, at: place,
                "the value `\(quoted(word))` makes `\(quoted(text))`, which is not \(form.thing)",
                help: "give the value another name, or the device's own with `words`")
        }
    }

    /// Warns, because a text may begin as JSON does and mean something else.
    private func checkJSON(
        _ filled: [(word: String, text: String)], named name: String, at place: SourcePlace
    ) {
        guard let wrong = filled.first(where: { !isJSON($0.text) }) else { return }
        log.warning(
            .valueNotJSON, at: place,
            "the value `\(quoted(wrong.word))` makes a `\(name)` that is not JSON",
            help: "put quotation marks around the placeholder, or write an action for each value")
    }

    /// Whether a text is JSON.
    func isJSON(_ text: String) -> Bool {
        (try? JSONReader.read(Array(text.utf8), depth: 32)) != nil
    }
}

extension Shape {
    /// Whether it is an address.
    var isAddress: Bool {
        if case .address = self { true } else { false }
    }
}
