public import DetentHAL
internal import DetentPlatform
public import DetentTypes

extension AnalogBackend {
    /// Changes the lines, as `GPIOBackend.change` says: channels that stay go on.
    public func change(to lines: [LineSettings], continuing former: [LineID?]) -> [HALError] {
        let before = slots
        var new = lines.map { Slot(settings: $0) }
        var line: [LineID: LineID] = [:]
        for place in new.indices {
            guard let id = former[place],
                let old = before.first(where: { $0.settings.line == id }),
                old.channel == new[place].channel
            else { continue }
            new[place].key = old.key
            new[place].sampler = old.sampler
            new[place].isFaulty = old.isFaulty
            line[id] = new[place].settings.line
        }
        slots = new
        let continued = Set(line.values)
        let fresh = slots.indices.filter { !continued.contains(slots[$0].settings.line) }
        let (wanted, refused) = unused(fresh)
        let answer = AnalogSearch(folder: options.folder).connect(wanted)
        let failures = (refused + answer.failures).sorted { $0.slot < $1.slot }
        guard failures.isEmpty else {
            slots = before
            return failures.map(\.error)
        }
        search.giveUp()
        queue.rename { line[$0] }
        let kept = Set(slots.map(\.key))
        adopt(answer, isRestoring: true)
        for old in before where !kept.contains(old.key) { old.sampler?.remove(key: old.key) }
        awaitFirstSamples()
        return []
    }
}
