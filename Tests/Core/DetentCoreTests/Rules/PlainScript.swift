import DetentTypes

@testable import DetentCore

/// Control 0, whose action is a list of steps, and the controls that it sets: told in the plainest
/// way, looked at every millisecond.
struct PlainScript {
    private enum State {
        case idle, due
        case waiting(until: Int)
        case writing(line: Int, level: Level, pulse: Int?)
        case pulsing(line: Int, until: Int)
        case awaiting(Int, Int32)
    }

    enum Step {
        case set(Int, Int32)
        case wait(Int)
        case drive(Int, Level)
        case pulse(Int, Int)
    }

    struct Command: Equatable {
        var line: Int
        var level: Level
    }

    let steps: [Step]
    var controls: [PlainControl]
    private(set) var commands: [Command] = []
    private var state = State.idle
    private var place = 0
    private var number = 0
    private var hasActed = false

    init(steps: [Step], controls: [PlainControl]) {
        self.steps = steps
        self.controls = controls
    }

    mutating func ask(_ place: Int, _ value: Int32, _ now: Int) {
        _ = controls[place].ask(value, now)
        look(now)
    }

    mutating func finish(_ place: Int, _ outcome: ActionOutcome, _ now: Int) {
        guard let attempt = controls[place].attempt else { return }
        controls[place].finish(attempt.number, outcome, now)
        look(now)
    }

    mutating func written(_ line: Int, _ level: Level, _ now: Int) {
        if case .writing(line, level, let pulse) = state {
            if let pulse {
                state = .pulsing(line: line, until: now + pulse)
            } else {
                done()
            }
        }
        look(now)
    }

    mutating func lost(_ line: Int, _ now: Int) {
        switch state {
        case .writing(line, _, _), .pulsing(line, _): fail(now)
        case .idle, .due, .waiting, .writing, .pulsing, .awaiting: break
        }
        look(now)
    }

    /// What is due at `now`.
    mutating func settle(_ now: Int) {
        look(now)
        for place in controls.indices {
            while controls[place].pass(now) { look(now) }
        }
    }

    /// Looks at everything until nothing more happens.
    private mutating func look(_ now: Int) {
        while true {
            if controls[0].attempt == nil, case .idle = state { return }
            if controls[0].attempt?.number != number { begin() }
            if !advance(now) { return }
        }
    }

    /// Another attempt than the one that these steps were, or none.
    private mutating func begin() {
        abandon()
        guard let attempt = controls[0].attempt else { return }
        number = attempt.number
        place = 0
        hasActed = false
        state = .due
    }

    private mutating func abandon() {
        switch state {
        case .pulsing(let line, _), .writing(let line, .active, .some):
            commands.append(Command(line: line, level: .inactive))
        case .idle, .due, .waiting, .writing, .awaiting: break
        }
        state = .idle
    }

    private mutating func done() {
        place += 1
        hasActed = true
        state = .due
    }

    private mutating func fail(_ now: Int) {
        abandon()
        if hasActed { controls[0].actual = nil }
        controls[0].finish(number, .failed(.stepFailed), now, isPartlyDone: hasActed)
    }

    /// True where something happened.
    private mutating func advance(_ now: Int) -> Bool {
        switch state {
        case .idle, .writing:
            return false
        case .waiting(let until):
            if until > now { return false }
            state = .due
        case .pulsing(let line, let until):
            if until > now { return false }
            commands.append(Command(line: line, level: .inactive))
            state = .writing(line: line, level: .inactive, pulse: nil)
        case .awaiting(let other, let value):
            let control = controls[other]
            if control.desired != value || control.phase == .failed {
                fail(now)
            } else if control.phase == .idle {
                if control.actual == value { done() } else { fail(now) }
            } else {
                return false
            }
        case .due:
            carryOut(now)
        }
        return true
    }

    private mutating func carryOut(_ now: Int) {
        guard place < steps.count else {
            state = .idle
            return controls[0].finish(number, .succeeded, now)
        }
        switch steps[place] {
        case .set(let other, let value):
            if controls[other].ask(value, now) {
                state = .awaiting(other, value)
            } else {
                fail(now)
            }
        case .wait(let span):
            place += 1
            state = .waiting(until: now + span)
        case .drive(let line, let level):
            commands.append(Command(line: line, level: level))
            state = .writing(line: line, level: level, pulse: nil)
        case .pulse(let line, let span):
            commands.append(Command(line: line, level: .active))
            state = .writing(line: line, level: .active, pulse: span)
        }
    }
}
