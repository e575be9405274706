internal import DetentPlatform
internal import DetentTypes
internal import Glibc
internal import KernelSupport

/// A real mosquitto on this machine, and a client of it that stands for the devices behind it.
///
/// The client speaks what of MQTT 3.1.1 it needs: messages without acknowledgement.
final class MosquittoClient {
    private let process: pid_t
    private let file: Int32
    private let poller: Poller
    private var rest: [UInt8] = []
    /// Takes a message: its topic and its bytes.
    var heard: (String, [UInt8]) -> Void = { _, _ in }

    /// Starts the broker, connects, and hears topics.
    init(atPort port: UInt16, hearing topics: [String], _ poller: Poller) throws {
        self.poller = poller
        let settings = "\(Surroundings.folder)/mosquitto.conf"
        try Surroundings.write(
            "listener \(port) 127.0.0.1\nallow_anonymous true\npersistence false\nuser root\n"
                + "log_dest file \(Surroundings.folder)/mosquitto.log\n", to: settings)
        var argv: [UnsafeMutablePointer<CChar>?] =
            ["mosquitto", "-c", settings].map { (word: String) in strdup(word) } + [nil]
        defer { for word in argv { free(word) } }
        // It warns of its user on standard error; its log is in a file.
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
        var process = pid_t()
        let error = posix_spawn(&process, "/usr/sbin/mosquitto", &actions, nil, &argv, environ)
        guard error == 0 else { throw Failure("/usr/sbin/mosquitto: errno \(error)") }
        self.process = process
        var file: Int32?
        let end = MonotonicClock.now + .seconds(20)
        while file == nil {
            guard MonotonicClock.now < end else { throw Failure("mosquitto does not listen") }
            poller.wait(until: MonotonicClock.now + .milliseconds(10))
            file = try? Descriptor.connect(toPort: port)
        }
        self.file = file ?? -1
        connect(topics)
        poller.watch(self.file) { [unowned self] in hear() }
    }

    deinit {
        poller.watch(file, nil)
        close(file)
        kill(process, SIGKILL)
        waitpid(process, nil, 0)
    }

    private func connect(_ topics: [String]) {
        // A clean session without an end; the packet's first byte is its type.
        send(0x10, Self.text("MQTT") + [4, 2, 0, 0] + Self.text("worlds"))
        guard !topics.isEmpty else { return }
        send(0x82, [0, 1] + topics.flatMap { Self.text($0) + [0] })
    }

    /// Publishes a message.
    func publish(_ topic: String, _ bytes: [UInt8], isRetained: Bool = false) {
        send(isRetained ? 0x31 : 0x30, Self.text(topic) + bytes)
    }

    private func send(_ type: UInt8, _ body: [UInt8]) {
        var packet = [type]
        var length = body.count
        repeat {
            packet.append(UInt8(length % 128) | (length >= 128 ? 128 : 0))
            length /= 128
        } while length > 0
        Descriptor.give(packet + body, to: file)
    }

    private static func text(_ text: String) -> [UInt8] {
        [UInt8(text.utf8.count >> 8), UInt8(text.utf8.count & 255)] + Array(text.utf8)
    }

    private func hear() {
        guard let bytes = Descriptor.take(file) else { return poller.watch(file, nil) }
        rest += bytes
        while let (type, body) = takePacket() {
            guard type & 0xF0 == 0x30, body.count >= 2 else { continue }
            let length = Int(body[0]) << 8 | Int(body[1])
            let topic = String(decoding: body[2..<(2 + length)], as: UTF8.self)
            // Quality 0: no number follows the topic.
            heard(topic, Array(body[(2 + length)...]))
        }
    }

    private func takePacket() -> (type: UInt8, body: [UInt8])? {
        var length = 0
        var place = 1
        repeat {
            guard place < rest.count else { return nil }
            length += Int(rest[place] & 127) << (7 * (place - 1))
            place += 1
        } while rest[place - 1] & 128 != 0
        guard rest.count >= place + length else { return nil }
        let packet = (rest[0], Array(rest[place..<(place + length)]))
        rest.removeFirst(place + length)
        return packet
    }
}
