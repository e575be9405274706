internal import DetentHAL
internal import DetentPlatform
internal import DetentTypes

extension GPIODBackend {
    /// Reads polled lines that are due: one system call for each request and period.
    func poll(now: Instant) {
        var index = 0
        while index < polledLines.count {
            if polledLines[index].next <= now { poll(set: index, now: now) }
            index += 1
        }
    }

    private func poll(set index: Int, now: Instant) {
        let group = polledLines[index].group
        let late = now - polledLines[index].next
        let period = max(polledLines[index].period.nanoseconds, 1)
        // Keeps the phase, and skips missed periods.
        polledLines[index].next =
            polledLines[index].next
            + TimeSpan(nanoseconds: (late.nanoseconds / period + 1) * period)
        var mask = polledLines[index].mask
        for (place, slot) in group.slots.enumerated() where slots[slot].isFaulty {
            mask &= ~(1 << UInt64(place))
        }
        guard mask != 0 else { return }
        var levels: UInt64 = 0
        let at = MonotonicClock.now
        let result = group.levels(of: mask, into: &levels)
        for (place, slot) in group.slots.enumerated() where mask >> UInt64(place) & 1 == 1 {
            if result < 0 {
                fail(slot, errno: -result, at: at)
                continue
            }
            let level = Level(levels >> UInt64(place) & 1 == 1)
            guard slots[slot].level != level else { continue }
            slots[slot].level = level
            put(slot, .edge(level, sequence: 0), at: at)
        }
    }
}
