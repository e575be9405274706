import DetentCore
import DetentTypes

/// Reads what the device of a control calls its values.
extension ControlDraft {
    /// What the device calls the values; `checkDevice` reports what is wrong with it.
    func deviceWords(_ names: ValueNames) -> DeviceWords {
        if case .number(let decimals) = names { return deviceScale(decimals) }
        guard let node = self["words"], node.entries != nil, !names.words.isEmpty else {
            return .own
        }
        return .named(names.words.map { node[$0]?.text ?? $0 })
    }

    private func deviceScale(_ decimals: Int) -> DeviceWords {
        let given = ["scale", "offset"].map { self[$0]?.decimalValue }
        guard given.contains(where: { $0 != nil }),
            let scale = given[0] ?? DecimalNumber(String(Defaults.scale)),
            let offset = given[1] ?? DecimalNumber(String(Defaults.offset)),
            scale.digits != 0, max(scale.decimals, offset.decimals) <= Limits.decimals,
            scale.units(decimals: 0) != Int64(Defaults.scale) || offset.digits != 0
        else { return .own }
        return .scaled(DeviceScale(scale: scale, offset: offset, decimals: decimals))
    }

    /// Reports words that no value has, words of two values, and numbers that are too large. Call
    /// it when everything else of the control was read.
    func checkDevice(_ plan: ControlPlan) {
        checkWordsHaveUse(plan)
        switch plan.deviceWords {
        case .named(let words): checkWords(words, plan.valueNames)
        case .own, .scaled: checkScale(plan)
        }
    }

    private func checkWordsHaveUse(_ plan: ControlPlan) {
        guard plan.settings.actions == .none, self["action"] == nil, self["query"] == nil,
            self["feedback"] == nil || plan.feedback?.hasDeviceWords == false
        else { return }
        let own = schema.kind(named: plan.kind).map(schema.keys) ?? []
        refuse(["words", "scale", "offset"].filter(own.contains), .missingKey) {
            (
                "`\($0)` has no effect: nothing is said to a device, and nothing is heard of one",
                "add `action:`, or `feedback:` from a program, a service or messages, or remove "
                    + "`\($0)`"
            )
        }
    }

    private func checkWords(_ words: [String], _ names: ValueNames) {
        let known = names.words
        for entry in self["words"]?.entries ?? [] where !known.contains(entry.name) {
            log.error(
                .unknownWord, at: entry.key.place,
                "`\(quoted(entry.name))` is not a value of this control",
                help: didYouMean(entry.name, among: known) + "values: "
                    + known.joined(separator: ", "))
        }
        for (place, word) in words.enumerated() {
            guard let twin = words[..<place].firstIndex(where: { DeviceWords.areEqual($0, word) }),
                let node = self["words"],
                let value = node[known[place]] ?? node[known[twin]]
            else { continue }
            log.error(
                .sameWord, at: value.place,
                "`\(quoted(known[twin]))` and `\(quoted(known[place]))` are both "
                    + "`\(quoted(word))` for the device",
                help: "give each value another word; a report of the device must mean one of them")
        }
        checkNoWordIsUnknown(words, names)
        // Several options at once: no option has a word of its own.
        guard case .several = names else { return }
        let nothing = ValueNames.several(words).name(of: Value(0))
        guard let place = words.firstIndex(of: nothing),
            let value = self["words"]?[known[place]]
        else { return }
        log.error(
            .sameWord, at: value.place,
            "`\(quoted(known[place]))` and no option at all are both `\(nothing)` for the device",
            help: "give the option another word; a report of the device must mean one of them")
    }

    /// Actions say `unknown` where no value is known. Commands are no values.
    private func checkNoWordIsUnknown(_ words: [String], _ names: ValueNames) {
        if case .commands = names { return }
        guard let place = words.firstIndex(of: "unknown"),
            let value = self["words"]?[names.words[place]]
        else { return }
        log.error(
            .reservedOption, at: value.place,
            "the word of `\(quoted(names.words[place]))` cannot be `unknown`, which means that the "
                + "value is not known",
            help: "write another word, or remove it where the device says `unknown` for no value")
    }

    private func checkScale(_ plan: ControlPlan) {
        if let node = self["scale"], node.decimalValue?.digits == 0 {
            log.error(
                .outOfRange, at: node.place, "`scale` is 0, so every number would be the same",
                help: "write by what a number of the dial is multiplied, such as `2.54`")
        }
        let nodes = ["scale", "offset"].compactMap { self[$0] }
        for node in nodes where (node.decimalValue?.decimals ?? 0) > Limits.decimals {
            log.error(
                .outOfRange, at: node.place,
                "`\(quoted(node.text ?? ""))` has more than \(Limits.decimals) decimals",
                help: "round it to \(Limits.decimals) decimals")
        }
        guard case .scaled(let scale) = plan.deviceWords, let range = plan.settings.nature.range,
            !scale.fits(range.minimum) || !scale.fits(range.maximum), let node = nodes.first
        else { return }
        log.error(
            .outOfRange, at: node.place,
            "the numbers of the device have more than \(DeviceScale.digits) digits",
            help: "write a smaller `scale` or `offset`, or fewer decimals")
    }
}
