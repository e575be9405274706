internal import CGPIOD
public import DetentHAL
public import DetentTypes
internal import Glibc

extension GPIODBackend {
    /// Moves the events of all descriptors into `buffer`, sorted by timestamp.
    ///
    /// Makes one system call for each descriptor that was marked ready, and one more if none was.
    public func drain(into buffer: UnsafeMutableBufferPointer<LineEvent>, now: Instant) -> Int {
        var filled = 0
        // Events that did not fit last time go first; new events follow only when none are left.
        if hasLeftovers { filled = pending.take(into: buffer, from: 0) }
        while filled < buffer.count {
            refill(now: now)
            pending.sort()
            let taken = pending.take(into: buffer, from: filled)
            filled += taken
            if taken == 0 || !hasMore { break }
        }
        hasLeftovers = !pending.isEmpty
        return filled
    }

    /// Reads every ready descriptor, and performs what is due.
    private func refill(now: Instant) {
        hasMore = false
        if !isMarked, !descriptors.isEmpty {
            for index in pollTable.indices { pollTable[index].revents = 0 }
            _ = Glibc.poll(pollTable.baseAddress, nfds_t(pollTable.count), 0)
        }
        isMarked = false
        let generation = descriptorGeneration
        for index in pollTable.indices where pollTable[index].revents != 0 {
            let events = pollTable[index].revents
            pollTable[index].revents = 0
            switch index {
            case Self.watchPlace: readWatch(now: now)
            case Self.lanePlace: readLane(now: now)
            default: readEdges(descriptorOf: index, events: events)
            }
            // A chip appeared or disappeared, so the descriptors changed. The others are read at
            // the next drain.
            if descriptorGeneration != generation {
                hasMore = true
                break
            }
        }
        poll(now: now)
        if now >= nextRetry { retry(now: now) }
    }

    /// Reads the edges of one request until no more wait.
    private func readEdges(descriptorOf index: Int, events: Int16) {
        let descriptor = pollTable[index].fd
        guard let place = groups.firstIndex(where: { $0.descriptor == descriptor }) else { return }
        let group = groups[place]
        var isFirst = true
        while true {
            // One overflow event can follow a batch.
            guard pending.room > batch.count else {
                pollTable[index].revents = Int16(POLLIN)
                isMarked = true
                hasMore = true
                return
            }
            var isFull = false
            let count = group.readEdges(into: batch, isFull: &isFull)
            if count < 0 {
                lose(group.chip, errno: -count, at: monotonicNow())
                return
            }
            take(Int(count), of: group, isFull: isFull)
            if count == 0, isFirst, hasHungUp(descriptor) {
                lose(group.chip, errno: ENODEV, at: monotonicNow())
                return
            }
            if count < batch.count { return }
            isFirst = false
        }
    }

    private func take(_ count: Int, of group: LineGroup, isFull: Bool) {
        for edge in batch.prefix(count) {
            guard let slot = group.slot(ofOffset: edge.offset) else { continue }
            put(
                slot, .edge(Level(edge.rising), sequence: edge.sequence),
                at: Instant(nanoseconds: edge.nanoseconds))
        }
        // The queue of libgpiod 1.6 drops the newest edges without a gap.
        if isFull, let last = batch.prefix(count).last,
            let slot = group.slot(ofOffset: last.offset)
        {
            put(slot, .overflow, at: Instant(nanoseconds: last.nanoseconds))
        }
    }

    /// Whether a descriptor without data is readable only because its chip was removed.
    private func hasHungUp(_ descriptor: Int32) -> Bool {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return Glibc.poll(&entry, 1, 0) > 0
            && entry.revents & Int16(POLLHUP | POLLERR | POLLNVAL) != 0
    }

    private func readWatch(now: Instant) {
        var hasAppeared = false
        var isUnsure = false
        var gone: OpenChip?
        watch?.read { change in
            switch change {
            case .appeared: hasAppeared = true
            case .unknown: isUnsure = true
            case .vanished(let name):
                if let group = groups.first(where: { Self.is($0.chip.path, namedLike: name) }) {
                    gone = group.chip
                }
            }
            // Handle this one now, because the next change may concern another chip.
            if let chip = gone {
                lose(chip, errno: ENODEV, at: monotonicNow())
                gone = nil
            }
        }
        if isUnsure { loseChipsWithoutNodes() }
        if hasAppeared || isUnsure, nextRetry != .never { nextRetry = now }
    }

    /// Checks each node, after the watch missed events.
    func loseChipsWithoutNodes() {
        while let group = groups.first(where: { access($0.chip.path, F_OK) != 0 }) {
            lose(group.chip, errno: ENODEV, at: monotonicNow())
        }
    }

    /// Whether the last component of a path is the name in an inotify record, which is padded with
    /// zeros.
    private static func `is`(_ path: String, namedLike name: UnsafeBufferPointer<CChar>) -> Bool {
        guard let wanted = name.baseAddress else { return false }
        return path.withCString { start in
            guard let slash = strrchr(start, Int32(UInt8(ascii: "/"))) else { return false }
            return strcmp(slash + 1, wanted) == 0
        }
    }

    private func readLane(now: Instant) {
        guard let worker else { return }
        worker.acknowledge()
        if let connection = worker.takeConnection() {
            install(connection, isRestoring: true)
            scheduleRetry(now: now)
        }
        while pending.room > 1, let result = worker.nextResult() {
            // Results of a former request do not apply to the one that replaced it.
            guard slots[result.slot].group === result.group else { continue }
            accept(result)
        }
        if pending.room <= 1 { hasMore = true }
    }

    private func accept(_ result: BlockingIOWorker.Result) {
        switch result.event.kind {
        case .fault(let errno): fail(result.slot, errno: errno, at: result.event.at)
        case .restored:
            slots[result.slot].isFaulty = false
            put(result.slot, .restored, at: result.event.at)
        case .edge, .reading, .overflow, .written:
            put(result.slot, result.event.kind, at: result.event.at)
        }
    }

    /// Reads polled lines that are due: one system call for each request and period.
    private func poll(now: Instant) {
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
            polledLines[index].next + TimeSpan(nanoseconds: (late.nanoseconds / period + 1) * period)
        var mask = polledLines[index].mask
        for (place, slot) in group.slots.enumerated() where slots[slot].isFaulty {
            mask &= ~(1 << UInt64(place))
        }
        guard mask != 0 else { return }
        var levels: UInt64 = 0
        let at = monotonicNow()
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
