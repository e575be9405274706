public import DetentPanel
package import DetentRuntime
public import DetentTrace
public import DetentTypes

/// Writes a run in virtual time as a trace.
public enum RecordedTrace {
    /// Makes a VCD file of a traced run.
    ///
    /// - Parameters:
    ///   - record: of a run with `isTraced`; otherwise all values in the trace are unknown.
    ///   - end: the end of the trace.
    public static func write(
        _ record: VirtualRecord, of plan: PanelPlan, until end: Instant, to path: String
    ) throws(TraceError) {
        _ = try write(record, of: plan, until: end, to: try TraceFile(path: path))
    }

    /// Writes the same to any output, and returns it.
    public static func write<Output: TraceOutput & ~Copyable>(
        _ record: VirtualRecord, of plan: PanelPlan, until end: Instant,
        to output: consuming Output
    ) throws(TraceError) -> Output {
        var trace = try PanelTrace(plan, to: output)
        try write(record.changes, to: &trace)
        return try trace.finish(at: end)
    }

    /// Adds changes to a trace.
    package static func write<Output: TraceOutput & ~Copyable>(
        _ changes: [VirtualChange], to trace: inout PanelTrace<Output>
    ) throws(TraceError) {
        for change in changes {
            switch change.kind {
            case .started: try trace.start(at: change.at)
            case .ended: try trace.end(at: change.at)
            case .line(let line, let level): try trace.line(line, level, at: change.at)
            case .control(let control, let state):
                try trace.control(control, state, at: change.at)
            }
        }
    }
}

/// A trace that is written during a run in virtual time.
public final class RunningTrace {
    private var trace: PanelTrace<TraceFile>?

    /// Creates or empties a file, and writes the declarations.
    public init(_ plan: PanelPlan, to path: String) throws(TraceError) {
        trace = try PanelTrace(plan, to: try TraceFile(path: path))
    }

    /// Adds the next changes of a run with `isTraced`.
    public func add(_ changes: [VirtualChange]) throws(TraceError) {
        guard var open = trace.take() else { return }
        try RecordedTrace.write(changes, to: &open)
        trace = consume open
    }

    /// Ends the trace at a moment; call once.
    public func finish(at end: Instant) throws(TraceError) {
        guard let open = trace.take() else { return }
        _ = try open.finish(at: end)
    }
}
