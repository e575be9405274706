import DetentCore
public import DetentHAL
public import DetentPanel
public import DetentTypes

/// One electrical edge of a capture, or one sample.
public struct CaptureEdge: Equatable, Sendable {
    /// When the line changed.
    public var at: Instant
    /// The line that changed.
    public var line: LineID
    /// Whether the line is high from then on.
    public var isHigh: Bool
    /// What the converter of an analog line has from then on; nil for all others.
    public var sample: Int32?

    /// Makes an edge.
    public init(at: Instant, line: LineID, isHigh: Bool, sample: Int32? = nil) {
        self.at = at
        self.line = line
        self.isHigh = isHigh
        self.sample = sample
    }
}

/// A capture of electrical levels, played as a backend: for `detent replay`.
///
/// Edges at 0 are the initial levels; lines without one begin inactive. Analog lines without one
/// begin with their first sample. A row that repeats the level of its line is ignored. Edges are
/// not counted, because a capture may have missed some. One edge is in memory at a time. As in
/// `VirtualRunner`, exclusive access is not checked.
public final class CaptureBackend: GPIOBackend {
    private let isActiveLow: [Bool]
    private let read: () -> CaptureEdge?
    /// The levels after the edges that were drained.
    @exclusivity(unchecked) private var levels: [Level]
    /// The levels after `upcoming`.
    @exclusivity(unchecked) private var last: [Level]
    /// The samples after the edges that were drained, and after `upcoming`.
    @exclusivity(unchecked) private var samples: [Int32?]
    @exclusivity(unchecked) private var lastSamples: [Int32?]
    /// The next edge that changes its line; nil after the last.
    @exclusivity(unchecked) private var upcoming: CaptureEdge?
    @exclusivity(unchecked) private var initial: [LineEvent] = []

    /// Takes a capture; edges at the same moment stay in their order.
    public convenience init(_ plan: PanelPlan, edges: [CaptureEdge]) {
        var sorted = edges.enumerated()
            .sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }
            .map(\.element)[...]
        self.init(plan) { sorted.popFirst() }
    }

    /// Takes a capture edge by edge.
    ///
    /// - Parameter next: the next edge, in order of time; nil at the end. It is called one edge
    ///   ahead of the panel.
    public init(_ plan: PanelPlan, next: @escaping () -> CaptureEdge?) {
        isActiveLow = plan.lines.map(\.isActiveLow)
        read = next
        levels = Array(repeating: .inactive, count: plan.lines.count)
        last = levels
        samples = levels.map { _ in nil }
        lastSamples = samples
        repeat {
            upcoming = next()
            guard let edge = upcoming, edge.at == .zero else { break }
            _ = changes(edge)
        } while true
        levels = last
        samples = lastSamples
        if let edge = upcoming, !changes(edge) { advance() }
    }

    /// Reads the next edge that changes its line.
    private func advance() {
        repeat {
            upcoming = read()
            guard let edge = upcoming else { return }
            if changes(edge) { return }
        } while true
    }

    /// Whether an edge changes its line, which has the level of the edge from then on.
    private func changes(_ edge: CaptureEdge) -> Bool {
        let line = Int(edge.line.index)
        guard line < last.count else { return false }
        if let sample = edge.sample {
            guard lastSamples[line] != sample else { return false }
            lastSamples[line] = sample
            return true
        }
        let level = level(edge)
        guard last[line] != level else { return false }
        last[line] = level
        return true
    }

    private func level(_ edge: CaptureEdge) -> Level {
        Level(edge.isHigh != isActiveLow[Int(edge.line.index)])
    }

    /// Requests all lines, as `GPIOBackend.open` says.
    public func open(_ lines: [LineSettings]) -> [HALError] {
        for line in lines {
            let place = Int(line.line.index)
            if line.isAnalog {
                guard let sample = samples[place] else { continue }
                initial.append(LineEvent(line: line.line, kind: .sample(sample), at: .zero))
            } else if case .input = line.direction {
                initial.append(LineEvent(line: line.line, kind: .reading(levels[place]), at: .zero))
            }
        }
        return []
    }

    /// Descriptors that become readable when `drain` has events; none here.
    public var descriptors: [Int32] { [] }
    /// Changes with `descriptors`.
    public var descriptorGeneration: UInt32 { 0 }

    /// When to call `drain` even if no descriptor is readable.
    public var deadline: Instant {
        if !initial.isEmpty { return .zero }
        return upcoming?.at ?? .never
    }

    /// Returns the events since the last call, as `GPIOBackend.drain` does.
    public func drain(
        into buffer: UnsafeMutableBufferPointer<LineEvent>, now: Instant
    ) -> Int {
        var count = 0
        while count < buffer.count {
            if !initial.isEmpty {
                buffer[count] = initial.removeFirst()
            } else if let edge = upcoming, edge.at <= now {
                advance()
                buffer[count] = LineEvent(line: edge.line, kind: taken(edge), at: edge.at)
            } else {
                break
            }
            count += 1
        }
        return count
    }

    /// Makes an edge the state of its line; returns its event.
    private func taken(_ edge: CaptureEdge) -> LineEvent.Kind {
        let place = Int(edge.line.index)
        if let sample = edge.sample {
            samples[place] = sample
            return .sample(sample)
        }
        levels[place] = level(edge)
        return .edge(levels[place], sequence: 0)
    }

    /// Reads a level, as `GPIOBackend.read` says.
    public func read(_ line: LineID, now: Instant) -> LineReading? {
        Int(line.index) < levels.count
            ? LineReading(level: levels[Int(line.index)], at: now) : nil
    }

    /// Drives an output, as `GPIOBackend.write` says.
    public func write(_ line: LineID, _ level: Level, now: Instant) -> Instant? { now }

    /// Does nothing.
    public func close() {}
}
