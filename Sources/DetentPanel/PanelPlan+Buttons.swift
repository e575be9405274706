public import DetentCore
public import DetentTypes

extension PanelPlan {
    /// The words for the buttons of a row in their order; empty for any other part.
    ///
    /// A row that only finds one of several has `up`, `down`, `select` and `back`; any other has
    /// the names of its options, or numbers from 1 where it has no names.
    public func buttonWords(of control: ControlID) -> [String] {
        guard controls.indices.contains(Int(control.index)) else { return [] }
        let it = controls[Int(control.index)]
        guard case .buttonRow = it.settings.decoder else { return [] }
        let count = Int(it.settings.contacts.count) - (it.settings.hasGuard ? 1 : 0)
        if navigation(of: it)?.hardware == .buttons {
            return Array(["up", "down", "select", "back"].prefix(max(0, count)))
        }
        let words = it.valueNames.words
        return (0..<max(0, count)).map { words.indices.contains($0) ? words[$0] : String($0 + 1) }
    }

    /// How one of several is found where no contact stands for it; nil where contacts do.
    public func navigation(of control: ControlPlan) -> NavigationSettings? {
        let place = Int(control.settings.relation.index)
        return relations.rules.indices.contains(place) ? relations.rules[place].navigation : nil
    }
}
