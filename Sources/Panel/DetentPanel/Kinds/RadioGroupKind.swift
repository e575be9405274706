import DetentCore
import DetentTypes

extension Kind {
    /// One of several options.
    static let radioGroup = Kind(
        word: "radio-group",
        look: .row,
        summary: "Exactly one of several options: on a rotary selector with a contact for each "
            + "position, with a code or with a ladder of resistors, on a push button for each "
            + "option, or on an encoder.",
        requires: [["selector", "analog", "buttons", "encoder"], ["options"]],
        allows: ["action", "debounce", "settle", "mismatch", "close-after", "words"] + gestures
            + values
            + outputs,
        remedies: [
            "selection": "exactly one option is chosen; for several, use checkboxes: "
                + "`kind: checkbox`, one for each option"
        ],
        canLackPart: true
    ) { draft in
        let options = draft.options()
        var settings = ControlSettings(
            nature: .choice(of: UInt8(clamping: options.names.count)))
        let isSelector = draft["selector"] != nil || draft["analog"] != nil
        if !draft.hasNoPart {
            draft.warnAboutOptions(
                options.names.count, most: isSelector ? 12 : 5,
                on: isSelector ? "one selector" : "one row of buttons or one encoder")
        }
        return draft.choice(options, &settings)
    }
}
