/// Names that other programs and parts lists have for what a panel file calls something else.
///
/// They count before the distance of letters: `pull` is `bias`, and not a misspelt `poll`. A name
/// that is known here and has no meaning at a place is not compared by letters there.
enum OtherNames {
    /// The names of keys, and the keys that each can mean; the first that a place allows counts.
    private static let keys: [String: [String]] = [
        "broker": ["mqtt"], "button": ["push", "input"], "choices": ["options"],
        "clk": ["a", "encoder"], "cmd": ["run", "action"], "command": ["run", "action"],
        "contact": ["line", "input"], "contacts": ["lines", "buttons", "lever", "encoder"],
        "dt": ["b", "encoder"], "exec": ["run", "action"], "gpio": ["line", "input", "indicator"],
        "gpios": ["lines", "buttons", "lever", "encoder"], "icon": ["symbol"],
        "inputs": ["lines", "buttons", "lever", "encoder"], "items": ["options"],
        "lamp": ["line", "indicator"], "led": ["line", "indicator"],
        "leds": ["lines", "indicators"], "light": ["line", "indicator"], "name": ["line", "label"],
        "on-press": ["action"], "on_press": ["action"], "phase-a": ["a"], "phase-b": ["b"],
        "pin": ["line", "input", "indicator"],
        "pins": ["lines", "buttons", "lever", "encoder"], "program": ["run", "action"],
        "relay": ["output"], "script": ["run", "action"], "section": ["group"],
        "shell": ["run", "action"], "sw": ["push", "input"], "switch": ["push", "input"],
        "title": ["label"], "type": ["kind"],
        "bias-pull": ["bias"], "pull": ["bias"], "pull-mode": ["bias"], "pull_mode": ["bias"],
        "pull-down": ["bias"], "pull-up": ["bias"], "pull_down": ["bias"], "pull_up": ["bias"],
        "pulldown": ["bias"], "pullup": ["bias"], "pud": ["bias"],
        "resistor": ["bias"],
        "active-low": ["active"], "active_low": ["active"], "invert": ["active"],
        "inverted": ["active"], "inverse": ["active"], "negate": ["active"],
        "polarity": ["active"], "steady": ["on"], "delta": ["steps"],
        "state": ["value"], "old": ["previous"], "id": ["control"], "source": ["origin"],
    ]

    /// Kinds that parts lists and other programs know, and what has their place here.
    private static let kinds = [
        "analog": "dial", "binary-sensor": "indicator", "binary_sensor": "indicator",
        "bulb": "indicator", "choice": "radio-group", "combo": "pop-up", "cover": "three-way",
        "dropdown": "pop-up", "encoder": "dial", "fader": "dial", "key": "button",
        "knob": "dial", "lamp": "indicator", "latching": "toggle-button", "led": "indicator",
        "lever": "switch", "light": "indicator", "listbox": "pop-up", "momentary": "button",
        "number": "dial", "output": "switch", "pot": "dial", "potentiometer": "dial",
        "press": "button", "push": "button", "push-button": "button", "pushbutton": "button",
        "relay": "switch", "rocker": "switch", "rotary": "dial", "rotary-encoder": "dial",
        "rotary-switch": "radio-group", "rotary_encoder": "dial", "select": "pop-up",
        "selector": "radio-group", "sensor": "indicator", "slider": "dial", "spdt": "three-way",
        "toggle": "toggle-button", "toggle-switch": "switch", "wheel": "dial",
    ]

    /// Words of single keys.
    private static let words: [String: [String: String]] = [
        "kind": kinds,
        "bias": [
            "up": "pull-up", "pullup": "pull-up", "pull_up": "pull-up", "down": "pull-down",
            "pulldown": "pull-down", "pull_down": "pull-down", "none": "disabled",
            "off": "disabled", "false": "disabled", "true": "pull-up", "on": "pull-up",
        ],
        "active": [
            "0": "low", "1": "high", "gnd": "low", "ground": "low", "inverted": "low",
            "normal": "high", "false": "low", "true": "high",
        ],
    ]

    /// What has the part that a word for a kind names; empty if the kind says it.
    private static let parts = [
        "relay": "`output` is its relay; ", "output": "`output` is its relay; ",
        "pot": "`analog` is its potentiometer; ",
        "potentiometer": "`analog` is its potentiometer; ",
        "toggle": "a lever that stays is a `switch`; ",
    ]

    /// Words for a kind that can mean one of two.
    private static let severalKinds = [
        "menu": "did you mean `pull-down` for commands, or `pop-up` for values? "
    ]

    /// The beginning of a help for an unknown word: what is meant by it; empty if nothing is.
    static func help(for text: String, of key: String, among known: [String]) -> String {
        if key == "kind", let help = severalKinds[text.lowercased()] { return help }
        guard let word = word(for: text, of: key, among: known) else {
            return didYouMean(text, among: known)
        }
        let part = key == "kind" ? parts[text.lowercased()] : nil
        return "did you mean `\(word)`? " + (part ?? "")
    }

    /// The key that a name means; nil if no known key has it as another name.
    static func key(for name: String, among known: [String]) -> String? {
        keys[name.lowercased()]?.first { known.contains($0) }
    }

    /// The key that an unknown one means or is near to; nil if there is none.
    static func meant(by name: String, among known: [String]) -> String? {
        if keys[name.lowercased()] != nil { return key(for: name, among: known) }
        return nearestWord(to: name, among: known)
    }

    /// The word that another word for the value of a key means; nil if there is none.
    static func word(for text: String, of key: String, among known: [String]) -> String? {
        words[key]?[text.lowercased()].flatMap { known.contains($0) ? $0 : nil }
    }

    /// The value of `bias` or `active` that the value of a key with another name means; nil if
    /// both have the same words.
    ///
    /// - Parameter isContact: whether it is one of a contact, which is active low unless it is told
    ///   otherwise.
    static func value(_ text: String?, of name: String, as key: String, isContact: Bool) -> String?
    {
        let text = text?.lowercased() ?? ""
        switch key {
        case "bias":
            if name.lowercased().hasSuffix("down"), text == "true" { return "pull-down" }
            return ["pull-up", "pull-down"].contains(text) ? text : words["bias"]?[text]
        case "active":
            if ["low", "high"].contains(text) { return text }
            guard ["true", "yes", "on", "1"].contains(text) else { return nil }
            return isContact && !name.lowercased().hasPrefix("active") ? "high" : "low"
        case _: return nil
        }
    }
}
