extension Rule {
    /// A destructive control needs a confirmation.
    static let destructiveWithoutConfirm = Rule(
        "destructive-without-confirm",
        "A destructive control needs a confirmation. A sleeve, a child or a loose contact can "
            + "press any button.")
    /// A command that destroys something has `role: destructive`.
    static let destructiveWord = Rule(
        "destructive-word", .warning,
        "A command that destroys something has `role: destructive`. Only then does it stand apart "
            + "and ask for a confirmation. The rule knows words such as `Erase` and `Delete`.")
    /// The primary button must not be destructive.
    static let destructivePrimary = Rule(
        "destructive-primary",
        "The primary button must not be destructive. People press it without reading.")
    /// A group has at most one primary or prominent button.
    static let severalPrimaries = Rule(
        "several-primaries", .warning,
        "A group has at most one button that is primary or prominent. If two are emphasised, "
            + "neither stands out.")
}

extension PanelLint {
    /// Reports destructive buttons and commands without a confirmation.
    func checkDestructive(_ control: YAMLNode) {
        for command in [control] + commands(of: control) {
            guard let role = command["role"], role.text == "destructive",
                command["confirm"] == nil
            else { continue }
            log.error(
                .destructiveWithoutConfirm, at: role.place,
                "a destructive control fires at a single touch",
                help: "add `\(suggestedConfirm(of: control))` or another confirmation")
        }
    }

    /// A confirmation that a command can have: in a menu on one button a hold is a choice.
    private func suggestedConfirm(of control: YAMLNode) -> String {
        let isOnOneButton = control["items"] != nil && control["input"] != nil
        return isOnOneButton ? "confirm: {press-twice: 3s}" : "confirm: {hold: 2s}"
    }

    /// Warns of buttons and commands that destroy something and do not say so.
    func checkDestructiveWord(_ control: YAMLNode) {
        let own = control["kind"]?.text == "button" ? [(control, control["label"])] : []
        for (command, title) in own + commands(of: control).map({ ($0, $0["name"]) }) {
            guard let title, let text = title.text, command["items"] == nil,
                command["role"]?.text != "destructive",
                let word = DestructiveWords.word(beginning: text)
            else { continue }
            let role = command["role"]?.text.map { "its role is `\(quoted($0))`" }
            log.warning(
                .destructiveWord, at: (command["role"] ?? title).place,
                "`\(quoted(word))` destroys something, but \(role ?? "the command has no role")",
                help: command["confirm"] == nil
                    ? "write `role: destructive` and `\(suggestedConfirm(of: control))`"
                    : "write `role: destructive`")
        }
    }

    /// Reports forms that a destructive button applies, and groups with several buttons that stand
    /// out.
    func checkPrimaries() {
        let appliers = Set(controls.compactMap { $0.control["apply"]?.text })
        var first: [String: String] = [:]
        for (id, control) in controls {
            let applies = appliers.contains(id)
            if applies, let role = control["role"], role.text == "destructive" {
                log.error(
                    .destructivePrimary, at: role.place,
                    "the apply button `\(quoted(id))` is destructive",
                    help: "use another button to apply the form, or remove the role")
            }
            let isPrimary = applies || control["role"]?.text == "primary"
            guard isPrimary || control["style"]?.text == "prominent" else { continue }
            let group = control["group"]?.text ?? ""
            guard let other = first[group] else {
                first[group] = id
                continue
            }
            log.warning(
                .severalPrimaries,
                at: (control[isPrimary ? "role" : "style"] ?? control["label"] ?? control).place,
                "`\(quoted(id))` is \(isPrimary ? "primary" : "prominent"), and "
                    + "`\(quoted(other))` of the same group stands out too",
                help: "keep the more important one emphasised, or move one to another `group`")
        }
    }

    /// The commands of a menu and its submenus, or of a row of momentary buttons.
    func commands(of control: YAMLNode) -> [YAMLNode] {
        let items = control["items"]?.items ?? []
        let all = items + items.flatMap { $0["items"]?.items ?? [] }
        let options = control["selection"]?.text == "momentary" ? control["options"]?.items : nil
        return all + (options ?? [])
    }
}

/// Finds titles of commands that destroy something.
enum DestructiveWords {
    /// The words of a title that surely announce a loss; nil if there are none.
    static func word(beginning title: String) -> String? {
        let words = title.split { !$0.isLetter }.map(String.init)
        guard let first = words.first else { return nil }
        let small = words.map { $0.lowercased() }
        if always.contains(small[0]) { return first }
        // `Format Disk` and `Wipe Data`, and not `Format Text` and `Wipe Windscreen`.
        if ["format", "wipe"].contains(small[0]), !stores.isDisjoint(with: small.dropFirst()) {
            return first
        }
        if small.count == 1, alone.contains(small[0]) { return first }
        let isPhrase = small.count > 1 && phrases.contains(small.prefix(2).joined(separator: " "))
        return isPhrase ? "\(words[0]) \(words[1])" : nil
    }

    private static let always: Set = [
        "annihilate", "delete", "destroy", "erase", "obliterate", "overwrite", "reformat",
        "shred", "uninstall",
    ]
    /// These announce a loss where no second word says what of.
    private static let alone: Set = ["discard", "drop", "kill", "purge", "remove"]
    /// What is lost is named by the second word.
    private static let phrases: Set = [
        "clear all", "clear data", "clear history", "clear log", "clear logs",
        "clear memory", "clear settings", "discard all", "discard changes", "discard data",
        "discard recording", "drop data", "drop database", "drop table", "empty bin",
        "empty trash", "factory reset", "forget all", "forget devices", "forget network",
        "kill all", "kill process", "kill processes", "lose changes", "reinstall system",
        "remove account", "remove all", "remove data", "remove device", "remove everything",
        "remove files", "remove recording", "remove user", "remove users", "reset all",
        "reset device", "reset everything", "reset settings",
        "revert all", "scrap all", "shut down", "trash all", "truncate log", "unpair all",
        "wipe all", "zero all", "zeroize keys",
    ]
    private static let stores: Set = [
        "card", "data", "device", "disc", "disk", "drive", "everything", "memory", "partition",
        "sd", "storage", "usb", "volume",
    ]
}
