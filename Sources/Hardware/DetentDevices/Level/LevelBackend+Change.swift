public import DetentHAL
internal import DetentPlatform
public import DetentTypes

extension LevelBackend {
    /// Changes the lines, as `GPIOBackend.change` says: outputs that stay keep their levels.
    public func change(to lines: [LineSettings], continuing former: [LineID?]) -> [HALError] {
        let before = slots
        var kept: Set<LineID> = []
        slots = zip(lines, former).map { settings, id in
            guard let old = before.first(where: { $0.settings.line == id }),
                old.channel == settings.location.channel,
                old.settings.isActiveLow == settings.isActiveLow
            else { return Slot(settings) }
            kept.insert(old.settings.line)
            var slot = old
            slot.settings = settings
            return slot
        }
        let fresh = slots.indices.filter { place in
            slots[place].node == nil && !(former[place].map(kept.contains) ?? false)
        }
        let answer = searcher.connect(wanted(fresh))
        guard answer.failures.isEmpty else {
            goBack(to: before, from: answer)
            return answer.failures.map(\.error)
        }
        search.giveUp()
        queue.rename { line in
            former.firstIndex { $0 == line && kept.contains(line) }.map { lines[$0].line }
        }
        for old in before where !kept.contains(old.settings.line) {
            let isUsed = slots.contains { $0.isSameOutput(as: old) }
            if !isUsed { old.release() }
        }
        for found in answer.found {
            install(found)
            // What the kernel showed before the panel is still what it is given back.
            let slot = slots[found.wanted.slot]
            let earlier = before.first { $0.isSameOutput(as: slot) }
            if let atEnd = earlier?.node?.atEnd { slots[found.wanted.slot].node?.atEnd = atEnd }
        }
        dropWriters()
        schedule()
        return []
    }

    /// Gives back what was found for the refused lines; the former ones have their levels again.
    private func goBack(to before: [Slot], from answer: LevelSearch.Answer) {
        var released: [Slot] = []
        for found in answer.found {
            var slot = slots[found.wanted.slot]
            slot.node = found.node
            slot.release()
            released.append(slot)
        }
        slots = before
        for place in slots.indices
        where released.contains(where: { $0.isSameOutput(as: slots[place]) }) {
            slots[place].written = nil
            _ = update(place)
        }
    }
}

extension LevelBackend.Slot {
    /// Whether two lines are one output of the machine.
    fileprivate func isSameOutput(as other: Self) -> Bool {
        channel?.kind == other.channel?.kind && channel?.device == other.channel?.device
            && channel?.number == other.channel?.number
    }
}
