import DetentTypes
import TestSupport
import Testing

@testable import DetentCore

/// A deferred button that latches a switch, told once more in the plainest way: every millisecond
/// is looked at, nothing is event-driven, nothing is shared with the engine.
private struct PlainSwitch {
    var raw = false
    var heldFor = 0
    var debounced = false
    var desired: Int32 = 0
    var actual: Int32?
    var confirmed: Int32?
    /// The value and age in milliseconds of the attempt in flight.
    var attempt: (value: Int32, age: Int)?

    let debounceTime = 5
    let timeout = 400

    mutating func set(_ level: Bool) {
        if level != raw { heldFor = 0 }
        raw = level
    }

    mutating func ask(_ value: Int32) {
        desired = value
        if attempt == nil { pursue() }
    }

    private mutating func pursue() {
        if desired != actual { attempt = (desired, 0) }
    }

    mutating func finish(_ outcome: ActionOutcome) {
        guard let ended = attempt else { return }
        attempt = nil
        switch outcome {
        case .succeeded:
            actual = ended.value
            confirmed = ended.value
            pursue()
            return
        case .failed: break
        case .timedOut, .cancelled, .killed, .lost: actual = nil
        }
        let last = confirmed ?? 0  // the value at start, where nothing was ever confirmed
        if desired != ended.value {
            pursue()
        } else if last != desired {
            desired = last
            // Nothing was done that would have to be undone.
            if confirmed != nil || outcome == .timedOut || outcome == .cancelled || outcome == .lost
            {
                pursue()
            }
        }
    }

    /// One millisecond passes.
    mutating func pass() {
        heldFor += 1
        attempt?.age += 1
        if raw != debounced, heldFor == debounceTime {
            debounced = raw
            if debounced { ask(1 - desired) }
        }
        if let age = attempt?.age, age == timeout { finish(.timedOut) }
    }
}

@Suite struct SwitchModelTests {
    @Test(arguments: TestLength.seeds(0..<200))
    func theEngineAgreesWithThePlainSwitch(seed: UInt64) {
        var random = SplitMix(seed: seed)
        let bench = Bench(
            lines: [DebounceSettings(algorithm: .defer(time: .milliseconds(5)))],
            actions: [ActionSettings(timeout: .milliseconds(400))],
            controls: [
                ControlSettings(
                    nature: .onOff(latch: .toggle), contacts: PlanRange(first: 0, count: 1),
                    decoder: .button(ButtonSettings()), actions: .any(ActionID(0)))
            ])
        var model = PlainSwitch()
        var run: UInt32 = 0
        func send(_ event: Event, _ millisecond: Int) {
            for (effect, _) in bench.raw(event, at: Instant(millisecond: millisecond)) {
                if case .start(_, let started, _, _, _, _) = effect { run = started.number }
            }
        }
        send(.start, 0)
        let outcomes: [ActionOutcome] = [.succeeded, .succeeded, .failed(.exit(1)), .lost]
        for millisecond in 1..<4_000 {
            model.pass()
            send(.tick, millisecond)
            if random.chance(model.raw == model.debounced ? 3 : 15) {
                model.set(!model.raw)
                send(.edge(LineID(0), Level(model.raw), sequence: 0), millisecond)
            } else if random.chance(1) {
                let value = Int32(random.below(2))
                model.ask(value)
                send(.intent(ControlID(0), Value(value), .web), millisecond)
            } else if model.attempt != nil, random.chance(2) {
                let outcome = outcomes[random.below(4)]
                model.finish(outcome)
                send(.actionFinished(ControlID(0), RunID(run), outcome), millisecond)
            }
            let snapshot = bench.snapshot()
            let agrees =
                snapshot.desired.raw == model.desired
                && snapshot.actual == (model.actual.map { Value($0) } ?? .unknown)
                && (bench.contactLevel(0) == .active) == model.debounced
                && (snapshot.phase == .pending || snapshot.phase == .loading
                    || model.attempt == nil || snapshot.phase == .failed)
            guard agrees else {
                Issue.record("seed \(seed) at \(millisecond): \(snapshot) is not \(model)")
                return
            }
        }
    }
}
