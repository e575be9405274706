import DetentTypes
import Testing

@testable import DetentCore

/// Every order in which the contacts of a selector can close and open, with gaps shorter than, as
/// long as and longer than `settle`, against what a person would write down.
@Suite struct SelectorOrdersTests {
    static let selectors: [(name: String, settings: SelectorSettings)] = [
        ("a contact each", SelectorSettings(positions: 3)),
        ("the first without a contact", SelectorSettings(positions: 4, nonePosition: 0)),
        ("the middle without a contact", SelectorSettings(positions: 4, nonePosition: 1)),
        ("binary", SelectorSettings(coding: .binary, positions: 6)),
        ("gray", SelectorSettings(coding: .gray, positions: 6)),
    ]

    private enum Reading: Equatable {
        case between, invalid
        case position(Int)
    }

    private static let grayCodes = [0b000, 0b001, 0b011, 0b010, 0b110, 0b111, 0b101, 0b100]

    private static func read(_ closed: Set<Int>, _ settings: SelectorSettings) -> Reading {
        let code = closed.reduce(0) { $0 + [1, 2, 4][$1] }
        switch settings.coding {
        case .binary: return code < 6 ? .position(code) : .invalid
        case .gray:
            let position = grayCodes.firstIndex(of: code)!
            return position < 6 ? .position(position) : .invalid
        case .contacts:
            if closed.count > 1 { return .invalid }
            switch (settings.nonePosition, closed.first) {
            case (255, nil): return .between
            case (let none, nil): return .position(Int(none))
            case (255, let contact?): return .position(contact)
            case (let none, let contact?):
                return .position([0, 1, 2, 3].filter { $0 != Int(none) }[contact])
            }
        }
    }

    /// What is to be told: every reading that lasts for `settle`, a position only if it is new.
    private static func expected(
        _ edges: [(at: Int, contact: Int)], _ settings: SelectorSettings
    ) -> [String] {
        var closed: Set<Int> = []
        var runs: [(since: Int, reading: Reading)] = [(-1_000, read([], settings))]
        for edge in edges {
            closed.formSymmetricDifference([edge.contact])
            let reading = read(closed, settings)
            if runs.last!.since == edge.at { runs.removeLast() }
            if runs.last?.reading != reading { runs.append((edge.at, reading)) }
        }
        var told: [String] = []
        var position: Int?
        if case .position(let first) = runs[0].reading { position = first }
        for (place, run) in runs.enumerated() where run.since >= 0 {
            let end = place + 1 < runs.count ? runs[place + 1].since : .max
            guard end - run.since >= 30 else { continue }
            switch run.reading {
            case .between: break
            case .invalid: told.append("\(run.since + 30) invalid")
            case .position(let found):
                if found != position { told.append("\(run.since + 30) moved \(found)") }
                position = found
            }
        }
        return told
    }

    private static func told(
        _ edges: [(at: Int, contact: Int)], _ settings: SelectorSettings, wakesLate: Bool
    ) -> [String] {
        let bench = Bench(
            lines: Array(repeating: .some(.none), count: 3),
            controls: [
                ControlSettings(
                    nature: .choice(of: 8), contacts: PlanRange(first: 0, count: 3),
                    decoder: .selector(settings), mismatch: .detached)
            ])
        _ = bench.send(.start, 0)
        var closed: Set<Int> = []
        var log: [String] = []
        for edge in edges {
            closed.formSymmetricDifference([edge.contact])
            let event = Event.edge(
                LineID(UInt16(edge.contact)), Level(closed.contains(edge.contact)), sequence: 0)
            if !wakesLate { log += bench.run(edge.at) }
            log += bench.send(event, edge.at)
        }
        log += wakesLate ? bench.send(.tick, 10_000) : bench.run(10_000)
        return log.map { $0.replacing(" c0 ", with: " ") }
    }

    private static func check(
        _ selector: Int, steps: Int, gaps: [Int], wakesLate: Bool
    ) {
        let settings = selectors[selector].settings
        let choices = 3 * gaps.count
        var count = 1
        for _ in 0..<steps { count *= choices }
        for word in 0..<count {
            var rest = word
            var at = 100
            let edges = (0..<steps).map { _ in
                defer { rest /= choices }
                at += gaps[rest % choices / 3]
                return (at: at, contact: rest % choices % 3)
            }
            let expected = expected(edges, settings)
            let told = told(edges, settings, wakesLate: wakesLate)
            guard told != expected else { continue }
            Issue.record("\(selectors[selector].name), \(edges): told \(told), not \(expected)")
            return
        }
    }

    @Test(arguments: selectors.indices, [false, true])
    func threeStepsWithEveryGap(selector: Int, wakesLate: Bool) {
        Self.check(selector, steps: 3, gaps: [10, 30, 50], wakesLate: wakesLate)
    }

    @Test(arguments: selectors.indices)
    func sixSteps(selector: Int) {
        Self.check(selector, steps: 6, gaps: [40], wakesLate: false)
    }
}
