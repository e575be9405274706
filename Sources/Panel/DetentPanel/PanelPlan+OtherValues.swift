public import DetentCore

/// The value of another control that an action has in its texts.
public struct NeededValue: Equatable, Sendable {
    /// The name in braces, such as `axis` or `axis.shown`.
    public var placeholder: String
    /// The words for the control's values.
    public var names: ValueNames

    /// What follows the id of a control whose shown value is meant.
    static let shown = ".shown"
}

extension PanelPlan {
    /// The values of other controls that an action needs, in the order in which an attempt has
    /// them.
    public func otherValues(of action: ActionSettings) -> [NeededValue] {
        action.values.places.enumerated().map { number, place in
            let control = self[relations.links[place]]
            let isShown = action.shownValues & (1 << UInt8(number)) != 0
            return NeededValue(
                placeholder: control.id + (isShown ? NeededValue.shown : ""),
                names: control.valueNames)
        }
    }
}
