import DetentPanel
import DetentPlatform
import DetentTypes
import FreePorts
import TestSupport
import Testing

@testable import DetentFleet

/// Small fleets against Debian's broker on the loopback.
@Suite(.serialized, .enabled(if: Mosquitto.isInstalled, "mosquitto is not installed"))
struct FleetTests {
    private static func options(
        _ port: UInt16, _ count: Int, _ duration: TimeSpan
    ) throws -> FleetOptions {
        let text =
            "{panel: Lab, board: none, controls: {"
            + "lamp: {kind: switch, label: Lamp, input: A}, "
            + "start: {kind: button, label: Start, input: B}}}"
        let reading = PanelReader.read(SourceText(file: "panel.yaml", text: text))
        let plan = try #require(reading.plan, "\(ProblemRenderer.text(reading.problems))")
        let broker = try #require(BrokerPlan(url: "mqtt://127.0.0.1:\(port)", topic: "detent/lab"))
        var options = FleetOptions(plan: plan, broker: broker, count: count, version: "1")
        options.duration = duration
        options.rate = 5
        return options
    }

    @Test func everyChangeIsHeardOnce() throws {
        let broker = try Mosquitto()
        let fleet = try Fleet(try Self.options(broker.port, 20, .seconds(2))) { _ in }
        let report = try fleet.run(signals: nil)
        #expect(report.isWhole, "\(report.table)")
        #expect(report.connects == 20 && report.breaks == 0)
        #expect(report.operations > 20, "\(report.table)")
        #expect(report.changes > 10, "\(report.table)")
        #expect(report.events > 10, "\(report.table)")
        expectEqual(report.latencies.count, UInt64(report.changes))
        #expect(report.latencies.longest > .zero)
        // Nothing of it stays at the broker.
        let later = try Observer(broker.port)
        #expect(!later.seen.contains { $0.topic.hasPrefix("detent/") }, "\(later.seen)")
    }

    /// What another client sees is what a real panel tells, and it can operate one of the panels.
    @Test func panelsHaveTheTopicsOfRealOnes() throws {
        let broker = try Mosquitto()
        let observer = try Observer(broker.port)
        var options = try Self.options(broker.port, 3, .seconds(1))
        options.first = 7
        options.rate = 0.001
        let told = try Self.runBeside(options) { () throws in
            let online = "detent/lab-0009/availability"
            #expect(try observer.wait { $0.last(online) == "online" })
            observer.publish("detent/lab-0009/lamp/set", "on")
            #expect(
                try observer.wait { $0.last("detent/lab-0009/lamp/answer") != nil })
            expectEqual(observer.last("detent/lab-0009/lamp/answer"), "{\"accepted\": true}")
            #expect(
                try observer.wait {
                    $0.last("detent/lab-0009/lamp/state")?.hasPrefix("{\"value\": \"on\"") == true
                })
            #expect(try observer.wait { $0.all(online).contains("offline") })
        }
        #expect(told.panels == 3 && told.online == 3, "\(told.table)")
    }

    /// All panels are back soon after the broker is.
    @Test func aBrokerThatIsKilledIsFoundAgain() throws {
        let broker = try Mosquitto()
        let observer = try Observer(broker.port)
        let options = try Self.options(broker.port, 20, .seconds(6))
        let report = try Self.runBeside(options) { () throws in
            let online = (1...20).map { "detent/lab-00\($0 < 10 ? "0" : "")\($0)/availability" }
            #expect(try observer.wait { seen in online.allSatisfy { seen.last($0) == "online" } })
            broker.kill()
            try broker.start()
        }
        expectEqual(report.online, 20, "\(report.table)")
        #expect(report.breaks == 20 && report.connects == 40, "\(report.table)")
        expectEqual(report.returns.count, 1, "\(report.table)")
        let back = try #require(report.returns.first ?? nil, "\(report.table)")
        #expect(back < .seconds(10), "\(report.table)")
        // They do not all come at the same moment.
        #expect(back > .milliseconds(100), "\(report.table)")
    }

    @Test func withoutABrokerItSaysSo() throws {
        let port = FreePorts.next()
        var options = try Self.options(port, 1, .seconds(1))
        options.reach = .milliseconds(300)
        let fleet = try Fleet(options) { _ in }
        let error = #expect(throws: FleetError.self) { try fleet.run(signals: nil) }
        expectEqual(error?.isUnreachable, true)
        expectEqual(
            error?.cause.contains("127.0.0.1:\(port)"), true, "\(String(describing: error))")
    }

    /// Runs a fleet on a thread of its own beside a function.
    private static func runBeside(
        _ options: FleetOptions, _ body: () throws -> Void
    ) throws -> FleetReport {
        let result = FleetResult()
        let worker = try WorkerThread(named: "fleet") {
            result.set(Result { try Fleet(options) { _ in }.run(signals: nil) })
        }
        let problem = Result { try body() }
        _ = worker.join(until: MonotonicClock.now + .seconds(60))
        try problem.get()
        return try #require(result.get()).get()
    }
}
