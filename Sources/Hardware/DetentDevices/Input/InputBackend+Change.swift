public import DetentHAL
internal import DetentPlatform
public import DetentTypes

extension InputBackend {
    /// Changes the lines, as `GPIOBackend.change` says: devices that stay are not opened again.
    public func change(to lines: [LineSettings], continuing former: [LineID?]) -> [HALError] {
        let before = slots
        var new = lines.map { Slot(settings: $0) }
        var line: [LineID: LineID] = [:]
        for place in new.indices {
            guard let id = former[place],
                let old = before.first(where: { $0.settings.line == id }),
                old.channel == new[place].channel,
                old.settings.isActiveLow == new[place].settings.isActiveLow
            else { continue }
            new[place].device = old.device
            new[place].level = old.level
            line[id] = new[place].settings.line
        }
        slots = new
        let continued = Set(line.values)
        let fresh = slots.indices.filter { !continued.contains(slots[$0].settings.line) }
        let (wanted, refused) = unused(fresh)
        let answer = InputSearch(folders: options.folders)
            .connect(wanted, present: streams.map(\.device))
        let failures = (refused + answer.failures).sorted { $0.slot < $1.slot }
        guard failures.isEmpty else {
            slots = before
            return failures.map(\.error)
        }
        search.giveUp()
        queue.rename { line[$0] }
        startMonitor()
        adopt(answer, isRestoring: false)
        streams.removeAll { stream in !slots.contains { $0.device === stream.device } }
        listDescriptors()
        scheduleRetry(now: MonotonicClock.now)
        return []
    }
}
