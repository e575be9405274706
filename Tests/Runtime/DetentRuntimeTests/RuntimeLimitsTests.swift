import DetentTypes
import TestSupport
import Testing

@testable import DetentRuntime

/// The bounds as they were decided: one that changes, changes here too, and where it is explained.
@Suite struct RuntimeLimitsTests {
    @Test(arguments: [
        ("events of a turn", RuntimeLimits.eventsPerTurn, 4 * 1_024),
        ("requests that wait", RuntimeLimits.inbox, 256),
        ("event lines that wait", RuntimeLimits.eventLines, 8_192),
        ("reports that wait", RuntimeLimits.reports, 8_192),
        ("reports held for lamps", RuntimeLimits.heldReports, 64),
        ("updates that wait", RuntimeLimits.updates, 16_384),
        ("lines that are traced", RuntimeLimits.tracedLines, 64),
        ("states of a turn", RuntimeLimits.statesPerTurn, 256),
        ("events that are remembered", RuntimeLimits.history, 10_000),
        ("keys of actions", RuntimeLimits.actionKeys, 60_000),
        ("panels that wait", RuntimeLimits.waitingPanels, 8),
        ("messages that wait", RuntimeLimits.messages, 256),
        ("descriptors of the loop", RuntimeLimits.ownDescriptors, 3),
        ("characters of a token", RuntimeLimits.token, 1_000),
        ("kinds of messages", RuntimeLimits.repeatedKinds, 8),
        ("tokens of a control", RuntimeLimits.confirmTokens, 8),
        ("reports of a source that wait", RuntimeLimits.waitingReports, 32),
        ("faults of a feedback", RuntimeLimits.feedbackLogFaults, 4),
    ])
    func aCountIsAsDecided(what: String, found: Int, decided: Int) {
        expectEqual(found, decided, "\(what)")
    }

    @Test(
        arguments: [
            ("an answer", RuntimeLimits.answerTime, 2_000),
            ("events", RuntimeLimits.eventsEvery, 33),
            ("looks for answers", RuntimeLimits.answersEvery, 1),
            ("rest of requests", RuntimeLimits.restTime, 5_000),
            ("slack of a timeout", RuntimeLimits.timeoutSlack, 5),
            ("rest of a file", RuntimeLimits.restOfFile, 50),
            ("a save", RuntimeLimits.longestSave, 1_000),
            ("a change", RuntimeLimits.changeGrace, 10_000),
            ("the recorder's end", RuntimeLimits.recorderGrace, 1_000),
            ("a writer's end", RuntimeLimits.writerGrace, 1_000),
            ("the last save", RuntimeLimits.stateGrace, 2_000),
            ("the end of programs", RuntimeLimits.actionsGrace, 2_000),
            ("a dark display", RuntimeLimits.displayFirstPause, 1_000),
            ("a display that stays dark", RuntimeLimits.displayLongestPause, 30_000),
            ("a display's end", RuntimeLimits.displayGrace, 500),
            ("a message that repeats", RuntimeLimits.repeatedMessage, 60_000),
            ("a confirmation", RuntimeLimits.confirmTime, 30_000),
            ("reports of a device", RuntimeLimits.feedbackGap, 20),
            ("a fault that repeats", RuntimeLimits.feedbackLogGap, 10_000),
            ("a source that ended", RuntimeLimits.feedbackFirstPause, 1_000),
            ("a source that ends again", RuntimeLimits.feedbackLongestPause, 30_000),
            ("a source's end", RuntimeLimits.feedbackGrace, 500),
            ("a request of a feedback", RuntimeLimits.feedbackRequestTime, 10_000),
        ] as [(String, TimeSpan, UInt64)])
    func aTimeIsAsDecided(what: String, found: TimeSpan, milliseconds: UInt64) {
        expectEqual(found, .milliseconds(milliseconds), "\(what)")
    }
}
