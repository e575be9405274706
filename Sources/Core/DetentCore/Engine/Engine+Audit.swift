import DetentTypes

/// Reading lines again although nothing happened, for expanders and wires that lose edges silently.
extension Engine {
    /// Begins the audit of every control that asks for one.
    mutating func startAudits() {
        for relation in relations.indices
        where relationSettings[relation].auditEvery != .zero
            && relations[relation].auditAt == .never
            && controls.contains(ControlIndex(relations[relation].control))
        {
            relations[relation].auditAt = now + relationSettings[relation].auditEvery
            updateDeadline(of: .relations(relation))
        }
    }

    /// Reads each contact of a control that is quiet; one that is moving is read by its own means.
    ///
    /// A level that differs is counted as a lost edge, and corrected.
    mutating func audit(
        _ control: ControlIndex, _ relation: RelationIndex, _ emit: Emit
    ) {
        // One that comes late does not catch up.
        relations[relation].auditAt =
            clock + max(relationSettings[relation].auditEvery, .milliseconds(1))
        let contacts = settings[control].contacts
        for contact in 0..<contacts.count {
            let line = LineIndex(contacts.first &+ contact)
            guard lines[line].isQuiet(at: now), !lines[line].isFaulty else { continue }
            emit(.readLevel(line.id), now)
        }
        if let feedback = settings[control].feedbackLine {
            let line = LineIndex(feedback.index)
            if lines[line].isQuiet(at: now), !lines[line].isFaulty {
                emit(.readLevel(line.id), now)
            }
        }
    }
}
