import DetentTypes

/// Conditions on the whole panel: the troubles of all controls, and the broker.
extension Engine {
    /// The panel has lost its broker, or has it again.
    @inline(never)
    mutating func handleBroker(isOffline: Bool) {
        guard isOffline != isBrokerOffline else { return }
        isBrokerOffline = isOffline
        markForTrouble()
    }

    /// A trouble may have begun or ended. Only panels that look at all controls come here.
    @inline(never)
    mutating func markForTrouble() {
        for relation in relations.indices where relations[relation].looksAtPanel {
            markForReevaluation(ControlID(relations[relation].control))
        }
    }

    /// Whether another control has a trouble; what a gesture of the asker has is its own.
    func hasOther(than asker: ControlIndex, _ trouble: Trouble) -> Bool {
        for control in controls.indices where control != asker {
            if acting(control)?.owner == asker.id { continue }
            if has(trouble, control) { return true }
        }
        return false
    }

    /// A control that follows others repeats what they have: only its own lines count.
    private func has(_ trouble: Trouble, _ control: ControlIndex) -> Bool {
        switch trouble {
        case .fault: controls[control].faultyLines != 0
        case .failed: controls[control].state.phase == .failed && !repeats(control)
        case .mismatch: controls[control].flags.contains(.mismatch) && !repeats(control)
        }
    }

    /// Whether a control shows the state of others; also the button that applies a form.
    private func repeats(_ control: ControlIndex) -> Bool {
        if controls[control].nature.isDerived { return true }
        guard let relation = relationIndex(control),
            case .apply = relationSettings[relation].form
        else { return false }
        return true
    }
}
