extension Rule {
    /// A button's label begins with a verb for what a press does, such as `Start` or `Reset`.
    static let buttonVerb = Rule(
        "button-verb", .warning,
        "A button's label begins with a verb for what a press does, such as `Start` or `Reset`. A "
            + "noun alone does not say what happens. The rule reports only words that are never "
            + "verbs in English; a word such as `Water` passes.")
}

extension PanelLint {
    /// Warns of a button whose label begins with a word that is not a verb.
    func checkButtonTitle(_ control: YAMLNode) {
        guard control["kind"]?.text == "button", let label = control["label"],
            let text = label.text, let word = ButtonTitle.noun(beginning: text)
        else { return }
        log.warning(
            .buttonVerb, at: label.place,
            "the label begins with `\(quoted(word))`, which is not a verb",
            help: "begin with a verb, such as `Start` or `Reset`")
    }
}

/// Finds nouns at the beginning of a button's label.
///
/// Nearly every short English noun is a verb too, so a list of verbs would not help. This knows
/// nouns of panels that are never verbs, and two endings that only nouns have.
enum ButtonTitle {
    /// The first word of a label if it is certainly not a verb.
    static func noun(beginning title: String) -> String? {
        let word = title.drop { !$0.isLetter }.prefix { $0.isLetter || $0 == "'" || $0 == "-" }
        let small = word.lowercased()
        return things.contains(small) || hasEndingOfNoun(small) ? String(word) : nil
    }

    private static func hasEndingOfNoun(_ word: String) -> Bool {
        guard word.allSatisfy(\.isASCII), !word.contains("-") else { return false }
        if word.hasSuffix("ation") { return !["ration", "station", "vacation"].contains(word) }
        // `Heating` and `Lighting`, and not `String` or `Bring`.
        return word.hasSuffix("ing") && word.dropLast(3).contains { "aeiouy".contains($0) }
    }

    private static let things: Set = [
        "amplifier", "audio", "automatic", "backlight", "basement", "battery", "beacon", "bedroom",
        "bell", "blower", "boiler", "brightness", "bulb", "buzzer", "cabinet", "camera", "chiller",
        "compressor", "conveyor", "cooler", "current", "data", "device", "diagnostics", "door",
        "drawer", "electric", "electricity", "engine", "entrance", "exterior",
        "extractor", "freezer", "frequency", "fridge", "furnace", "garage", "garden", "generator",
        "hall", "hallway", "heater", "horn", "humidity", "hydraulics", "information", "instrument",
        "intercom", "interior", "kitchen", "lamp", "laser", "led", "main", "mains", "maintenance",
        "manual", "memory", "menu", "microphone", "mode", "motor", "music", "network", "nozzle",
        "oven", "phone", "polarity", "pressure", "printer", "projector", "psu", "radiator", "radio",
        "remote", "room", "sensor", "siren", "socket", "speaker", "spindle", "status", "system",
        "temperature", "terminal", "thermostat", "valve", "vehicle", "ventilator", "video",
        "voltage", "volume", "window", "workshop",
    ]
}
