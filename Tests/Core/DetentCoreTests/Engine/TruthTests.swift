import DetentTypes
import TestSupport
import Testing

@testable import DetentCore

/// The lamp and the flags never hide what is known of a device.
@Suite struct TruthTests {
    /// A push button with a lamp on line 1, whose device is known to be off.
    private static func pump(_ onFailure: ActionSettings.OnFailure) -> Bench {
        let bench = Bench.latched(ActionSettings(timeout: .seconds(5), onFailure: onFailure))
        _ = bench.send(.start, 0) + bench.feedback(.off, 0)
        return bench
    }

    /// The pump runs, its switch shows off: the lamp must not stay dark as if all were well.
    @Test func keepSaysForGoodThatTheDeviceDiffers() {
        let bench = Self.pump(.keep)
        _ = bench.feedback(.on, 5) + bench.edge(0, .active, 10)
        let failed = bench.finish(1, .failed(.exit(1)), 20)
        expectEqual(
            failed,
            [
                "20 c0 phase failed: code 1", "20 c0 flag mismatch", "20 c0 indicator flashBurst",
                "20 lamp l1 on",
            ])
        let later = bench.run(60_000)
        #expect(later.contains("3020 c0 phase idle"))
        #expect(later.contains("3020 c0 indicator wink"))
        #expect(bench.snapshot().desired == .off && bench.snapshot().actual == .on)
        expectEqual(bench.snapshot().flags, .mismatch)
        // What was shown comes true, and the flag goes.
        #expect(bench.feedback(.off, 61_000).contains("61000 c0 no mismatch"))
        expectEqual(bench.snapshot().pattern, .off)
    }

    @Test func retriesThatAreUsedUpUnderKeepSayItToo() {
        let bench = Self.pump(.retry(count: 1, backoff: .milliseconds(100), thenKeep: true))
        _ = bench.edge(0, .active, 10) + bench.finish(1, .failed(.exit(1)), 20)
        expectEqual(bench.snapshot().flags, [], "the next attempt is under way")
        _ = bench.run(200) + bench.finish(2, .failed(.exit(1)), 210)
        expectEqual(bench.snapshot().flags, .mismatch)
        _ = bench.run(10_000)
        #expect(bench.snapshot().phase == .idle && bench.snapshot().pattern == .wink)
    }

    @Test func aNewAttemptEndsIt() {
        let bench = Self.pump(.keep)
        _ = bench.edge(0, .active, 10) + bench.finish(1, .failed(.exit(1)), 20)
        expectEqual(bench.snapshot().flags, .mismatch)
        let asked = bench.intent(.on, 30)
        #expect(asked.contains("30 c0 no mismatch"))
        #expect(bench.finish(2, .succeeded, 40).contains("40 c0 confirmed 1"))
        expectEqual(bench.snapshot().flags, [])
    }

    // MARK: Nothing was ever confirmed

    @Test func aFirstFailureReturnsToWhatStartupGave() {
        let bench = Bench.latched()
        _ = bench.send(.start, 0) + bench.edge(0, .active, 10) + bench.edge(0, .inactive, 20)
        expectEqual(
            bench.finish(1, .failed(.exit(3)), 30),
            [
                "30 c0 changed 0 by device", "30 c0 phase failed: code 3",
                "30 c0 indicator flashBurst",
            ])
        #expect(bench.run(10_000).contains("3030 c0 indicator off"))
        #expect(bench.snapshot().desired == .off && bench.snapshot().flags == .unconfirmed)
    }

    /// Then the device may have done it: the action of the value it returns to runs, once.
    @Test func aFirstTimeoutMakesWhatStartupGaveTrue() {
        let bench = Bench.latched()
        _ = bench.send(.start, 0) + bench.edge(0, .active, 10)
        let over = bench.run(5_010)
        #expect(over.contains("5010 c0 changed 0 by device"))
        #expect(over.contains("5010 start a0 r2 c0 0 after ? by device"))
        _ = bench.finish(2, .failed(.exit(1)), 5_020) + bench.run(60_000)
        #expect(bench.snapshot().desired == .off && bench.snapshot().flags == .unconfirmed)
        expectEqual(bench.nextDeadline, .never, "it is tried once")
    }

    @Test func whatStartupItselfRanStays() {
        let bench = Bench(
            actions: [ActionSettings(timeout: .seconds(5))],
            controls: [
                ControlSettings(
                    nature: .onOff(latch: .toggle),
                    startup: StartupSettings(rule: .value(.on), runsAction: true),
                    actions: .any(ActionID(0)))
            ])
        _ = bench.send(.start, 0) + bench.finish(1, .failed(.exit(1)), 10) + bench.run(10_000)
        #expect(bench.snapshot().desired == .on && bench.snapshot().flags == .unconfirmed)
        // A later failure returns there as well, and runs nothing: the device is as it was.
        let failed = bench.intent(.off, 11_000) + bench.finish(2, .failed(.exit(1)), 11_010)
        #expect(failed.contains("11010 c0 changed 1 by device"))
        #expect(!failed.contains { $0.contains("start a0 r3") })
    }

    // MARK: The law

    private enum Input: CaseIterable {
        case on, off, succeeded, failed, lost, cancelled, toldOn, toldOff, answeredOn, answeredOff
        case shortly, later
    }

    private struct Device {
        let bench: Bench
        var now = 0
        var runs: UInt32 = 0

        mutating func take(_ input: Input) {
            let control = ControlID(0)
            let run = RunID(runs)
            switch input {
            case .on: send(.intent(control, .on, .web))
            case .off: send(.intent(control, .off, .web))
            case .succeeded: send(.actionFinished(control, run, .succeeded))
            case .failed: send(.actionFinished(control, run, .failed(.exit(1))))
            case .lost: send(.actionFinished(control, run, .lost))
            case .cancelled: send(.actionFinished(control, run, .cancelled))
            case .toldOn: send(.feedback(control, .on))
            case .toldOff: send(.feedback(control, .off))
            case .answeredOn: send(.answered(control, run, .on))
            case .answeredOff: send(.answered(control, run, .off))
            case .shortly: pass(60)
            case .later: pass(3_500)
            }
        }

        mutating func send(_ event: Event) {
            now += 1
            for (effect, _) in bench.raw(event, at: Instant(millisecond: now)) {
                if case .start(_, let run, _, _, _, _) = effect { runs = run.number }
            }
        }

        private mutating func pass(_ milliseconds: Int) {
            now += milliseconds
            send(.tick)
        }
    }

    private static let failures: [ActionSettings.OnFailure] = [
        .revert, .keep, .retry(count: 1, backoff: .milliseconds(50), thenKeep: true),
        .retry(count: 1, backoff: .milliseconds(50), thenKeep: false),
    ]

    private static func device(
        _ onFailure: ActionSettings.OnFailure, _ supersede: ActionSettings.Supersede,
        isAsked: Bool
    ) -> Device {
        let bench = Bench(
            actions: [
                ActionSettings(
                    timeout: .seconds(1), onFailure: onFailure, supersede: supersede),
                ActionSettings(timeout: .seconds(1)),
            ],
            controls: [
                ControlSettings(
                    nature: .onOff(latch: .toggle),
                    startup: StartupSettings(rule: isAsked ? .device : .saved),
                    actions: .any(ActionID(0)), query: isAsked ? ActionID(1) : nil)
            ])
        var device = Device(bench: bench)
        device.send(.start)
        return device
    }

    /// Every sequence of three inputs under every rule of failure, with and without a query.
    @Test(arguments: TestLength.some(of: Array(failures.indices), every: 3), [false, true])
    func everyShortStoryIsTold(failure: Int, isAsked: Bool) {
        let inputs = Input.allCases
        var lies: [String] = []
        for supersede in [ActionSettings.Supersede.wait, .cancel, .ignore] {
            for story in 0..<(inputs.count * inputs.count * inputs.count) {
                var device = Self.device(Self.failures[failure], supersede, isAsked: isAsked)
                var rest = story
                var told: [Input] = []
                for _ in 0..<3 {
                    told.append(inputs[rest % inputs.count])
                    rest /= inputs.count
                    device.take(told[told.count - 1])
                    guard let lie = TruthLaw.lie(of: device.bench.snapshot(), device.bench.kind(0))
                    else { continue }
                    lies.append("\(supersede) \(told): \(lie)")
                }
            }
        }
        #expect(lies.isEmpty, "\(lies.count) lies, first \(lies.first ?? "")")
    }

    /// Long ones, drawn from a seed.
    @Test(arguments: TestLength.seeds(0..<24))
    func longStoriesAreToldToo(seed: UInt64) {
        var random = SplitMix(seed: seed)
        let supersedes: [ActionSettings.Supersede] = [.wait, .cancel, .ignore]
        var device = Self.device(
            Self.failures[Int(seed % 4)], supersedes[random.below(3)], isAsked: random.chance(50))
        for place in 0..<2_000 {
            let input = Input.allCases[random.below(Input.allCases.count)]
            device.take(input)
            if let lie = TruthLaw.lie(of: device.bench.snapshot(), device.bench.kind(0)) {
                Issue.record("seed \(seed) input \(place) \(input): \(lie)")
                return
            }
        }
    }

    /// A checker that saw nothing would pass everything.
    @Test func aHiddenDifferenceIsNoticed() {
        let bench = Self.pump(.keep)
        _ = bench.edge(0, .active, 10) + bench.finish(1, .failed(.exit(1)), 20) + bench.run(9_000)
        var state = bench.snapshot()
        #expect(TruthLaw.lie(of: state, bench.kind(0)) == nil)
        state.flags = []
        expectEqual(TruthLaw.lie(of: state, bench.kind(0)), "another value without `mismatch`")
        state.actual = .unknown
        expectEqual(TruthLaw.lie(of: state, bench.kind(0)), "unknown without `unconfirmed`")
    }
}
