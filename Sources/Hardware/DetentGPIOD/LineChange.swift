internal import DetentHAL
internal import DetentTypes

/// What happens to each line when a panel is followed by another one.
struct LineChange {
    /// What happens to a line of the new panel.
    enum Step: Equatable {
        /// The request of a former slot is kept.
        case keep(slot: Int)
        case request
        /// A former slot has the line with other settings, or in a request that is released.
        case requestAgain
        /// It could not be requested before, and still cannot be.
        case missing
    }

    /// A line on its chip.
    private struct Pin: Hashable {
        var chip: String
        var offset: UInt32
    }

    private let lines: [LineSettings]
    private let former: [LineID?]
    private var steps: [Step]
    /// The former slot of each line: of its pin, or of the line that it continues.
    private var formerSlots: [Int?]
    /// Former slots whose lines cannot be used, by the settings that they share with a new line.
    private var waiting: [Int?]
    private(set) var errors: [HALError] = []
    private let slotCount: Int

    init(_ lines: [LineSettings], _ former: [LineID?], _ slots: [ManagedLine]) {
        self.lines = lines
        self.former = former
        slotCount = slots.count
        steps = Array(repeating: .request, count: lines.count)
        formerSlots = Array(repeating: nil, count: lines.count)
        waiting = lines.map { line in
            slots.firstIndex {
                $0.group == nil && $0.settings.location == line.location
                    && $0.settings.isSameRequest(as: line)
            }
        }
    }

    /// Whether a line goes on with the state or the level of a former line.
    func continues(_ place: Int) -> Bool { former[place] != nil }

    /// The line that continues a former line.
    func index(ofFormer line: LineID) -> Int? { former.firstIndex { $0 == line } }

    /// Former slots that no line of the new panel uses.
    var removed: [Int] {
        (0..<slotCount).filter { slot in !formerSlots.contains(slot) }
    }

    /// Finds each line on the present chips, and decides what happens to it.
    mutating func resolve(_ inventory: GPIODInventory, _ slots: [ManagedLine]) {
        let finder = ChipLineFinder(chips: inventory.chips)
        var holders: [Pin: Int] = [:]
        for slot in slots.indices {
            guard let group = slots[slot].group else { continue }
            holders[Pin(chip: group.chip.path, offset: group.offset(at: slots[slot].place))] = slot
        }
        var users: [Pin: String] = [:]
        for place in lines.indices {
            do throws(HALError) {
                let found = try finder.location(of: lines[place])
                let chip = inventory.chips[found.chip]
                let pin = Pin(chip: chip.path, offset: found.offset)
                if let other = users.updateValue(lines[place].name, forKey: pin) {
                    throw HALError.usedTwice(lines[place], by: other, chip: chip)
                }
                if let slot = holders[pin] {
                    formerSlots[place] = slot
                    let isSame = slots[slot].settings.isSameRequest(as: lines[place])
                    steps[place] = isSame ? .keep(slot: slot) : .requestAgain
                } else {
                    formerSlots[place] = waiting[place]
                }
            } catch {
                fail(place, error)
            }
        }
    }

    /// Takes note of lines that were refused.
    mutating func note(_ failures: [(slot: Int, error: HALError)]) {
        for failure in failures { fail(failure.slot, failure.error) }
    }

    private mutating func fail(_ place: Int, _ error: HALError) {
        guard let slot = waiting[place] else { return errors.append(error) }
        formerSlots[place] = slot
        steps[place] = .missing
    }

    /// The lines with a step, for a search. A line that continues keeps its level.
    func wanted(_ step: Step, _ slots: [ManagedLine]) -> [LineRequester.Wanted] {
        lines.indices.filter { steps[$0] == step }.map { place in
            LineRequester.Wanted(
                slot: place, settings: lines[place], initial: level(of: place, slots))
        }
    }

    /// The requests that must be released: those of lines with other settings, and shared ones of
    /// which a line goes while others stay.
    func groupsToReplace(_ slots: [ManagedLine]) -> [LineGroup] {
        var groups: [LineGroup] = []
        for slot in slots.indices {
            guard let group = slots[slot].group, !groups.contains(where: { $0 === group }) else {
                continue
            }
            let isKept = keeps(slot)
            let isShared = group.slots.contains { keeps($0) != isKept }
            let changes = steps.indices.contains {
                steps[$0] == .requestAgain && formerSlots[$0] == slot
            }
            if changes || isShared { groups.append(group) }
        }
        return groups
    }

    private func keeps(_ slot: Int) -> Bool { steps.contains(.keep(slot: slot)) }

    /// These former slots have lost their requests.
    mutating func requestAgain(_ released: [Int]) {
        for place in lines.indices {
            if case .keep(let slot) = steps[place], released.contains(slot) {
                steps[place] = .requestAgain
            }
        }
    }

    /// The lines in their new slots; those that were requested have no request yet.
    func slots(_ slots: [ManagedLine]) -> [ManagedLine] {
        lines.indices.map { place in
            var line = ManagedLine(lines[place])
            line.level = level(of: place, slots)
            switch steps[place] {
            case .keep(let slot):
                line.group = slots[slot].group
                line.place = slots[slot].place
                line.isSlow = slots[slot].isSlow
                line.isFaulty = slots[slot].isFaulty
            case .missing:
                line.isUnrecoverable = formerSlots[place].map { slots[$0].isUnrecoverable } ?? false
            case .request, .requestAgain:
                break
            }
            return line
        }
    }

    private func level(of place: Int, _ slots: [ManagedLine]) -> Level {
        guard let line = former[place], let slot = slots.first(where: { $0.line == line }) else {
            return lines[place].initialLevel
        }
        return slot.level
    }
}
