public import DetentCore
public import DetentHAL
public import DetentPanel
public import DetentTypes

/// One electrical edge of a capture.
public struct CaptureEdge: Equatable, Sendable {
    /// When the line changed.
    public var at: Instant
    /// The line that changed.
    public var line: LineID
    /// Whether the line is high from here on.
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
/// Edges at 0 are the initial levels, lines without one begin inactive. A row that repeats the
/// level of its line is no edge. Edges are not counted, for nobody knows what a capture has missed.
public final class CaptureBackend: GPIOBackend {
    private let plan: PanelPlan
    private var levels: [Level]
    private var edges: [CaptureEdge]
    private var place = 0
    private var initial: [LineEvent] = []

    /// Takes a capture; edges of one moment stay in their order.
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
        // What repeats a level is left out here, so that an edge that is left will be told.
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
        Level(edge.isHigh != plan.lines[Int(edge.line.index)].isActiveLow)
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

    /// What becomes readable when `drain` has something to give.
    public var descriptors: [Int32] { [] }
    /// Changes whenever `descriptors` do.
    public var descriptorGeneration: UInt32 { 0 }

    /// When `drain` has to be called although nothing is readable.
    public var deadline: Instant {
        if !initial.isEmpty { return .zero }
        return place < edges.count ? edges[place].at : .never
    }

    /// Gives what happened since the last call, as `GPIOBackend.drain` says.
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

    /// Gives all lines back, outputs at their levels for that.
    public func close() {}
}

/// Plays a capture through a panel, every action succeeding at once.
public enum CaptureRunner {
    /// - Parameter end: when to stop; nil: when nothing but repeats and patterns is due.
    /// - Throws: `EngineError` where the plan breaks a bound of the engine.
    public static func run(
        _ plan: PanelPlan, edges: [CaptureEdge], until end: Instant? = nil
    ) throws(EngineError) -> VirtualRecord {
        let runner = try VirtualRunner(plan, backend: CaptureBackend(plan, edges: edges))
        if let end {
            runner.run(until: end)
        } else {
            runner.runUntilQuiet()
        }
        return runner.record
    }
}
