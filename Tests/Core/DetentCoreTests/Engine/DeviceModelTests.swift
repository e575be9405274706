import DetentTypes
import TestSupport
import Testing

@testable import DetentCore

/// A device with a value of its own behind a control: what the control believes is the device's
/// value whenever all is quiet, whatever came before.
@Suite struct DeviceModelTests {
    /// The device and the hands around it; it knows nothing of the engine but its effects.
    private struct Device {
        var value = Value(0)
        /// The attempt in flight, or the question.
        var run: RunID?
        var isQuestion = false
        var wanted = Value.unknown
        /// How many starts the last request can still cause: its own, its retries and one way back.
        var startsLeft = 0
        /// The last outcome was one of which nobody knows, or the panel has just started.
        var mayAsk = true

        mutating func take(_ effect: Effect) -> String? {
            switch effect {
            case .start(let action, let run, _, let value, _, _):
                if self.run != nil { return "two in flight" }
                self.run = run
                isQuestion = action == ActionID(1)
                if isQuestion {
                    if !mayAsk { return "asked without need" }
                } else {
                    startsLeft -= 1
                    if startsLeft < 0 { return "started without a request" }
                }
                wanted = value
            case .cancel(_, let run):
                if self.run != run { return "cancelled what is not in flight" }
                self.run = nil
            case .readLevel, .adjust, .indicate, .provide, .drive, .report, .answer:
                break
            }
            return nil
        }
    }

    static func settings(_ random: inout SplitMix) -> ControlSettings {
        let rules: [StartupSettings.Rule] = [.device, .saved, .value(Value(1))]
        return ControlSettings(
            nature: .choice(of: 3),
            startup: StartupSettings(rule: rules[random.below(3)], runsAction: false),
            actions: .any(ActionID(0)), query: random.chance(50) ? ActionID(1) : nil)
    }

    private static func failure(_ random: inout SplitMix) -> ActionSettings.OnFailure {
        guard random.chance(30) else { return .revert }
        return .retry(count: 2, backoff: .milliseconds(40), thenKeep: false)
    }

    @Test(arguments: TestLength.seeds(0..<300))
    func whenAllIsQuietTheControlKnowsItsDevice(seed: UInt64) {
        var random = SplitMix(seed: seed)
        let failure = Self.failure(&random)
        let bench = Bench(
            actions: [
                ActionSettings(timeout: .milliseconds(300), onFailure: failure),
                ActionSettings(timeout: .milliseconds(200)),
            ],
            controls: [Self.settings(&random)])
        var device = Device(value: Value(Int32(random.below(3))))
        var now = 0
        func send(_ event: Event) -> Bool {
            let wasInFlight = device.run != nil && !device.isQuestion
            let phase = bench.snapshot().phase
            var started = false
            if case .intent = event { device.startsLeft = failure == .revert ? 2 : 4 }
            for (effect, _) in bench.raw(event, at: Instant(millisecond: now)) {
                if case .start(let action, _, _, _, _, _) = effect, action == ActionID(0) {
                    started = true
                }
                if let problem = device.take(effect) {
                    Issue.record("seed \(seed) at \(now): \(problem) after \(event)")
                    return false
                }
            }
            if case .feedback = event {
                #expect(!started, "seed \(seed) at \(now): feedback ran an action")
                let isKept = !wasInFlight || bench.snapshot().phase == phase
                #expect(isKept, "seed \(seed) at \(now)")
            }
            return true
        }
        if random.chance(50), !send(.saved(ControlID(0), Value(Int32(random.below(4))))) { return }
        guard send(.start) else { return }
        for _ in 0..<12 {
            for _ in 0..<30 {
                now += random.below(60)
                device.mayAsk = true
                guard send(.tick) else { return }
                guard send(Self.event(&device, &random)) else { return }
            }
            // Everything that is asked for from now on succeeds.
            var turns = 0
            while device.run != nil || bench.snapshot().phase.isUnderWay,
                turns < 20
            {
                turns += 1
                now += device.run == nil ? 40 : 1
                let event = device.run.map { Self.success(&device, $0) } ?? .tick
                guard send(event) else { return }
            }
            let it = bench.snapshot()
            #expect(turns < 20, "seed \(seed) at \(now): it never rests")
            guard it.actual == device.value || it.actual == .unknown else {
                Issue.record("seed \(seed) at \(now): \(it) of a device at \(device.value)")
                return
            }
            if it.actual != .unknown {
                expectEqual(it.desired, it.actual, "seed \(seed) at \(now)")
            }
            expectEqual(it.flags.contains(.unconfirmed), (it.actual == .unknown))
            #expect(it.phase == .idle || it.phase == .failed, "seed \(seed) at \(now)")
        }
        // One word of the device ends any doubt.
        guard send(.feedback(ControlID(0), device.value)) else { return }
        #expect(bench.snapshot().actual == device.value && bench.snapshot().flags == [])
    }

    /// What anybody may do next.
    private static func event(_ device: inout Device, _ random: inout SplitMix) -> Event {
        let some = Value(Int32(random.below(3)))
        switch random.below(10) {
        case 0, 1, 2:
            return .intent(ControlID(0), some, .web)
        case 3:
            // An honest device: it tells whatever happens to it.
            device.value = some
            return .feedback(ControlID(0), some)
        case 4:
            return .feedback(ControlID(0), device.value)
        case _:
            guard let run = device.run else { return .tick }
            return device.isQuestion
                ? answer(&device, run, &random) : outcome(&device, run, &random)
        }
    }

    private static func success(_ device: inout Device, _ run: RunID) -> Event {
        device.run = nil
        device.mayAsk = false
        if device.isQuestion { return .answered(ControlID(0), run, device.value) }
        device.value = device.wanted
        return .actionFinished(ControlID(0), run, .succeeded)
    }

    private static func answer(
        _ device: inout Device, _ run: RunID, _ random: inout SplitMix
    ) -> Event {
        device.run = nil
        device.mayAsk = false
        switch random.below(4) {
        case 0: return .actionFinished(ControlID(0), run, .failed(.exit(1)))
        case 1: return .answered(ControlID(0), run, Value(9))
        case _: return .answered(ControlID(0), run, device.value)
        }
    }

    private static func outcome(
        _ device: inout Device, _ run: RunID, _ random: inout SplitMix
    ) -> Event {
        device.run = nil
        let uncertain: [ActionOutcome] = [.timedOut, .cancelled, .lost]
        switch random.below(4) {
        case 0, 1:
            return success(&device, run)
        case 2:
            device.mayAsk = false
            return .actionFinished(ControlID(0), run, .failed(.exit(1)))
        case _:
            if random.chance(50) { device.value = device.wanted }
            return .actionFinished(ControlID(0), run, uncertain[random.below(3)])
        }
    }
}

extension Phase {
    fileprivate var isUnderWay: Bool {
        switch self {
        case .pending, .loading: true
        case .idle, .failed: false
        }
    }
}
