public import DetentCore
public import DetentHAL
public import DetentPanel
public import DetentTypes

/// One electrical edge of a capture.
public struct CaptureEdge: Equatable, Sendable {
    public var at: Instant
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
    private let edges: [CaptureEdge]
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
    }

    private func level(_ edge: CaptureEdge) -> Level {
        Level(edge.isHigh != plan.lines[Int(edge.line.index)].isActiveLow)
    }

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

    public var descriptors: [Int32] { [] }
    public var descriptorGeneration: UInt32 { 0 }

    public var deadline: Instant {
        if !initial.isEmpty { return .zero }
        return place < edges.count ? edges[place].at : .never
    }

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
                guard levels[Int(edge.line.index)] != level else { continue }
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

    public func read(_ line: LineID, now: Instant) -> LineReading? {
        Int(line.index) < levels.count
            ? LineReading(level: levels[Int(line.index)], at: now) : nil
    }

    public func write(_ line: LineID, _ level: Level, now: Instant) -> Instant? { now }

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
