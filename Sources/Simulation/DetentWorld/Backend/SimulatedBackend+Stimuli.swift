public import DetentTypes

/// Gestures and faults from outside, and the levels that an instrument would measure.
extension SimulatedBackend {
    /// Performs a gesture at a moment; `deadline` changes accordingly.
    public func apply(_ gesture: Gesture, at moment: Instant) throws(GestureError) {
        advance(to: moment)
        try world.apply(gesture, at: moment)
    }

    /// The next moment at which a part moves or bounces; `never` if all is at rest.
    public var nextChange: Instant { world.nextChange }

    /// The position of a lever or selector; nil for parts without a position.
    public func position(of control: ControlID) -> Int? { world.position(of: control) }

    /// The model of the world outside the panel.
    public var outside: PhysicalModel { world }

    /// Changes how the contacts of a control bounce from their next change on; nil: as at the
    /// start.
    public func setBounce(of control: ControlID, _ choice: BounceChoice?) {
        world.setBounce(of: control, choice)
    }

    /// The level of a contact line after polarity; inactive for other lines.
    public func level(of line: LineID) -> Level { world.level(of: line) }

    /// Drives a line high or low from outside, regardless of its contact; nil ends that.
    public func drive(_ line: LineID, isHigh: Bool?, at moment: Instant) {
        advance(to: moment)
        world.drive(line, isHigh: isHigh, at: moment)
        advance(to: moment)
    }

    /// Loses the next `count` edges of a line; only the sequence shows it.
    public func loseEdges(of line: LineID, count: Int) {
        guard Int(line.index) < requests.count else { return }
        requests[Int(line.index)]?.losses = max(0, count)
    }

    /// Removes the chip of a line; an output of it becomes low.
    public func unplug(_ line: LineID, at moment: Instant) {
        advance(to: moment)
        let place = Int(line.index)
        guard place < pins.count, !pins[place].isAbsent else { return }
        pins[place].isAbsent = true
        pins[place].isHigh = false
        lose(place, errno: Self.noSuchDevice, at: moment)
    }

    /// Reconnects the chip of a line: an output is driven to its level, an input is read.
    public func replug(_ line: LineID, at moment: Instant) {
        advance(to: moment)
        let place = Int(line.index)
        guard place < pins.count, pins[place].isAbsent else { return }
        pins[place].isAbsent = false
        offer(place, at: moment)
    }

    /// Makes another program use a line, if it is free.
    public func hold(_ line: LineID, by program: String) {
        guard Int(line.index) < pins.count else { return }
        pins[Int(line.index)].holder = program
    }

    /// Makes the other program release the line: a waiting request gets it.
    public func release(_ line: LineID, at moment: Instant) {
        guard Int(line.index) < pins.count else { return }
        advance(to: moment)
        pins[Int(line.index)].holder = nil
        offer(Int(line.index), at: moment)
    }

    /// The process ends at once: `onRelease` levels are not written, undrained events are lost, and
    /// every output becomes inactive, as the circuit of a released line makes it.
    public func cutPower(at moment: Instant) {
        advance(to: moment)
        for request in requests {
            guard let request, request.isOutput, request.state != .missing else { continue }
            pins[request.place].isHigh = request.isHigh(at: .inactive)
        }
        giveBack()
    }

    /// Whether a pin is high, as an output drives it or left it when it was released.
    public func isDrivenHigh(_ line: LineID) -> Bool {
        Int(line.index) < pins.count && pins[Int(line.index)].isHigh
    }

    /// The level to which an output or lamp is driven, or was driven when released, after polarity;
    /// nil for lines that were never outputs.
    public func drivenLevel(of line: LineID) -> Level? {
        let place = Int(line.index)
        guard place < pins.count, pins[place].wasDriven else { return nil }
        return Level(pins[place].isHigh != world.lines[place].isActiveLow)
    }

    /// Whether an output was high when it was last released, by `close` or by `cutPower`; nil if it
    /// never was.
    public func wasReleasedHigh(_ line: LineID) -> Bool? {
        Int(line.index) < pins.count ? pins[Int(line.index)].wasReleasedHigh : nil
    }

    /// Edges that a full queue has dropped since the start.
    public var droppedEdges: Int { edges.dropped }

    private static var noSuchDevice: Int32 { 19 }  // ENODEV
}
