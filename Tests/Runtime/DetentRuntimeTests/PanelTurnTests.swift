import DetentCore
import DetentHAL
import DetentPanel
import DetentTypes
import TestSupport
import Testing

@testable import DetentRuntime

/// The order in which a turn hands events over, with moments that the test tells.
@Suite struct PanelTurnTests {
    /// Writes down what the engine hears and wants, and answers as it is told.
    private final class Log: EffectHandler {
        var heard: [TimedEvent] = []
        var reports: [TimedReport] = []
        /// What the next effects bring about, one for each.
        var answers: [TimedEvent] = []

        func carryOut(_ effect: Effect, due: Instant, now: Instant, into queue: inout TurnQueue) {
            if case .report(let report) = effect {
                reports.append(TimedReport(report: report, at: due))
            }
            guard let answer = answers.first else { return }
            answers.removeFirst()
            queue.insert(answer.event, at: answer.at)
        }

        func willHandle(_ event: Event, at moment: Instant) {}

        func didHandle(_ event: Event, at moment: Instant, by engine: inout Engine) {
            heard.append(TimedEvent(event: event, at: moment))
        }
    }

    private let log = Log()
    private let backend = ScriptedBackend()
    private let line = LineID(0)
    private let control = ControlID(0)

    private func at(_ milliseconds: UInt64) -> Instant { .zero + .milliseconds(milliseconds) }

    private func edge(_ level: Level, _ sequence: UInt32, at milliseconds: UInt64) -> LineEvent {
        LineEvent(line: line, kind: .edge(level, sequence: sequence), at: at(milliseconds))
    }

    private func panel(_ debounce: String = "none") throws -> PanelTurn<Log> {
        let text = """
            panel: Test
            board: none
            controls:
              it: {kind: button, label: It, input: IN, debounce: \(debounce)}
            """
        let plan = try #require(
            PanelReader.read(SourceText(file: "t.yaml", bytes: Array(text.utf8))).plan)
        var panel = try PanelTurn(plan, backend: backend, handler: log)
        backend.events = [LineEvent(line: line, kind: .reading(.inactive), at: at(0))]
        panel.start(at: at(0), saved: []) { at(0) }
        log.heard = []
        return panel
    }

    /// The end of a process: what waited is lost, and the next start finds nothing of it.
    @Test func aRestartForgetsWhatWaited() throws {
        var panel = try panel()
        let many = UInt32(RuntimeLimits.eventsPerTurn + 2)
        backend.events = (1...many).map { number in
            edge(number % 2 == 1 ? .active : .inactive, number, at: 5)
        }
        panel.begin(at: at(9))
        expectEqual(panel.hasMore, true)
        expectEqual(panel.isBetweenTurns, false)
        try panel.restart(at: at(10))
        expectEqual(panel.hasMore, false)
        expectEqual(panel.isBetweenTurns, true)
        expectEqual(backend.events, [])
        expectEqual(log.heard, [])
        panel.start(at: at(20), saved: []) { at(21) }
        expectEqual(log.heard, [TimedEvent(event: .start, at: at(21))])
    }

    @Test func anEdgeComesBeforeARequestOfTheSameStamp() throws {
        var panel = try panel()
        backend.events = [edge(.active, 1, at: 5)]
        panel.begin(at: at(9))
        panel.add(.resync(), at: at(5))
        panel.add(.lampTest(isOn: true), at: at(4))
        panel.finish()
        expectEqual(
            log.heard.map(\.event),
            [
                .lampTest(isOn: true), .edge(line, .active, sequence: 1), .resync(),
            ])
    }

    @Test func whatAnEffectBringsComesBehindEverythingOlder() throws {
        var panel = try panel()
        backend.events = [edge(.active, 1, at: 5), edge(.inactive, 2, at: 6)]
        log.answers = [TimedEvent(event: .resync(), at: at(7))]
        panel.begin(at: at(9))
        panel.finish()
        expectEqual(log.heard.map(\.at), [at(5), at(6), at(7)])
    }

    @Test func aDeadlineBeyondTheKnownSilenceWaits() throws {
        var panel = try panel("{algorithm: defer, time: 10ms}")
        backend.events = [edge(.active, 1, at: 5)]
        panel.begin(at: at(6))
        panel.finish()
        let deadline = panel.engine.nextDeadline
        expectEqual(deadline, at(15))
        panel.begin(at: at(20), linesSilentUntil: at(14))
        panel.finish()
        #expect(log.reports.isEmpty, "an edge at 14.5 ms may still come")
        panel.begin(at: at(20), linesSilentUntil: at(15))
        panel.finish()
        expectEqual(log.reports.map(\.at), [at(15)])
    }

    @Test func nothingOvertakesLinesThatHaveSaidMoreThanOneTurnTakes() throws {
        var panel = try panel("{algorithm: defer, time: 1s}")
        let count = RuntimeLimits.eventsPerTurn
        backend.events = (1...count + 2).map { number in
            edge(Level(number % 2 == 1), UInt32(number), at: UInt64(number))
        }
        panel.begin(at: at(60_000))
        panel.add(.resync(), at: at(UInt64(count) + 1) + .microseconds(1))
        panel.finish()
        var hasMore = panel.hasMore
        #expect(hasMore)
        expectEqual(log.heard.count, count, "the request waits for the edges before it")
        #expect(log.reports.isEmpty, "so do the deadlines")
        panel.begin(at: at(60_000), linesSilentUntil: at(60_000))
        let hasRoom = panel.hasRoom
        #expect(!hasRoom, "other requests wait where they are")
        panel.finish()
        hasMore = panel.hasMore
        #expect(!hasMore)
        expectEqual(
            log.heard[count...].map(\.event),
            [
                .edge(line, .active, sequence: UInt32(count) + 1), .resync(),
                .edge(line, .inactive, sequence: UInt32(count) + 2), .tick,
            ])
    }

    @Test func aPanelThatStartsAgainHasForgottenEverything() throws {
        var panel = try panel()
        backend.events = [edge(.active, 1, at: 5)]
        panel.begin(at: at(6))
        panel.finish()
        var state = panel.snapshot(of: control)
        expectEqual(state?.closedContacts, 1)
        backend.events = [edge(.inactive, 2, at: 7)]
        try panel.restart(at: at(8))
        #expect(backend.events.isEmpty, "nobody hears what happens meanwhile")
        state = panel.snapshot(of: control)
        expectEqual(state?.closedContacts, 0)
    }
}
