import DetentTypes

/// Reading lines again although nothing happened, for expanders and wires that lose edges silently.
extension Engine {
    /// Begins the audit of every control that asks for one.
    mutating func startAudits(at now: Instant) {
        for rule in 0..<rules.count where rulesSettings[rule].auditEvery != .zero {
            rules[rule].auditAt = now + rulesSettings[rule].auditEvery
            deadlines.set(machines.rules &+ rule, to: rules[rule].deadline)
        }
    }

    /// Reads each contact of a control that is quiet; one that is moving is read by its own means.
    ///
    /// A level that differs is counted as a lost edge, and mended.
    mutating func audit(
        _ control: Int, _ rule: Int, at now: Instant, clock: Instant, _ emit: Emit
    ) {
        // One that comes late does not catch up.
        rules[rule].auditAt = clock + max(rulesSettings[rule].auditEvery, .milliseconds(1))
        let contacts = settings[control].contacts
        for contact in 0..<contacts.count {
            let line = Int(contacts.first) &+ Int(contact)
            guard lines[line].trust == .certain, !lines[line].isFaulty,
                lines[line].filter.deadline == .never
            else { continue }
            emit(.readLevel(LineID(UInt16(truncatingIfNeeded: line))), now)
        }
    }
}
