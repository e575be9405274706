import DetentCore
public import DetentTypes

/// How a control or an item of a menu is confirmed.
public struct ConfirmationPlan: Equatable, Sendable {
    /// The method; its raw value is the key in panel files.
    public enum Method: String, Equatable, Sendable, CaseIterable {
        case hold
        case pressTwice = "press-twice"
        case arm
        case `guard`
        case chord
    }

    /// The method.
    public var method: Method
    /// The time of the method; zero for a guard, and for a chord that needs no hold.
    public var time: TimeSpan
    /// The other buttons of a chord; empty for other methods.
    public var buttons: [ControlID]

    /// Whether a caller that is not at the panel can confirm, by sending the request twice.
    ///
    /// Other confirmations cannot be given remotely; the core refuses such requests.
    public var isPossibleRemotely: Bool {
        switch method {
        case .hold, .pressTwice, .arm: true
        case .guard, .chord: false
        }
    }
}

extension PanelPlan {
    /// How a control is confirmed; nil if it needs no confirmation.
    ///
    /// - Parameter value: the value or the event that is requested. An item of a menu can have its
    ///   own confirmation; nil asks for that of the control.
    public func confirmation(
        of control: ControlID, for value: Value? = nil
    ) -> ConfirmationPlan? {
        guard controls.indices.contains(Int(control.index)),
            let relation = relation(of: self[control])
        else { return nil }
        if let value, let items = relation.navigation?.items.places {
            let item = items.lowerBound + Int(value.raw)
            if items.contains(item), relations.items[item].confirm != .none {
                return ConfirmationPlan(relations.items[item].confirm, buttons: [])
            }
        }
        return ConfirmationPlan(relation.confirm, buttons: members(of: self[control]))
    }
}

extension ConfirmationPlan {
    /// Makes the plan of the core's settings; `buttons` are the members of a chord.
    fileprivate init?(_ settings: ConfirmSettings, buttons: [ControlID]) {
        switch settings {
        case .none: return nil
        case .hold(let time): self.init(method: .hold, time: time, buttons: [])
        case .pressTwice(let time): self.init(method: .pressTwice, time: time, buttons: [])
        case .arm(let time): self.init(method: .arm, time: time, buttons: [])
        case .guarded: self.init(method: .guard, time: .zero, buttons: [])
        case .chord(let time): self.init(method: .chord, time: time, buttons: buttons)
        }
    }
}
