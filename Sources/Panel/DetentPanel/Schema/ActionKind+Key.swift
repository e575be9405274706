import CInput
import DetentHAL
import DetentTypes

/// Keys of a keyboard and buttons of a joystick, which this machine takes for pressed ones.
extension ActionKind {
    private static let name = Shape.address(.key)

    static let key = ActionKind(
        "key", .runner, .anyOf([name, .list(name, 1...Limits.chordKeys)]),
        "A key or a button of a joystick on this machine, such as `KEY_F5`; or several, which are "
            + "pressed in order, such as `[KEY_LEFTCTRL, KEY_C]`. The `action` of a button presses "
            + "them when it is pressed, and lets go when it is released; else they are tapped.",
        canAnswer: false, carrier: .keys, timeout: .seconds(1), isHeld: true
    ) { node, log in
        let names = (node.items ?? []).filter { $0.text.map(AddressForm.isKey) == true }
        for (place, name) in names.enumerated()
        where names[..<place].contains(where: { $0.text == name.text }) {
            log.error(
                .conflictingKeys, at: name.place, "`\(quoted(name.text ?? ""))` is there twice",
                help: "remove one; a key can be down once")
        }
        let areOfJoystick = names.map {
            detent_input_is_joystick(detent_input_code(0, $0.text ?? "")) != 0
        }
        guard let place = areOfJoystick.firstIndex(where: { $0 != areOfJoystick[0] }) else {
            return
        }
        log.error(
            .conflictingKeys, at: names[place].place,
            "`\(names[0].text ?? "")` and `\(names[place].text ?? "")` are of two devices",
            help: "remove one of them; `sequence` can press one after the other")
    }
}

extension AddressForm {
    /// The name of a key.
    static let key = AddressForm(
        summary: "name of a key", pattern: "^(KEY|BTN)_", thing: "a key", example: "KEY_F5",
        advice: "a name with `KEY_` or `BTN_`", nearest: nearestKey, fits: isKey)

    static func isKey(_ name: String) -> Bool { detent_input_code(0, name) >= 0 }

    private static func nearestKey(_ text: String) -> String? {
        let known = ChannelKind.names(.inputKey)
        let word = text.uppercased()
        let short = known.first { $0 == "KEY_\(word)" || $0 == "BTN_\(word)" }
        return short ?? nearestWord(to: word, among: known)
    }
}
