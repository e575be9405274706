import DetentCore
import DetentTypes

extension ControlDraft {
    /// A control with one of several options, on any part.
    func choice(_ options: OptionList, _ settings: inout ControlSettings) -> Kind.Parts {
        let hasPosition = addChoiceParts(options.names, to: &settings)
        let names = ValueNames.options(options.names)
        finish(options, &settings)
        settings.startup = startup(hasPosition: hasPosition, names: names, default: Value(0))
        settings.actions = actions(names, optionActions: options.actions)
        return Kind.Parts(
            names: names, settings: settings, layout: layout(options))
    }

    /// Lamps and outputs of a control with options.
    func finish(_ options: OptionList, _ settings: inout ControlSettings) {
        settings.mismatch = mismatch()
        settings.indicator = indicator(options: options.names.count, optionLamps: options.lamps)
        addOutputs(options.names, optionOutputs: options.outputs, to: &settings)
    }

    /// Adds the selector, the buttons or the encoder of a choice; true if the part holds its
    /// position.
    func addChoiceParts(_ options: [String], to settings: inout ControlSettings) -> Bool {
        if hasNoPart { return false }
        if let selector = self["selector"] {
            addSelector(selector, options, to: &settings)
            refuseGestures("a selector cannot make this gesture", and: ["close-after"])
            return true
        }
        if let analog = self["analog"] {
            addLadder(analog, options, to: &settings)
            refuseGestures(
                "a selector cannot make this gesture", and: ["close-after", "debounce"])
            return true
        }
        refuse(
            "mismatch", because: "`mismatch` has no effect: buttons and encoders have no position",
            help: "remove `mismatch`")
        if let buttons = self["buttons"] {
            addRow(buttons, options, to: &settings)
            refuseRowGestures()
            refuse(["close-after", "settle"]) {
                ("`\($0)` has no effect: row buttons report presses only", "remove it")
            }
        } else if let encoder = self["encoder"] {
            addEncoder(encoder, to: &settings, hold: Defaults.backHold)
            let hasPush = encoder["push"] != nil
            if hasPush {
                refuse(
                    "settle",
                    because: "`settle` has no effect with `push`, because a press chooses",
                    help: "remove `settle`, or remove `push` so that the value follows the turn")
            } else {
                refuse(
                    "close-after",
                    because: "`close-after` has no effect without `push`, because "
                        + "the value follows the turn",
                    help: "add `push:` to `encoder`, or write `settle:`")
            }
            let settle = self["settle"]?.durationValue ?? Defaults.turnSettle
            let style: NavigationSettings.Style =
                hasPush
                ? .focus(closeAfter: closeAfter(default: Defaults.focusCloseAfter))
                : .followTurn(settle: settle)
            navigate(style, .encoder, count: options.count)
        }
        return false
    }

    func closeAfter(default span: TimeSpan) -> TimeSpan {
        self["close-after"]?.durationValue ?? span
    }

    /// Lets the control choose an option by turning, or with a few buttons.
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
                "`buttons` must be a list here, with a line for each option",
                help: "write `buttons: [LINE, LINE]`")
            return
        }
        // Missing options have been reported already.
        if lines.count != options.count, !options.isEmpty {
            log.error(
                .optionsDoNotFit, at: node.place,
                "\(lines.count) buttons for \(options.count) options",
                help: "give each option a button, in their order")
        }
        settings.decoder = .buttonRow
        settings.contacts = contacts(lines, debounce: debounce(default: .button))
    }

    /// Adds the encoder, the few buttons or the one button of a menu.
    func addMenuParts(count: Int, to settings: inout ControlSettings) {
        let style = NavigationSettings.Style.menu(
            closeAfter: closeAfter(default: Defaults.menuCloseAfter))
        if let encoder = self["encoder"] {
            addEncoder(encoder, to: &settings, hold: Defaults.backHold)
            if encoder["push"] == nil {
                log.error(
                    .missingKey, at: encoder.place, "a menu needs the encoder's push contact",
                    help: "add `push:` to `encoder`; a press opens the menu and chooses")
            }
            navigate(style, .encoder, count: count)
        } else if let buttons = self["buttons"] {
            addMenuButtons(buttons, to: &settings)
            refuseGestures("menu buttons report presses only", and: [])
            navigate(style, .buttons, count: count)
        } else if let input = self["input"] {
            var times = gestures()
            if times.hold == .zero { times.hold = Defaults.backHold }
            settings.decoder = .button(times)
            settings.contacts = contacts([input], debounce: debounce(default: .button))
            navigate(style, .oneButton, count: count)
        }
    }

    private func addMenuButtons(_ node: YAMLNode, to settings: inout ControlSettings) {
        guard node.entries != nil else {
            log.error(
                .wrongType, at: node.place, "`buttons` must be a map here",
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
            (keys + ["back"]).compactMap { node[$0] }, debounce: debounce(default: .button))
    }

    /// The buttons of a row have the gestures that act.
    func refuseRowGestures() {
        let idle = Kind.gestures.filter { $0 != "exclusive" && self[$0]?["action"] == nil }
        refuse(idle) {
            (
                "`\($0)` has no effect: row buttons report presses only",
                "give it an `action`, or remove it"
            )
        }
    }

    func refuseGestures(_ reason: String, and others: [String]) {
        refuse(Kind.gestures + others) { ("`\($0)` has no effect: \(reason)", "remove it") }
    }
}
