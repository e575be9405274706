internal import CGPIOD
public import DetentHAL
internal import DetentPlatform
public import DetentTypes
internal import Glibc

extension GPIODBackend {
    /// Moves the events of all descriptors into `buffer`, sorted by timestamp.
    ///
    /// Makes one system call for each descriptor that was marked ready, and one more if none was.
    public func drain(into buffer: UnsafeMutableBufferPointer<LineEvent>, now: Instant) -> Int {
        var filled = 0
        // Events that did not fit last time go first; new events follow only when none are left.
        if hasLeftovers { filled = pending.pop(into: buffer, from: 0) }
        while filled < buffer.count {
            refill(now: now)
            pending.sort()
            let taken = pending.pop(into: buffer, from: filled)
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
            pollTable[index].revents = 0
            switch index {
            case Self.monitorPlace: readMonitor(now: now)
            case Self.workerPlace: readWorker(now: now)
            default: readEdges(descriptorOf: index)
            }
            // A chip appeared or disappeared, so the descriptors changed. The others are read at
            // the next drain.
            if descriptorGeneration != generation {
                hasMore = true
                break
            }
        }
        if !polledLines.isEmpty { poll(now: now) }
        if now >= nextRetry { retry(now: now) }
    }

    /// Reads the edges of one request until no more wait.
    private func readEdges(descriptorOf index: Int) {
        let descriptor = pollTable[index].fd
        guard let place = groups.firstIndex(where: { $0.descriptor == descriptor }) else { return }
        // Not retained: nothing ends a request while it is read. `lose` comes after that.
        let unretained = Unmanaged.passUnretained(groups[place])
        let failure = unretained._withUnsafeGuaranteedRef { readEdges(of: $0, at: index) }
        if failure != 0 { lose(groups[place].chip, errno: failure, at: MonotonicClock.now) }
    }

    /// Returns the error number of a failure that loses the chip, or 0.
    private func readEdges(of group: LineGroup, at index: Int) -> Int32 {
        var isFirst = true
        while true {
            // One overflow event can follow a batch.
            guard pending.room > batch.count else {
                pollTable[index].revents = Int16(POLLIN)
                isMarked = true
                hasMore = true
                return 0
            }
            var isFull = false
            let count = group.readEdges(into: batch, isFull: &isFull)
            if count < 0 { return -count }
            collect(Int(count), of: group, isFull: isFull)
            if count == 0, isFirst, hasHungUp(group.descriptor) { return ENODEV }
            if count < batch.count { return 0 }
            isFirst = false
        }
    }

    private func collect(_ count: Int, of group: LineGroup, isFull: Bool) {
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
}
