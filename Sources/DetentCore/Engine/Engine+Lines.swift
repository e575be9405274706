import DetentTypes

/// Edges, readings and losses: from the lines to the contacts.
extension Engine {
    /// The contact line of an event, or nil (counted) where there is none.
    private mutating func contactIndex(_ line: LineID) -> Int? {
        let index = Int(line.index)
        guard index < lines.count, lines[index].isContact else {
            counters.ignoredEvents &+= 1
            return nil
        }
        return index
    }

    mutating func handleEdge(
        _ line: LineID, _ level: Level, _ sequence: UInt32, stamped stamp: Instant,
        at now: Instant, _ emit: Emit
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
        if isGap || isRepeated { repair(index, at: now, emit) }
        if isRepeated { return }
        switch lines[index].trust {
        case .certain: lines[index].trust = .oneEdge
        case .oneEdge: lines[index].trust = .burst
        case .burst, .reading, .restarting: break
        }
        applyEdge(index, at: now, emit)
    }

    mutating func handleReading(
        _ line: LineID, _ level: Level, at now: Instant, _ emit: Emit
    ) {
        guard let index = contactIndex(line) else { return }
        lines[index].lastReading = now
        guard isStarted, lines[index].trust != .restarting else {
            lines[index].settle(at: level)
            if isStarted { restart(index, at: now, emit) }
            return
        }
        lines[index].trust = .certain
        if lines[index].filter.raw != level {
            countLoss(Int(lines[index].control), at: now, emit)
            applyEdge(index, at: now, emit)
        }
        let control = Int(lines[index].control)
        if UInt16(lines[index].contact) == controls[control].decoder.verifiedContact {
            let decoded = controls[control].decoder.levelRead(level, settings[control])
            if !decoded.isEmpty { act(on: decoded, control, at: now, emit) }
        }
        if settings[control].rules != .none {
            confirmLevel(lines[index].contact, level, control, at: now, emit)
            confirmChords(lines[index].contact, level, control, at: now, emit)
        }
    }

    mutating func handleOverflow(_ line: LineID, at now: Instant, _ emit: Emit) {
        guard let index = contactIndex(line) else { return }
        repair(index, at: now, emit)
    }

    mutating func handleFault(
        _ line: LineID, isFaulty: Bool, at now: Instant, _ emit: Emit
    ) {
        let index = Int(line.index)
        guard index < lines.count else {
            counters.ignoredEvents &+= 1
            return
        }
        guard lines[index].isFaulty != isFaulty else { return }
        lines[index].isFaulty = isFaulty
        lines[index].lastSequence = 0
        if !isFaulty { lines[index].trust = .restarting }
        let control = Int(lines[index].control)
        guard control < controls.count else { return }
        let before = controls[control].faultyLines
        controls[control].faultyLines = isFaulty ? before &+ 1 : before &- 1
        let after = controls[control].faultyLines
        if (before == 0) != (after == 0) {
            report(.fault(after == 0 ? .none : .line), control, at: now, emit)
        }
        if isFaulty, let rule = rulesPlace(control) {
            abandonConfirmation(control, rule, at: now, emit)
            stepLineFailed(line, control, rule, at: now, emit)
        }
        refresh(control, at: now, emit)
    }

    /// A line's filter has something to do, or the line has been quiet after a burst.
    @inline(__always)
    mutating func fireLine(_ index: Int, at now: Instant, _ emit: Emit) {
        follow(lines[index].deadlineReached(at: now), index, at: now, emit)
    }

    @inline(__always)
    private mutating func applyEdge(_ index: Int, at now: Instant, _ emit: Emit) {
        follow(lines[index].edge(at: now), index, at: now, emit)
    }

    // Inlined: 60 instructions an edge (Benchmarks/run).
    @inline(__always)
    private mutating func follow(
        _ step: ContactLine.Step, _ index: Int, at now: Instant, _ emit: Emit
    ) {
        if step.wantsReading { emit(.readLevel(LineID(UInt16(truncatingIfNeeded: index))), now) }
        deadlines.set(index, to: step.deadline)
        if let level = step.level {
            contactChanged(index, level, at: now, emit)
        } else if lines[index].filter.hasDropped {
            tellDropped(index, at: now, emit)
        }
    }

    /// A press came too soon after another, and is over: it has done nothing.
    @inline(never)
    private mutating func tellDropped(_ index: Int, at now: Instant, _ emit: Emit) {
        lines[index].filter.tellDropped()
        _ = refuse(.lockedOut, Int(lines[index].control), .panel, at: now, emit)
    }

    /// Edges are missing: count it, and read what the level really is.
    private mutating func repair(_ index: Int, at now: Instant, _ emit: Emit) {
        countLoss(Int(lines[index].control), at: now, emit)
        guard lines[index].trust != .restarting else { return }
        lines[index].trust = .reading
        emit(.readLevel(LineID(UInt16(truncatingIfNeeded: index))), now)
    }

    private mutating func countLoss(_ control: Int, at now: Instant, _ emit: Emit) {
        counters.lostEdges &+= 1
        controls[control].lost &+= 1
        report(.lost(count: controls[control].lost), control, at: now, emit)
    }

    private mutating func contactChanged(
        _ index: Int, _ level: Level, at now: Instant, _ emit: Emit
    ) {
        let contact = lines[index].contact
        let control = Int(lines[index].control)
        setContact(contact, level, control)
        let decoded = controls[control].decoder.contact(
            contact, closed: controls[control].partClosed, at: now, settings[control])
        // A button that was held at start goes dark without a gesture.
        if decoded.isEmpty, !controls[control].isLampLate {
            deadlines.set(machines.decoders &+ control, to: controls[control].decoder.deadline)
        } else {
            act(on: decoded, control, at: now, emit)
        }
    }

    mutating func setContact(_ contact: UInt8, _ level: Level, _ control: Int) {
        let bit = UInt32(1) << UInt32(contact)
        switch level {
        case .active: controls[control].closed |= bit
        case .inactive: controls[control].closed &= ~bit
        }
    }
}
