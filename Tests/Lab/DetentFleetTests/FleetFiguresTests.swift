import DetentPanel
import DetentTypes
import TestSupport
import Testing

@testable import DetentFleet

/// What a fleet counts: the ledger, the histogram, the agenda, and the names of panels.
@Suite struct FleetFiguresTests {
    private static func at(_ milliseconds: UInt64) -> Instant {
        .zero + .milliseconds(milliseconds)
    }
    private static let on = Array("on".utf8)
    private static let off = Array("off".utf8)

    // MARK: The ledger

    @Test func whatIsHeardHasItsLatency() {
        var ledger = FleetLedger(topics: 2)
        ledger.told(0, Self.on, since: Self.at(10), .sure)
        ledger.told(1, Self.on, since: Self.at(20), .sure)
        expectEqual(ledger.waiting, 2)
        ledger.heard(1, Self.on, at: Self.at(25))
        ledger.heard(0, Self.on, at: Self.at(30))
        #expect(ledger.received == 2 && ledger.changes == 2 && ledger.waiting == 0)
        expectEqual(ledger.latencies.longest, .milliseconds(20))
        ledger.giveUp()
        #expect(ledger.lost == 0 && ledger.duplicates == 0)
    }

    @Test func whatIsLeftOutIsLost() {
        var ledger = FleetLedger(topics: 1)
        ledger.told(0, Self.on, since: Self.at(1), .sure)
        ledger.told(0, Self.off, since: Self.at(2), .sure)
        ledger.heard(0, Self.off, at: Self.at(3))
        #expect(ledger.lost == 1 && ledger.received == 1)
        ledger.told(0, Self.on, since: Self.at(4), .sure)
        ledger.giveUp()
        #expect(ledger.lost == 2 && ledger.waiting == 0)
    }

    @Test func whatComesTwiceIsADuplicate() {
        var ledger = FleetLedger(topics: 1)
        ledger.told(0, Self.on, since: Self.at(1), .sure)
        ledger.heard(0, Self.on, at: Self.at(2))
        ledger.heard(0, Self.on, at: Self.at(3))
        #expect(ledger.duplicates == 1 && ledger.received == 1)
    }

    /// A state that is told again after a connection is not a change.
    @Test func statesToldAgainAreNotChanges() {
        var ledger = FleetLedger(topics: 1)
        ledger.told(0, Self.on, since: nil, .sure)
        ledger.heard(0, Self.on, at: Self.at(9_000))
        ledger.told(0, Self.on, since: nil, .sure)
        ledger.giveUp()
        #expect(ledger.changes == 0 && ledger.received == 0 && ledger.lost == 0)
        expectEqual(ledger.latencies.count, 0)
    }

    @Test func whatIsToldToNoOneIsUnheard() {
        var ledger = FleetLedger(topics: 1)
        ledger.told(0, Self.on, since: Self.at(1), .away)
        #expect(ledger.unheard == 1 && ledger.waiting == 0)
    }

    /// While the listener subscribes, a message may be heard or not; neither is counted.
    @Test func whatMayBeHeardIsNeitherLostNorTwice() {
        var ledger = FleetLedger(topics: 2)
        for topic in 0...1 { ledger.told(topic, Self.on, since: Self.at(1), .unsure) }
        #expect(ledger.unheard == 2 && ledger.waiting == 0)
        ledger.heard(0, Self.on, at: Self.at(2))
        ledger.told(1, Self.off, since: Self.at(3), .sure)
        ledger.heard(1, Self.off, at: Self.at(4))
        ledger.giveUp()
        #expect(ledger.received == 1 && ledger.lost == 0 && ledger.duplicates == 0)
    }

    @Test func aTopicKeepsABoundedNumber() {
        var ledger = FleetLedger(topics: 1)
        for count in 0...FleetLimits.waitingOfTopic {
            ledger.told(0, Array("\(count)".utf8), since: Self.at(1), .sure)
        }
        expectEqual(ledger.lost, 1)
        expectEqual(ledger.waiting, FleetLimits.waitingOfTopic)
    }

    // MARK: The histogram

    @Test func sharesAreExactToTwoInAHundred() {
        var histogram = LatencyHistogram()
        for count in 1...10_000 as ClosedRange<UInt64> { histogram.add(.microseconds(count)) }
        for (share, expected) in [(500, 5_000), (990, 9_900), (999, 9_990)] as [(UInt64, UInt64)] {
            let span = histogram.span(perMille: share).nanoseconds
            let exact = expected * 1_000
            #expect(span >= exact && span <= exact + exact / 50, "\(share): \(span)")
        }
        expectEqual(histogram.longest, .milliseconds(10))
        expectEqual(histogram.span(perMille: 1_000), .milliseconds(10))
    }

    @Test func anySpanHasABucket() {
        for nanoseconds in [0, 1, 127, 128, 129, 255, 256, 1 << 40, .max - 1, .max] as [UInt64] {
            var histogram = LatencyHistogram()
            histogram.add(TimeSpan(nanoseconds: nanoseconds))
            expectEqual(histogram.span(perMille: 500).nanoseconds, nanoseconds)
        }
        expectEqual(LatencyHistogram().span(perMille: 990), .zero)
    }

    // MARK: The agenda

    @Test func theAgendaIsInOrder() {
        var random = SplitMix64(seed: 5)
        var agenda = Agenda(count: 50)
        var due = [Instant](repeating: .never, count: 50)
        for _ in 0..<5_000 {
            let place = Int(random.below(50))
            due[place] = random.chance(percent: 10) ? .never : Self.at(random.below(1_000))
            agenda.set(place, due[place])
            expectEqual(agenda.next(), due.min())
            guard random.chance(percent: 40) else { continue }
            let now = Self.at(random.below(1_000))
            let taken = agenda.pop(by: now)
            if let taken {
                #expect(due[taken] == due.min() && due[taken] <= now)
                due[taken] = .never
            } else {
                #expect(due.allSatisfy { $0 > now })
            }
        }
    }

    // MARK: Options

    private static func options(_ count: Int) -> FleetOptions {
        let broker = BrokerPlan(host: "h", port: 1_883, topic: "detent/lab")
        let plan = PanelPlan(name: "Lab")
        return FleetOptions(plan: plan, broker: broker, count: count, version: "1")
    }

    @Test func panelsHaveNumbers() {
        var options = Self.options(3)
        expectEqual(options.broker(of: 0).topic, "detent/lab-0001")
        expectEqual(options.broker(of: 2).clientName, "detent-lab-0003")
        options.first = 99_998
        expectEqual(options.broker(of: 0).topic, "detent/lab-099998")
        options.broker.clientID = "own"
        options.broker.discovery = "homeassistant"
        expectEqual(options.broker(of: 1).clientName, "own-099999")
        #expect(options.broker(of: 1).discovery == nil)
        expectEqual(
            options.filters, ["detent/+/+/state", "detent/+/+/event", "detent/+/availability"])
        options.broker.topic = "lab"
        expectEqual(options.filters, ["+/+/state", "+/+/event", "+/availability"])
    }

    @Test func whatIsOutOfRangeIsRefused() {
        #expect(throws: Never.self) { try Self.options(1).check() }
        #expect(throws: FleetError.self) { try Self.options(0).check() }
        #expect(throws: FleetError.self) { try Self.options(FleetLimits.panels + 1).check() }
        var options = Self.options(1)
        for rate in [0, -1, .infinity, .nan, 51] {
            options.rate = rate
            #expect(throws: FleetError.self, "\(rate)") { try options.check() }
        }
        options = Self.options(1)
        for duration in [.zero, .seconds(86_401)] as [TimeSpan] {
            options.duration = duration
            #expect(throws: FleetError.self) { try options.check() }
        }
        options = Self.options(1)
        options.first = 0
        #expect(throws: FleetError.self) { try options.check() }
    }
}
