import DetentCore
import DetentTypes

extension ControlDraft {
    /// Adds the contacts of a rotary selector, one for each option or coded.
    func addSelector(
        _ selector: YAMLNode, _ names: [String], to settings: inout ControlSettings
    ) {
        settings.decoder = .selector(decoder(selector, names))
        settings.contacts = contacts(
            selector.items ?? selector["lines"]?.items ?? [], debounce: debounce(default: .none))
    }

    private func decoder(
        _ selector: YAMLNode, _ names: [String]
    ) -> SelectorSettings {
        let lines = selector.items ?? selector["lines"]?.items ?? []
        var settings = SelectorSettings(
            settle: settle(), positions: UInt8(clamping: names.count))
        if let none = selector["none"], let option = none.text {
            if let index = names.firstIndex(of: option) {
                settings.nonePosition = UInt8(clamping: index)
            } else {
                log.error(
                    .unknownWord, at: none.place, "`\(quoted(option))` is not an option",
                    help: didYouMean(option, among: names)
                        + "options: \(names.map(quoted).joined(separator: ", "))")
            }
        }
        settings.coding =
            SelectorSettings.Coding(word: selector["code"]?.text) ?? Defaults.coding
        check(lines.count, settings, names.count, selector)
        return settings
    }

    private func check(
        _ lines: Int, _ settings: SelectorSettings, _ options: Int, _ selector: YAMLNode
    ) {
        switch settings.coding {
        case .contacts:
            let contacts = options - (selector["none"] == nil ? 0 : 1)
            guard lines != contacts else { return }
            log.error(
                .optionsDoNotFit, at: selector.place,
                "\(lines) contacts for \(options) options",
                help: contacts == options
                    ? "give each option a contact, or name the option without a contact in "
                        + "`selector: {none: …}`"
                    : "give each option except that of `none` a contact")
        case .binary, .gray:
            let help = "remove `none`; no contact closed is the code of the first option"
            selector.refuse(["none"], log) { _ in
                ("a coded selector has a code for each option", help)
            }
            guard lines > 5 || options > 1 << lines || (lines > 1 && options <= 1 << (lines - 1))
            else { return }
            log.error(
                .optionsDoNotFit, at: selector.place,
                "\(lines) coded contacts for \(options) options",
                help: "2 contacts code 3 or 4 options, 3 up to 8, 4 up to 16, 5 up to 24")
        }
    }
}
