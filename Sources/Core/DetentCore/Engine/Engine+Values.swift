import DetentTypes

/// Values of other controls that actions need, taken when an attempt starts.
extension Engine {
    /// The value of another control; unknown where there is no such control.
    func value(of other: OtherValue) -> Value {
        let control = ControlIndex(other.control)
        guard controls.contains(control) else { return .unknown }
        return other.isShown ? controls[control].shown : controls[control].state.actual
    }

    /// The control whose unknown value keeps an action from starting; nil where none does.
    @inline(never)
    func missingValue(of action: ActionID) -> ControlID? {
        for place in actions[action].values.places {
            let other = neededValue(place, of: action)
            if value(of: other) == .unknown { return other.control }
        }
        for place in actions[action].steps.places {
            switch sequenceSteps[place] {
            case .copy(_, let other, _), .choose(let other, _):
                if value(of: other) == .unknown { return other.control }
            case .run(let step):
                if let missing = missingValue(of: step) { return missing }
            case .set, .change, .fire, .drive, .pulse, .wait:
                break
            }
        }
        return nil
    }

    /// Gives an attempt that starts next what it needs.
    @inline(never)
    func provideValues(of action: ActionID, _ emit: Emit) {
        for place in actions[action].values.places {
            let other = neededValue(place, of: action)
            emit(.provide(other.control, value(of: other)), now)
        }
    }

    private func neededValue(_ place: Int, of action: ActionID) -> OtherValue {
        let number = UInt8(truncatingIfNeeded: place &- Int(actions[action].values.first))
        return OtherValue(
            of: links[place], isShown: actions[action].shownValues & (1 << number) != 0)
    }

    /// Whether something of an action depends on other controls.
    @inline(__always)
    func needsValues(_ action: ActionID) -> Bool {
        actions[action].values.count != 0 || actions[action].steps.count != 0
    }

    /// A request for a change that counts from the shown value.
    mutating func handleChange(
        _ id: ControlID, _ distance: Int32, _ origin: Origin, _ request: RequestID, _ emit: Emit
    ) {
        var answer = Answer.noControl
        if let control = existing(id) {
            if let value = controls[control].nature.changed(controls[control].shown, by: distance) {
                answer = self.request(value, of: control, origin, emit)
            } else {
                answer = refuse(.unsupported, control, origin, emit)
            }
        }
        if request != .none { emit(.answer(request, id, answer), now) }
    }
}
