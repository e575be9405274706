import DetentPanel
import DetentPlatform
import DetentTypes
import DetentWall
import Synchronization
import Testing

@testable import DetentMQTT

/// What the process of a connection tells its panel of it.
@Suite(.enabled(if: Mosquitto.isInstalled, "mosquitto is not installed"))
struct MQTTFigureTests {
    /// The figures that were told last.
    private final class Told: Sendable {
        private let last = Mutex(MQTTFigures())
        var figures: MQTTFigures { last.withLock { $0 } }

        func take(_ word: MQTTNote) {
            if case .figures(let figures) = word { last.withLock { $0 = figures } }
        }
    }

    @Test func whatIsSentAndRefusedIsCounted() throws {
        let broker = try Mosquitto()
        let text =
            "{panel: Lab, board: none, mqtt: {url: \"mqtt://127.0.0.1:\(broker.port)\"}, "
            + "controls: {lamp: {kind: switch, label: Lamp, input: A}}}"
        let reading = PanelReader.read(SourceText(file: "panel.yaml", text: text))
        let plan = try #require(reading.plan, "\(ProblemRenderer.text(reading.problems))")
        let observer = try Observer(broker.port)
        let told = Told()
        let client = try MQTTThread(FakePanel(plan), tell: told.take) { _ in }
        defer { client.stop() }
        #expect(try observer.wait { _ in told.figures.isConnected && told.figures.connects == 1 })
        #expect(try observer.wait { $0.last("detent/lab/availability") == "online" })
        for word in ["on", "purple", "{", "off"] { observer.publish("detent/lab/lamp/set", word) }
        observer.publish("detent/lab/nothing/set", "on")
        // They are told once a second at most.
        #expect(try observer.wait { _ in told.figures.refusedCommands == 3 }, "\(told.figures)")
        #expect(told.figures.sent >= 6, "states, online and the answers: \(told.figures)")
        #expect(told.figures.droppedEvents == 0 && told.figures.droppedAnswers == 0)
    }
}
