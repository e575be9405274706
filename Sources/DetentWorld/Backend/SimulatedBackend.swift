public import DetentHAL
public import DetentTypes

/// A panel that exists only as a `World`: the backend of `detent sim` and of tests in virtual time.
///
/// Its edges carry the world's own stamps and sequence numbers. As with the kernel, edges wait in a
/// queue of bounded size for `drain`; a full queue drops the oldest, which shows as a gap in the
/// sequence. Simulated chips always interrupt, so lines that would be polled give edges too.
///
/// Synchronization: none. Gestures come on the thread that drains: from elsewhere they go through
/// the runtime's inbox.
public final class SimulatedBackend: GPIOBackend {
    private var world: World
    private var inputs: [Input?]
    private var outputs: [Output?]
    private var edges: EventQueue
    /// Readings, faults and their ends; these are never dropped.
    private var notices: EventQueue
    private var isOpen = false

    private struct Input {
        var sequence: UInt32 = 0
        /// Edges that will be lost before they reach the queue.
        var losses = 0
        var isUnplugged = false
    }

    private struct Output {
        var level: Level
        var onRelease: Level?
        var writtenAt: Instant?
        var isUnplugged = false
    }

    /// Makes the backend of a world.
    ///
    /// - Parameter queue: edges that wait at most; nil for sixteen a line, as libgpiod asks for.
    public init(_ world: World, queue: Int? = nil) {
        self.world = world
        let count = world.lines.count
        inputs = Array(repeating: nil, count: count)
        outputs = Array(repeating: nil, count: count)
        edges = EventQueue(capacity: queue ?? max(16, count * 16))
        // At most a fault, a return and a reading of each line, twice over.
        notices = EventQueue(capacity: max(16, count * 6))
    }

    // MARK: What a hand does

    /// Makes a gesture at a moment, from which `deadline` follows.
    public func apply(_ gesture: Gesture, at moment: Instant) throws(GestureError) {
        advance(to: moment)
        try world.apply(gesture, at: moment)
    }

    /// Where a lever or selector stands; nil for parts that hold no position.
    public func position(of control: ControlID) -> Int? { world.position(of: control) }

    /// The next `count` edges of a line are lost, and only the sequence shows it.
    public func loseEdges(of line: LineID, count: Int) {
        inputs[Int(line.index)]?.losses = max(0, count)
    }

    /// The chip of a line goes away.
    public func unplug(_ line: LineID, at moment: Instant) {
        advance(to: moment)
        let place = Int(line.index)
        guard place < inputs.count, isRequested(place), !isUnplugged(place) else { return }
        inputs[place]?.isUnplugged = true
        outputs[place]?.isUnplugged = true
        notice(line, .fault(errno: Self.noSuchDevice), at: moment)
    }

    /// The chip of a line is back: an output is driven to its level, an input is read.
    public func replug(_ line: LineID, at moment: Instant) {
        advance(to: moment)
        let place = Int(line.index)
        guard place < inputs.count, isUnplugged(place) else { return }
        notice(line, .restored, at: moment)
        if inputs[place] != nil {
            inputs[place] = Input()
            notice(line, .reading(world.level(of: line)), at: moment)
        }
        if let output = outputs[place] {
            outputs[place]?.isUnplugged = false
            outputs[place]?.writtenAt = moment
            notice(line, .written(output.level), at: moment)
        }
    }

    // MARK: What a measuring instrument sees

    /// The level an output or lamp is driven to; nil for lines that are not requested as one.
    public func drivenLevel(of line: LineID) -> Level? {
        Int(line.index) < outputs.count ? outputs[Int(line.index)]?.level : nil
    }

    /// When an output was last written; nil before the first write.
    public func lastWrite(of line: LineID) -> Instant? {
        Int(line.index) < outputs.count ? outputs[Int(line.index)]?.writtenAt : nil
    }

    /// Edges that a full queue has dropped since the beginning.
    public var droppedEdges: Int { edges.dropped }

    // MARK: GPIOBackend

    /// Requests all lines, as `GPIOBackend.open` says.
    public func open(_ lines: [LineSettings]) -> [HALError] {
        var errors: [HALError] = []
        isOpen = true
        for line in lines {
            let place = Int(line.line.index)
            guard place < inputs.count else {
                errors.append(
                    HALError(
                        code: .noSuchLine, line: line.name,
                        cause: "the simulated panel has no line \(place)",
                        remedy: "simulate the panel that is run"))
                continue
            }
            switch line.direction {
            case .input:
                inputs[place] = Input()
                notice(line.line, .reading(world.level(of: line.line)), at: world.now)
            case .output(let initial, let onRelease):
                outputs[place] = Output(level: initial, onRelease: onRelease)
            }
        }
        return errors
    }

    /// What becomes readable when `drain` has something to give.
    public var descriptors: [Int32] { [] }
    /// Changes whenever `descriptors` do.
    public var descriptorGeneration: UInt32 { 0 }

    /// When `drain` has to be called although nothing is readable.
    public var deadline: Instant {
        notices.count + edges.count > 0 ? world.now : world.nextChange
    }

    /// Gives what happened since the last call, as `GPIOBackend.drain` says.
    public func drain(
        into buffer: UnsafeMutableBufferPointer<LineEvent>, now: Instant
    ) -> Int {
        var count = 0
        while count < buffer.count {
            if edges.count + notices.count == 0 {
                guard world.nextChange <= now else { break }
                advance(to: world.nextChange)
                continue
            }
            guard let event = takeEarliest() else { break }
            buffer[count] = event
            count += 1
        }
        return count
    }

    /// Reads a level, as `GPIOBackend.read` says.
    public func read(_ line: LineID, now: Instant) -> LineReading? {
        advance(to: now)
        let place = Int(line.index)
        guard place < inputs.count, !isUnplugged(place) else { return nil }
        if inputs[place] != nil { return LineReading(level: world.level(of: line), at: now) }
        return outputs[place].map { LineReading(level: $0.level, at: now) }
    }

    /// Drives an output, as `GPIOBackend.write` says.
    public func write(_ line: LineID, _ level: Level, now: Instant) -> Instant? {
        let place = Int(line.index)
        guard place < outputs.count, outputs[place] != nil else { return nil }
        outputs[place]?.level = level
        guard !isUnplugged(place) else { return nil }
        outputs[place]?.writtenAt = now
        return now
    }

    /// Gives all lines back, outputs at their levels for that.
    public func close() {
        guard isOpen else { return }
        isOpen = false
        for place in outputs.indices {
            if let level = outputs[place]?.onRelease { outputs[place]?.level = level }
        }
        edges.removeAll()
        notices.removeAll()
        for place in inputs.indices { inputs[place] = nil }
    }

    // MARK: Between the world and the queues

    private static let noSuchDevice: Int32 = 19  // ENODEV

    /// Lets the world go on, as it does while a process sleeps: edges that nobody drains may be
    /// lost.
    public func advance(to moment: Instant) {
        world.advance(to: moment) { edge in
            let place = Int(edge.line.index)
            guard inputs[place] != nil, inputs[place]?.isUnplugged == false else { return }
            inputs[place]?.sequence &+= 1
            if let losses = inputs[place]?.losses, losses > 0 {
                inputs[place]?.losses = losses - 1
                return
            }
            let sequence = inputs[place]?.sequence ?? 0
            edges.append(
                LineEvent(
                    line: edge.line, kind: .edge(edge.level, sequence: sequence), at: edge.at))
        }
    }

    private func notice(_ line: LineID, _ kind: LineEvent.Kind, at moment: Instant) {
        notices.append(LineEvent(line: line, kind: kind, at: max(moment, world.now)))
    }

    /// At one moment edges come first: a notice tells how things stand after them.
    private func takeEarliest() -> LineEvent? {
        guard let notice = notices.next else { return edges.take() }
        guard let edge = edges.next, edge.at <= notice.at else { return notices.take() }
        return edges.take()
    }

    private func isRequested(_ place: Int) -> Bool {
        inputs[place] != nil || outputs[place] != nil
    }

    private func isUnplugged(_ place: Int) -> Bool {
        inputs[place]?.isUnplugged == true || outputs[place]?.isUnplugged == true
    }
}
