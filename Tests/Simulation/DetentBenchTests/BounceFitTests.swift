import DetentPanel
import DetentTypes
import DetentWorld
import TestSupport
import Testing

@testable import DetentBench

/// A profile plays what the recording had that it was fitted to, and a wrong one is noticed.
@Suite struct BounceFitTests {
    typealias Class = MeasuredBounce.Class

    /// The profile of a recording as a reader of its file finds it.
    private func fitted(_ recording: BounceMeter) throws -> BounceProfile {
        let file = BounceText.file(
            try #require(BounceReport(recording).profile), name: "It", changes: recording.count)
        let source = SourceText(file: "it.yaml", text: file)
        let log = ProblemLog(source)
        let node = try #require(YAMLReader.read(source, log: log))
        let profile = BounceReader.profile(node, log)
        return try #require(profile, "\(log.problems)\n\(file)")
    }

    private func wrong(_ recording: BounceMeter, _ profile: BounceProfile) -> [String] {
        BounceComparison(recording, plays: profile, seed: 11).figures.filter { !$0.agrees }
            .map { "\($0.name): \($0.difference) of \($0.bound)" }
    }

    @Test(
        arguments: TestLength.some(of: [1, 2, 3] as [UInt64], every: 3),
        [(30, 1), (200, 1_000), (2_000, 1), (2_000, 1_000)] as [(Int, UInt64)])
    func theFitPlaysTheRecording(seed: UInt64, how: (presses: Int, step: UInt64)) throws {
        var contact = StrangeContact(seed: seed)
        contact.step = how.step
        let recording = contact.recording(presses: how.presses)
        let profile = try fitted(recording)
        expectEqual(wrong(recording, profile), [], "seed \(seed)")
        // What the simulator makes is what the profile says.
        let played = BounceComparison.played(profile, quiet: recording.quiet, seed: seed)
        let again = try fitted(played)
        #expect(again.longest <= profile.longest)
        #expect(abs(Int(again.cleanCloses) - Int(profile.cleanCloses)) <= 3)
        #expect(abs(Int(again.cleanOpens) - Int(profile.cleanOpens)) <= 3)
    }

    @Test func theRecordingHasWhatTheModelLacks() throws {
        var contact = StrangeContact(seed: 1)
        let profile = try fitted(contact.recording(presses: 2_000))
        #expect(profile.longestPulse.nanoseconds > profile.shortestPulse.nanoseconds * 1_000)
        #expect(profile.closes > profile.opens * 3)
        #expect(profile.longest > profile.closes * 20)
        #expect(profile.cleanOpens > profile.cleanCloses + 20)
    }

    /// Fits that a blind comparison would accept.
    private static let faults: [(String, @Sendable (inout BounceProfile.Measured) -> Void)] = [
        ("make and break swapped", { swap(&$0.closing, &$0.opening) }),
        (
            "the tail cut off",
            { measured in
                measured.closing = withoutTail(measured.closing)
                measured.opening = withoutTail(measured.opening)
            }
        ),
        (
            "one decade of widths",
            { measured in
                measured.closing = oneDecade(measured.closing)
                measured.opening = oneDecade(measured.opening)
            }
        ),
    ]

    private static func withoutTail(_ bounce: MeasuredBounce) -> MeasuredBounce {
        var classes = bounce.classes
        let tail = classes.count - 2
        for place in tail..<classes.count { classes[place].lengths = classes[tail - 1].lengths }
        return MeasuredBounce(classes)
    }

    private static func oneDecade(_ bounce: MeasuredBounce) -> MeasuredBounce {
        MeasuredBounce(
            bounce.classes.map { it in
                var it = it
                let middle = it.widths[3].nanoseconds
                it.widths = it.widths.map {
                    TimeSpan(nanoseconds: min(max($0.nanoseconds, middle / 3), middle * 3))
                }
                return it
            })
    }

    @Test(arguments: 0..<3, TestLength.some(of: [1, 2, 3] as [UInt64], every: 3))
    func aWrongFitIsNoticed(fault: Int, seed: UInt64) throws {
        var contact = StrangeContact(seed: seed)
        let recording = contact.recording(presses: 2_000)
        let right = try fitted(recording)
        var measured = try #require(right.measured)
        Self.faults[fault].1(&measured)
        let planted = BounceProfile(
            measured, cleanCloses: right.cleanCloses, cleanOpens: right.cleanOpens)
        #expect(!wrong(recording, planted).isEmpty, "\(Self.faults[fault].0), seed \(seed)")
        #expect(
            BounceText.fit(BounceComparison(recording, plays: planted)).contains("does not play"))
    }

    @Test func aWrongShareOfCleanChangesIsNoticed() throws {
        var contact = StrangeContact(seed: 1)
        let recording = contact.recording(presses: 2_000)
        let right = try fitted(recording)
        var planted = right
        planted.cleanCloses += 10
        expectEqual(wrong(recording, planted).map { $0.prefix(22) }, ["closing: clean changes"])
    }

    @Test func theLargestDifferenceOfTwoDistributions() {
        expectEqual(BounceComparison.distance([1, 2, 3, 4], [1, 2, 3, 4]), 0)
        expectEqual(BounceComparison.distance([1, 1], [2, 2, 2]), 1)
        expectEqual(BounceComparison.distance([1, 2, 3, 4], [3, 4, 5, 6]), 0.5)
        expectEqual(BounceComparison.distance([], []), 0)
        expectEqual(BounceComparison.distance([5], []), 1)
    }

    @Test func aContactThatNeverBouncedHasEmptyLists() throws {
        var meter = BounceMeter(level: .inactive)
        for place in 1...10 as ClosedRange<UInt64> {
            meter.take(Level(place % 2 == 1), at: .zero + .seconds(place))
        }
        meter.finish()
        let profile = try fitted(meter)
        expectEqual(profile.measured, .init(closing: .init([]), opening: .init([])))
        #expect(profile.cleanCloses == 100 && profile.closes == .zero)
        expectEqual(wrong(meter, profile), [])
    }
}
