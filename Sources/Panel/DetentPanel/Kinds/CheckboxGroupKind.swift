import DetentCore
import DetentTypes

extension Kind {
    /// A parent over checkboxes: on, off, or mixed.
    static let checkboxGroup = Kind(
        word: "checkbox-group",
        look: .checkbox,
        summary: "A parent of checkboxes and other groups: on, off, or mixed if its enabled "
            + "members differ. A press turns all enabled members on, or all off when all are on.",
        requires: [["members"]],
        allows: ["input", "debounce"] + gestures
    ) { draft in
        var settings = ControlSettings(nature: .group)
        draft.addButton(to: &settings)
        settings.indicator = draft.indicator()
        draft.followMembers()
        return Parts(names: .onOff, settings: settings, layout: draft.layout())
    }
}

extension ControlDraft {
    /// Adds the members that a group follows and sets, from `members`.
    func followMembers() {
        later { relations in
            let place = Int(control.index)
            let members = members("members", relations) { member in
                if member.settings.isReported { return "only its device changes it" }
                let kind = member.settings.nature
                return kind.latch != nil || kind.role == .group
                    ? nil : "a group has members that are on or off"
            }
            relations.change(place) { $0.members = members }
            for member in members {
                let at = self["members"]?.place ?? node.place
                relations.look(place, at: member, place: at)
                relations.ask(place, for: member, place: at)
            }
        }
    }
}
