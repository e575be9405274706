public import DetentActions
public import DetentPanel

/// The wires that a panel uses, and what it hears from them.
struct WirePlan {
    /// Each source once.
    private(set) var feeds: [WireFeed] = []
    /// The places of its sources and actions.
    private(set) var places: Set<WirePlace> = []

    init(_ plan: PanelPlan) {
        for control in plan.controls {
            guard case .wire(let kind, let fields)? = control.feedback?.source else { continue }
            let feed = WireFeed(ActionKindID(kind), fields)
            if !feeds.contains(feed) { feeds.append(feed) }
        }
        places = Set(feeds.compactMap(\.place))
        var pads: [KeyPad] = []
        for action in plan.actions {
            guard case .call(let call) = action.command,
                let place = WirePlace(ActionKindID(call.kind), call.fields)
            else { continue }
            if case .keys(let pad) = place { pads.append(pad) } else { places.insert(place) }
        }
        for pad in KeyPad.pads(of: plan.name, pads) { places.insert(.keys(pad)) }
    }
}

extension Wires {
    /// Makes the devices for the keys of a panel whose feedback is not heard; closes the wires that
    /// it does not use.
    public func keep(_ plan: PanelPlan) {
        hear([], keeping: WirePlan(plan).places) { _, _, _ in }
    }
}
