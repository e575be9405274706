import DetentTypes

/// Samples of analog lines: from the converter to the position of the part.
extension Engine {
    mutating func handleSample(_ line: LineID, _ sample: Int32, _ emit: Emit) {
        guard let index = contactIndex(line) else { return }
        let control = ControlIndex(lines[index].control)
        guard case .analog = settings[control].decoder, lines[index].contact == 0 else {
            counters.ignoredEvents &+= 1
            return
        }
        lines[index].lastReading = now
        let isKnown = controls[control].decoder.position != nil
        guard isStarted, lines[index].trust != .restarting, isKnown else {
            lines[index].trust = .certain
            controls[control].decoder.start(sample: sample, settings[control])
            if isStarted { restart(index, emit) }
            return
        }
        let decoded = controls[control].decoder.sample(sample, at: now, settings[control])
        if decoded.isEmpty {
            updateDeadline(of: .decoder(control))
        } else {
            handleGestures(decoded, control, emit)
        }
    }
}
