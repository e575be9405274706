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
        // What an info button reveals, or a disclosure shows, is a thing.
        let role = control["role"]?.text.flatMap(ButtonRole.init(rawValue:))
        guard control["kind"]?.text == "button", role?.isOfThePage != true,
            let label = control["label"],
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
        let start = title.drop { !$0.isLetter }
        let word = start.prefix { $0.isLetter || $0 == "'" || $0 == "-" }
        let small = word.lowercased()
        // `The` and `New` belong to a noun; alone they are names, such as `A`.
        if describing.contains(small) {
            return start.dropFirst(word.count).contains(where: \.isLetter) ? String(word) : nil
        }
        // What is never a verb is none in the plural either.
        let isThing = things.contains(small) || things.contains { $0 + "s" == small }
        return isThing || hasEndingOfNoun(small) ? String(word) : nil
    }

    private static func hasEndingOfNoun(_ word: String) -> Bool {
        guard word.allSatisfy(\.isASCII), !word.contains("-") else { return false }
        if word.hasSuffix("ation") { return !["ration", "station", "vacation"].contains(word) }
        // `Heating` and `Lighting`, and not `String` or `Bring`.
        return word.hasSuffix("ing") && word.dropLast(3).contains { "aeiouy".contains($0) }
    }

    private static let things: Set = [
        "amber", "amplifier", "antenna", "app", "application", "attic", "audio", "automatic",
        "backlight", "balcony", "basement", "basket", "bathroom", "battery", "beacon", "bedroom",
        "bell", "blower", "blue", "boiler", "brightness", "bulb", "buzzer", "cabinet", "cafeteria",
        "calendar", "camera", "cargo", "cart", "cellar", "channel", "chiller", "chimney", "circuit",
        "clipboard", "coffee", "compressor", "computer", "controller", "conveyor", "cooler",
        "corridor", "current", "cyan", "cylinder", "dashboard", "data", "desktop", "device",
        "diagnostics", "door", "drawer", "dryer", "electric", "electricity", "elevator", "engine",
        "entrance", "equipment", "error", "exterior", "extractor", "faucet", "fireplace", "folder",
        "fountain", "freezer", "frequency", "fridge", "furnace", "gallery", "garage", "garden",
        "gearbox", "generator", "hall", "hallway", "heater", "history", "horn", "humidity",
        "hydrant", "hydraulics", "inbox", "indicator", "information", "infrared", "instrument",
        "intercom", "interior", "inverter", "item", "journal", "kettle", "keyboard", "kitchen",
        "ladder", "lamp", "language", "laser", "led", "library", "lightbulb", "lobby", "magenta",
        "magnet", "main", "mains", "maintenance", "manual", "memory", "menu", "microphone", "mixer",
        "mode", "morse", "motor", "movie", "music", "network", "nozzle", "office", "oven", "pantry",
        "parameter", "password", "patio", "phone", "photo", "player", "playlist", "polarity",
        "porch", "pressure", "printer", "projector", "properties", "psu", "purple", "radiator",
        "radio", "reactor", "receipt", "receiver", "red", "refrigerator", "remote", "room",
        "router", "scanner", "sensor", "settings", "siren", "socket", "song", "speaker", "spindle",
        "staircase", "status", "studio", "system", "television", "temperature", "terminal",
        "thermostat", "timer", "toaster", "toilet", "transmitter", "trolley", "turbine", "valve",
        "vehicle", "ventilator", "video", "violet", "volcano", "voltage", "volume", "warehouse",
        "washer", "window", "wizard", "workshop",
    ]

    /// Articles and adjectives, which precede a noun.
    private static let describing: Set = [
        "a", "additional", "an", "another", "bad", "big", "cold", "good", "great", "high", "hot",
        "huge", "inner", "large", "little", "my", "new", "old", "our", "outer", "quick", "small",
        "tall", "that", "the", "their", "these", "third", "this", "those", "upper", "your",
    ]
}
