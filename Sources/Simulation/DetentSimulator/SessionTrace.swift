import DetentScenario
import DetentCore
import DetentRuntime
import DetentTrace
import DetentTypes

/// The lines and controls of a session as VCD. It repeats the session at full speed, so that only
/// the stimuli have to be stored.
struct SessionTrace: ~Copyable {
    private let machine: VirtualPanel
    private var trace: PanelTrace<TraceMemory>
    private var changes = 0
    private var latest = Instant.zero

    /// - Parameter hasRealActions: whether the steps contain the outcomes of real programs.
    static func write(
        _ start: SimulationOptions, steps: [TimedStimulus], until end: Instant, hasRealActions: Bool
    ) throws -> [UInt8] {
        var it = try SessionTrace(start, hasRealActions: hasRealActions)
        try it.show()
        for step in steps {
            try it.run(until: step.at)
            if it.isFull { break }
            // A stimulus that succeeded before succeeds again.
            try? it.machine.apply(step.stimulus)
            try it.show()
        }
        try it.run(until: end)
        return try it.finish()
    }

    private init(_ start: SimulationOptions, hasRealActions: Bool) throws {
        let machine = try start.panel(
            programs: hasRealActions ? Nobody() : nil, isTraced: true)
        trace = try PanelTrace(start.plan, to: TraceMemory())
        self.machine = machine
    }

    private var isFull: Bool { changes >= SimulatorLimits.traceChanges }

    private mutating func run(until moment: Instant) throws(TraceError) {
        while machine.next <= moment, machine.next != .never, !isFull {
            machine.run(until: machine.next)
            try show()
        }
        guard !isFull else { return }
        machine.run(until: moment)
        try show()
    }

    private mutating func show() throws(TraceError) {
        var taken: [VirtualChange] = []
        machine.takeRecord { taken = $0.changes }
        changes += taken.count
        try RecordedTrace.write(taken, to: &trace)
        latest = machine.now
    }

    private consuming func finish() throws(TraceError) -> [UInt8] {
        try trace.finish(at: latest).bytes
    }

    /// Replaces the programs, whose outcomes are among the steps.
    private final class Nobody: AttemptStarter {
        func start(_ attempt: ActionAttempt) -> Bool { true }
        func cancel(_ action: ActionID, _ run: RunID) {}
    }
}
