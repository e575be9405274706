public import DetentTypes

/// A backend that loses, merges, delays and reorders what the wrapped one says, refuses lines, and
/// lets all lines go away for a while; the same seed gives the same faults for the same calls.
///
/// Faults are counted, so that a test can tell that there were any. Print the seed before a run.
public final class FaultInjectingBackend: GPIOBackend {
    /// How often each fault has happened.
    public struct Counts: Equatable, Sendable {
        /// Edges that vanished with a gap, or as an overflow.
        public var lost = 0
        /// Edges that vanished without a trace.
        public var merged = 0
        /// Edges that changed places.
        public var reordered = 0
        /// Edges that came late.
        public var delayed = 0
        /// Lines that were refused.
        public var refused = 0
        /// Times that all lines went away.
        public var unplugged = 0

        /// Nothing has happened yet.
        public init() {}
    }

    /// An event on its way.
    private struct Pending {
        var event: LineEvent
        var due: Instant
    }

    /// A line as it looks from above.
    private struct Line {
        var isOutput: Bool
        var isRefused = false
        /// Outputs: the level that is wanted.
        var level: Level
        /// Edges that were taken out of the count.
        var merged: UInt32 = 0
    }

    private let wrapped: any GPIOBackend
    private let faults: InjectedFaults
    private var chance: SplitMix64
    private var lines: [LineID: Line] = [:]
    /// In the order of the panel, so that a dictionary's order never shows.
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

    /// Whether all lines are away.
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

    /// What becomes readable when `drain` has something to give.
    public var descriptors: [Int32] { wrapped.descriptors }
    /// Changes whenever `descriptors` do.
    public var descriptorGeneration: UInt32 { wrapped.descriptorGeneration }

    /// When `drain` has to be called although nothing is readable.
    public var deadline: Instant {
        pending.reduce(min(wrapped.deadline, backAgain)) { min($0, $1.due) }
    }

    /// Takes note that a descriptor is readable.
    public func markReady(_ index: Int) { wrapped.markReady(index) }

    /// Gives what happened since the last call, as `GPIOBackend.drain` says.
    public func drain(into buffer: UnsafeMutableBufferPointer<LineEvent>, now: Instant) -> Int {
        if now >= backAgain { comeBack(now: now) }
        if !isUnplugged, chance.happens(oneIn: faults.unplugsOneDrainIn) {
            unplug(until: now + faults.unpluggedFor, now: now)
        }
        // Events beyond the bound wait in the wrapped backend.
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

    /// Gives all lines back, outputs at their levels for that.
    public func close() {
        reset()
        wrapped.close()
    }

    /// Lets all lines go away until `moment`; faults and restorations come through `drain`.
    public func unplug(until moment: Instant, now: Instant) {
        backAgain = moment
        counts.unplugged += 1
        pending.removeAll(keepingCapacity: true)
        for line in order where lines[line]?.isRefused == false {
            put(line, .fault(errno: Self.noSuchDevice), now)
        }
    }

    /// Events that can be on their way before the wrapped backend has to wait.
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

    /// Lets an event of the wrapped backend through, or not.
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
            remedy: "choose another seed, or inject no refusals")
    }
}
