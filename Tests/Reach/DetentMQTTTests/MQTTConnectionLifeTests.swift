import DetentPanel
import DetentPlatform
import DetentTypes
import Glibc
import TestSupport
import Testing

@testable import DetentMQTT

/// The life of a connection, with a test in the place of the broker. Time is passed in.
@Suite struct MQTTConnectionLifeTests {
    /// A server that takes one connection at a time and answers what the test says.
    private final class Server {
        let port: UInt16
        private let listener: Int32
        private var client: Int32 = -1

        init() throws {
            listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            var size = socklen_t(MemoryLayout<sockaddr_in>.size)
            let listener = listener
            let isListening = withUnsafeMutablePointer(to: &address) { address in
                address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(listener, $0, size) == 0 && listen(listener, 4) == 0
                        && getsockname(listener, $0, &size) == 0
                }
            }
            port = UInt16(bigEndian: address.sin_port)
            try #require(isListening)
        }

        deinit {
            close(client)
            close(listener)
        }

        /// Takes the next connection and its first packet, which asks to be connected.
        func takeConnection() -> [UInt8] {
            close(client)
            client = accept(listener, nil, nil)
            return read()
        }

        func read() -> [UInt8] {
            var bytes = [UInt8](repeating: 0, count: 1_024)
            let count = Glibc.read(client, &bytes, bytes.count)
            return Array(bytes.prefix(max(count, 0)))
        }

        func say(_ bytes: [UInt8]) { _ = write(client, bytes, bytes.count) }

        func hangUp() {
            close(client)
            client = -1
        }
    }

    private static let start = Instant.zero + .seconds(100)
    /// Accepted, in version 5, without properties.
    private static let accepted: [UInt8] = [0x20, 3, 0, 0, 0]

    /// A connection that its broker has accepted.
    private static func connected(to server: Server) throws -> MQTTConnectionLife {
        var it = try life(server.port)
        #expect(it.connect(will: nil, now: start) == nil)
        _ = server.takeConnection()
        server.say(accepted)
        expectEqual(work(&it, at: start), [.up])
        return it
    }

    private static func life(_ port: UInt16) throws -> MQTTConnectionLife {
        MQTTConnectionLife(
            try #require(BrokerPlan(url: "mqtt://127.0.0.1:\(port)", topic: "detent/lab")),
            seed: 1)
    }

    /// Waits until the socket is readable, and works on it.
    private static func work(_ life: inout MQTTConnectionLife, at now: Instant)
        -> [MQTTConnectionLife.Happening]
    {
        var entry = pollfd(fd: life.descriptor, events: Int16(POLLIN), revents: 0)
        expectEqual(poll(&entry, 1, 20_000), 1)
        return life.work(isReadable: true, isWritable: true, now: now)
    }

    @Test func anAttemptThatFailsIsFollowedByAPause() throws {
        var it = try Self.life(1)
        #expect(it.nextAttempt == .zero && it.isAway)
        let problem = it.connect(will: nil, now: Self.start)
        #expect(problem != nil)
        #expect(it.isAway && it.descriptor < 0)
        let shortest = MQTTLimits.reconnect.lowerBound
        #expect(it.nextAttempt >= Self.start + .milliseconds(500))
        #expect(it.nextAttempt <= Self.start + shortest + shortest)
        expectEqual(it.careAt(now: Self.start), .never)
        expectEqual(it.work(isReadable: true, isWritable: true, now: Self.start), [])
    }

    /// The library only says `Protocol error`, at the first step or at a later one.
    @Test func aBrokerThatEndsTLSAtTheFirstStepIsExplained() throws {
        let broker = try #require(BrokerPlan(url: "mqtts://127.0.0.1:1", topic: "detent/lab"))
        for (problem, says) in [
            (String(cString: strerror(EPROTO)), "before it answered"), ("is away", "is away"),
        ] {
            var it = MQTTConnectionLife(broker, seed: 1)
            _ = try it.begin(will: nil, now: Self.start)
            let text = it.opened(.init(text: problem), now: Self.start)
            #expect(text?.contains(says) == true, "\(text ?? "")")
            #expect(it.isAway && it.nextAttempt > Self.start)
        }
    }

    @Test func aBrokerThatSaysNothingIsGivenUp() throws {
        let server = try Server()
        var it = try Self.life(server.port)
        #expect(it.connect(will: nil, now: Self.start) == nil)
        #expect(it.isWaiting && it.nextAttempt == .never)
        expectEqual(it.careAt(now: Self.start), Self.start + MQTTLimits.handshakeStep)
        let end = Self.start + MQTTLimits.answer
        let before = Instant(nanoseconds: end.nanoseconds - 1)
        expectEqual(it.work(isReadable: false, isWritable: false, now: before), [])
        expectEqual(it.careAt(now: before), end)
        expectEqual(
            it.work(isReadable: false, isWritable: false, now: end), [.over("does not answer")])
        #expect(it.isAway && it.nextAttempt > end)
    }

    @Test func anIdleConnectionIsTestedOnce() throws {
        let server = try Server()
        var it = try Self.life(server.port)
        #expect(it.connect(will: nil, now: Self.start) == nil)
        expectEqual(server.takeConnection().first, 0x10)
        server.say(Self.accepted)
        expectEqual(Self.work(&it, at: Self.start), [.up])
        #expect(it.isUp)
        let idle = it.broker.keepAlive + .seconds(1)
        expectEqual(it.careAt(now: Self.start), Self.start + idle)
        // What is sent does not show that the broker is there.
        it.publish("a", [1], isRetained: false, isFleeting: true, now: Self.start + .seconds(5))
        expectEqual(it.careAt(now: Self.start), Self.start + idle)
        let later = Self.start + idle
        expectEqual(it.work(isReadable: false, isWritable: false, now: later), [])
        expectEqual(it.careAt(now: later), later + idle)
    }

    /// A broker that answers tests and acknowledges nothing is given up.
    @Test func whatIsNotAcknowledgedInTimeEndsTheConnection() throws {
        let server = try Server()
        var it = try Self.connected(to: server)
        let first = it.publish("a", [1], isRetained: false, isFleeting: false, now: Self.start)
        let later = Self.start + .seconds(5)
        let second = it.publish("a", [2], isRetained: false, isFleeting: false, now: later)
        try #require(first == 1 && second == 2)
        expectEqual(it.careAt(now: later), Self.start + MQTTLimits.acknowledgement)
        // The first one is acknowledged; the second one has its own time.
        server.say([0x40, 2, 0, 1])
        expectEqual(Self.work(&it, at: later), [])
        let end = later + MQTTLimits.acknowledgement
        expectEqual(it.careAt(now: later), end)
        let before = Instant(nanoseconds: end.nanoseconds - 1)
        expectEqual(it.work(isReadable: false, isWritable: false, now: before), [])
        expectEqual(
            it.work(isReadable: false, isWritable: false, now: end),
            [.over("has acknowledged no message for 20s: the connection begins anew")])
        #expect(it.isAway && it.careAt(now: end) == .never)
    }

    /// In a flood the acknowledgement comes behind what was sent before it.
    @Test func aFloodThatIsNotReadYetIsNoSilence() throws {
        let server = try Server()
        var it = try Self.connected(to: server)
        _ = it.publish("a", [1], isRetained: false, isFleeting: false, now: Self.start)
        let end = Self.start + MQTTLimits.acknowledgement
        // A message without acknowledgement, and one more that waits in the socket.
        server.say([0x30, 4, 0, 1, 0x61, 0])
        expectEqual(it.work(isReadable: false, isWritable: false, now: end), [])
        #expect(it.isUp)
        let last = Self.start + MQTTLimits.acknowledgement + MQTTLimits.flood
        expectEqual(
            it.work(isReadable: false, isWritable: false, now: last),
            [.over("has acknowledged no message for 20s: the connection begins anew")])
    }

    /// A subscription that is not granted in time would be a panel that hears no command.
    @Test func aSubscriptionThatIsNotGrantedInTimeEndsTheConnection() throws {
        let server = try Server()
        var it = try Self.connected(to: server)
        it.subscribe("a", wantsRetained: true)
        it.subscribe("b", wantsRetained: true)
        let end = Self.start + MQTTLimits.acknowledgement
        expectEqual(it.careAt(now: Self.start), end)
        // Granted and refused, with the properties of version 5.
        server.say([0x90, 4, 0, 1, 0, 1])
        expectEqual(Self.work(&it, at: Self.start), [])
        expectEqual(it.careAt(now: Self.start), end)
        server.say([0x90, 4, 0, 2, 0, 135])
        expectEqual(Self.work(&it, at: Self.start), [.refused(filter: "b")])
        #expect(it.careAt(now: Self.start) > end)
    }

    /// A broker that reads nothing: what waits for room does not wait for ever.
    @Test func aBrokerThatReadsNothingIsGivenUp() throws {
        let server = try Server()
        var it = try Self.connected(to: server)
        let bytes = [UInt8](repeating: 1, count: 60_000)
        for _ in 0..<1_000 where !it.wantsWrite {
            it.publish("a", bytes, isRetained: false, isFleeting: true, now: Self.start)
        }
        try #require(it.wantsWrite)
        let end = Self.start + MQTTLimits.acknowledgement
        expectEqual(it.careAt(now: Self.start), end)
        expectEqual(
            it.work(isReadable: false, isWritable: false, now: end),
            [.over("has read nothing for 20s: the connection begins anew")])
    }

    /// A message that is larger than the broker allows is not sent, and its sender knows.
    @Test func aMessageThatIsTooLargeIsRefused() throws {
        let server = try Server()
        var it = try Self.life(server.port)
        #expect(it.connect(will: nil, now: Self.start) == nil)
        _ = server.takeConnection()
        // Accepted, with the largest packet: 100 bytes.
        server.say([0x20, 8, 0, 0, 5, 39, 0, 0, 0, 100])
        expectEqual(Self.work(&it, at: Self.start), [.up])
        let long = [UInt8](repeating: 1, count: 200)
        #expect(
            it.publish("a", long, isRetained: false, isFleeting: false, now: Self.start) == nil)
        #expect(it.refusal == .tooLarge && it.unacknowledged == 0)
        #expect(
            it.publish("a", [1], isRetained: false, isFleeting: false, now: Self.start) != nil)
        #expect(it.refusal == nil)
    }

    /// The broker is told in version 5 how long a message is worth delivering.
    @Test(arguments: [0, 1, 70_000] as [UInt32])
    func aMessageCarriesItsExpiry(seconds: UInt32) throws {
        let server = try Server()
        var it = try Self.connected(to: server)
        it.publish(
            "a", [1], isRetained: false, isFleeting: true, expiry: seconds, now: Self.start)
        // Topic, properties (2: the expiry in four bytes), payload.
        let expiry = withUnsafeBytes(of: seconds.bigEndian) { Array($0) }
        let properties = seconds == 0 ? [0] : [5, 2] + expiry
        let packet = [0, 1, 0x61] + properties + [1]
        expectEqual(server.read(), [0x30, UInt8(packet.count)] + packet)
    }

    @Test func theEndIsSaidAndTheNextAttemptIsDue() throws {
        let server = try Server()
        var it = try Self.connected(to: server)
        let number = it.publish("a", [1], isRetained: false, isFleeting: false, now: Self.start)
        #expect(number == 1 && it.unacknowledged == 1)
        // It takes the message and is gone: both are told.
        server.say([0x40, 2, 0, 1])
        server.hangUp()
        var happenings: [MQTTConnectionLife.Happening] = []
        while !it.isAway { happenings += Self.work(&it, at: Self.start) }
        guard case .over(let text?)? = happenings.last else {
            Issue.record("\(happenings)")
            return
        }
        #expect(text.contains("ended the connection"))
        expectEqual(it.takeTaken().map(\.number), [1])
        #expect(it.takeTaken().isEmpty && it.unacknowledged == 0)
        #expect(it.publish("a", [1], isRetained: false, isFleeting: false, now: .zero) == nil)
    }

    /// A broker of version 3.1.1 refuses version 5; the next attempt is in its version.
    @Test func anOlderBrokerIsAskedInItsVersion() throws {
        let server = try Server()
        var it = try Self.life(server.port)
        let versionAt = 8
        #expect(it.connect(will: nil, now: Self.start) == nil)
        let first = server.takeConnection()
        try #require(first.count > versionAt)
        expectEqual(first[versionAt], 5)
        server.say([0x20, 2, 0, 1])
        expectEqual(Self.work(&it, at: Self.start), [.over(nil)])
        #expect(it.connect(will: nil, now: it.nextAttempt) == nil)
        let second = server.takeConnection()
        try #require(second.count > versionAt)
        expectEqual(second[versionAt], 4)
        server.say([0x20, 2, 0, 0])
        expectEqual(Self.work(&it, at: Self.start + .seconds(3)), [.up])
        // The same refusal now is one.
        #expect(it.isUp)
        it.end()
        #expect(it.isAway && it.nextAttempt == .never)
    }

    /// Opening can block for minutes: nothing is waited for, and nothing is sent.
    @Test func whileItsOwnerOpensItNothingIsDue() throws {
        var it = try Self.life(1)
        let connection = try it.begin(will: nil, now: Self.start)
        #expect(!it.isAway && it.nextAttempt == .never && it.descriptor < 0)
        expectEqual(it.careAt(now: Self.start), .never)
        let attempt = try ConnectAttempt(connection, of: it.broker)
        var entry = pollfd(fd: attempt.descriptor, events: Int16(POLLIN), revents: 0)
        expectEqual(poll(&entry, 1, 20_000), 1)
        guard case .failed(let problem)? = attempt.outcome else {
            Issue.record("port 1 of the loopback has a broker")
            return
        }
        it.opened(problem, now: Self.start)
        #expect(it.isAway && it.nextAttempt > Self.start)
        attempt.join(until: MonotonicClock.now + .seconds(20))
    }
}
