import DetentTypes

/// What is known from elsewhere than the panel: saved values, answers and the word of devices.
extension Engine {
    mutating func handleSaved(_ id: ControlID, _ value: Value) {
        guard let control = existing(id) else { return }
        guard !isStarted, controls[control].kind.accepts(value) else {
            counters.ignoredEvents &+= 1
            return
        }
        controls[control].saved = value
    }

    /// A question has been answered; a value that the control cannot take is no answer.
    @inline(never)
    mutating func handleAnswered(
        _ id: ControlID, _ run: RunID, _ value: Value, _ emit: Emit
    ) {
        guard let control = existing(id) else { return }
        let isPossible = controls[control].kind.accepts(value)
        if !isPossible { counters.ignoredEvents &+= 1 }
        var context = attemptContext(control)
        controls[control].answered(run, isPossible ? value : nil, &context)
        applyChanges(of: context, control, .device, emit)
    }

    @inline(never)
    mutating func handleFeedback(
        _ id: ControlID, _ value: Value, _ emit: Emit
    ) {
        guard let control = existing(id) else { return }
        guard isStarted, controls[control].kind.accepts(value), !controls[control].kind.isDerived
        else {
            counters.ignoredEvents &+= 1
            return
        }
        resetStaleTimer(control)
        switch settings[control].startup.rule {
        case .saved, .device: controls[control].startsAt = .never  // there is nothing left to find
        case .panel, .value: break
        }
        applyChanges(
            controls[control].deviceReported(value), control, .device, emit)
    }
}
