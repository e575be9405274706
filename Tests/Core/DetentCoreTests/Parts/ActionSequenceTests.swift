import DetentTypes
import TestSupport
import Testing

@testable import DetentCore

/// The steps of an attempt by themselves.
@Suite struct ActionSequenceTests {
    private static let root = RelationIndex(offset: 3)

    private func at(_ millisecond: Int) -> Instant { Instant(millisecond: millisecond) }

    private func begun(_ count: UInt16 = 2) -> ActionSequence {
        var sequence = ActionSequence()
        sequence.begin(
            PlanRange(first: 4, count: count), RunID(7), root: Self.root, isRoot: true)
        return sequence
    }

    @Test func itOwnsItsAttemptUntilItIsOver() {
        var sequence = ActionSequence()
        #expect(!sequence.isActive && !sequence.owns(RunID(0)))
        expectEqual(sequence.deadline, .never)
        sequence = begun()
        #expect(sequence.isActive && sequence.owns(RunID(7)))
        #expect(!sequence.owns(RunID(0)))
        #expect(sequence.deadline == .zero && sequence.root == Self.root)
        _ = sequence.abandon()
        #expect(!sequence.owns(RunID(7)))
    }

    @Test func itIsDoneAfterItsLastStep() {
        var sequence = begun()
        #expect(!sequence.isDone && !sequence.hasActed)
        sequence.stepDone()
        #expect(!sequence.isDone && sequence.hasActed)
        sequence.wait(until: at(50))
        #expect(sequence.deadline == at(50) && !sequence.isDone)
        var ended = sequence.deadlineReached(at: at(49))
        #expect(ended.off == nil && ended.timedOut == nil && !sequence.isDone)
        ended = sequence.deadlineReached(at: at(50))
        #expect(ended.off == nil && ended.timedOut == nil && sequence.isDone)
        sequence.begin(PlanRange(first: 9, count: 1), RunID(8), root: Self.root, isRoot: false)
        #expect(!sequence.hasActed && !sequence.isDone)
    }

    @Test func requestsAreCountedUpToTheirBound() {
        var sequence = begun()
        var counted = 0
        while sequence.countRequest(), counted < 1_000 { counted += 1 }
        expectEqual(counted, Int(EngineLimits.requestsPerPress))
        sequence.begin(PlanRange(first: 0, count: 1), RunID(8), root: Self.root, isRoot: false)
        let isSamePress = sequence.countRequest()
        #expect(!isSamePress)
        sequence.begin(PlanRange(first: 0, count: 1), RunID(9), root: Self.root, isRoot: true)
        let isNextPress = sequence.countRequest()
        #expect(isNextPress && sequence.requests == 1)
    }

    @Test func onlyTheWriteThatItWaitsForCounts() {
        var sequence = begun(1)
        sequence.write(LineID(2), .active)
        #expect(sequence.drivenLine == LineID(2) && sequence.deadline == .never)
        sequence.written(LineID(1), .active, at: at(1))
        sequence.written(LineID(2), .inactive, at: at(1))
        #expect(!sequence.isDone)
        sequence.written(LineID(2), .active, at: at(1))
        #expect(sequence.isDone && sequence.drivenLine == nil)
    }

    @Test func aPulseCountsFromItsWriteAndIsDoneWhenItIsOff() {
        var sequence = begun(1)
        sequence.write(LineID(2), .active, pulse: .milliseconds(20))
        sequence.written(LineID(2), .active, at: at(5))
        #expect(sequence.deadline == at(25) && sequence.drivenLine == LineID(2))
        #expect(sequence.deadlineReached(at: at(24)).off == nil)
        expectEqual(sequence.deadlineReached(at: at(25)).off, LineID(2))
        #expect(sequence.drivenLine == LineID(2) && !sequence.isDone)
        sequence.written(LineID(2), .inactive, at: at(26))
        #expect(sequence.isDone)
    }

    @Test func anActionEndsOrTakesTooLong() {
        var sequence = begun(1)
        sequence.started(ActionID(5), timeoutAt: at(9))
        #expect(sequence.runningAction == ActionID(5) && sequence.deadline == at(9))
        #expect(sequence.deadlineReached(at: at(8)).timedOut == nil)
        expectEqual(sequence.deadlineReached(at: at(9)).timedOut, ActionID(5))
        expectEqual(sequence.abandon().stops, ActionID(5))
        #expect(sequence.runningAction == nil)
    }

    @Test func whatIsOnGoesOffWhenItIsGivenUp() {
        var sequence = begun()
        sequence.write(LineID(2), .active)
        #expect(sequence.abandon().off == nil, "it is on for good")
        sequence = begun()
        sequence.write(LineID(2), .active, pulse: .milliseconds(1))
        expectEqual(sequence.abandon().off, LineID(2))
        sequence = begun()
        sequence.write(LineID(2), .active, pulse: .milliseconds(1))
        sequence.written(LineID(2), .active, at: at(1))
        let left = sequence.abandon()
        #expect(left.off == LineID(2) && left.stops == nil)
    }

    @Test func itWaitsForAnotherControl() throws {
        var sequence = begun()
        #expect(sequence.awaited == nil)
        sequence.await(ControlID(6), .on)
        let awaited = try #require(sequence.awaited)
        #expect(awaited.control == ControlID(6) && awaited.value == .on)
        #expect(sequence.deadline == .never && sequence.drivenLine == nil)
    }
}
