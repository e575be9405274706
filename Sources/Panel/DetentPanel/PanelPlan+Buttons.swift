public import DetentCore
public import DetentTypes

extension PanelPlan {
    /// The words for the buttons of a row, in their order; empty for other parts.
    ///
    /// The buttons of a menu are `up`, `down`, `select` and `back`. Others have the names of the
    /// options, or numbers from 1 if there are no names.
    public func buttonWords(of control: ControlID) -> [String] {
        guard controls.indices.contains(Int(control.index)) else { return [] }
        let controlPlan = controls[Int(control.index)]
        guard case .buttonRow = controlPlan.settings.decoder else { return [] }
        let count = Int(controlPlan.settings.partContacts)
        if navigation(of: controlPlan)?.hardware == .buttons {
            return Array(["up", "down", "select", "back"].prefix(count))
        }
        let words = controlPlan.valueNames.words
        return (0..<count).map { words.indices.contains($0) ? words[$0] : String($0 + 1) }
    }

    /// How an option is chosen without a contact for each option; nil if each has a contact.
    public func navigation(of control: ControlPlan) -> NavigationSettings? {
        relation(of: control)?.navigation
    }
}
