import DetentCore
public import DetentTypes

extension PhysicalModel {
    /// Begins a gesture at a moment; `advance` reports its edges.
    ///
    /// A gesture replaces the rest of an earlier one on the same part, or on the same button of a
    /// row. Advance the world to the moment first: positions are those at `now`. An earlier moment
    /// counts as `now`.
    public mutating func apply(
        _ gesture: Gesture, at moment: Instant
    ) throws(GestureError) {
        let start = max(moment, now)
        guard planned.count < WorldLimits.plannedChanges else { throw .tooMuch }
        switch gesture {
        case .press(let control, let button):
            let part = try pushable(control, button)
            replacePush(part, button, [(true, start)])
        case .release(let control, let button):
            let part = try pushable(control, button)
            replacePush(part, button, [(false, start)])
        case .click(let control, let button, let hold):
            let part = try pushable(control, button)
            replacePush(part, button, [(true, start), (false, start + hold)])
        case .cover(let control, let isOpen):
            let part = try self.part(control)
            guard parts[part].hasCover else { throw .wrongPart }
            plan(.cover(part: part, isOpen: isOpen), at: start)
        case .flip(let control, let position), .select(let control, let position):
            let part = try self.part(control)
            if case .analog(let analog) = parts[part].decoder {
                return try slide(part, analog, to: position, from: start)
            }
            try travel(part, to: position, from: start, step: parts[part].bounce.travel)
        case .turn(let control, let detents, let perSecond):
            try turn(self.part(control), detents, perSecond, from: start)
        case .miss(let control, let count):
            let part = try self.part(control)
            guard case .encoder = parts[part].decoder else { throw .wrongPart }
            plan(.miss(part: part, count: max(0, count)), at: start)
        case .glitch(let line, let width):
            let place = try contactLine(line)
            plan(.glitch(line: place, isOn: true), at: start)
            plan(.glitch(line: place, isOn: false), at: start + width)
        case .stick(let line, let level):
            let place = try contactLine(line)
            let isHigh = (level == .active) != lines[place].isActiveLow
            plan(.fault(line: place, .stuck(isHigh: isHigh)), at: start)
        case .cut(let line):
            plan(.fault(line: try contactLine(line), .cut), at: start)
        case .restore(let line):
            plan(.fault(line: try contactLine(line), .none), at: start)
        }
    }

    private func part(_ control: ControlID) throws(GestureError) -> Int {
        guard Int(control.index) < parts.count else { throw .unknown }
        return Int(control.index)
    }

    private func contactLine(_ line: LineID) throws(GestureError) -> Int {
        let place = Int(line.index)
        for part in parts {
            let first = Int(part.contacts.first)
            if place >= first, place < first + Int(part.contacts.count) { return place }
        }
        throw .unknown
    }

    private func pushable(_ control: ControlID, _ button: Int) throws(GestureError) -> Int {
        let part = try part(control)
        guard parts[part].buttons > 0 else { throw .wrongPart }
        guard button >= 0, button < parts[part].buttons else { throw .outOfRange }
        return part
    }

    private mutating func replacePush(_ part: Int, _ button: Int, _ moves: [(Bool, Instant)]) {
        let start = moves.first?.1 ?? now
        planned.removeAll { planned in
            if case .push(part, button, _) = planned.change { return planned.at >= start }
            return false
        }
        for (isDown, moment) in moves {
            plan(.push(part: part, button: button, isDown: isDown), at: moment)
        }
    }

    private mutating func replaceTravel(_ part: Int, from start: Instant) {
        planned.removeAll { planned in
            if case .contacts(part, _, _) = planned.change { return planned.at >= start }
            return false
        }
    }

    private mutating func turn(
        _ part: Int, _ detents: Int, _ perSecond: Int, from start: Instant
    ) throws(GestureError) {
        guard detents.magnitude <= UInt(WorldLimits.detents) else { throw .tooMuch }
        guard perSecond > 0, perSecond <= 1_000_000 else { throw .outOfRange }
        let detent = TimeSpan(nanoseconds: 1_000_000_000 / UInt64(perSecond))
        switch parts[part].decoder {
        case .none, .button, .lever, .buttonRow:
            throw .wrongPart
        case .selector, .analog:
            // The end stops limit the position.
            let last = parts[part].decoder.positions - 1
            let target = min(max(0, parts[part].position + detents), last)
            try travel(part, to: target, from: start, step: detent)
        case .encoder(let settings):
            replaceTravel(part, from: start)
            let transitions = Int(settings.transitions)
            let quarter = TimeSpan(nanoseconds: detent.nanoseconds / UInt64(transitions))
            let direction = detents.signum()
            var position = parts[part].position
            for step in 0..<(abs(detents) * transitions) {
                position = (position + direction) & 3
                plan(
                    .contacts(
                        part: part, closed: parts[part].pattern(at: position),
                        position: position),
                    at: start + quarter * UInt64(step))
            }
        }
    }

    /// Turns a potentiometer or a selector on a ladder to a value: the whole way takes 400 ms, and
    /// the converter samples it every 20 ms.
    private mutating func slide(
        _ part: Int, _ analog: AnalogSettings, to value: Int, from start: Instant
    ) throws(GestureError) {
        guard let value = Int32(exactly: value), analog.minimum <= value, value <= analog.maximum
        else { throw .outOfRange }
        replaceTravel(part, from: start)
        let from = parts[part].position
        let way = Int(analog.position(of: Value(value))) - from
        let samples = max(1, abs(way) * 20 / max(1, Int(analog.positions) - 1))
        for sample in 1...samples {
            let position = from + way * sample / samples
            plan(
                .contacts(part: part, closed: 0, position: position),
                at: start + .milliseconds(20) * UInt64(sample - 1))
        }
    }

    /// Moves a lever or selector through every position on the way.
    private mutating func travel(
        _ part: Int, to target: Int, from start: Instant, step: TimeSpan
    ) throws(GestureError) {
        guard parts[part].decoder.holdsPosition else { throw .wrongPart }
        guard target >= 0, target < parts[part].decoder.positions else { throw .outOfRange }
        replaceTravel(part, from: start)
        let present = parts[part]
        var position = present.position
        var closed = present.closed & present.positionMask
        var moment = start
        repeat {
            let next = position + (target - position).signum()
            let pattern = present.pattern(at: next)
            let between: UInt32 =
                switch present.bounce.transition {
                case .breakBeforeMake: closed & pattern
                case .makeBeforeBreak: closed | pattern
                }
            if between != closed {
                plan(.contacts(part: part, closed: between, position: position), at: moment)
            }
            let gap = between == closed || between == pattern ? .zero : present.bounce.gap
            plan(.contacts(part: part, closed: pattern, position: next), at: moment + gap)
            position = next
            closed = pattern
            moment = moment + max(step, gap)
        } while position != target
    }
}
