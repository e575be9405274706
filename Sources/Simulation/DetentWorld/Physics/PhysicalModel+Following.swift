import DetentCore
public import DetentPanel
import DetentTypes

/// The world of a panel that follows another one: fingers and wires stay as they are.
extension PhysicalModel {
    /// Makes the model of a panel that follows the one of `former`, at its moment.
    ///
    /// Wires at the same place keep their levels and faults. The same parts keep their
    /// positions and go on moving; others begin at rest.
    public init(
        _ plan: PanelPlan, following former: PhysicalModel, _ difference: PanelDifference,
        seed: UInt64, bounce: BounceChoice
    ) {
        self.init(plan, seed: seed, bounce: bounce, at: former.now)
        var partPlaces: [Int: Int] = [:]
        var linePlaces: [Int: Int] = [:]
        for (place, control) in difference.controls.enumerated() {
            guard let old = control.former.map({ Int($0.index) }), old < former.parts.count,
                parts[place].continues(former.parts[old])
            else { continue }
            partPlaces[old] = place
            for (new, line) in zip(parts[place].contacts.places, former.parts[old].contacts.places)
            where lines[new].isActiveLow == former.lines[line].isActiveLow {
                linePlaces[line] = new
                let bias = lines[new].bias
                lines[new] = former.lines[line]
                lines[new].bias = bias
            }
        }
        for change in former.planned.reversed() {
            guard let moved = change.change.moved(parts: partPlaces, lines: linePlaces) else {
                continue
            }
            self.plan(moved, at: change.at)
        }
        changeCount = former.changeCount &+ 1
    }
}

extension Part {
    /// Takes over the position of the same part; false if it is another one.
    fileprivate mutating func continues(_ former: Part) -> Bool {
        guard decoder.isSamePart(as: former.decoder), hasCover == former.hasCover,
            contacts.count == former.contacts.count
        else { return false }
        position = former.position
        closed = former.closed
        droppedTransitions = former.droppedTransitions
        bounce = former.bounce
        return true
    }
}

extension PhysicalModel.Change {
    /// The same change by the indices of another panel; nil if the part or the line is gone.
    fileprivate func moved(parts: [Int: Int], lines: [Int: Int]) -> PhysicalModel.Change? {
        switch self {
        case .contacts(let part, let closed, let position):
            parts[part].map { .contacts(part: $0, closed: closed, position: position) }
        case .push(let part, let button, let isDown):
            parts[part].map { .push(part: $0, button: button, isDown: isDown) }
        case .cover(let part, let isOpen): parts[part].map { .cover(part: $0, isOpen: isOpen) }
        case .bounce(let line, let level, let generation):
            lines[line].map { .bounce(line: $0, level, generation: generation) }
        case .glitch(let line, let isOn): lines[line].map { .glitch(line: $0, isOn: isOn) }
        case .fault(let line, let fault): lines[line].map { .fault(line: $0, fault) }
        case .miss(let part, let count): parts[part].map { .miss(part: $0, count: count) }
        }
    }
}
