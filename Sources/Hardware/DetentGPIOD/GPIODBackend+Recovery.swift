internal import DetentHAL
internal import DetentPlatform
internal import DetentTypes
internal import Glibc

extension GPIODBackend {
    /// The indices of the two descriptors that are not requests.
    static let monitorPlace = 0
    static let workerPlace = 1

    /// Adopts completed requests, at the start or from the worker thread.
    func install(_ connection: LineRequester.Connection, isRestoring: Bool) {
        if isRestoring && connection.groups.isEmpty { return }
        warn(connection.remarks)
        let firstLevels = connection.levels
        for group in connection.groups {
            groups.append(group)
            for (place, slot) in group.slots.enumerated() {
                slots[slot].group = group
                slots[slot].place = place
                slots[slot].isSlow = options.treatsAllChipsAsSlow || group.chip.sleeps
                slots[slot].isFaulty = false
                if isRestoring { put(slot, .restored, at: connection.at) }
            }
        }
        for first in firstLevels {
            if first.level < 0 {
                fail(first.slot, errno: -first.level, at: first.at)
            } else {
                let level = Level(first.level == 1)
                slots[first.slot].level = level
                put(first.slot, .reading(level), at: first.at)
            }
        }
        for group in connection.groups {
            if isRestoring { driveRestored(group, at: connection.at) }
            pollLines(of: group, from: connection.at)
        }
        rebuildDescriptors()
        // A chip that disappeared again was reported before its lines were adopted.
        if isRestoring { loseChipsWithoutNodes() }
    }

    /// Tells of lines without a resistor, each cause once.
    func warn(_ remarks: [PullRemark]) {
        for remark in remarks where toldPulls.insert(remark.cause).inserted {
            options.willFloat?(remark)
        }
    }

    /// Drives restored outputs to their levels, which may have changed during the search, and
    /// reports `written`.
    private func driveRestored(_ group: LineGroup, at moment: Instant) {
        for slot in group.slots where slots[slot].settings.isOutput {
            let level = slots[slot].level
            if slots[slot].isSlow {
                submit(.write(level), slot: slot, group: group)
                continue
            }
            let result = group.drive(level, at: slots[slot].place)
            if result < 0 {
                fail(slot, errno: -result, at: MonotonicClock.now)
            } else {
                put(slot, .written(level), at: MonotonicClock.now)
            }
        }
    }

    func pollLines(of group: LineGroup, from moment: Instant) {
        for (place, slot) in group.slots.enumerated() {
            guard let period = slots[slot].settings.pollPeriod else { continue }
            if slots[slot].isSlow {
                worker?.poll(
                    BlockingIOWorker.Poll(
                        target: target(slot, group), period: period, next: moment + period,
                        level: slots[slot].level,
                        isFaulty: slots[slot].isFaulty))
            } else if let set = polledLines.firstIndex(
                where: { $0.group === group && $0.period == period })
            {
                polledLines[set].mask |= 1 << UInt64(place)
            } else {
                polledLines.append(
                    PolledLines(
                        group: group, mask: 1 << UInt64(place), period: period,
                        next: moment + period))
            }
        }
    }

    /// A working line failed: `ENODEV` loses its whole chip, any other error only this line.
    func fail(_ slot: Int, errno: Int32, at moment: Instant) {
        guard let group = slots[slot].group else { return }
        if errno == ENODEV {
            lose(group.chip, errno: errno, at: moment)
        } else if !slots[slot].isFaulty {
            slots[slot].isFaulty = true
            put(slot, .fault(errno: errno), at: moment)
            expectRetry(now: moment)
        }
    }

    /// Marks the lines of a removed chip as faulty.
    func lose(_ chip: OpenChip, errno: Int32, at moment: Instant) {
        for slot in slots.indices where slots[slot].group?.chip === chip {
            slots[slot].group = nil
            let wasFaulty = slots[slot].isFaulty
            slots[slot].isFaulty = false
            if !wasFaulty { put(slot, .fault(errno: errno), at: moment) }
        }
        groups.removeAll { $0.chip === chip }
        polledLines.removeAll { $0.group.chip === chip }
        worker?.forget(chip)
        rebuildDescriptors()
        expectRetry(now: moment)
    }

    /// Schedules a retry, but never later than already planned: repeated failures must not delay
    /// it.
    private func expectRetry(now: Instant) {
        if nextRetry == .never { nextRetry = now + options.retryPeriod }
    }

    /// Decides whether and when lines are retried.
    func scheduleRetry(now: Instant) {
        let isNeeded = slots.contains { $0.isMissing || $0.isFaulty }
        nextRetry = isNeeded ? now + options.retryPeriod : .never
    }

    /// Retries faulty lines here, and searches for missing ones on the worker thread.
    func retry(now: Instant) {
        let wanted = slots.indices.filter { slots[$0].isMissing }.map {
            LineRequester.Wanted(slot: $0, settings: slots[$0].settings, initial: slots[$0].level)
        }
        if !wanted.isEmpty, let worker {
            worker.start()
            worker.connect(wanted)
        }
        for slot in slots.indices where slots[slot].isFaulty {
            if let group = slots[slot].group { retry(slot, group: group) }
        }
        scheduleRetry(now: now)
    }

    private func retry(_ slot: Int, group: LineGroup) {
        let level = slots[slot].level
        let isOutput = slots[slot].settings.isOutput
        if slots[slot].isSlow {
            submit(isOutput ? .write(level) : .read, slot: slot, group: group, isRetry: true)
            return
        }
        let before = MonotonicClock.now
        let result =
            isOutput
            ? group.drive(level, at: slots[slot].place) : group.level(at: slots[slot].place)
        guard result >= 0 else {
            if result == -ENODEV { lose(group.chip, errno: ENODEV, at: before) }
            return
        }
        slots[slot].isFaulty = false
        put(slot, .restored, at: before)
        if isOutput {
            put(slot, .written(level), at: MonotonicClock.now)
        } else {
            slots[slot].level = Level(result == 1)
            put(slot, .reading(Level(result == 1)), at: before)
        }
    }

    /// Lists the descriptors of the monitor, of the worker thread and of every request with edges.
    func rebuildDescriptors() {
        descriptors = [monitor?.descriptor ?? -1, worker?.descriptor ?? -1]
        descriptors += groups.map(\.descriptor).filter { $0 >= 0 }
        descriptorGeneration &+= 1
        pollTable.deallocate()
        pollTable = .allocate(capacity: descriptors.count)
        _ = pollTable.initialize(
            fromContentsOf: descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) })
        isMarked = false
    }
}
