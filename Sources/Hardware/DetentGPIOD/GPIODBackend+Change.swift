public import DetentHAL
internal import DetentPlatform
public import DetentTypes
internal import Glibc

/// Changing to the lines of another panel while lines are in use.
extension GPIODBackend {
    /// Changes the lines, as `GPIOBackend.change` says.
    ///
    /// New lines are requested first. Lines with other settings are then released and requested
    /// again; if that fails, they get their former requests again. A line that cannot be got back
    /// is named in the result, becomes faulty and is retried.
    public func change(to lines: [LineSettings], continuing former: [LineID?]) -> [HALError] {
        // Its jobs name slots. A search that it finishes now is repeated later.
        worker?.stop()
        defer { resumeWorker() }
        let requester = LineRequester(
            paths: options.paths, consumer: options.consumer, willRequest: options.willRequest)
        var change = LineChange(lines, former, slots)
        change.resolve(GPIODInventory.scan(options.paths), slots)
        let added = requester.connect(change.wanted(.request, slots))
        change.note(added.failures)
        guard change.errors.isEmpty else { return change.errors }
        let replaced = release(&change)
        let again = requester.connect(change.wanted(.requestAgain, slots))
        change.note(again.failures)
        guard change.errors.isEmpty else {
            return change.errors + takeBack(replaced, requester)
        }
        warn(added.remarks + again.remarks)
        adopt(change, [added, again])
        return []
    }

    /// The places of all lines that are requested now.
    public var places: [LinePlace] {
        slots.compactMap { slot in
            slot.group.map {
                LinePlace(line: slot.line, chip: $0.chip.path, offset: $0.offset(at: slot.place))
            }
        }
    }

    private func resumeWorker() {
        for slot in slots.indices where slots[slot].isSlow {
            guard let group = slots[slot].group else { continue }
            worker?.start()
            // Jobs that waited are lost.
            let isOutput = slots[slot].settings.isOutput
            submit(isOutput ? .write(slots[slot].level) : .read, slot: slot, group: group)
        }
        polledLines.removeAll()
        let now = MonotonicClock.now
        for group in groups { pollLines(of: group, from: now) }
    }

    /// Releases the requests of lines that are requested again, with all lines of such a request.
    ///
    /// - Returns: the former lines that have no request now.
    private func release(_ change: inout LineChange) -> [Int] {
        let slots = slots
        let groups = change.groupsToReplace(slots)
        let released = slots.indices.filter { slot in
            groups.contains { $0 === slots[slot].group }
        }
        change.requestAgain(released)
        for slot in released { self.slots[slot].group = nil }
        self.groups.removeAll { group in groups.contains { $0 === group } }
        polledLines.removeAll { set in groups.contains { $0 === set.group } }
        return released
    }

    /// The former requests again, after others were refused.
    private func takeBack(_ released: [Int], _ requester: LineRequester) -> [HALError] {
        guard !released.isEmpty else { return [] }
        let connection = requester.connect(
            released.map {
                LineRequester.Wanted(
                    slot: $0, settings: slots[$0].settings, initial: slots[$0].level)
            })
        install(connection, isRestoring: true)
        let now = MonotonicClock.now
        for failure in connection.failures { put(failure.slot, .fault(errno: ENODEV), at: now) }
        rebuildDescriptors()
        scheduleRetry(now: now)
        return connection.failures.map(\.error)
    }

    /// The change is certain: the lines get their new slots, and removed lines are released.
    private func adopt(_ change: LineChange, _ connections: [LineRequester.Connection]) {
        for slot in change.removed {
            if let group = slots[slot].group, let level = slots[slot].settings.releaseLevel {
                _ = group.drive(level, at: slots[slot].place)
            }
        }
        let made = connections.flatMap(\.groups)
        var next = change.slots(slots)
        for group in made {
            for (place, slot) in group.slots.enumerated() {
                next[slot].group = group
                next[slot].place = place
                next[slot].isSlow = options.treatsAllChipsAsSlow || group.chip.sleeps
            }
        }
        slots = next
        slotOfLine = slots.indices.map { Int32($0) }
        pending.replaceAll { event in
            change.index(ofFormer: event.line).map {
                LineEvent(line: slots[$0].line, kind: event.kind, at: event.at)
            }
        }
        regroup()
        tellStart(of: change, connections.flatMap(\.levels))
        rebuildDescriptors()
        scheduleRetry(now: MonotonicClock.now)
    }

    /// Lists the requests of all slots; the others are released with their last reference.
    private func regroup() {
        var listed: [LineGroup] = []
        for slot in slots.indices {
            guard let group = slots[slot].group, !listed.contains(where: { $0 === group }) else {
                continue
            }
            let members = slots.indices.filter { slots[$0].group === group }
            group.renumber(members.sorted { slots[$0].place < slots[$1].place })
            listed.append(group)
        }
        groups = listed
    }

    /// Lines that do not continue begin: inputs with a reading, outputs at their initial levels.
    private func tellStart(of change: LineChange, _ levels: [LineRequester.FirstLevel]) {
        for slot in slots.indices where !change.continues(slot) {
            let now = MonotonicClock.now
            guard let group = slots[slot].group, !slots[slot].isFaulty else {
                put(slot, .fault(errno: ENODEV), at: now)
                continue
            }
            if slots[slot].isSlow { continue }  // the worker reads or writes it
            if slots[slot].settings.isOutput {
                let result = group.drive(slots[slot].level, at: slots[slot].place)
                if result < 0 { fail(slot, errno: -result, at: now) }
                continue
            }
            let first = levels.first { $0.slot == slot }
            let level = first?.level ?? group.level(at: slots[slot].place)
            if level < 0 {
                fail(slot, errno: -level, at: now)
            } else {
                slots[slot].level = Level(level == 1)
                put(slot, .reading(Level(level == 1)), at: first?.at ?? now)
            }
        }
    }
}
