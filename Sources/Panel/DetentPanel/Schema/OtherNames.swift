/// Names that other programs and parts lists have for what a panel file calls something else.
enum OtherNames {
    /// The names, and the key of the panel file for each.
    private static let keys = [
        "broker": "mqtt", "button": "input", "choices": "options", "clk": "encoder",
        "cmd": "action", "command": "action", "contact": "input", "contacts": "inputs",
        "dt": "encoder", "exec": "action", "gpio": "input", "gpios": "inputs", "icon": "symbol",
        "items": "options", "lamp": "indicator", "led": "indicator", "leds": "indicators",
        "light": "indicator", "name": "label", "on-press": "action", "on_press": "action",
        "pin": "input", "pins": "inputs", "program": "action", "relay": "output",
        "script": "action", "section": "group", "shell": "action", "sw": "input",
        "switch": "input", "title": "label", "type": "kind",
    ]

    /// The key that a name means; nil if no known key has it as another name.
    static func key(for name: String, among known: [String]) -> String? {
        keys[name.lowercased()].flatMap { known.contains($0) ? $0 : nil }
    }
}
