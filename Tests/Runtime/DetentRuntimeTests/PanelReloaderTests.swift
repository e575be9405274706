import DetentCore
import DetentHAL
import DetentPanel
import DetentPlatform
import DetentTypes
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import DetentRuntime

/// What comes of a reload, and what a reloaded panel keeps that its file does not say.
@Suite struct PanelReloaderTests {
    private static func reading(_ label: String) -> PanelReloader.Reading {
        let text = """
            panel: P
            board: none
            controls:
              a: {kind: switch, label: \(label), input: A}
            """
        return .init(
            plan: PanelReader.read(SourceText(file: "p.yaml", text: text)).plan, problems: "")
    }

    /// The names come from the command line, so a later file has them, too.
    @Test func callersKeepTheirNames() throws {
        var plan = try #require(Self.reading("Fan").plan)
        plan.callers = ["kitchen"]
        let seen = Mutex<[PanelPlan]>([])
        let label = Mutex("Fan")
        let reloader = PanelReloader(
            plan, file: "p.yaml", read: { Self.reading(label.withLock { $0 }) },
            change: { change in
                seen.withLock { $0.append(change.plan) }
                return .changed
            }, words: { _ in "" })
        expectEqual(reloader.reload().result, .unchanged)
        for name in ["Pump", "Valve"] {
            label.withLock { $0 = name }
            expectEqual(reloader.reload().result, .changed)
        }
        expectEqual(seen.withLock { $0.map(\.callers) }, [["kitchen"], ["kitchen"]])
    }

    private static let kept = "detent: p.yaml was not reloaded; the panel continues as it was\n"

    private static func reloader(
        _ next: PanelReloader.Reading, _ answer: PanelChange.Answer?
    ) throws -> PanelReloader {
        PanelReloader(
            try #require(reading("Fan").plan), file: "p.yaml", read: { next },
            change: { _ in answer },
            words: { errors in errors.map { "\($0.line) is \($0.cause)\n" }.joined() })
    }

    @Test func aFileWithErrorsChangesNothing() throws {
        let next = PanelReloader.Reading(plan: nil, problems: "p.yaml:1:1: error: no\n")
        expectEqual(
            try Self.reloader(next, .changed).reload(),
            PanelReloader.Outcome(
                result: .refused, text: "p.yaml:1:1: error: no\n" + Self.kept))
    }

    @Test func whatChangedIsSaidAfterTheWarnings() throws {
        var next = Self.reading("Pump")
        next.problems = "p.yaml:1:1: warning: odd\n"
        let reloader = try Self.reloader(next, .changed)
        expectEqual(
            reloader.reload(),
            PanelReloader.Outcome(
                result: .changed,
                text: "p.yaml:1:1: warning: odd\n"
                    + "detent: p.yaml was reloaded: 1 control with other texts (a)\n"))
        expectEqual(
            reloader.reload(),
            PanelReloader.Outcome(
                result: .unchanged, text: "detent: p.yaml: nothing changed\n"))
    }

    /// Whatever the loop objects to, the former panel goes on, and the next reload is against it.
    @Test(
        arguments: [
            (
                PanelChange.Answer.refused([
                    HALError(code: .busy, line: "A", cause: "taken", remedy: "give it back")
                ]), "A is taken\n"
            ),
            (
                .impossible(cause: "too many keys", remedy: "restart"),
                "p.yaml: error: too many keys\nhelp: restart\n"
            ),
            (
                nil,
                "p.yaml: error: the panel did not answer\n"
                    + "help: see its log; restart the panel if it hangs\n"
            ),
        ] as [(PanelChange.Answer?, String)])
    func aRefusalSaysWhy(answer: PanelChange.Answer?, text: String) throws {
        let reloader = try Self.reloader(Self.reading("Pump"), answer)
        for _ in 0..<2 {
            expectEqual(
                reloader.reload(),
                PanelReloader.Outcome(result: .refused, text: text + Self.kept))
        }
    }

    @Test func theLoopAnswersAChange() throws {
        let plan = try #require(Self.reading("Fan").plan)
        let change = try PanelChange(to: plan, PanelDifference(from: plan, to: plan))
        change.finish(.impossible(cause: "a", remedy: "b"))
        expectEqual(change.answer(), .impossible(cause: "a", remedy: "b"))
        expectEqual(change.plan, plan)
    }

    // MARK: Who asks

    /// A signal and a caller at the door each get the outcome; the caller is named.
    @Test func whoAsksGetsTheOutcome() throws {
        let folder = FaultyFolder()
        let signal = try WakeUp()
        let told = MessageLog()
        let asked = Mutex<[UInt32]>([])
        let count = Atomic<Int>(0)
        let door = try LocalDoor(at: folder.path + "/door")
        let listener = try ReloadListener(
            signal: signal, watch: nil, door: door,
            reload: {
                let number = count.wrappingAdd(1, ordering: .relaxed).newValue
                return PanelReloader.Outcome(
                    result: number == 2 ? .unchanged : .refused, text: "number \(number)\n")
            },
            asked: { user in asked.withLock { $0.append(user) } },
            tell: { told.add($0.text) })
        signal.ring()
        let deadline = MonotonicClock.now + .seconds(60)
        while told.all.isEmpty, MonotonicClock.now < deadline { sched_yield() }
        for (number, word) in [(2, "unchanged"), (3, "refused")] {
            let call = try #require(LocalCall.call(folder.path + "/door"))
            expectEqual(call.receive(), "\(word)\nnumber \(number)\n")
        }
        listener.stop()
        expectEqual(asked.withLock { $0 }, [geteuid(), geteuid()])
        expectEqual(told.all, ["number 1\n", "number 2\n", "number 3\n"], "each is told")
    }

    /// The end asks for nothing.
    @Test func theEndIsNoReload() throws {
        let told = MessageLog()
        let listener = try ReloadListener(
            signal: try WakeUp(), watch: nil, door: nil,
            reload: { PanelReloader.Outcome(result: .changed, text: "") },
            tell: { told.add("\($0.result)") })
        listener.stop()
        listener.stop()
        expectEqual(told.all, [])
    }

    // MARK: Beside the loop

    /// A service manager hears that the loop lives, at most once in each period.
    @Test func theWatchdogIsFedWhenItIsDue() {
        let fed = Mutex(0)
        var timer = WatchdogTimer(every: .seconds(3)) { fed.withLock { $0 += 1 } }
        expectEqual(timer.deadline, .zero)
        var counts: [Int] = []
        for second in [0, 1, 2, 3, 5, 6, 20, 21] as [UInt64] {
            timer.feed(at: .zero + .seconds(second))
            counts.append(fed.withLock { $0 })
        }
        expectEqual(counts, [1, 1, 1, 2, 2, 3, 4, 4])
        expectEqual(timer.deadline, .zero + .seconds(23))
    }

    /// The newest word about the broker reaches the loop, once.
    @Test func theNewestWordOfTheBrokerCounts() throws {
        let inbox = try Inbox()
        expectEqual(inbox.takeBroker(), nil)
        let moment = Instant(nanoseconds: 12_345)
        inbox.tellBroker(isOffline: false, at: .zero + .seconds(1))
        inbox.tellBroker(isOffline: true, at: moment)
        expectEqual(inbox.takeBroker(), TimedEvent(event: .broker(isOffline: true), at: moment))
        expectEqual(inbox.takeBroker(), nil)
        inbox.tellBroker(isOffline: false, at: moment)
        expectEqual(inbox.takeBroker(), TimedEvent(event: .broker(isOffline: false), at: moment))
    }
}
