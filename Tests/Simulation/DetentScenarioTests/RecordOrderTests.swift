import DetentCore
import DetentTypes
import TestSupport
import Testing

@testable import DetentScenario

/// The order of the events of one instant.
@Suite struct RecordOrderTests {
    private static let kinds: [Report.Kind] = [
        .output(LineID(0), .active), .indicator(.steady), .flag(.stale, isSet: true),
        .confirmed(.on), .phase(.idle, .none), .changed(.on, .panel), .held, .clicked, .pressed,
        .lost(count: 1),
    ]

    /// The places of these kinds in the contract, which lists them from the last to the first.
    private static func rank(_ entry: VirtualRecord.Entry) -> Int {
        Self.kinds.count - Self.kinds.firstIndex(of: entry.report.kind)!
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func eachControlKeepsItsPlacesAndItsEventsAreInOrder(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        for round in 0..<300 {
            var entries: [VirtualRecord.Entry] = []
            for moment in 0..<random.next() % 6 {
                for _ in 0..<random.next() % 12 {
                    let control = ControlID(UInt16(random.next() % 3))
                    let kind = Self.kinds[Int(random.next() % UInt64(Self.kinds.count))]
                    entries.append(
                        VirtualRecord.Entry(
                            report: Report(control: control, kind: kind),
                            at: Instant(nanoseconds: moment)))
                }
            }
            let ordered = VirtualRecord.ordered(entries)
            let message: Comment = "seed \(seed), round \(round)"
            expectEqual(ordered.map(\.at), entries.map(\.at), message)
            expectEqual(ordered.map(\.report.control), entries.map(\.report.control), message)
            for control in (0..<3 as Range<UInt16>).map(ControlID.init) {
                let own = ordered.filter { $0.report.control == control }
                let sorted = entries.filter { $0.report.control == control }.enumerated().sorted {
                    ($0.element.at, Self.rank($0.element), $0.offset)
                        < ($1.element.at, Self.rank($1.element), $1.offset)
                }
                expectEqual(own, sorted.map(\.element), message)
            }
        }
    }
}
