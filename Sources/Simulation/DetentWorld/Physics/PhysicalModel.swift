import DetentCore
import DetentHAL
public import DetentPanel
public import DetentTypes

/// A model of the world outside the electronics: fingers, mechanics, bouncing contacts and broken
/// wires.
///
/// It reads no clock, and its only random source is its seed: the same seed and gestures at the
/// same moments give the same edges. Each line has its own random sequence, so removing a gesture
/// does not change other lines.
///
/// Synchronization: none; it is a value.
public struct PhysicalModel: Sendable {
    enum Change: Equatable, Sendable {
        /// The mechanics of a part close these contacts and are at this position.
        case contacts(part: Int, closed: UInt32, position: Int)
        /// A button of a part, which is independent of the position.
        case push(part: Int, button: Int, isDown: Bool)
        case cover(part: Int, isOpen: Bool)
        /// A contact opens or closes during a bounce.
        case bounce(line: Int, Level, generation: UInt32)
        case glitch(line: Int, isOn: Bool)
        case fault(line: Int, PhysicalLine.Fault)
        case miss(part: Int, count: Int)
    }

    struct Planned: Equatable, Sendable {
        var at: Instant
        var change: Change
    }

    var lines: [PhysicalLine]
    /// Where a backend finds each line.
    let locations: [LineLocation]
    var parts: [Part]
    /// The bounce of contacts that was not changed since the start.
    private let bounce: BounceChoice
    /// The planned changes, in reverse order: the next is the last. Changes at the same moment are
    /// in the order of planning.
    var planned: [Planned] = []
    /// Grows whenever a part reaches another position, or a fault begins or ends.
    public internal(set) var changeCount: UInt64 = 0
    /// The moment to which the model has been advanced.
    public private(set) var now: Instant

    /// Makes the model of a panel at rest: buttons up, levers off, selectors in the position
    /// without a contact or at their default, three-way levers in the centre, encoders in a detent,
    /// covers shut.
    public init(
        _ plan: PanelPlan, seed: UInt64, bounce: BounceChoice, at start: Instant = .zero
    ) {
        now = start
        self.bounce = bounce
        lines = plan.lines.enumerated().map { PhysicalLine($1, seed: seed, place: $0) }
        locations = plan.lineSettings.map(\.location)
        parts = plan.controls.map { Part($0.settings, bounce) }
        for part in parts {
            for contact in 0..<Int(part.contacts.count) {
                let line = Int(part.contacts.first) + contact
                lines[line].contact = Level(part.closed & 1 << UInt32(contact) != 0)
                lines[line].hasPart = true
            }
            if case .analog(let analog) = part.decoder, part.contacts.count > 0 {
                let line = Int(part.contacts.first)
                lines[line].scale = analog.scale
                lines[line].standing = analog.sample(
                    at: UInt32(part.position), from: UInt32(part.position))
            }
        }
        for line in lines.indices {
            lines[line].wasHigh = lines[line].isHigh
            lines[line].wasSampled = lines[line].sample ?? 0
        }
    }

    /// The next moment at which something changes; `never` if all is at rest.
    public var nextChange: Instant { planned.last?.at ?? .never }

    /// The level of a line at `now`, after polarity; inactive if the line is not a contact.
    public func level(of line: LineID) -> Level {
        Int(line.index) < lines.count ? lines[Int(line.index)].level : .inactive
    }

    /// What a converter samples at `now`; nil for a line with levels.
    public func sample(of line: LineID) -> Int32? {
        Int(line.index) < lines.count ? lines[Int(line.index)].sample : nil
    }

    /// Drives a line electrically, as a test's driver does; nil ends that.
    mutating func drive(_ line: LineID, isHigh: Bool?, at moment: Instant) {
        guard Int(line.index) < lines.count else { return }
        let fault = isHigh.map { PhysicalLine.Fault.stuck(isHigh: $0) } ?? .none
        plan(.fault(line: Int(line.index), fault), at: max(moment, now))
    }

    /// A chip sets the resistor of a requested line; this causes no edge.
    mutating func setBias(_ bias: Bias, of line: Int) {
        lines[line].bias = bias
        lines[line].wasHigh = lines[line].isHigh
    }

    /// The fault of a line; nil if there is none.
    public func fault(of line: LineID) -> LineFault? {
        guard Int(line.index) < lines.count else { return nil }
        switch lines[Int(line.index)].fault {
        case .none: return nil
        case .cut: return .cut
        case .stuck(let isHigh):
            return .stuck(Level(isHigh != lines[Int(line.index)].isActiveLow))
        }
    }

    /// Whether the cover of a part is open; nil if there is none.
    public func isCoverOpen(of control: ControlID) -> Bool? {
        guard Int(control.index) < parts.count, parts[Int(control.index)].hasCover else {
            return nil
        }
        return parts[Int(control.index)].closed & parts[Int(control.index)].coverBit == 0
    }

    /// Sets how the contacts of a control bounce from their next change on.
    ///
    /// - Parameter choice: nil for the bounce at the start.
    public mutating func setBounce(of control: ControlID, _ choice: BounceChoice?) {
        let place = Int(control.index)
        guard place < parts.count else { return }
        parts[place].bounce = parts[place].profile(of: choice ?? bounce)
    }

    /// The position of a lever or selector, or the number of a potentiometer; nil for parts without
    /// one.
    public func position(of control: ControlID) -> Int? {
        guard Int(control.index) < parts.count, parts[Int(control.index)].decoder.positions > 0
        else {
            return nil
        }
        let part = parts[Int(control.index)]
        guard case .analog(let analog) = part.decoder else { return part.position }
        return Int(analog.value(at: UInt32(part.position)).raw)
    }

    /// The moment of the last planned movement of a lever, selector or knob; `now` if it does not
    /// move.
    ///
    /// - Complexity: O(n) in the planned changes.
    public func lastMove(of control: ControlID) -> Instant {
        // The next change is at the end, the last one at the start.
        let last = planned.first {
            if case .contacts(let part, _, _) = $0.change {
                part == Int(control.index)
            } else {
                false
            }
        }
        return last.map(\.at) ?? now
    }

    /// Advances the time, and reports every edge on the way in the order of time.
    ///
    /// A moment before `now` has no effect.
    public mutating func advance(to moment: Instant, emit: (PhysicalEdge) -> Void) {
        while let next = planned.last, next.at <= moment {
            planned.removeLast()
            now = max(now, next.at)
            happen(next.change, emit)
        }
        now = max(now, moment)
    }

    private mutating func happen(_ change: Change, _ emit: (PhysicalEdge) -> Void) {
        switch change {
        case .contacts(let part, let closed, let position):
            if parts[part].decoder.positions > 0, parts[part].position != position {
                changeCount &+= 1
            }
            if case .analog(let analog) = parts[part].decoder {
                return turn(part, analog, to: position, emit)
            }
            parts[part].position = position
            if case .encoder = parts[part].decoder, parts[part].droppedTransitions > 0 {
                parts[part].droppedTransitions -= 1
                return
            }
            let others = parts[part].closed & ~parts[part].positionMask
            move(part, to: closed | others, emit)
        case .push(let part, let button, let isDown):
            let bit = parts[part].bit(ofButton: button)
            move(part, to: parts[part].closed & ~bit | (isDown ? bit : 0), emit)
        case .cover(let part, let isOpen):
            let bit = parts[part].coverBit
            changeCount &+= 1
            move(part, to: parts[part].closed & ~bit | (isOpen ? 0 : bit), emit)
        case .bounce(let line, let level, let generation):
            guard lines[line].generation == generation else { return }
            lines[line].contact = level
            report(line, emit)
        case .glitch(let line, let isOn):
            lines[line].isGlitched = isOn
            report(line, emit)
        case .fault(let line, let fault):
            lines[line].fault = fault
            changeCount &+= 1
            report(line, emit)
        case .miss(let part, let count):
            parts[part].droppedTransitions = count
        }
    }

    /// The mechanics move contacts: each has a first edge now, then it bounces.
    private mutating func move(
        _ part: Int, to closed: UInt32, _ emit: (PhysicalEdge) -> Void
    ) {
        let changed = closed ^ parts[part].closed
        parts[part].closed = closed
        for contact in 0..<parts[part].contacts.count where changed & 1 << UInt32(contact) != 0 {
            let line = Int(parts[part].contacts.first) + Int(contact)
            let isClosing = closed & 1 << UInt32(contact) != 0
            lines[line].generation &+= 1
            lines[line].contact = Level(isClosing)
            report(line, emit)
            var level = Level(isClosing)
            for offset in parts[part].bounce.edges(closing: isClosing, &lines[line].random) {
                level = level.opposite
                plan(
                    .bounce(line: line, level, generation: lines[line].generation),
                    at: now + offset)
            }
        }
    }

    /// The wiper of a part moves.
    private mutating func turn(
        _ part: Int, _ analog: AnalogSettings, to position: Int, _ emit: (PhysicalEdge) -> Void
    ) {
        let line = Int(parts[part].contacts.first)
        lines[line].standing = analog.sample(
            at: UInt32(position), from: UInt32(parts[part].position))
        parts[part].position = position
        report(line, emit)
    }

    private mutating func report(_ line: Int, _ emit: (PhysicalEdge) -> Void) {
        if let sample = lines[line].sample {
            guard sample != lines[line].wasSampled else { return }
            lines[line].wasSampled = sample
            return emit(
                PhysicalEdge(
                    line: LineID(UInt16(line)), level: .inactive, isHigh: false, at: now,
                    sample: sample))
        }
        let isHigh = lines[line].isHigh
        guard isHigh != lines[line].wasHigh else { return }
        lines[line].wasHigh = isHigh
        emit(
            PhysicalEdge(
                line: LineID(UInt16(line)), level: lines[line].level, isHigh: isHigh, at: now))
    }

    mutating func plan(_ change: Change, at moment: Instant) {
        var low = 0
        var high = planned.count
        while low < high {
            let middle = (low + high) / 2
            if planned[middle].at > moment { low = middle + 1 } else { high = middle }
        }
        planned.insert(Planned(at: moment, change: change), at: low)
    }
}
