import DetentTypes

/// Checks how devices confirm messages through the broker.
extension ControlDraft {
    /// Checks every `confirm` of the `mqtt` actions in these nodes, also in steps.
    func checkConfirmations(_ names: ValueNames, in nodes: [YAMLNode?]) {
        for node in nodes {
            for entry in node?.entries ?? [] {
                if entry.name == "mqtt", let confirm = entry.value.key("confirm") {
                    check(confirm, entry.value["confirm"], names)
                    checkOther(entry.value["confirm"]?["topic"], than: entry.value["topic"])
                } else {
                    checkConfirmations(names, in: [entry.value])
                }
            }
            checkConfirmations(names, in: node?.items ?? [])
        }
    }

    /// The panel hears its own message, and would take it for the word of the device.
    private func checkOther(_ topic: YAMLNode?, than own: YAMLNode?) {
        guard let topic, let text = topic.text, text == own?.text else { return }
        log.error(
            .invalidArgument, at: topic.place,
            "`\(quoted(text))` is the topic of the message: it would confirm itself",
            help: "write the topic where the device says its value, such as `stat/desk-lamp/POWER`")
    }

    private func check(_ key: YAMLNode, _ confirm: YAMLNode?, _ names: ValueNames) {
        switch names {
        case .none, .commands:
            log.error(
                .conflictingKeys, at: key.place,
                "`confirm` has no effect: this control has no value",
                help: "remove it; the action is done when the broker has the message")
            return
        case .onOff, .threeWay, .options, .several, .number: break
        }
        if let topic = confirm?["topic"], let text = topic.text {
            if text.contains("{") {
                log.error(
                    .invalidArgument, at: topic.place,
                    "`\(quoted(text))` has a placeholder, and the topic of `confirm` cannot",
                    help: "write the topic of the device, such as `stat/desk-lamp/POWER`")
            } else {
                _ = isForeign(text, at: topic.place)
            }
        }
        if let pointer = confirm?["pointer"] { checkPointer(pointer) }
        for entry in confirm?["map"]?.entries ?? [] {
            guard let word = entry.value.text, names.value(named: word) == nil else { continue }
            log.error(
                .unknownWord, at: entry.value.place,
                "`\(quoted(word))` is not a value of this control",
                help: names.words.isEmpty
                    ? "write a number of its range"
                    : didYouMean(word, among: names.words) + "values: "
                        + names.words.joined(separator: ", "),
                known: names.words)
        }
    }
}
