import CMosquitto
import DetentPanel
import DetentTypes
import Glibc

/// One connection to a broker.
///
/// Synchronization: none; one thread at a time. `work` collects what the broker sends. Its caller
/// takes both kinds of it after each call, else they grow.
final class MQTTConnection {
    /// Something that the broker or the network did.
    enum Notice: Equatable {
        case connected(code: Int32)
        case disconnected(code: Int32)
        case message(topic: String, bytes: [UInt8], isRetained: Bool)
        /// The broker does not allow a subscription.
        case refused(filter: String)
    }

    /// What a connection needs, with its secrets.
    struct Settings: Sendable {
        var client = ""
        var user: String?
        var password: String?
        var isSecure = false
        /// A file or a folder.
        var authority: String?
        var certificate: String?
        var key: String?
        var will: MQTTMessage?
        var isVersion5 = true
    }

    /// Why a connection failed.
    struct Problem: Error, Equatable {
        var text: String
        /// TLS says it.
        var isOfTLS = false
    }

    /// Why the library did not send a message.
    enum Refusal: Equatable {
        /// It is larger than the broker allows.
        case tooLarge
        /// There is no connection any more.
        case lost
        /// What the library says.
        case other(String)
    }

    /// Why the last message was not sent; nil if it was.
    private(set) var refusal: Refusal?
    /// What has happened since `takeNotices`.
    private var notices: [Notice] = []
    /// Messages that the broker has taken or refused since `takeTaken`, and with which code.
    private var taken: [(number: Int32, code: Int32)] = []
    /// Messages of quality 1 that the broker has not acknowledged.
    var unacknowledged: Int { waiting.count }
    private var waiting: Set<Int32> = []
    /// Subscriptions that the broker has not answered.
    private var subscriptions: [Int32: String] = [:]
    private var connection: OpaquePointer?
    private let handlers: UnsafeMutablePointer<detent_mqtt_handlers>

    /// Prepares a connection; nothing is sent.
    init(_ settings: Settings) throws(Problem) {
        var reason: UnsafePointer<CChar>?
        guard detent_mqtt_load(&reason) == 0 else {
            throw Problem(
                text: (reason.map { String(cString: $0) } ?? "libmosquitto cannot be used")
                    + ": install it, `sudo apt install libmosquitto1`")
        }
        handlers = .allocate(capacity: 1)
        handlers.initialize(to: Self.handlers)
        let context = Unmanaged.passUnretained(self).toOpaque()
        var made: OpaquePointer?
        let error = settings.withC { detent_mqtt_open($0, handlers, context, &made) }
        connection = made
        guard error == 0, made != nil else { throw problem(error) }
    }

    deinit {
        if let connection { detent_mqtt_close(connection) }
        handlers.deallocate()
    }

    private static let handlers = detent_mqtt_handlers(
        connected: { context, code in
            MQTTConnection.of(context).notices.append(.connected(code: code))
        },
        disconnected: { context, code in
            MQTTConnection.of(context).notices.append(.disconnected(code: code))
        },
        message: { context, topic, bytes, count, isRetained in
            guard let topic else { return }
            // More is refused anyway; one byte more shows that there was more.
            let kept = min(count, MQTTLimits.recordBytes + 1)
            let copy = [UInt8](UnsafeRawBufferPointer(start: bytes, count: bytes == nil ? 0 : kept))
            MQTTConnection.of(context).notices.append(
                .message(topic: String(cString: topic), bytes: copy, isRetained: isRetained))
        },
        published: { context, number, code in
            let connection = MQTTConnection.of(context)
            connection.waiting.remove(number)
            connection.taken.append((number, code))
        },
        subscribed: { context, number, isGranted in
            let connection = MQTTConnection.of(context)
            guard let filter = connection.subscriptions.removeValue(forKey: number) else { return }
            if !isGranted { connection.notices.append(.refused(filter: filter)) }
        })

    private static func of(_ context: UnsafeMutableRawPointer?) -> MQTTConnection {
        // The context is the one that `init` gave, never nil.
        Unmanaged<MQTTConnection>.fromOpaque(context!).takeUnretainedValue()
    }

    private func problem(_ error: Int32) -> Problem {
        let text = String(cString: detent_mqtt_error(connection, error))
        let plain = Self.plain(text)
        return Problem(text: plain ?? text, isOfTLS: plain != nil)
    }

    /// What an error of TLS means for an owner; nil for other errors.
    private static func plain(_ text: String) -> String? {
        func says(_ words: String...) -> Bool { words.contains { text.contains($0) } }
        if says("certificate verify failed", "verification failed") {
            return "its certificate is not trusted: it is not signed by `ca`, is for another name, "
                + "or has expired (\(text))"
        }
        guard says("unexpected eof", "wrong version number") else { return nil }
        return "it may not speak TLS at this port (\(text))"
    }

    /// What the code of a notice means.
    static func reason(_ code: Int32, isVersion5: Bool) -> String {
        String(cString: detent_mqtt_reason(isVersion5, code))
    }

    /// Looks up the host and opens the connection. Blocks, for minutes at worst.
    func open(_ broker: BrokerPlan) throws(Problem) {
        let seconds = Int32(broker.keepAlive.nanoseconds / 1_000_000_000)
        let error = detent_mqtt_connect(connection, broker.host, Int32(broker.port), seconds)
        guard error == 0 else { throw problem(error) }
    }

    /// Sends a message. One that the library refuses is lost.
    func publish(_ message: MQTTMessage) {
        publish(
            message.topic, Array(message.text.utf8), isRetained: message.isRetained,
            isFleeting: message.isFleeting)
    }

    /// Sends bytes. What the library refuses is lost.
    ///
    /// - Parameter expiry: seconds until the broker drops it, in version 5; 0 for never.
    /// - Returns: the number by which `takeTaken` names the message; nil if the library refuses it.
    @discardableResult
    func publish(
        _ topic: String, _ bytes: [UInt8], isRetained: Bool, isFleeting: Bool, expiry: UInt32 = 0
    ) -> Int32? {
        var number: Int32 = 0
        let error = detent_mqtt_publish(
            connection, &number, topic, bytes, bytes.count, isRetained, isFleeting, expiry)
        refusal = error == 0 ? nil : cause(of: error)
        guard error == 0 else { return nil }
        if !isFleeting { waiting.insert(number) }
        return number
    }

    private func cause(of error: Int32) -> Refusal {
        if detent_mqtt_is_too_large(error) { return .tooLarge }
        return detent_mqtt_is_lost(error)
            ? .lost : .other(String(cString: detent_mqtt_error(connection, error)))
    }

    /// Subscribes to a filter.
    ///
    /// - Parameters:
    ///   - hearsOwn: whether messages of this connection come back; with 3.1.1 they always do.
    ///   - isFleeting: messages are not acknowledged. A broker keeps a bounded number of messages
    ///     that wait for that, and drops the others of a burst.
    /// - Returns: the number of the subscription; nil if the library refuses it.
    @discardableResult
    func subscribe(
        _ filter: String, wantsRetained: Bool, hearsOwn: Bool = true, isFleeting: Bool = false
    ) -> Int32? {
        var number: Int32 = 0
        let error = detent_mqtt_subscribe(
            connection, &number, filter, isFleeting ? 0 : 1, wantsRetained, hearsOwn)
        guard error == 0 else { return nil }
        subscriptions[number] = filter
        return number
    }

    /// Whether the broker still has to acknowledge a message or a subscription with this number.
    func owes(_ number: Int32) -> Bool {
        waiting.contains(number) || subscriptions[number] != nil
    }

    /// Takes what has happened.
    func takeNotices() -> [Notice] {
        defer { notices.removeAll(keepingCapacity: true) }
        return notices
    }

    /// Takes the messages that the broker has taken or refused, by the numbers of `publish`.
    func takeTaken() -> [(number: Int32, code: Int32)] {
        defer { taken.removeAll(keepingCapacity: true) }
        return taken
    }

    /// The socket, for an owner that waits for many; negative without a connection.
    var descriptor: Int32 { detent_mqtt_descriptor(connection) }

    /// Whether to wait for room to write; while TLS begins it can be true for no reason.
    var wantsWrite: Bool { detent_mqtt_wants_write(connection) }

    /// Works on what is ready, without a wait. Call it from time to time even if nothing is.
    ///
    /// - Throws: `Problem` if the connection is over.
    func work(isReadable: Bool, isWritable: Bool) throws(Problem) {
        let error = detent_mqtt_work(connection, isReadable, isWritable)
        guard error == 0 else { throw problem(error) }
    }

    /// Asks for an orderly end.
    func disconnect() { _ = detent_mqtt_disconnect(connection) }
}

extension MQTTConnection.Settings {
    /// Calls a function with the settings as C has them.
    fileprivate func withC(
        _ body: (UnsafePointer<detent_mqtt_settings>) -> Int32
    ) -> Int32 {
        var isFolder = false
        if let authority {
            isFolder = authority.isFolder
        }
        let texts = [
            client, user, password, isFolder ? nil : authority, isFolder ? authority : nil,
            certificate, key, will?.topic, will?.text,
        ].map { $0.map { strdup($0) } ?? nil }
        defer { for text in texts { free(text) } }
        var settings = detent_mqtt_settings()
        settings.client = UnsafePointer(texts[0])
        settings.user = UnsafePointer(texts[1])
        settings.password = UnsafePointer(texts[2])
        settings.authority_file = UnsafePointer(texts[3])
        settings.authority_folder = UnsafePointer(texts[4])
        settings.certificate = UnsafePointer(texts[5])
        settings.key = UnsafePointer(texts[6])
        settings.will_topic = UnsafePointer(texts[7])
        settings.will_text = UnsafePointer(texts[8])
        settings.is_secure = isSecure
        settings.is_version_5 = isVersion5
        return body(&settings)
    }
}

extension String {
    /// Whether the path is a folder.
    fileprivate var isFolder: Bool {
        var status = stat()
        return stat(self, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }
}
