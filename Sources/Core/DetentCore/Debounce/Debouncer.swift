import DetentTypes

/// The debounce algorithms behind one interface.
///
/// Laws that each keeps (DebounceLawTests): the final level of a burst is reported, reports
/// alternate, results depend on edge times alone, and a quiet line is silent.
enum Debouncer: Equatable, BitwiseCopyable {
    case none
    case eager(EagerDebouncer)
    case `defer`(DeferDebouncer)
    case asymmetric(AsymmetricDebouncer)
    case integrator(IntegratorDebouncer)

    init(_ algorithm: DebounceSettings.Algorithm, level: Level) {
        switch algorithm {
        case .none:
            self = .none
        case .eager(let time, let window):
            self = .eager(EagerDebouncer(level: level, time: time, window: window))
        case .defer(let time):
            self = .defer(DeferDebouncer(level: level, time: time))
        case .asymmetric(let press, let release):
            self = .asymmetric(
                AsymmetricDebouncer(level: level, press: press, release: release))
        case .integrator(let sample, let samples):
            self = .integrator(
                IntegratorDebouncer(level: level, sample: sample, samples: samples))
        }
    }

    /// What it waits for if the line stays at `level`.
    @inline(__always)
    func wait(level: Level) -> DebounceWait {
        switch self {
        case .none: .nothing
        case .eager(let machine): Self.wait(machine, level)
        case .defer(let machine): Self.wait(machine)
        case .asymmetric(let machine): Self.wait(machine)
        case .integrator(let machine): Self.wait(machine, level)
        }
    }

    @inline(__always)
    private static func wait(_ machine: EagerDebouncer, _ level: Level) -> DebounceWait {
        DebounceWait(machine.deadline, isUnseen: machine.endsUnseen(level: level))
    }

    /// It has a deadline only while the level differs.
    @inline(__always)
    private static func wait(_ machine: DeferDebouncer) -> DebounceWait {
        DebounceWait(machine.deadline, isUnseen: false)
    }

    @inline(__always)
    private static func wait(_ machine: AsymmetricDebouncer) -> DebounceWait {
        DebounceWait(machine.deadline, isUnseen: machine.endsUnseen)
    }

    @inline(__always)
    private static func wait(_ machine: IntegratorDebouncer, _ level: Level) -> DebounceWait {
        DebounceWait(machine.deadline(level: level), isUnseen: machine.endsUnseen(level: level))
    }

    /// The line has changed to `level`; returns what to report, if anything, and what it waits for
    /// now.
    // Inlined, and one switch for both: 25 instructions an edge (Benchmarks/run).
    @inline(__always)
    mutating func edge(to level: Level, at now: Instant) -> (report: Level?, wait: DebounceWait) {
        switch self {
        case .none:
            return (level, .nothing)
        case .eager(var machine):
            let report = machine.edge(to: level, at: now)
            self = .eager(machine)
            return (report, Self.wait(machine, level))
        case .defer(var machine):
            let report = machine.edge(to: level, at: now)
            self = .defer(machine)
            return (report, Self.wait(machine))
        case .asymmetric(var machine):
            let report = machine.edge(to: level, at: now)
            self = .asymmetric(machine)
            return (report, Self.wait(machine))
        case .integrator(var machine):
            let report = machine.edge(to: level, at: now)
            self = .integrator(machine)
            return (report, Self.wait(machine, level))
        }
    }

    /// The deadline has come, with the line at `level`; returns what to report, if anything.
    mutating func deadlineReached(level: Level, at now: Instant) -> Level? {
        switch self {
        case .none:
            return nil
        case .eager(var machine):
            defer { self = .eager(machine) }
            return machine.deadlineReached(level: level, at: now)
        case .defer(var machine):
            defer { self = .defer(machine) }
            return machine.deadlineReached(level: level, at: now)
        case .asymmetric(var machine):
            defer { self = .asymmetric(machine) }
            return machine.deadlineReached(level: level, at: now)
        case .integrator(var machine):
            defer { self = .integrator(machine) }
            return machine.deadlineReached(level: level, at: now)
        }
    }
}

/// What a debounce algorithm waits for while its line stays at a level.
enum DebounceWait {
    case nothing
    /// The end changes nothing that can be seen. `deadlineReached` may come at any later moment,
    /// but before the next edge.
    case unseen(Instant)
    case seen(Instant)

    @inline(__always)
    init(_ deadline: Instant, isUnseen: Bool) {
        self = deadline == .never ? .nothing : isUnseen ? .unseen(deadline) : .seen(deadline)
    }
}
