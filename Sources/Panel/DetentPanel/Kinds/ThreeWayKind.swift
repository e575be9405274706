import DetentCore
import DetentTypes

extension Kind {
    /// A lever with a centre.
    static let threeWay = Kind(
        word: "three-way",
        look: .threeWay,
        summary: "A lever with three positions: up, center and down. With no contact closed, it is "
            + "at the centre.",
        requires: [["lever"]],
        allows: ["action", "debounce", "settle", "mismatch", "states", "words"] + values + outputs
    ) { draft in
        var settings = ControlSettings(nature: .threeWay)
        settings.decoder = .selector(
            SelectorSettings(settle: draft.settle(), positions: 3, nonePosition: 1))
        if let lever = draft["lever"] {
            settings.contacts = draft.contacts(
                leverContacts(lever, ["down", "up"], of: draft),
                debounce: draft.debounce(default: .lever))
        }
        settings.mismatch = draft.mismatch()
        settings.indicator = draft.indicator(options: ValueNames.threeWay.words.count)
        draft.addOutputs(ValueNames.threeWay.words, to: &settings)
        settings.startup = draft.startup(hasPosition: true, names: .threeWay, default: .center)
        settings.actions = draft.actions(.threeWay)
        return Parts(names: .threeWay, settings: settings, layout: draft.layout())
    }
}
