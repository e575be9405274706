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

    /// The next moment at which `deadlineReached` wants to be called if the line stays at `level`.
    func deadline(level: Level) -> Instant {
        switch self {
        case .none: .never
        case .eager(let machine): machine.deadline
        case .defer(let machine): machine.deadline
        case .asymmetric(let machine): machine.deadline
        case .integrator(let machine): machine.deadline(level: level)
        }
    }

    /// Whether the deadline changes nothing that can be seen if the line stays at `level`. Then
    /// `deadlineReached` may come at any later moment, but before the next edge.
    func endsUnseen(level: Level) -> Bool {
        switch self {
        case .none: true
        case .eager(let machine): machine.endsUnseen(level: level)
        case .defer: false  // it has a deadline only while the level differs
        case .asymmetric(let machine): machine.endsUnseen
        case .integrator(let machine): machine.endsUnseen(level: level)
        }
    }

    /// The line has changed to `level`; returns what to report, if anything.
    mutating func edge(to level: Level, at now: Instant) -> Level? {
        switch self {
        case .none:
            return level
        case .eager(var machine):
            defer { self = .eager(machine) }
            return machine.edge(to: level, at: now)
        case .defer(var machine):
            defer { self = .defer(machine) }
            return machine.edge(to: level, at: now)
        case .asymmetric(var machine):
            defer { self = .asymmetric(machine) }
            return machine.edge(to: level, at: now)
        case .integrator(var machine):
            defer { self = .integrator(machine) }
            return machine.edge(to: level, at: now)
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
