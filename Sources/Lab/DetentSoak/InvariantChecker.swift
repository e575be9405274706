import DetentCore
public import DetentPanel
public import DetentScenario
import DetentTypes

/// Judges a history; it knows nothing of the engine but what a history says.
public struct InvariantChecker: Sendable {
    /// Something that happened and must not.
    public struct Violation: Equatable, Sendable, CustomStringConvertible {
        /// The law.
        public var invariant: Invariant
        /// What was found, for people.
        public var text: String
        /// What a scenario can expect instead; nil if no expectation says it.
        public var expected: Expectation?

        /// The law and what was found.
        public var description: String { "\(invariant.rawValue): \(text)" }
    }

    private let plan: PanelPlan
    private let sums: RestModel
    private let levels: LevelModel
    /// Whether each control has a value, and does not only fire or show others.
    private let hasValue: [Bool]
    /// The violations so far, at most `SoakLimits.violations`.
    public private(set) var violations: [Violation] = []
    private var latest = Instant.zero
    /// Buttons that are down, by control and place; 255 for the only one.
    private var isPressed: [ButtonKey: Bool] = [:]
    private var isOn: [ControlID: LineID] = [:]
    private var lastOff: [ControlID: (line: LineID, at: Instant)] = [:]
    private var disabled: Set<ControlID> = []
    private var told: [ControlID: Value] = [:]
    private var running: [ControlID: [RunID]] = [:]
    private var waiting: Set<RequestID> = []

    private struct ButtonKey: Hashable {
        var control: ControlID
        var button: Int32
    }

    /// The violations of a whole history.
    public static func violations(_ history: [HistoryStep], of plan: PanelPlan) -> [Violation] {
        var checker = InvariantChecker(plan)
        for step in history { checker.observe(step) }
        return checker.violations
    }

    /// Makes a checker of a panel that has not started.
    public init(_ plan: PanelPlan) {
        self.plan = plan
        sums = RestModel(plan)
        levels = LevelModel(plan)
        hasValue = plan.controls.map { control in
            let role = control.settings.nature.role
            return role == .device || role == .group
        }
    }

    /// Looks at the next step.
    public mutating func observe(_ step: HistoryStep) {
        switch step {
        case .report(let report, let moment): observe(report, at: moment)
        case .attempt(let attempt): observe(attempt)
        case .output(let control, let line, let level, let moment):
            drive(control, line, level, at: moment)
        case .refused(let control, let line, let isTold, let moment):
            let name = plan[control].id
            if !isTold { fail(.levels, "line \(line.index) of `\(name)` at \(moment)") }
        case .asked(let request): waiting.insert(request)
        case .answered(let request):
            if waiting.remove(request) == nil { fail(.requests, "\(request) was not asked") }
        case .restart:
            isPressed = [:]
            isOn = [:]
            lastOff = [:]
            disabled = []
            told = [:]
            running = [:]
        case .reload(let controls, let told): reload(controls, told)
        case .quiet(let moment, let states):
            for state in states { observe(state, at: moment) }
            if !waiting.isEmpty { fail(.requests, "\(waiting) at \(moment)") }
            let snapshots = Dictionary(
                uniqueKeysWithValues: states.map { ($0.control, $0.snapshot) })
            for state in states {
                for output in state.outputs {
                    let wrong = levels.violation(output, of: state, snapshots, plan)
                    if let wrong { fail(.levels, "\(wrong) at \(moment)") }
                }
            }
            let wrong = sums.violation(snapshots)
            if let wrong {
                fail(
                    .sums, "\(wrong.text) at \(moment)",
                    expect(wrong.control, wrong.field, wrong.right))
            }
        }
    }

    /// What began again has no button down and no attempt in flight. What is on stays on, so laws
    /// of outputs go on.
    private mutating func reload(_ controls: [ControlID], _ told: Int) {
        if controls.isEmpty, told > 0 { fail(.reloads, "\(told) events, attempts and levels") }
        for control in controls {
            for key in isPressed.keys where key.control == control { isPressed[key] = nil }
            disabled.remove(control)
            running[control] = nil
        }
    }

    private mutating func observe(_ report: Report, at moment: Instant) {
        if moment < latest { fail(.time, "\(report) at \(moment), after \(latest)") }
        latest = max(latest, moment)
        let control = report.control
        switch report.kind {
        case .pressed: push(control, Value(255), isDown: true, at: moment)
        case .released: push(control, Value(255), isDown: false, at: moment)
        case .buttonPressed(let button): push(control, button, isDown: true, at: moment)
        case .buttonReleased(let button): push(control, button, isDown: false, at: moment)
        case .changed(let value, let origin):
            // The value at a start is known after the first change only.
            if told[control] == value {
                fail(.changes, "\(report) at \(moment)")
            }
            told[control] = value
            if value == .off, plan[control].settings.nature.endsWithItsPress { return }
            if !plan[control].settings.nature.has(value) { fail(.values, "\(report) at \(moment)") }
            ask(report, origin, at: moment)
        case .chosen(let value, let origin):
            // A button has no values: it is told who fired it.
            if plan[control].valueNames != .none, !plan[control].settings.nature.has(value) {
                fail(.values, "\(report) at \(moment)")
            }
            ask(report, origin, at: moment)
        case .flag(.disabled, let isSet):
            if isSet { disabled.insert(control) } else { disabled.remove(control) }
        default: break
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

    /// A request was accepted, of a hand or from outside.
    private mutating func ask(_ report: Report, _ origin: Origin, at moment: Instant) {
        switch origin.place {
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
            if case .breakBeforeMake(let dead) = plan[control].settings.transition,
                let last = lastOff[control], last.line != line, moment < last.at + dead
            {
                fail(.gaps, "line \(line.index) at \(moment), \(last.line.index) off at \(last.at)")
            }
            isOn[control] = line
        case .inactive:
            if isOn[control] == line {
                isOn[control] = nil
                lastOff[control] = (line, moment)
            }
        }
    }

    private mutating func observe(_ attempt: VirtualRecord.Attempt) {
        switch attempt.step {
        case .started:
            let others = running[attempt.control, default: []]
            // A gesture that acts has a queue of its own.
            let most = 1 + plan.gestures.count { $0.owner == attempt.control }
            if others.count >= most {
                fail(.attempts, "\(attempt.run) began at \(attempt.at) during \(others[0])")
            }
            running[attempt.control] = others.suffix(most - 1) + [attempt.run]
        case .ended, .cancelled:
            running[attempt.control]?.removeAll { $0 == attempt.run }
        }
    }

    private mutating func observe(_ state: ControlState, at moment: Instant) {
        let control = state.control
        let id = plan[control].id
        // Written for a violation only.
        var place: String { "`\(id)` at \(moment)" }
        for contact in state.contacts where contact.engine != contact.world {
            fail(.contacts, "\(place): \(contact)")
        }
        let snapshot = state.snapshot
        var right = snapshot
        if let position = state.position {
            right.position = Value(Int32(position))
            if snapshot.position != right.position {
                fail(
                    .positions,
                    "\(place): the part is at \(position), the panel has \(snapshot.position)",
                    expect(control, .position, right))
            }
            if state.mustFollow, snapshot.phase == .idle, snapshot.desired != snapshot.position {
                right.desired = snapshot.position
                fail(
                    .follows, "\(place): shows \(snapshot.desired) at \(snapshot.position)",
                    expect(control, .value, right))
            }
        }
        if let pressed = state.pressed, snapshot.phase == .idle, snapshot.desired != pressed {
            right.desired = pressed
            fail(
                .obeys, "\(place): shows \(snapshot.desired), pressed for \(pressed)",
                expect(control, .value, right))
        }
        if hasValue[Int(control.index)] {
            let flag: Flag = snapshot.actual == .unknown ? .unconfirmed : .mismatch
            if snapshot.actual != snapshot.desired, !snapshot.flags.contains(flag) {
                right.flags.insert(flag)
                fail(.truth, "\(place): \(snapshot)", expect(control, .flags, right))
            }
        }
        if snapshot.phase != .idle {
            right.phase = .idle
            fail(.phases, "\(place): \(snapshot.phase)", expect(control, .phase, right))
        }
        if snapshot.focus != .unknown || snapshot.progress != 0 {
            right.focus = .unknown
            right.progress = 0
            let text = "\(place): focus \(snapshot.focus), progress \(snapshot.progress)"
            let field: Expectation.Field = snapshot.focus != .unknown ? .focus : .progress
            fail(.menus, text, expect(control, field, right))
        }
        if let dial = state.dial, snapshot.desired != Value(dial) {
            right.desired = Value(dial)
            fail(
                .dials, "\(place): shows \(snapshot.desired), turned to \(dial)",
                expect(control, .value, right))
        }
    }

    /// The expectation that a field of a control is as in a state.
    private func expect(
        _ control: ControlID, _ field: Expectation.Field, _ state: ControlSnapshot
    ) -> Expectation {
        Expectation(
            subject: .control(control, field), expected: field.word(of: state, control, in: plan),
            place: SourcePlace(line: 1, column: 1))
    }

    private mutating func fail(
        _ invariant: Invariant, _ text: String, _ expected: Expectation? = nil
    ) {
        guard violations.count < SoakLimits.violations else { return }
        violations.append(Violation(invariant: invariant, text: text, expected: expected))
    }
}
