import DetentCore
import DetentTypes

/// Gestures that act: each has an action of its own.
extension ControlDraft {
    /// A gesture with an action.
    private struct Acting {
        var gesture: ActingGesture
        var action: YAMLNode
        var key: String
        /// What the key has beside the action; nil for a turn.
        var node: YAMLNode?
        /// Of a row: a bit for each button that has it, and the option if it is that of one alone.
        var buttons: UInt32 = 0
        var option: String?

        /// Where the action is in the file.
        var place: SourcePlace { node?.key("action")?.place ?? action.place }
    }

    /// The keys of presses that can act, in the order of the documents.
    private static let pressGestures: [(key: String, gesture: ActingGesture)] = [
        ("click", .click), ("double-click", .doubleClick), ("multi-click", .multiClick),
        ("hold", .hold), ("repeat", .repetition),
    ]

    /// Adds the gestures of the control that act; call it after the control's own actions and steps
    /// were added.
    func addGestures(to settings: inout ControlSettings, _ kind: Kind) {
        var found = Self.pressGestures.compactMap { key, gesture in
            self[key]?["action"].map {
                Acting(gesture: gesture, action: $0, key: key, node: self[key])
            }
        }
        found = isRowOfOptions(settings) ? ofButtons(found) : found
        found.removeAll { !isPossible($0, settings) }
        for acting in found {
            later { $0.act(on: acting.key, of: Int(control.index), place: acting.place) }
        }
        checkOptionGestures(settings)
        let waits = found.contains { $0.gesture.makesPressWait }
        if self["exclusive"] != nil, !waits {
            refuse(
                "exclusive", because: "`exclusive` has no effect: no gesture waits for a press",
                help: "remove `exclusive`, or give `hold` or `double-click` an `action`")
        }
        let isExclusive = waits && (self["exclusive"]?.booleanValue ?? Defaults.isExclusive)
        if isExclusive { makeExclusive(&settings, found, kind) }
        for acting in found + turns(settings) { add(acting, isExclusive: isExclusive) }
    }

    private func add(_ acting: Acting, isExclusive: Bool) {
        guard
            let (map, stepFactor) = gestureAction(
                acting.action, acting.gesture, options: rowWords(acting))
        else { return }
        var settings = ControlSettings(nature: .button, actions: map)
        addSteps(to: &settings, gesture: builder.gestures.count)
        let number = builder.gestures.count
        let after = acting.node?["after"] ?? acting.node?["gap"]
        let isShown =
            acting.gesture == .hold && isExclusive
            && after?.durationValue ?? .zero > Self.longestSilentHold
        var its = GestureSettings(
            of: control, acting.gesture, stepFactor: stepFactor,
            shownHold: isShown ? after?.durationValue ?? .zero : .zero)
        if acting.buttons != 0 {
            its.row = RowGesture(
                buttons: acting.buttons, after: after?.durationValue ?? .zero,
                every: acting.node?["every"]?.durationValue ?? .zero,
                count: UInt8(clamping: acting.node?["count"]?.integerValue ?? 2),
                isExclusive: isExclusive && acting.gesture.makesPressWait)
        }
        builder.gestures.append(
            GesturePlan(owner: control, gesture: acting.gesture, settings: settings))
        later { relations in
            relations.change(relations.performer(number, of: Int(control.index))) {
                $0.settings.acting = its
            }
        }
    }

    /// A hold that takes longer shows how far it is: people take a press that does nothing for half
    /// a second for one that was not noticed.
    private static let longestSilentHold = TimeSpan.milliseconds(500)

    // MARK: Rows

    /// Whether the control has a button for each option.
    private func isRowOfOptions(_ settings: ControlSettings) -> Bool {
        settings.decoder == .buttonRow && self["buttons"]?.items != nil
    }

    private var optionNodes: [YAMLNode] {
        (self["options"]?.items ?? []).prefix(Limits.options).map { $0 }
    }

    /// The gestures of the buttons of a row: those of single options, and for all others those
    /// beside `options`.
    private func ofButtons(_ found: [Acting]) -> [Acting] {
        var all: [Acting] = []
        for (key, gesture) in Self.pressGestures {
            var rest: UInt32 = 0
            for (place, option) in optionNodes.enumerated() {
                guard let node = option[key] else {
                    rest |= 1 << UInt32(place)
                    continue
                }
                guard let action = node["action"] else { continue }
                all.append(
                    Acting(
                        gesture: gesture, action: action, key: key, node: node,
                        buttons: 1 << UInt32(place), option: option["name"]?.text ?? ""))
            }
            if var common = found.first(where: { $0.key == key }), rest != 0 {
                common.buttons = rest
                all.append(common)
            }
        }
        return all
    }

    /// The words that `{value}` can be in a gesture of a row; nil elsewhere.
    private func rowWords(_ acting: Acting) -> [String?]? {
        guard acting.buttons != 0 else { return nil }
        return optionNodes.enumerated().map { place, option in
            acting.buttons & (1 << UInt32(place)) == 0 ? nil : option.text ?? option["name"]?.text
        }
    }

    /// Reports gestures of single options without a button of their own, and without an action.
    private func checkOptionGestures(_ settings: ControlSettings) {
        for option in optionNodes {
            for (key, _) in Self.pressGestures {
                guard let node = option[key] else { continue }
                if !isRowOfOptions(settings) {
                    log.error(
                        .conflictingKeys, at: option.key(key)?.place ?? node.place,
                        "`\(key)` of an option needs a button for each option",
                        help: "write `buttons: [LINE, LINE]`, or remove it")
                } else if node["action"] == nil {
                    log.error(
                        .missingKey, at: option.key(key)?.place ?? node.place,
                        "`\(key)` of an option has no `action`",
                        help: "add `action:`, or remove it")
                }
            }
        }
    }

    // MARK: Turns

    private func turns(_ settings: ControlSettings) -> [Acting] {
        guard let node = self["turn"], case .encoder = settings.decoder else { return [] }
        if !node.mentions("{steps}") {
            refuse(
                "by", because: "`by` multiplies `{steps}`, and no action of `turn` uses it",
                help: "write `{steps}` into the action, or remove `by`")
        }
        guard node.isActionPerValue(schema) else {
            return [Acting(gesture: .turn, action: node, key: "turn")]
        }
        let ways: [(String, ActingGesture)] = [("up", .turnUp), ("down", .turnDown)]
        for entry in node.entries ?? [] where !ways.contains(where: { $0.0 == entry.name }) {
            log.error(
                .unknownWord, at: entry.key.place,
                "`\(quoted(entry.name))` is no way to turn a dial",
                help: "write `turn: {up: …, down: …}`, or one action")
        }
        return ways.compactMap { word, gesture in
            node[word].map { Acting(gesture: gesture, action: $0, key: "turn") }
        }
    }

    // MARK: What cannot act

    private func isPossible(_ acting: Acting, _ settings: ControlSettings) -> Bool {
        guard let (cause, help) = obstacle(to: acting, settings) else { return true }
        log.error(
            .conflictingKeys, at: acting.place,
            "`\(acting.key)` cannot act here: \(cause)", help: help)
        return false
    }

    private func obstacle(
        to acting: Acting, _ settings: ControlSettings
    ) -> (cause: String, help: String)? {
        let short = "remove its `action`"
        if acting.gesture == .click {
            guard case .encoder = settings.decoder,
                settings.nature.role != .events
                    || self["turn"] != nil
            else { return ("a click is what the control is for", "write `action:` at the control") }
        }
        if acting.gesture == .repetition, isHeld(acting) {
            return (
                "`hold` acts, and one press does one thing", "remove one of the two actions"
            )
        }
        if case .latch(let latch)? = Optional(settings.nature.input), latch != .toggle {
            return (
                "the length of a press has a meaning already (`latch`)", "write `latch: toggle`"
            )
        }
        if self["confirm"] != nil || self["role"]?.text == "destructive" {
            return ("a press of it is part of its confirmation", short)
        }
        if isRowOfOptions(settings) { return nil }
        if case .buttonRow = settings.decoder {
            return ("its buttons move through the list", short)
        }
        if isOpenedByPress(settings) { return ("a press of it opens or chooses", short) }
        return nil
    }

    /// Whether a hold acts on a button that repeats.
    private func isHeld(_ acting: Acting) -> Bool {
        guard acting.buttons != 0 else { return self["hold"]?["action"] != nil }
        return optionNodes.enumerated().contains { place, option in
            acting.buttons & (1 << UInt32(place)) != 0
                && (option["hold"] ?? self["hold"])?["action"] != nil
        }
    }

    /// Whether the button finds one of several: lists, menus, and choices on an encoder.
    private func isOpenedByPress(_ settings: ControlSettings) -> Bool {
        if case .options = settings.nature.domain { return true }
        return false
    }

    private func makeExclusive(
        _ settings: inout ControlSettings, _ found: [Acting], _ kind: Kind
    ) {
        switch settings.decoder {
        case .button(var button):
            button.isExclusive = true
            settings.decoder = .button(button)
        case .encoder(var encoder):
            encoder.push?.isExclusive = true
            settings.decoder = .encoder(encoder)
        case .none, .lever, .selector, .buttonRow, .analog: break
        }
        guard kind.word == Kind.switch.word || kind.word == Kind.checkbox.word,
            let acting = found.first(where: { $0.gesture.makesPressWait })
        else { return }
        log.warning(
            .gestureDelaysSwitch, at: self[acting.key]?.place ?? node.place,
            "the switch waits for its `\(acting.key)` before it changes",
            help: "write `kind: toggle-button`, or `exclusive: false` to change at once")
    }
}

extension ActingGesture {
    /// Whether what a press does without it has to wait for it.
    fileprivate var makesPressWait: Bool {
        switch self {
        case .doubleClick, .multiClick, .hold: true
        case .click, .repetition, .turn, .turnUp, .turnDown: false
        }
    }
}
