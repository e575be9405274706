import DetentCore
import DetentPanel
import DetentScenario
import DetentTypes
import DetentWorld

/// What happened in a run, in one row: all that the invariants look at.
enum HistoryStep: Equatable {
    case report(Report, at: Instant)
    case attempt(VirtualRecord.Attempt)
    /// A line of outputs that must never be on together.
    case output(ControlID, LineID, Level, at: Instant)
    /// Somebody outside asked, and waits for the answer.
    case asked(RequestID)
    case answered(RequestID)
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
    case outputs = "never two outputs on"
    case disabled = "nothing is asked of what is disabled"
    case phases = "every phase ends"
    case sums = "groups and forms are the sum of their members once quiet"
    case truth = "at rest a flag says that the device differs or is unknown"
    case requests = "each request is answered once"
    case menus = "menus close and confirmations lapse by themselves"
}

/// Judges a history; it knows nothing of the engine but what a history says.
struct InvariantChecker {
    struct Violation: Equatable, CustomStringConvertible {
        var invariant: Invariant
        var text: String

        var description: String { "\(invariant.rawValue): \(text)" }
    }

    /// The value of each control at a start before anything is told.
    private let rest: [Value]
    private let sums: RestModel
    /// Whether each control has a value, and does not only fire or show others.
    private let hasValue: [Bool]
    private(set) var violations: [Violation] = []
    private var latest = Instant.zero
    /// Buttons that are down, by control and place; 255 for the only one.
    private var isPressed: [ButtonKey: Bool] = [:]
    private var isOn: [ControlID: LineID] = [:]
    private var disabled: Set<ControlID> = []
    private var told: [ControlID: Value] = [:]
    private var running: [ControlID: RunID] = [:]
    private var waiting: Set<RequestID> = []

    private struct ButtonKey: Hashable {
        var control: ControlID
        var button: Int32
    }

    static func violations(_ history: [HistoryStep], of plan: PanelPlan) -> [Violation] {
        var checker = InvariantChecker(plan)
        for step in history { checker.take(step) }
        return checker.violations
    }

    private init(_ plan: PanelPlan) {
        rest = plan.controls.map(\.settings.kind.rest)
        sums = RestModel(plan)
        hasValue = plan.controls.map { control in
            switch control.settings.kind {
            case .switch, .toggleButton, .radioGroup, .threeWay, .dial, .selection, .group: true
            case .button, .commands, .form, .mirror: false
            }
        }
    }

    private mutating func take(_ step: HistoryStep) {
        switch step {
        case .report(let report, let moment): take(report, at: moment)
        case .attempt(let attempt): take(attempt)
        case .output(let control, let line, let level, let moment):
            drive(control, line, level, at: moment)
        case .asked(let request): waiting.insert(request)
        case .answered(let request):
            if waiting.remove(request) == nil { fail(.requests, "\(request) was not asked") }
        case .restart:
            isPressed = [:]
            isOn = [:]
            disabled = []
            told = [:]
            running = [:]
        case .quiet(let moment, let states):
            for state in states { take(state, at: moment) }
            if !waiting.isEmpty { fail(.requests, "\(waiting) at \(moment)") }
            let snapshots = states.map { ($0.control, $0.snapshot) }
            let wrong = sums.violation(Dictionary(uniqueKeysWithValues: snapshots))
            if let wrong { fail(.sums, "\(wrong) at \(moment)") }
        }
    }

    private mutating func take(_ report: Report, at moment: Instant) {
        if moment < latest { fail(.time, "\(report) at \(moment), after \(latest)") }
        latest = max(latest, moment)
        let control = report.control
        switch report.kind {
        case .pressed: push(control, Value(255), isDown: true, at: moment)
        case .released: push(control, Value(255), isDown: false, at: moment)
        case .buttonPressed(let button): push(control, button, isDown: true, at: moment)
        case .buttonReleased(let button): push(control, button, isDown: false, at: moment)
        case .changed(let value, let origin):
            if told[control, default: rest[Int(control.index)]] == value {
                fail(.changes, "\(report) at \(moment)")
            }
            told[control] = value
            ask(report, origin, at: moment)
        case .chosen(_, let origin): ask(report, origin, at: moment)
        case .flag(.disabled, let isSet):
            if isSet { disabled.insert(control) } else { disabled.remove(control) }
        case .clicked, .doubleClicked, .multiClicked, .held, .repeated, .stepped, .moved, .invalid,
            .confirmed, .phase, .flag, .refused, .armed, .progress, .indicator, .output, .lost,
            .fault, .opened, .closed, .focused, .staged:
            break
        }
    }

    private mutating func push(
        _ control: ControlID, _ button: Value, isDown: Bool, at moment: Instant
    ) {
        let key = ButtonKey(control: control, button: button.raw)
        if isPressed[key, default: false] == isDown {
            fail(.presses, "control \(control.index), button \(button.raw) at \(moment)")
        }
        isPressed[key] = isDown
    }

    /// Somebody was heard, at the panel or outside.
    private mutating func ask(_ report: Report, _ origin: Origin, at moment: Instant) {
        switch origin {
        case .panel, .web, .api, .mqtt:
            if disabled.contains(report.control) { fail(.disabled, "\(report) at \(moment)") }
        case .control, .startup, .device: break  // times and devices go on
        }
    }

    private mutating func drive(
        _ control: ControlID, _ line: LineID, _ level: Level, at moment: Instant
    ) {
        switch level {
        case .active:
            if let other = isOn[control], other != line {
                fail(.outputs, "line \(line.index) at \(moment) while \(other.index) is on")
            }
            isOn[control] = line
        case .inactive:
            if isOn[control] == line { isOn[control] = nil }
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
        if hasValue[Int(state.control.index)] {
            let flag: Flag = snapshot.actual == .unknown ? .unconfirmed : .mismatch
            if snapshot.actual != snapshot.desired, !snapshot.flags.contains(flag) {
                fail(.truth, "\(place): \(snapshot)")
            }
        }
        if snapshot.phase != .idle { fail(.phases, "\(place): \(snapshot.phase)") }
        if snapshot.focus != .unknown || snapshot.progress != 0 {
            fail(.menus, "\(place): focus \(snapshot.focus), progress \(snapshot.progress)")
        }
        if let dial = state.dial, snapshot.desired != Value(dial) {
            fail(.dials, "\(place): shows \(snapshot.desired), turned to \(dial)")
        }
    }

    private mutating func fail(_ invariant: Invariant, _ text: String) {
        violations.append(Violation(invariant: invariant, text: text))
    }
}
