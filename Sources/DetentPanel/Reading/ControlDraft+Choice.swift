import DetentCore
import DetentTypes

extension ControlDraft {
    /// A control with one of several options, whatever part it stands on.
    func choice(_ options: OptionList, _ settings: inout ControlSettings) -> Kind.Parts {
        let hasPosition = addChoiceParts(options.names, to: &settings)
        let names = ValueNames.options(options.names)
        finish(options, &settings)
        settings.startup = startup(hasPosition: hasPosition, names: names, standard: Value(0))
        settings.actions = actions(names, optionActions: options.actions)
        return Kind.Parts(
            names: names, settings: settings, layout: layout(optionSymbols: options.symbols))
    }

    /// Lamps and outputs of a control with options.
    func finish(_ options: OptionList, _ settings: inout ControlSettings) {
        settings.mismatch = mismatch()
        settings.indicator = indicator(options: options.names.count, optionLamps: options.lamps)
        addOutputs(options.names, optionOutputs: options.outputs, to: &settings)
    }

    /// Adds the selector, the buttons or the encoder of a choice; true where the part holds its
    /// position.
    func addChoiceParts(_ options: [String], to settings: inout ControlSettings) -> Bool {
        if let selector = self["selector"] {
            addSelector(selector, options, to: &settings)
            refuseGestures("a selector makes none", and: ["close-after"])
            return true
        }
        refuse(
            "mismatch", because: "buttons and encoders have no position that could mismatch",
            help: "remove `mismatch`")
        if let buttons = self["buttons"] {
            addRow(buttons, options, to: &settings)
            refuseGestures("each button of a row only is pressed", and: ["close-after", "settle"])
        } else if let encoder = self["encoder"] {
            addEncoder(encoder, to: &settings, hold: Self.backHold)
            let hasPush = encoder["push"] != nil
            if hasPush {
                refuse(
                    "settle", because: "with `push` a press chooses, so nothing settles",
                    help: "remove `settle`, or remove `push` so that the value follows the turn")
            } else {
                refuse(
                    "close-after", because: "without `push` the value follows the turn",
                    help: "add `push:` to `encoder`, or write `settle:`")
            }
            let settle = self["settle"]?.durationValue ?? Self.turnSettle
            let style: NavigationSettings.Style =
                hasPush
                ? .focus(closeAfter: closeAfter(standard: Self.focusLapse))
                : .followTurn(settle: settle)
            navigate(style, .encoder, count: options.count)
        }
        return false
    }

    /// 600 ms: longer than a press that chooses, and shorter than patience. Holding an encoder's
    /// push so long goes back.
    static let backHold = TimeSpan.milliseconds(600)
    /// 300 ms: three times the pause between two detents of a slow hand.
    static let turnSettle = TimeSpan.milliseconds(300)
    /// 5 s without a press, and what a turn has found is forgotten.
    static let focusLapse = TimeSpan.seconds(5)
    /// 10 s without a touch, and a menu closes.
    static let menuLapse = TimeSpan.seconds(10)

    func closeAfter(standard: TimeSpan) -> TimeSpan {
        self["close-after"]?.durationValue ?? standard
    }

    /// Lets the control find one of several by turning, or by few buttons.
    func navigate(
        _ style: NavigationSettings.Style, _ hardware: NavigationSettings.Hardware, count: Int
    ) {
        let place = Int(control.index)
        let navigation = NavigationSettings(
            style: style, hardware: hardware, count: UInt8(clamping: max(1, min(32, count))))
        later { relations in relations.change(place) { $0.settings.navigation = navigation } }
    }

    /// Adds a button for each option.
    func addRow(_ node: YAMLNode, _ options: [String], to settings: inout ControlSettings) {
        guard let lines = node.items else {
            log.error(
                .wrongType, at: node.place,
                "`buttons` wants a list here: a line for each option",
                help: "write `buttons: [LINE, LINE]`")
            return
        }
        // Without any options their key is missing, and that is reported already.
        if lines.count != options.count, !options.isEmpty {
            log.error(
                .optionsDoNotFit, at: node.place,
                "\(lines.count) buttons for \(options.count) options",
                help: "give each option a button, in their order")
        }
        settings.decoder = .buttonRow
        settings.contacts = contacts(lines, debounce: debounce(standard: .button))
    }

    /// Adds the encoder, the few buttons or the one button of a menu.
    func addMenuParts(count: Int, to settings: inout ControlSettings) {
        let style = NavigationSettings.Style.menu(closeAfter: closeAfter(standard: Self.menuLapse))
        if let encoder = self["encoder"] {
            addEncoder(encoder, to: &settings, hold: Self.backHold)
            if encoder["push"] == nil {
                log.error(
                    .missingKey, at: encoder.place, "a menu needs the encoder's push contact",
                    help: "add `push:` to `encoder`; a press opens the menu and chooses")
            }
            navigate(style, .encoder, count: count)
        } else if let buttons = self["buttons"] {
            addMenuButtons(buttons, to: &settings)
            refuseGestures("the buttons of a menu only are pressed", and: [])
            navigate(style, .buttons, count: count)
        } else if let input = self["input"] {
            var times = gestures()
            if times.hold == .zero { times.hold = Self.backHold }
            settings.decoder = .button(times)
            settings.contacts = contacts([input], debounce: debounce(standard: .button))
            navigate(style, .oneButton, count: count)
        }
    }

    private func addMenuButtons(_ node: YAMLNode, to settings: inout ControlSettings) {
        guard node.entries != nil else {
            log.error(
                .wrongType, at: node.place, "`buttons` wants a map here",
                help: "write `buttons: {up: LINE, down: LINE, select: LINE, back: LINE}`")
            return
        }
        let keys = ["up", "down", "select"]
        for key in keys where node[key] == nil {
            log.error(
                .missingKey, at: node.place, "`buttons` has no `\(key)`",
                help: "add the button that goes \(key == "select" ? "into an item" : key)")
        }
        settings.decoder = .buttonRow
        settings.contacts = contacts(
            (keys + ["back"]).compactMap { node[$0] }, debounce: debounce(standard: .button))
    }

    private func refuseGestures(_ reason: String, and others: [String]) {
        for key in Kind.gestures + others {
            refuse(key, because: "`\(key)` does nothing here: \(reason)", help: "remove it")
        }
    }
}
