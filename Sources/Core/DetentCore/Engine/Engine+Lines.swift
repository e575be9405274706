import DetentTypes

/// Edges, readings and losses: from the lines to the contacts.
extension Engine {
    /// The contact line of an event, or nil (counted) where there is none.
    mutating func contactIndex(_ line: LineID) -> LineIndex? {
        let index = LineIndex(line.index)
        guard lines.contains(index), lines[index].isContact else {
            counters.ignoredEvents &+= 1
            return nil
        }
        return index
    }

    @inline(__always)
    mutating func handleEdge(
        _ line: LineID, _ level: Level, _ sequence: UInt32, stamped stamp: Instant, _ emit: Emit
    ) {
        guard let index = contactIndex(line) else { return }
        let isGap = lines[index].countsGap(sequence)
        guard stamp >= lines[index].lastReading else {
            counters.staleEdges &+= 1
            return
        }
        guard isStarted else {
            lines[index].settle(at: level)  // between the first readings and the start
            return
        }
        // Twice the same level: the edge between is missing. The line is read rather than believed.
        let isRepeated = lines[index].filter.raw == level
        if isGap || isRepeated { repair(index, emit) }
        if isRepeated { return }
        lines[index].countEdge(at: now)
        applyEdge(index, emit)
    }

    mutating func handleReading(
        _ line: LineID, _ level: Level, _ emit: Emit
    ) {
        guard let index = contactIndex(line) else { return }
        lines[index].lastReading = now
        guard isStarted, lines[index].trust != .restarting else {
            lines[index].settle(at: level)
            guard isStarted else { return }
            if lines[index].isFeedback {
                updateDeadline(of: .line(index))
                feedbackLineChanged(index, level, emit)
            } else {
                restart(index, emit)
            }
            return
        }
        lines[index].trust = .certain
        if lines[index].filter.raw != level {
            countLostEdge(ControlIndex(lines[index].control), emit)
            applyEdge(index, emit)
        }
        if lines[index].isFeedback { return }
        let control = ControlIndex(lines[index].control)
        if UInt16(lines[index].contact) == controls[control].decoder.verifiedContact {
            let decoded = controls[control].decoder.levelRead(level, settings[control])
            if !decoded.isEmpty { handleGestures(decoded, control, emit) }
        }
        if settings[control].relation != .none {
            confirmLevel(lines[index].contact, level, control, emit)
            confirmChords(lines[index].contact, level, control, emit)
            verifyFollowed(lines[index].contact, level, control, emit)
        }
    }

    mutating func handleOverflow(_ line: LineID, _ emit: Emit) {
        guard let index = contactIndex(line) else { return }
        repair(index, emit)
    }

    mutating func handleFault(
        _ line: LineID, isFaulty: Bool, _ emit: Emit
    ) {
        let index = LineIndex(line.index)
        guard lines.contains(index) else {
            counters.ignoredEvents &+= 1
            return
        }
        guard lines[index].isFaulty != isFaulty else { return }
        lines[index].isFaulty = isFaulty
        lines[index].lastSequence = 0
        if !isFaulty { lines[index].trust = .restarting }
        let control = ControlIndex(lines[index].control)
        guard controls.contains(control) else { return }
        let before = controls[control].faultyLines
        controls[control].faultyLines = isFaulty ? before &+ 1 : before &- 1
        let after = controls[control].faultyLines
        if (before == 0) != (after == 0) {
            report(.fault(after == 0 ? .none : .line), control, emit)
            // Its flag may be set already, by a control that it shows.
            if isLookedAt { markForTrouble() }
        }
        if isFaulty, let relation = relationIndex(control) {
            abandonConfirmation(control, relation, emit)
            stepLineFailed(line, control, relation, emit)
        }
        // Nothing tells any more when the button is let go.
        if isFaulty, controls[control].nature.input == .fireWhileHeld,
            controls[control].decoder.isDown
        {
            _ = execute(.end(.released), control, .panel, emit)
        }
        refresh(control, emit)
    }

    /// A line's filter has something to do, or the line has been quiet after a burst.
    @inline(__always)
    mutating func fireLine(_ index: LineIndex, _ emit: Emit) {
        applyLineStep(lines[index].deadlineReached(at: now), index, emit)
    }

    @inline(__always)
    private mutating func applyEdge(_ index: LineIndex, _ emit: Emit) {
        applyLineStep(lines[index].edge(at: now), index, emit)
    }

    // Inlined: 60 instructions an edge (Benchmarks/run).
    @inline(__always)
    private mutating func applyLineStep(
        _ step: LineState.Step, _ index: LineIndex, _ emit: Emit
    ) {
        if step.wantsReading { emit(.readLevel(index.id), now) }
        updateDeadline(of: .line(index))
        if let level = step.level {
            contactChanged(index, level, emit)
        } else if lines[index].filter.hasDropped {
            reportDroppedPress(index, emit)
        }
    }

    /// A press came too soon after another, and is over: it has done nothing.
    @inline(never)
    private mutating func reportDroppedPress(_ index: LineIndex, _ emit: Emit) {
        lines[index].filter.tellDropped()
        _ = refuse(.lockedOut, ControlIndex(lines[index].control), .panel, emit)
    }

    /// Edges are missing: count it, and read what the level really is.
    private mutating func repair(_ index: LineIndex, _ emit: Emit) {
        countLostEdge(ControlIndex(lines[index].control), emit)
        guard lines[index].trust != .restarting else { return }
        lines[index].trust = .reading
        emit(.readLevel(index.id), now)
    }

    private mutating func countLostEdge(_ control: ControlIndex, _ emit: Emit) {
        counters.lostEdges &+= 1
        controls[control].lost &+= 1
        report(.lost(count: controls[control].lost), control, emit)
    }

    private mutating func contactChanged(
        _ index: LineIndex, _ level: Level, _ emit: Emit
    ) {
        if lines[index].isFeedback { return feedbackLineChanged(index, level, emit) }
        let contact = lines[index].contact
        let control = ControlIndex(lines[index].control)
        setContact(contact, level, control)
        let decoded = controls[control].decoder.contact(
            contact, closed: controls[control].partClosed, at: now, settings[control])
        // A button that was held at start goes dark without a gesture.
        if decoded.isEmpty, !controls[control].isLampLate {
            updateDeadline(of: .decoder(control))
        } else {
            handleGestures(decoded, control, emit)
        }
    }

    @inline(__always)
    mutating func setContact(_ contact: UInt8, _ level: Level, _ control: ControlIndex) {
        let bit = UInt32(1) << UInt32(contact)
        switch level {
        case .active: controls[control].closed |= bit
        case .inactive: controls[control].closed &= ~bit
        }
    }
}
