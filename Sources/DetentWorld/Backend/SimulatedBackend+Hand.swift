public import DetentTypes

/// What a hand does to the panel, and what a measuring instrument sees there.
extension SimulatedBackend {
    /// Makes a gesture at a moment, from which `deadline` follows.
    public func apply(_ gesture: Gesture, at moment: Instant) throws(GestureError) {
        advance(to: moment)
        try world.apply(gesture, at: moment)
    }

    /// The next moment at which a part moves or bounces; `never` when all is at rest.
    public var nextChange: Instant { world.nextChange }

    /// Where a lever or selector stands; nil for parts that hold no position.
    public func position(of control: ControlID) -> Int? { world.position(of: control) }

    /// What is outside the panel, to look at.
    public var outside: World { world }

    /// The contacts of a control bounce otherwise from their next change on; nil: as at the start.
    public func setBounce(of control: ControlID, _ choice: BounceChoice?) {
        world.setBounce(of: control, choice)
    }

    /// The level of a contact line as the panel's wiring has it; inactive for other lines.
    public func level(of line: LineID) -> Level { world.level(of: line) }

    /// Holds a line high or low from outside, whatever its contact does; nil lets it go.
    public func drive(_ line: LineID, isHigh: Bool?, at moment: Instant) {
        advance(to: moment)
        world.drive(line, isHigh: isHigh, at: moment)
        advance(to: moment)
    }

    /// The next `count` edges of a line are lost, and only the sequence shows it.
    public func loseEdges(of line: LineID, count: Int) {
        guard Int(line.index) < requests.count else { return }
        requests[Int(line.index)]?.losses = max(0, count)
    }

    /// The chip of a line goes away; an output that it drove is low.
    public func unplug(_ line: LineID, at moment: Instant) {
        advance(to: moment)
        let place = Int(line.index)
        guard place < pins.count, !pins[place].isAbsent else { return }
        pins[place].isAbsent = true
        pins[place].isHigh = false
        lose(place, errno: Self.noSuchDevice, at: moment)
    }

    /// The chip of a line is back: an output is driven to its level, an input is read.
    public func replug(_ line: LineID, at moment: Instant) {
        advance(to: moment)
        let place = Int(line.index)
        guard place < pins.count, pins[place].isAbsent else { return }
        pins[place].isAbsent = false
        offer(place, at: moment)
    }

    /// Another program takes a line, unless it is already taken.
    public func hold(_ line: LineID, by program: String) {
        guard Int(line.index) < pins.count else { return }
        pins[Int(line.index)].holder = program
    }

    /// The other program gives the line back: whoever was refused gets it.
    public func letGo(_ line: LineID, at moment: Instant) {
        guard Int(line.index) < pins.count else { return }
        advance(to: moment)
        pins[Int(line.index)].holder = nil
        offer(Int(line.index), at: moment)
    }

    /// The process is gone at once: nobody writes `onRelease` levels, what was not drained is lost,
    /// and every output falls to its inactive level, as the circuit behind a released line holds
    /// it.
    public func cutPower(at moment: Instant) {
        advance(to: moment)
        for request in requests {
            guard let request, request.isOutput, request.state != .missing else { continue }
            pins[request.place].isHigh = request.isHigh(at: .inactive)
        }
        giveBack()
    }

    /// Whether a pin is high, as an output drives it or left it when it was given back.
    public func isDrivenHigh(_ line: LineID) -> Bool {
        Int(line.index) < pins.count && pins[Int(line.index)].isHigh
    }

    /// The level that an output or lamp is driven to, or was left at, as the panel's wiring has it;
    /// nil for lines that were never asked for as one.
    public func drivenLevel(of line: LineID) -> Level? {
        let place = Int(line.index)
        guard place < pins.count, pins[place].wasDriven else { return nil }
        return Level(pins[place].isHigh != world.lines[place].isActiveLow)
    }

    /// Whether an output was high when it was last given back, in order or by `cutPower`; nil where
    /// it never was.
    public func wasReleasedHigh(_ line: LineID) -> Bool? {
        Int(line.index) < pins.count ? pins[Int(line.index)].wasReleasedHigh : nil
    }

    /// When an output was last written; nil before the first write.
    public func lastWrite(of line: LineID) -> Instant? {
        Int(line.index) < pins.count ? pins[Int(line.index)].writtenAt : nil
    }

    /// Edges that a full queue has dropped since the beginning.
    public var droppedEdges: Int { edges.dropped }

    private static var noSuchDevice: Int32 { 19 }  // ENODEV
}
