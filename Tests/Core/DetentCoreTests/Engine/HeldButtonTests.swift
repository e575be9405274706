import DetentTypes
import TestSupport
import Testing

@testable import DetentCore

/// Buttons whose action begins with the press and ends with the release.
@Suite struct HeldButtonTests {
    private static func held(
        _ supersede: ActionSettings.Supersede = .wait, _ onFailure: ActionSettings.OnFailure = .keep
    ) -> Bench {
        let bench = Bench(
            lines: [DebounceSettings.none],
            actions: [
                ActionSettings(
                    timeout: .seconds(5), onFailure: onFailure, supersede: supersede)
            ],
            controls: [
                ControlSettings(
                    nature: .heldButton, contacts: PlanRange(first: 0, count: 1),
                    decoder: .button(ButtonSettings()), actions: .any(ActionID(0)))
            ])
        _ = bench.send(.start, 0)
        return bench
    }

    private static func starts(_ log: [String]) -> [String] {
        log.filter { $0.contains(" start ") }
    }

    @Test func thePressAndTheReleaseRunTheAction() {
        let bench = Self.held()
        expectEqual(
            bench.edge(0, .active, 10),
            [
                "10 c0 pressed", "10 c0 phase pending", "10 start a0 r1 c0 32 after ? by panel",
            ])
        expectEqual(bench.finish(1, .succeeded, 12), ["12 c0 phase idle"])
        expectEqual(
            bench.edge(0, .inactive, 900),
            [
                "900 c0 released", "900 c0 clicked", "900 c0 phase pending",
                "900 start a0 r2 c0 33 after ? by panel",
            ])
        expectEqual(bench.finish(2, .succeeded, 902), ["902 c0 phase idle"])
    }

    /// From elsewhere there is no release, so it is one event.
    @Test func aRequestFromElsewhereIsOneEvent() {
        let bench = Self.held()
        expectEqual(
            Self.starts(bench.send(.fire(ControlID(0), .on, .api, isConfirmed: false), 5)),
            ["5 start a0 r1 c0 1 after ? by api"])
        expectEqual(
            bench.send(.fire(ControlID(0), .pressed, .api, isConfirmed: false), 6),
            ["6 c0 refused unsupported by api"])
    }

    /// Presses that are faster than the action keep their order, and each has its release.
    @Test func noPressIsLeftWithoutItsRelease() {
        for presses in 1...12 {
            let bench = Self.held()
            for press in 0..<presses {
                _ = bench.edge(0, .active, 10 + 20 * press)
                _ = bench.edge(0, .inactive, 20 + 20 * press)
            }
            var halves: [String] = ["32"]
            for run in 1...32 {
                guard let next = Self.starts(bench.finish(UInt32(run), .succeeded, 900)).first
                else { break }
                halves.append(next.contains(" c0 32 ") ? "32" : "33")
            }
            let kept = min(presses, 4)
            expectEqual(
                halves, Array(repeating: ["32", "33"], count: kept).flatMap(\.self),
                "\(presses) presses")
        }
    }

    /// A request from elsewhere that waits too takes no release its place.
    @Test func aTapBetweenThemChangesNothing() {
        for turn in 0..<8 {
            let bench = Self.held()
            for press in 0..<6 {
                _ = bench.edge(0, .active, 10 + 20 * press)
                if press == turn {
                    _ = bench.send(
                        .fire(ControlID(0), .on, .api, isConfirmed: false), 15 + 20 * press)
                }
                _ = bench.edge(0, .inactive, 20 + 20 * press)
            }
            var isDown = true
            for run in 1...32 {
                guard let next = Self.starts(bench.finish(UInt32(run), .succeeded, 900)).first
                else { break }
                if next.contains(" c0 1 ") { continue }
                #expect(next.contains(" c0 32 ") != isDown, "tap in press \(turn)")
                isDown.toggle()
            }
            #expect(!isDown, "tap in press \(turn)")
        }
    }

    @Test func theReleaseIsNeitherIgnoredNorRefused() {
        let bench = Self.held(.ignore)
        _ = bench.edge(0, .active, 10)
        _ = bench.edge(0, .inactive, 20)
        #expect(bench.edge(0, .active, 30).contains("30 c0 refused busy by panel"))
        _ = bench.edge(0, .inactive, 40)
        expectEqual(
            Self.starts(bench.finish(1, .succeeded, 50)), ["50 start a0 r2 c0 33 after ? by panel"])
        expectEqual(bench.finish(2, .succeeded, 60), ["60 c0 phase idle"])
    }

    /// The failure of a press stays in sight when the button is let go.
    @Test(arguments: [15, 25]) func theReleaseHidesNoFailure(failsAt: Int) {
        let bench = Self.held()
        var log = bench.edge(0, .active, 10)
        if failsAt < 20 { log += bench.finish(1, .failed(.unreachable), failsAt) }
        log += bench.edge(0, .inactive, 20)
        if failsAt > 20 { log += bench.finish(1, .failed(.unreachable), failsAt) }
        log += bench.finish(2, .succeeded, 30)
        expectEqual(
            log.filter { $0.contains("phase") },
            ["10 c0 phase pending", "\(failsAt) c0 phase failed: unreachable"])
        expectEqual(bench.run(9_000), ["\(failsAt + 3_000) c0 phase idle"])
    }

    @Test func aLineThatIsGoneReleases() {
        let bench = Self.held()
        _ = bench.edge(0, .active, 10)
        _ = bench.finish(1, .succeeded, 12)
        expectEqual(
            Self.starts(bench.send(.lineFault(LineID(0)), 50)),
            ["50 start a0 r2 c0 33 after ? by panel"])
    }
}
