import DetentTypes

/// Checks of gestures that only report, and of names that mean something else.
extension PanelLint {
    /// Keys of gestures that report an event and do nothing else where they have no action.
    private static let gestureKeys = ["hold", "double-click", "multi-click", "repeat"]

    /// Warns of gestures that nothing hears: no action, no broker and no display.
    func checkGesturesHeard(_ control: YAMLNode) {
        guard root["mqtt"] == nil, plan.displays.isEmpty,
            let kind = schema.kind(named: control["kind"]?.text),
            schema.keys(of: kind).contains("exclusive"), kind.word != Kind.popUp.word,
            kind.word != Kind.pullDown.word,
            // A hold of such a knob goes back.
            kind.word == Kind.dial.word || control["encoder"] == nil
        else { return }
        for key in Self.gestureKeys {
            guard let gesture = control[key], gesture["action"] == nil else { continue }
            log.warning(
                .gestureUnheard, at: control.key(key)?.place ?? gesture.place,
                "`\(key)` only reports an event, and this panel has no broker that hears it",
                help: "give it an `action`, or remove it")
        }
        guard kind.word == Kind.dial.word, let push = control["encoder"]?["push"],
            control["click"]?["action"] == nil,
            !Self.gestureKeys.contains(where: { control[$0] != nil })
        else { return }
        log.warning(
            .gestureUnheard, at: push.place,
            "the push of the knob only reports an event, and this panel has no broker that "
                + "hears it",
            help: "add `click: {action: …}`, or remove `push`")
    }

    /// Warns of a control whose id means something else in an action.
    func checkID(_ id: String) {
        guard TextTemplate.fixedNames.contains(id), let place = root["controls"]?.key(id)?.place
        else { return }
        log.warning(
            .idOfPlaceholder, at: place,
            "in an action, `{\(id)}` does not mean the control `\(id)`",
            help: "give the control another id")
    }

    /// Warns of options that are named as changes: the option is meant.
    func checkOptionWords(_ control: YAMLNode) {
        for option in control["options"]?.items ?? [] {
            let name = option["name"] ?? option
            guard let word = name.text, ControlPlan.changeWords.contains(word) else { continue }
            log.warning(
                .optionAsChange, at: name.place,
                "`\(word)` in `set` means this option, not the change of that name",
                help: "give the option another name")
        }
    }
}
