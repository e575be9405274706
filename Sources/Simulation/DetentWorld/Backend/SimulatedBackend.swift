public import DetentHAL
public import DetentTypes

/// A simulated panel: the backend of `detent sim` and of tests in virtual time.
///
/// Its edges have the timestamps and sequence numbers of the model. As in the kernel, edges wait
/// for `drain` in a bounded queue; a full queue drops the oldest edge, which leaves a gap in the
/// sequence. A polled line is read only at its interval.
///
/// Synchronization: none. Call it for gestures on the thread that drains; other threads use the
/// runtime's inbox. A long run has millions of edges, so exclusive access is not checked.
public final class SimulatedBackend: GPIOBackend {
    @exclusivity(unchecked) var world: PhysicalModel
    @exclusivity(unchecked) var pins: [SimulatedPin]
    /// By the index of the line in the call of `open`.
    @exclusivity(unchecked) var requests: [SimulatedRequest?]
    /// The request that has a pin, by the pin.
    @exclusivity(unchecked) private var users: [Int?]
    /// The model of the panel that follows, before `change`.
    @exclusivity(unchecked) var next: PhysicalModel?
    @exclusivity(unchecked) private var polled: [Int] = []
    @exclusivity(unchecked) var edges: EventQueue
    /// Readings, faults and recoveries; these are never dropped.
    @exclusivity(unchecked) var notices: EventQueue
    /// Edges and notices since the start.
    @exclusivity(unchecked) var created = 0
    @exclusivity(unchecked) private var isOpen = false
    @exclusivity(unchecked) private var hasUnread = false
    /// Edges that the contacts made since the start, whether or not they were requested.
    @exclusivity(unchecked) public private(set) var edgeCount = 0

    /// Makes the backend of a model.
    ///
    /// - Parameter queue: the maximum number of waiting edges; nil for sixteen per line, as
    ///   libgpiod requests.
    public init(_ world: PhysicalModel, queue: Int? = nil) {
        self.world = world
        let count = world.lines.count
        pins = Array(repeating: SimulatedPin(), count: count)
        requests = Array(repeating: nil, count: count)
        users = Array(repeating: nil, count: count)
        edges = EventQueue(capacity: queue ?? max(16, count * 16))
        // At most a fault, a recovery and a reading of each line, twice.
        notices = EventQueue(capacity: max(16, count * 6))
    }

    /// Requests all lines, as `GPIOBackend.open` says.
    public func open(_ lines: [LineSettings]) -> [HALError] {
        var errors: [HALError] = []
        isOpen = true
        for settings in lines {
            do throws(HALError) {
                let place = try pinIndex(of: settings)
                let index = Int(settings.line.index)
                requests[index] = SimulatedRequest(settings, place: place)
                try checkIsFree(place, for: settings)
                claim(index)
            } catch {
                errors.append(error)
            }
        }
        return errors
    }

    /// Descriptors that become readable when `drain` has events; none here.
    public var descriptors: [Int32] { [] }
    /// Changes with `descriptors`.
    public var descriptorGeneration: UInt32 { 0 }

    /// When to call `drain` even if no descriptor is readable.
    public var deadline: Instant {
        guard isOpen else { return .never }
        if hasEvents { return world.now }
        return polled.reduce(world.nextChange) { min($0, requests[$1]?.nextPoll ?? .never) }
    }

    /// Returns the events since the last call, as `GPIOBackend.drain` does.
    public func drain(
        into buffer: UnsafeMutableBufferPointer<LineEvent>, now: Instant
    ) -> Int {
        guard isOpen else {
            advance(to: now)
            return 0
        }
        if hasUnread { readFirst(at: now) }
        poll(at: now)
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
        guard let request = request(line), request.state != .missing else { return nil }
        let level = request.isOutput ? request.wanted : level(of: request)
        return LineReading(level: level, at: now)
    }

    /// Drives an output, as `GPIOBackend.write` says.
    public func write(_ line: LineID, _ level: Level, now: Instant) -> Instant? {
        guard let request = request(line), request.isOutput else { return nil }
        requests[Int(line.index)]?.wanted = level
        guard request.state != .missing else { return nil }
        pins[request.place].isHigh = request.isHigh(at: level)
        return now
    }

    /// Makes an output this strong while it is active.
    public func adjust(_ line: LineID, to strength: Strength, now: Instant) {
        guard let request = request(line), request.isOutput else { return }
        requests[Int(line.index)]?.strength = strength
    }

    /// How strong an output is: nothing while it is inactive, or not requested.
    public func strength(of line: LineID) -> Strength {
        guard let request = request(line), request.isOutput, request.wanted == .active else {
            return Strength(tenThousandths: 0)
        }
        return request.strength
    }

    /// Releases all lines, with outputs at their `onRelease` levels.
    public func close() {
        for request in requests {
            guard let request, request.state != .missing, let level = request.onRelease else {
                continue
            }
            pins[request.place].isHigh = request.isHigh(at: level)
        }
        giveBack()
    }

    // MARK: Between the model and the queues

    /// Advances the model, as time passes while a process sleeps: edges that are not drained may be
    /// lost.
    public func advance(to moment: Instant) {
        world.advance(to: moment) { edge in
            edgeCount &+= 1
            guard let index = users[Int(edge.line.index)],
                let event = requests[index]?.event(of: edge)
            else { return }
            put(event)
        }
    }

    /// Whether events wait for `drain` at the current time.
    public var hasEvents: Bool { hasUnread || notices.count + edges.count > 0 }

    /// A request gets its pin: at `open`, or at `moment` when the pin is available again.
    private func claim(_ index: Int, restoredAt moment: Instant? = nil) {
        guard let request = requests[index] else { return }
        let line = request.settings.line
        users[request.place] = index
        if let moment { notice(line, .restored, at: moment) }
        switch request.settings.direction {
        case .input(let bias, _, _):
            world.setBias(bias, of: request.place)
            requests[index]?.state = .unread
            requests[index]?.sequence = 0
            requests[index]?.losses = 0
            if request.pollPeriod != nil, !polled.contains(index) { polled.append(index) }
            hasUnread = true
            if let moment { readFirst(at: moment) }
        case .output:
            requests[index]?.state = .working
            pins[request.place].isHigh = request.isHigh(at: request.wanted)
            pins[request.place].wasDriven = true
            guard let moment else { return }
            notice(line, .written(request.wanted), at: moment)
        }
    }

    /// Empty tables for another number of lines.
    func resize(to count: Int) {
        pins = Array(repeating: SimulatedPin(), count: count)
        requests = Array(repeating: nil, count: count)
        users = Array(repeating: nil, count: count)
        edges = EventQueue(capacity: max(16, count * 16))
        notices = EventQueue(capacity: max(16, count * 6))
        polled = []
    }

    /// A request of another panel begins, if its pin is free.
    func begin(_ index: Int) {
        guard let request = requests[index] else { return }
        guard (try? checkIsFree(request.place, for: request.settings)) != nil else {
            return notice(request.settings.line, .fault(errno: 19), at: world.now)  // ENODEV
        }
        claim(index)
    }

    /// A request goes on in another panel.
    func keep(_ index: Int) {
        guard let request = requests[index], request.state != .missing else { return }
        users[request.place] = index
        if request.pollPeriod != nil { polled.append(index) }
        if case .input(let bias, _, _) = request.settings.direction {
            world.setBias(bias, of: request.place)
        }
    }

    /// A request loses its pin.
    func lose(_ place: Int, errno: Int32, at moment: Instant) {
        guard let index = users[place], let request = requests[index] else { return }
        users[place] = nil
        requests[index]?.state = .missing
        requests[index]?.nextPoll = .never
        notice(request.settings.line, .fault(errno: errno), at: moment)
    }

    /// A pin is free again: a waiting request gets it.
    func offer(_ place: Int, at moment: Instant) {
        for index in requests.indices where users[place] == nil {
            guard let request = requests[index], request.place == place,
                request.state == .missing, (try? checkIsFree(place, for: request.settings)) != nil
            else { continue }
            claim(index, restoredAt: moment)
        }
    }

    /// Releases all lines at their current levels.
    func giveBack() {
        isOpen = false
        hasUnread = false
        edges.removeAll()
        notices.removeAll()
        polled = []
        for request in requests {
            guard let request, request.isOutput, request.state != .missing else { continue }
            pins[request.place].wasReleasedHigh = pins[request.place].isHigh
        }
        for place in users.indices {
            users[place] = nil
            requests[place] = nil
        }
    }

    private func checkIsFree(_ place: Int, for settings: LineSettings) throws(HALError) {
        if pins[place].isAbsent { throw .absentChip(settings) }
        if let holder = pins[place].holder { throw .busy(settings, holder: holder) }
        if let user = users[place], let request = requests[user] {
            throw .busy(settings, holder: request.settings.name)
        }
    }

    private func readFirst(at moment: Instant) {
        advance(to: moment)
        hasUnread = false
        for index in requests.indices {
            guard let request = requests[index], request.state == .unread else { continue }
            let level = level(of: request)
            requests[index]?.state = .working
            requests[index]?.seen = level
            requests[index]?.nextPoll = request.pollPeriod.map { moment + $0 } ?? .never
            notice(request.settings.line, reading(request, level), at: moment)
        }
    }

    private func poll(at now: Instant) {
        for index in polled {
            guard let due = requests[index]?.nextPoll, due <= now else { continue }
            advance(to: now)
            guard let request = requests[index], let period = request.pollPeriod else { continue }
            let level = level(of: request)
            requests[index]?.nextPoll = now + period
            guard level != request.seen else { continue }
            requests[index]?.seen = level
            put(LineEvent(line: request.settings.line, kind: .edge(level, sequence: 0), at: now))
        }
    }

    private func reading(_ request: SimulatedRequest, _ level: Level) -> LineEvent.Kind {
        world.lines[request.place].sample.map { .sample($0) } ?? .reading(level)
    }

    private func level(of request: SimulatedRequest) -> Level {
        request.level(isHigh: world.lines[request.place].isHigh)
    }

    private func request(_ line: LineID) -> SimulatedRequest? {
        Int(line.index) < requests.count ? requests[Int(line.index)] : nil
    }

    private func notice(_ line: LineID, _ kind: LineEvent.Kind, at moment: Instant) {
        created &+= 1
        let event = LineEvent(line: line, kind: kind, at: max(moment, world.now))
        notices.append(event, order: created)
    }

    private func put(_ edge: LineEvent) {
        created &+= 1
        edges.append(edge, order: created)
    }

    /// The order of what happened at the same moment is that in which it happened: a level that was
    /// read describes the edges before it, and not those after it.
    private func takeEarliest() -> LineEvent? {
        guard let notice = notices.next else { return edges.pop()?.event }
        guard let edge = edges.next, edge.precedes(notice) else { return notices.pop()?.event }
        return edges.pop()?.event
    }
}
