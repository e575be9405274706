import DetentCore
public import DetentHAL
public import DetentPanel
public import DetentTypes

/// One electrical edge of a capture.
public struct CaptureEdge: Equatable, Sendable {
    /// When the line changed.
    public var at: Instant
    /// The line that changed.
    public var line: LineID
    /// Whether the line is high from then on.
    public var isHigh: Bool

    /// Makes an edge.
    public init(at: Instant, line: LineID, isHigh: Bool) {
        self.at = at
        self.line = line
        self.isHigh = isHigh
    }
}

/// A capture of electrical levels, played as a backend: for `detent replay`.
///
/// Edges at 0 are the initial levels; lines without one begin inactive. A row that repeats the
/// level of its line is ignored. Edges are not counted, because a capture may have missed some.
public final class CaptureBackend: GPIOBackend {
    private let plan: PanelPlan
    private var levels: [Level]
    private var edges: [CaptureEdge]
    private var place = 0
    private var initial: [LineEvent] = []

    /// Takes a capture; edges at the same moment stay in their order.
    public init(_ plan: PanelPlan, edges: [CaptureEdge]) {
        self.plan = plan
        levels = Array(repeating: .inactive, count: plan.lines.count)
        let known = edges.filter { Int($0.line.index) < plan.lines.count }
        self.edges = known.enumerated()
            .sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }
            .map(\.element)
        while place < self.edges.count, self.edges[place].at == .zero {
            levels[Int(self.edges[place].line.index)] = level(self.edges[place])
            place += 1
        }
        // Repeated levels are removed here, so that every remaining edge is reported.
        var last = levels
        self.edges = Array(
            self.edges[place...].filter { edge in
                let level = level(edge)
                defer { last[Int(edge.line.index)] = level }
                return last[Int(edge.line.index)] != level
            })
        place = 0
    }

    private func level(_ edge: CaptureEdge) -> Level {
        Level(edge.isHigh != plan[edge.line].isActiveLow)
    }

    /// Requests all lines, as `GPIOBackend.open` says.
    public func open(_ lines: [LineSettings]) -> [HALError] {
        for line in lines {
            if case .input = line.direction {
                initial.append(
                    LineEvent(
                        line: line.line, kind: .reading(levels[Int(line.line.index)]), at: .zero))
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
        return place < edges.count ? edges[place].at : .never
    }

    /// Returns the events since the last call, as `GPIOBackend.drain` does.
    public func drain(
        into buffer: UnsafeMutableBufferPointer<LineEvent>, now: Instant
    ) -> Int {
        var count = 0
        while count < buffer.count {
            if !initial.isEmpty {
                buffer[count] = initial.removeFirst()
            } else if place < edges.count, edges[place].at <= now {
                let edge = edges[place]
                place += 1
                let level = level(edge)
                levels[Int(edge.line.index)] = level
                buffer[count] = LineEvent(
                    line: edge.line, kind: .edge(level, sequence: 0), at: edge.at)
            } else {
                break
            }
            count += 1
        }
        return count
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
