import DetentCore
import DetentTypes

extension Kind {
    /// `input` alone is a lever, which holds its position; `latch` makes it a push button.
    static let `switch` = Kind(
        word: "switch",
        look: .switch,
        summary: "On or off, at once. With `input` alone, or with `lever: {on, off}`, it is a part "
            + "that holds its position; with `latch`, it is a push button. With `members`, it is "
            + "a master switch: it shows what they are, and sets all of them.",
        requires: [["input", "lever"]],
        allows: [
            "action", "debounce", "latch", "mismatch", "output", "pulse", "on-exit", "on-crash",
            "states",
            "auto-off",
            "confirm",
            "members",
            "words",
        ]
            + gestures + values,
        canLackPart: true,
        reasonAgainstStaging:
            "a switch always acts at once; use `kind: checkbox` for a staged setting"
    ) { draft in
        let isButton = draft["latch"] != nil
        let hasPart = !draft.hasNoPart
        var settings = ControlSettings(nature: .onOff(latch: draft.latch()))
        if isButton {
            draft.refuse(
                "lever", because: "`lever` holds its position, and `latch` is for push buttons",
                help: "remove one of the two")
            draft.refuse(
                "mismatch", because: "`mismatch` has no effect: a push button has no position",
                help: "remove `mismatch`, or remove `latch` if this is a lever")
            settings.decoder = .button(draft.gestures())
        } else if hasPart {
            let help = "add `latch: toggle` if this is a push button"
            draft.refuse(gestures) { ("`\($0)` is not possible with a lever", help) }
            settings.decoder = .lever
        }
        if hasPart { settings.contacts = contacts(draft, isButton: isButton) }
        draft.addConfirm(to: &settings, only: ["guard"])
        settings.mismatch = draft.mismatch()
        settings.indicator = draft.indicator()
        if draft["members"] != nil {
            makeMaster(&settings, draft)
            return Parts(names: .onOff, settings: settings, layout: draft.layout())
        }
        draft.addOutput(to: &settings)
        settings.startup = draft.startup(
            hasPosition: hasPart && !isButton, names: .onOff, default: .off)
        settings.actions = draft.actions(.onOff)
        return Parts(names: .onOff, settings: settings, layout: draft.layout())
    }

    /// A switch over others: it has no value, no device and no output of its own.
    private static func makeMaster(_ settings: inout ControlSettings, _ draft: ControlDraft) {
        let own = ["action", "output", "pulse", "on-exit", "on-crash", "auto-off"] + values
        let reason = "has no effect: a switch with `members` follows them"
        draft.refuse(own) { ("`\($0)` \(reason)", "move `\($0)` to the members") }
        if draft["latch"] != nil, draft.latch() != .toggle {
            draft.refuse(
                "latch", because: "a switch with `members` can only toggle them",
                help: "write `latch: toggle`")
        }
        settings.nature = .group
        draft.followMembers()
    }

    private static func contacts(_ draft: ControlDraft, isButton: Bool) -> PlanRange {
        let debounce = draft.debounce(default: isButton ? .button : .lever)
        if let input = draft["input"] { return draft.contacts([input], debounce: debounce) }
        guard let lever = draft["lever"] else { return .none }
        return draft.contacts(
            leverContacts(lever, ["on", "off"], of: draft), debounce: debounce)
    }

    /// The two contacts of a lever with these keys; other keys are errors.
    static func leverContacts(
        _ lever: YAMLNode, _ keys: [String], of draft: ControlDraft
    ) -> [YAMLNode] {
        for entry in lever.entries ?? [] where !keys.contains(entry.name) {
            guard draft.schema.key(entry.name, in: .lever) != nil else { continue }
            draft.log.error(
                .keyNotForKind, at: entry.key.place,
                "`\(entry.name)` is not a contact of this lever",
                help: "allowed: \(keys.joined(separator: ", "))")
        }
        return keys.compactMap { key in
            if let contact = lever[key] { return contact }
            draft.log.error(
                .missingKey, at: lever.place, "`lever` has no `\(key)`",
                help: "add the contact that is closed in that position")
            return nil
        }
    }
}
