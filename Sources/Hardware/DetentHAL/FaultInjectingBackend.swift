public import DetentTypes

/// A backend that loses, merges, delays and reorders the events of the wrapped backend, refuses
/// lines, and disconnects all lines for a while. The same seed gives the same faults for the same
/// calls.
///
/// Faults are counted, so that a test can check that there were some. Print the seed before a run.
public final class FaultInjectingBackend: GPIOBackend {
    /// How often each fault has happened.
    public struct Counts: Equatable, Sendable {
        /// Edges that vanished with a gap, or as an overflow.
        public var lost = 0
        /// Edges that vanished without a gap or an overflow.
        public var merged = 0
        /// Edges that were reordered.
        public var reordered = 0
        /// Edges that were delayed.
        public var delayed = 0
        /// Lines that were refused.
        public var refused = 0
        /// Times that all lines were disconnected.
        public var unplugged = 0

        /// All counts are 0.
        public init() {}
    }

    /// An event on its way.
    private struct Pending {
        var event: LineEvent
        var due: Instant
    }

    /// A line as the caller sees it.
    private struct Line {
        var isOutput: Bool
        var isRefused = false
        /// Outputs: the requested level.
        var level: Level
        /// Edges that were removed from the count.
        var merged: UInt32 = 0
    }

    private let wrapped: any GPIOBackend
    private let faults: InjectedFaults
    private var chance: SplitMix64
    private var lines: [LineID: Line] = [:]
    /// In the order of the panel, so that the order of a dictionary has no effect.
    private var order: [LineID] = []
    private var pending: [Pending] = []
    private var scratch: UnsafeMutableBufferPointer<LineEvent>
    private var backAgain = Instant.never
    /// The faults so far.
    public private(set) var counts = Counts()

    /// Wraps a backend.
    public init(_ wrapped: any GPIOBackend, faults: InjectedFaults, seed: UInt64) {
        self.wrapped = wrapped
        self.faults = faults
        chance = SplitMix64(seed: seed)
        scratch = .allocate(capacity: 256)
        scratch.initialize(repeating: LineEvent(line: LineID(0), kind: .overflow, at: .zero))
    }

    deinit { scratch.deallocate() }

    /// Whether all lines are disconnected.
    public var isUnplugged: Bool { backAgain != .never }

    /// Requests all lines, as `GPIOBackend.open` says.
    public func open(_ lines: [LineSettings]) -> [HALError] {
        reset()
        var errors: [HALError] = []
        var accepted: [LineSettings] = []
        for settings in lines {
            var line = Line(isOutput: false, level: .inactive)
            if case .output(let initial, _) = settings.direction {
                line = Line(isOutput: true, level: initial)
            }
            line.isRefused = chance.happens(oneIn: faults.refusesOneLineIn)
            self.lines[settings.line] = line
            order.append(settings.line)
            if line.isRefused {
                counts.refused += 1
                errors.append(Self.refusal(settings))
            } else {
                accepted.append(settings)
            }
        }
        return wrapped.open(accepted) + errors
    }

    /// Descriptors that become readable when `drain` has events.
    public var descriptors: [Int32] { wrapped.descriptors }
    /// Changes with `descriptors`.
    public var descriptorGeneration: UInt32 { wrapped.descriptorGeneration }

    /// When to call `drain` even if no descriptor is readable.
    public var deadline: Instant {
        pending.reduce(min(wrapped.deadline, backAgain)) { min($0, $1.due) }
    }

    /// Marks a descriptor as readable.
    public func markReady(_ index: Int) { wrapped.markReady(index) }

    /// Returns the events since the last call, as `GPIOBackend.drain` does.
    public func drain(into buffer: UnsafeMutableBufferPointer<LineEvent>, now: Instant) -> Int {
        if now >= backAgain { comeBack(now: now) }
        if !isUnplugged, chance.happens(oneIn: faults.unplugsOneDrainIn) {
            unplug(until: now + faults.unpluggedFor, now: now)
        }
        // Events beyond the limit wait in the wrapped backend.
        while pending.count < Self.pendingMax {
            let count = wrapped.drain(into: scratch, now: now)
            for event in scratch.prefix(count) { admit(event, now: now) }
            if count < scratch.count { break }
        }
        return deliver(into: buffer, now: now)
    }

    /// Reads a level, as `GPIOBackend.read` says.
    public func read(_ line: LineID, now: Instant) -> LineReading? {
        isReachable(line) ? wrapped.read(line, now: now) : nil
    }

    /// Drives an output, as `GPIOBackend.write` says.
    public func write(_ line: LineID, _ level: Level, now: Instant) -> Instant? {
        lines[line]?.level = level
        return isReachable(line) ? wrapped.write(line, level, now: now) : nil
    }

    /// Passes the strength of an output on.
    public func adjust(_ line: LineID, to strength: Strength, now: Instant) {
        wrapped.adjust(line, to: strength, now: now)
    }

    /// Releases all lines, with outputs at their `onRelease` levels.
    public func close() {
        reset()
        wrapped.close()
    }

    /// Disconnects all lines until `moment`; `drain` reports the faults and the recovery.
    public func unplug(until moment: Instant, now: Instant) {
        backAgain = moment
        counts.unplugged += 1
        pending.removeAll(keepingCapacity: true)
        for line in order where lines[line]?.isRefused == false {
            put(line, .fault(errno: Self.noSuchDevice), now)
        }
    }

    /// Delayed events at once. After that the wrapped backend has to wait.
    private static let pendingMax = 8192
    /// ENODEV and EBUSY of Linux.
    private static let noSuchDevice: Int32 = 19
    private static let busy: Int32 = 16

    private func comeBack(now: Instant) {
        backAgain = .never
        for id in order {
            guard let line = lines[id], !line.isRefused else { continue }
            put(id, .restored, now)
            if line.isOutput {
                if let at = wrapped.write(id, line.level, now: now) {
                    put(id, .written(line.level), at)
                }
            } else if let reading = wrapped.read(id, now: now) {
                put(id, .reading(reading.level), reading.at)
            }
        }
    }

    private func isReachable(_ line: LineID) -> Bool {
        !isUnplugged && lines[line]?.isRefused == false
    }

    private func put(_ line: LineID, _ kind: LineEvent.Kind, _ at: Instant) {
        pending.append(Pending(event: LineEvent(line: line, kind: kind, at: at), due: .zero))
    }

    /// Passes an event of the wrapped backend on, or injects a fault.
    private func admit(_ event: LineEvent, now: Instant) {
        guard !isUnplugged else { return }
        var event = event
        if case .edge(let level, let sequence) = event.kind {
            if chance.happens(oneIn: faults.mergesOneEdgeIn) {
                counts.merged += 1
                lines[event.line]?.merged += 1
                return
            }
            if chance.happens(oneIn: faults.losesOneEdgeIn) {
                counts.lost += 1
                if sequence == 0 { put(event.line, .overflow, event.at) }
                return
            }
            if sequence > 0 {
                let merged = lines[event.line]?.merged ?? 0
                event.kind = .edge(level, sequence: sequence &- merged)
            }
        } else if event.kind == .restored {
            lines[event.line]?.merged = 0
        }
        var due = Instant.zero
        if faults.longestDelay > .zero, chance.happens(oneIn: faults.delaysOneIn) {
            counts.delayed += 1
            due = now + TimeSpan(nanoseconds: chance.next() % faults.longestDelay.nanoseconds)
        }
        pending.append(Pending(event: event, due: due))
        if pending.count > 1, chance.happens(oneIn: faults.reordersOneIn) {
            counts.reordered += 1
            pending.swapAt(pending.count - 1, pending.count - 2)
        }
    }

    private func deliver(
        into buffer: UnsafeMutableBufferPointer<LineEvent>, now: Instant
    ) -> Int {
        var filled = 0
        var kept = 0
        for place in pending.indices {
            if pending[place].due <= now, filled < buffer.count {
                buffer[filled] = pending[place].event
                filled += 1
            } else {
                pending[kept] = pending[place]
                kept += 1
            }
        }
        pending.removeLast(pending.count - kept)
        return filled
    }

    private func reset() {
        lines.removeAll()
        order.removeAll()
        pending.removeAll()
        backAgain = .never
    }

    private static func refusal(_ settings: LineSettings) -> HALError {
        HALError(
            code: .busy, line: settings.name, errno: busy, holder: "fault-injection",
            cause: "the line is held by \"fault-injection\"",
            remedy: "use another seed, or disable refusals")
    }
}
