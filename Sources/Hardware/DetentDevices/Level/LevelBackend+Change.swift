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
            slots = before
            return answer.failures.map(\.error)
        }
        search.giveUp()
        queue.rename { line in
            former.firstIndex { $0 == line && kept.contains(line) }.map { lines[$0].line }
        }
        for old in before where !kept.contains(old.settings.line) {
            var old = old
            let isUsed = slots.contains { $0.channel?.device == old.channel?.device }
            if !isUsed { old.release() }
        }
        for found in answer.found {
            let channel = slots[found.slot].channel
            var node = found.node
            // What the kernel showed before the panel is still what it is given back.
            let earlier = before.first { $0.channel?.device == channel?.device }
            node.trigger = earlier?.node?.trigger ?? node.trigger
            let errno = slots[found.slot].begin(node)
            if errno != 0 { put(found.slot, .fault(errno: errno), at: MonotonicClock.now) }
        }
        schedule()
        return []
    }
}
