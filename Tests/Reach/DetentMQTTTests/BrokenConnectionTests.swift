import DetentCore
import DetentPanel
import DetentPlatform
import DetentTypes
import DetentWall
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import DetentMQTT

/// Connections that break or never open.
@Suite(.serialized, .enabled(if: Mosquitto.isInstalled, "mosquitto is not installed"))
struct BrokenConnectionTests {
    private static let lamp = ControlID(0)
    private static let start = ControlID(1)
    private static let online = "detent/lab/availability"

    private static func plan(_ port: UInt16, _ keys: String = "") throws -> PanelPlan {
        let text =
            "{panel: Lab, board: none, mqtt: {url: \"mqtt://127.0.0.1:\(port)\"\(keys)}, "
            + "controls: {lamp: {kind: switch, label: Lamp, input: A}, "
            + "start: {kind: button, label: Start, input: B}}}"
        let reading = PanelReader.read(SourceText(file: "panel.yaml", text: text))
        return try #require(reading.plan, "\(ProblemRenderer.text(reading.problems))")
    }

    /// A command of the time when nobody was there would switch something hours later.
    ///
    /// The broker keeps messages of quality 1 for a client whose session it remembers.
    @Test func commandsOfTheTimeWithoutAConnectionAreNotPerformed() throws {
        let broker = try Mosquitto()
        let gate = try Gate(to: broker.port)
        defer { gate.stop() }
        let observer = try Observer(broker.port)
        let panel = try FakePanel(Self.plan(gate.port))
        let client = try MQTTThread(panel) { _ in }
        defer { client.stop() }
        #expect(try observer.wait { $0.last(Self.online) == "online" })
        gate.cut()
        #expect(try observer.wait { $0.last(Self.online) == "offline" })
        for word in ["on", "off", "on"] { observer.publish("detent/lab/lamp/set", word) }
        #expect(try observer.wait { $0.isFlushed })
        observer.forget()
        gate.repair()
        #expect(try observer.wait { $0.last(Self.online) == "online" })
        // What comes after them is performed, so they would have been before.
        observer.publish("detent/lab/start/set", "press")
        #expect(try observer.wait { $0.last("detent/lab/start/answer") != nil })
        expectEqual(panel.asked.count, 1, "\(panel.asked)")
        #expect(panel.asked.contains { if case .fire = $0 { true } else { false } })
        #expect(observer.last("detent/lab/lamp/answer") == nil)
    }

    /// The same for a panel that was switched off in order, and for one that starts again.
    @Test func commandsOfTheTimeBeforeAStartAreNotPerformed() throws {
        let broker = try Mosquitto()
        let observer = try Observer(broker.port)
        let first = try MQTTThread(FakePanel(Self.plan(broker.port))) { _ in }
        #expect(try observer.wait { $0.last(Self.online) == "online" })
        first.stop()
        #expect(try observer.wait { $0.last(Self.online) == "offline" })
        observer.publish("detent/lab/lamp/set", "on")
        #expect(try observer.wait { $0.isFlushed })
        observer.forget()
        let panel = try FakePanel(Self.plan(broker.port))
        let second = try MQTTThread(panel) { _ in }
        defer { second.stop() }
        #expect(try observer.wait { $0.last(Self.online) == "online" })
        observer.publish("detent/lab/start/set", "press")
        #expect(try observer.wait { $0.last("detent/lab/start/answer") != nil })
        expectEqual(panel.asked.count, 1, "\(panel.asked)")
    }

    /// A listener whose queue is full: a connection to it is neither made nor refused, as one whose
    /// name is looked up for ever.
    private final class DeafListener {
        private var descriptors: [Int32] = []
        private(set) var port: UInt16 = 0

        init() throws {
            let listener = Self.socket()
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            let isBound = withUnsafeMutablePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(listener, $0, length) == 0 && listen(listener, 0) == 0
                        && getsockname(listener, $0, &length) == 0
                }
            }
            descriptors = [listener]
            guard isBound else { throw Mosquitto.Failure(text: "no socket") }
            port = UInt16(bigEndian: address.sin_port)
            for _ in 0..<4 {
                let filler = Self.socket()
                descriptors.append(filler)
                withUnsafePointer(to: &address) {
                    $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                        _ = connect(filler, $0, length)
                    }
                }
            }
        }

        deinit { for descriptor in descriptors { close(descriptor) } }

        private static func socket() -> Int32 {
            let kind = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
            return Glibc.socket(AF_INET, Int32(kind), 0)
        }
    }

    /// Nothing ends a look-up that hangs but the end of the process, which starts again.
    @Test func aConnectionThatNeverOpensEndsTheProcess() throws {
        let deaf = try DeafListener()
        let said = Said()
        let panel = try FakePanel(Self.plan(deaf.port))
        let start = MonotonicClock.now
        let client = try MQTTThread(panel, openingTime: .seconds(1)) { said.add($0) }
        defer { client.stop() }
        #expect(client.waitForEnd())
        #expect(MonotonicClock.now - start >= .seconds(1))
        #expect(
            said.text.contains("the look-up of its name, or the connection, has hung for 1 s"),
            "\(said.text)")
    }

    /// Before that, the panel is heard and can end.
    @Test func aPanelEndsWhileItsConnectionOpens() throws {
        let deaf = try DeafListener()
        let said = Said()
        let panel = try FakePanel(Self.plan(deaf.port))
        let client = try MQTTThread(panel) { said.add($0) }
        let start = MonotonicClock.now
        client.stop()
        #expect(MonotonicClock.now - start < .seconds(10), "it takes 1.4 s on a machine at rest")
        expectEqual(said.text, "")
    }

    // MARK: A broker that is not believed

    /// Whoever says that the panel is offline, or tells a false state, does not have the last word.
    @Test(arguments: ["", ", role: view"])
    func whatOthersStoreOnItsTopicsIsSetRight(keys: String) throws {
        let broker = try Mosquitto()
        let observer = try Observer(broker.port)
        let client = try MQTTThread(FakePanel(Self.plan(broker.port, keys))) { _ in }
        defer { client.stop() }
        #expect(try observer.wait { $0.last(Self.online) == "online" })
        let state = try #require(observer.last("detent/lab/lamp/state"))
        observer.publish("detent/lab/lamp/state", "{}", isRetained: true)
        observer.publish(Self.online, "offline", isRetained: true)
        #expect(try observer.wait { $0.last(Self.online) == "offline" })
        #expect(
            try observer.wait {
                $0.last(Self.online) == "online" && $0.last("detent/lab/lamp/state") == state
            })
    }

    /// What the broker does not take is said, and not counted as sent.
    @Test func aMessageThatTheBrokerDoesNotTakeIsSaid() throws {
        let broker = try Mosquitto("allow_anonymous true\nmax_packet_size 600")
        let observer = try Observer(broker.port)
        let said = Said()
        let figures = Figures()
        let panel = try FakePanel(Self.plan(broker.port, ", discovery: homeassistant"))
        let client = try MQTTThread(panel, tell: { figures.take($0) }) { said.add($0) }
        defer { client.stop() }
        #expect(try observer.wait { $0.last("detent/lab/announced")?.hasPrefix("{") == true })
        #expect(try observer.wait { _ in figures.unsent == 1 })
        #expect(said.text.contains("does not take messages of"), "\(said.text)")
        #expect(said.text.contains("`homeassistant/device/detent_lab/config` has one"))
    }

    private final class Figures: Sendable {
        private let last = Mutex(MQTTFigures())
        var unsent: UInt64 { last.withLock { $0.unsent } }

        func take(_ note: MQTTNote) {
            if case .figures(let new) = note { last.withLock { $0 = new } }
        }
    }

    private final class Said: Sendable {
        private let all = Mutex("")
        var text: String { all.withLock { $0 } }
        func add(_ text: String) { all.withLock { $0 += text } }
    }
}
