import DetentCore
import DetentTypes

extension ControlDraft {
    /// The role of a button or of a menu's item.
    func role(_ node: YAMLNode) -> ButtonRole {
        ButtonRole(word: node["role"]?.text) ?? Defaults.role
    }

    /// The confirmation in a map's `confirm`, without the lines and controls that it names.
    func confirm(_ node: YAMLNode) -> ConfirmSettings {
        guard let confirm = node["confirm"], let entries = confirm.entries else { return .none }
        let contracts = ["press-twice", "arm", "guard", "chord"].filter { confirm[$0] != nil }
        let isHoldAlone = confirm["hold"] != nil && contracts != ["chord"]
        if contracts.count + (isHoldAlone ? 1 : 0) != 1 {
            log.error(
                .conflictingKeys, at: confirm.place,
                entries.isEmpty ? "`confirm` is empty" : "`confirm` has more than one method",
                help: "keep one of `hold`, `press-twice`, `arm`, `guard`, `chord`; only `chord` "
                    + "may have a `hold` too")
        }
        checkTimes(confirm)
        let hold = confirm["hold"]?.durationValue
        if confirm["chord"] != nil { return .chord(hold: hold ?? Defaults.chordHold) }
        if confirm["guard"] != nil { return .guarded }
        if let within = confirm["press-twice"]?.durationValue { return .pressTwice(within: within) }
        if let time = confirm["arm"]?.durationValue { return .arm(time) }
        return hold.map { .hold($0) } ?? .none
    }

    /// What confirms must have been seen.
    private func checkTimes(_ confirm: YAMLNode) {
        for (key, example) in [("press-twice", "3s"), ("arm", "5s")] {
            guard let node = confirm[key], let time = node.durationValue,
                time <= ConfirmSettings.armingPause
            else { continue }
            log.error(
                .outOfRange, at: node.place,
                "`\(key): \(quoted(node.text ?? ""))` is too short: a press counts after 500ms",
                help: "write more than 500ms, such as `\(key): \(example)`")
        }
    }

    /// Adds the control's confirmation; the guard's contact follows the other contacts.
    func addConfirm(to settings: inout ControlSettings, only allowed: [String]? = nil) {
        let contract = confirm(node)
        guard contract != .none, let confirm = self["confirm"] else { return }
        if let allowed {
            for entry in confirm.entries ?? [] where !allowed.contains(entry.name) {
                log.error(
                    .keyNotForKind, at: entry.key.place,
                    "`\(quoted(entry.name))` is not possible for this kind of control",
                    help: "allowed: \(allowed.joined(separator: ", "))")
            }
        }
        if let cover = confirm["guard"] {
            let first = settings.contacts.count == 0 ? builder.nextLine : settings.contacts.first
            builder.addContact(cover, of: self, debounce: .lever)
            settings.contacts = PlanRange(first: first, count: settings.contacts.count + 1)
            settings.hasGuard = true
        }
        let place = Int(control.index)
        later { relations in
            relations.change(place) { $0.settings.confirm = contract }
            guard confirm["chord"] != nil else { return }
            let draft = ControlDraft(
                id: id, node: confirm, control: control, builder: builder)
            let members = draft.members("chord", relations) { member in
                if case .button = member.settings.decoder { return nil }
                return "a chord needs push buttons"
            }
            relations.change(place) { $0.members = members }
            for member in members {
                relations.look(place, at: member, place: confirm.place)
            }
        }
    }
}
