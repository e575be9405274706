import DetentCore
import DetentTypes

/// Gestures that act: each has an action of its own.
extension ControlDraft {
    /// A gesture with an action.
    private struct Acting {
        var gesture: ActingGesture
        var action: YAMLNode
        var key: String
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
            self[key]?["action"].map { Acting(gesture: gesture, action: $0, key: key) }
        }
        found.removeAll { !isPossible($0, settings) }
        for acting in found {
            let place = self[acting.key]?.key("action")?.place ?? acting.action.place
            later { $0.act(on: acting.key, of: Int(control.index), place: place) }
        }
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
        guard let (map, stepFactor) = gestureAction(acting.action, acting.gesture) else { return }
        var settings = ControlSettings(nature: .button, actions: map)
        addSteps(to: &settings, gesture: builder.gestures.count)
        let number = builder.gestures.count
        let hold = self["hold"]?["after"]?.durationValue ?? .zero
        let isShown = acting.gesture == .hold && isExclusive && hold > Self.longestSilentHold
        let its = GestureSettings(
            of: control, acting.gesture, stepFactor: stepFactor,
            shownHold: isShown ? hold : .zero)
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
            .conflictingKeys, at: self[acting.key]?.key("action")?.place ?? acting.action.place,
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
        if acting.gesture == .repetition, self["hold"]?["action"] != nil {
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
        if case .buttonRow = settings.decoder {
            return ("a row has a button for each option", short)
        }
        if isOpenedByPress(settings) { return ("a press of it opens or chooses", short) }
        return nil
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
        case .none, .lever, .selector, .buttonRow: break
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
