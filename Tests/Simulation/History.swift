import DetentCore
import DetentTypes
import DetentWorld

/// What happened in a run, in one row: all that the invariants look at.
enum HistoryStep: Equatable {
    case report(Report, at: Instant)
    case attempt(VirtualRecord.Attempt)
    /// The process ended and began again.
    case restart
    /// All is at rest, and what a meter and the engine say now.
    case quiet(at: Instant, [ControlState])
}

/// A control at a quiet moment: the world beside the engine.
struct ControlState: Equatable {
    struct Contact: Equatable {
        var line: LineID
        /// What a meter at the line says.
        var world: Level
        /// What the engine has.
        var engine: Level?
    }

    var control: ControlID
    var contacts: [Contact]
    /// Where the part stands in the world; nil for parts that hold no position.
    var position: Int?
    /// What a dial must show after every detent and every word from outside; nil where edges were
    /// lost, so that nobody can say.
    var dial: Int32?
    var snapshot: ControlSnapshot
    /// Its last position came after its last word from outside, and every action since succeeds.
    var mustFollow: Bool
}

/// Something that must never be.
enum Invariant: String, CaseIterable {
    case time = "time goes on"
    case presses = "presses and releases alternate"
    case changes = "no value is told twice"
    case attempts = "one attempt in flight"
    case contacts = "the contact is the world's level once quiet"
    case positions = "the position is the part's once quiet"
    case follows = "under follow the value is the position"
    case dials = "a dial is the sum of its detents"
}

/// Judges a history; it knows nothing of the engine but what a history says.
struct InvariantChecker {
    struct Violation: Equatable, CustomStringConvertible {
        var invariant: Invariant
        var text: String

        var description: String { "\(invariant.rawValue): \(text)" }
    }

    /// The value of each control at a start before anything is told.
    let rest: [Value]
    private(set) var violations: [Violation] = []
    private var latest = Instant.zero
    private var isPressed: [ControlID: Bool] = [:]
    private var told: [ControlID: Value] = [:]
    private var running: [ControlID: RunID] = [:]

    static func violations(_ history: [HistoryStep], rest: [Value]) -> [Violation] {
        var checker = InvariantChecker(rest: rest)
        for step in history { checker.take(step) }
        return checker.violations
    }

    private init(rest: [Value]) {
        self.rest = rest
    }

    private mutating func take(_ step: HistoryStep) {
        switch step {
        case .report(let report, let moment): take(report, at: moment)
        case .attempt(let attempt): take(attempt)
        case .restart:
            isPressed = [:]
            told = [:]
            running = [:]
        case .quiet(let moment, let states):
            for state in states { take(state, at: moment) }
        }
    }

    private mutating func take(_ report: Report, at moment: Instant) {
        if moment < latest { fail(.time, "\(report) at \(moment), after \(latest)") }
        latest = max(latest, moment)
        let control = report.control
        switch report.kind {
        case .pressed, .released:
            let isPress = report.kind == .pressed
            if isPressed[control, default: false] == isPress {
                fail(.presses, "\(report) at \(moment)")
            }
            isPressed[control] = isPress
        case .changed(let value, _):
            if told[control, default: rest[Int(control.index)]] == value {
                fail(.changes, "\(report) at \(moment)")
            }
            told[control] = value
        case .clicked, .doubleClicked, .multiClicked, .held, .repeated, .stepped, .moved, .invalid,
            .confirmed, .phase, .flag, .refused, .armed, .progress, .indicator, .output, .lost,
            .fault, .buttonPressed, .buttonReleased, .opened, .closed, .focused, .chosen, .staged:
            break
        }
    }

    private mutating func take(_ attempt: VirtualRecord.Attempt) {
        switch attempt.step {
        case .started:
            if let other = running[attempt.control] {
                fail(.attempts, "\(attempt.run) began at \(attempt.at) during \(other)")
            }
            running[attempt.control] = attempt.run
        case .ended, .cancelled:
            if running[attempt.control] == attempt.run { running[attempt.control] = nil }
        }
    }

    private mutating func take(_ state: ControlState, at moment: Instant) {
        let place = "control \(state.control.index) at \(moment)"
        for contact in state.contacts where contact.engine != contact.world {
            fail(.contacts, "\(place): \(contact)")
        }
        let snapshot = state.snapshot
        if let position = state.position {
            if snapshot.position != Value(Int32(position)) {
                fail(.positions, "\(place): stands at \(position), has \(snapshot.position)")
            }
            if state.mustFollow, snapshot.phase == .idle, snapshot.desired != snapshot.position {
                fail(.follows, "\(place): shows \(snapshot.desired) at \(snapshot.position)")
            }
        }
        if let dial = state.dial, snapshot.desired != Value(dial) {
            fail(.dials, "\(place): shows \(snapshot.desired), turned to \(dial)")
        }
    }

    private mutating func fail(_ invariant: Invariant, _ text: String) {
        violations.append(Violation(invariant: invariant, text: text))
    }
}
