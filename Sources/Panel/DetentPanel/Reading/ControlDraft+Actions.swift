import DetentCore
import DetentTypes

extension ControlDraft {
    /// The control's actions; `optionActions` are those that its options name, in their order.
    func actions(_ names: ValueNames, optionActions: [YAMLNode?] = []) -> ActionMap {
        let own = optionActions.contains { $0 != nil }
        checkConfirmations(names, in: [self["action"]] + optionActions)
        tryWords(names, optionActions: optionActions)
        guard let node = self["action"] else {
            return own ? perValue(optionActions, names) : .none
        }
        if own {
            refuse(
                "action",
                because: "both an option and the control have an action",
                help: "remove one of them")
        }
        guard node.isActionPerValue(builder.schema) else {
            guard let draft = action(node) else { return .none }
            guard let value = draft.valuePlace else { return .any(add(draft)) }
            return forEachValue(draft, names, value)
        }
        return perValue(byValue(node, names), names)
    }

    /// The action of a gesture, and the factor of its steps: zero unless it uses `{steps}`. Nil
    /// with a problem in the log.
    ///
    /// - Parameter options: of a row, the options whose buttons have it; nil in place of others.
    func gestureAction(
        _ node: YAMLNode, _ gesture: ActingGesture, options: [String?]? = nil
    ) -> (map: ActionMap, stepFactor: Int16)? {
        guard var draft = action(node, isTurn: gesture.isTurn) else { return nil }
        if let options {
            tryWords(options.compactMap(\.self), in: node)
            guard draft.valuePlace != nil else { return (.any(add(draft)), 0) }
            let first = builder.nextAction
            var present: UInt32 = 0
            for (place, option) in options.enumerated() where option != nil {
                present |= 1 << UInt32(place)
            }
            _ = add(draft, words: options.filter { $0 != nil })
            return (.perValue(first: first, present: present), 0)
        }
        if let place = draft.valuePlace {
            log.error(
                .wrongType, at: place, "`{value}` in `set` is for the action of a value",
                help: "write the value for the other control")
            return nil
        }
        let usesSteps = node.mentions("{steps}")
        draft.plan.usesSteps = usesSteps
        let factor = Int16(clamping: self["by"]?.integerValue ?? Defaults.stepsOfDetent)
        return (.any(add(draft)), usesSteps ? factor : 0)
    }

    /// The actions of a map by value, in the order of the values.
    private func byValue(_ node: YAMLNode, _ names: ValueNames) -> [YAMLNode?] {
        let words = names.words
        var hasOne = !words.isEmpty
        if case .several = names { hasOne = false }
        guard hasOne else {
            log.error(
                .wrongType, at: node.place,
                "this control has no values, so a map by value is not possible",
                help: "write one action: `action: {run: […], timeout: 5s}`")
            return []
        }
        var actions = [YAMLNode?](repeating: nil, count: words.count)
        for entry in node.entries ?? [] {
            guard let index = words.firstIndex(of: entry.name) else {
                let known = words + builder.schema.keys(in: .action).map(\.name)
                log.error(
                    .unknownWord, at: entry.key.place,
                    "`\(quoted(entry.name))` is not a value of this control",
                    help: didYouMean(entry.name, among: known)
                        + "values: \(words.joined(separator: ", "))",
                    known: words)
                continue
            }
            actions[index] = entry.value
        }
        return actions
    }

    private func perValue(_ nodes: [YAMLNode?], _ names: ValueNames) -> ActionMap {
        let first = builder.nextAction
        let words = names.words
        var present: UInt32 = 0
        for (index, node) in nodes.enumerated() {
            guard let node, let draft = action(node), index < 32 else { continue }
            present |= 1 << UInt32(index)
            _ = add(draft, word: words.indices.contains(index) ? words[index] : nil)
        }
        return present == 0 ? .none : .perValue(first: first, present: present)
    }

    /// An action with `{value}` becomes one action for each value.
    private func forEachValue(
        _ draft: ActionDraft, _ names: ValueNames, _ place: SourcePlace
    ) -> ActionMap {
        let first = builder.nextAction
        var words = names.words.prefix(32)
        if case .several = names { words = [] }
        guard !words.isEmpty else {
            log.error(
                .wrongType, at: place,
                "`{value}` needs named values; this control has none",
                help: "write the value for the other control")
            return .none
        }
        _ = add(draft, words: Array(words))
        return .perValue(first: first, present: UInt32.max >> UInt32(32 - words.count))
    }

    /// Adds an action; `words` are the words of its values, if they are known.
    private func add(_ draft: ActionDraft, words: [String?]) -> ActionID {
        let first = builder.nextAction
        let ids = words.map { _ in builder.add(draft.plan) }
        if let texts = draft.texts { needValues(of: texts, for: ids) }
        if !draft.steps.isEmpty {
            builder.pendingSteps.append(
                StepsDraft(steps: draft.steps, actions: Array(zip(ids, words)), place: draft.place))
        }
        return first
    }

    private func add(_ draft: ActionDraft, word: String? = nil) -> ActionID {
        add(draft, words: [word])
    }

    private func action(_ node: YAMLNode, isTurn: Bool = false) -> ActionDraft? {
        if !isTurn, node.mentions("{steps}") {
            log.error(
                .invalidArgument, at: node.place, "`{steps}` is for the action of `turn`",
                help: "write `{value}`, or the number")
        }
        guard node.entries != nil, let kind = actionKind(of: node, in: .action) else { return nil }
        let steps = steps(of: node, kind)
        var settings = ActionSettings()
        guard readTimeout(of: node, kind, steps, into: &settings) else { return nil }
        settings.onFailure = onFailure(node["on-failure"])
        switch node["supersede"]?.text {
        case "cancel": settings.supersede = .cancel
        case "ignore": settings.supersede = .ignore
        case .none, .some: settings.supersede = .wait
        }
        settings.loadingAfter = node["loading-after"]?.durationValue ?? settings.loadingAfter
        settings.loadingMinimum = node["loading-min"]?.durationValue ?? settings.loadingMinimum
        settings.failedFor = node["failed-for"]?.durationValue ?? settings.failedFor
        return ActionDraft(
            plan: ActionPlan(command: command(of: node, kind), settings: settings), steps: steps,
            texts: ActionTexts(node, kind), place: node.place)
    }

    /// A button begins its action with the press and ends it with the release, if its kind is of
    /// that sort and nothing else decides when the press counts.
    func holdAction(of settings: inout ControlSettings) {
        guard settings.nature == .button, self["confirm"] == nil, let node = self["action"],
            case .button(let button) = settings.decoder, !button.isExclusive,
            builder.schema.actionKinds.contains(where: { $0.isHeld && node[$0.word] != nil })
        else { return }
        settings.nature = .heldButton
    }

    /// The action that asks the device; call it after the control's own actions were added.
    func query(_ settings: ControlSettings) -> ActionID? {
        guard let node = self["query"], let timeout = node["timeout"]?.durationValue else {
            return nil
        }
        if settings.actions == .none, settings.startup.rule != .device {
            log.error(
                .missingKey, at: self.node.key("query")?.place ?? node.place,
                "`query` has no effect without `action`",
                help: "add `action:`, or `startup: device`, or remove `query`")
        }
        guard let kind = actionKind(of: node, in: .query) else { return nil }
        let query = builder.add(
            ActionPlan(
                command: command(of: node, kind), settings: ActionSettings(timeout: timeout)))
        if let texts = ActionTexts(node, kind) { needValues(of: texts, for: [query]) }
        return query
    }

    private func onFailure(_ node: YAMLNode?) -> ActionSettings.OnFailure {
        guard let retry = node?["retry"] else { return node?.text == "keep" ? .keep : .revert }
        return .retry(
            count: UInt8(clamping: retry["count"]?.integerValue ?? 1),
            backoff: retry["backoff"]?.durationValue ?? Defaults.backoff,
            thenKeep: retry["then"]?.text == "keep")
    }
}
