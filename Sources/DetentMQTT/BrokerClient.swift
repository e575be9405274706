import DetentPanel
import DetentPlatform
public import DetentRuntime
import DetentTypes
import Synchronization

/// Connects a panel with its broker: tells what it does, and takes commands.
///
/// One thread does all of it. It may block in a name look-up for a long time; meanwhile the
/// updates of the panel wait in their channel, and if some are lost, all states are asked for.
///
///     let client = BrokerClient(port: port, version: "0.1.0") { log.add($0) }
///     try client.start()
///     …
///     client.stop()
public final class BrokerClient: Sendable {
    /// What a client tells of the panel's program.
    public struct Facts: Sendable {
        /// Detent's version.
        public var version: String
        /// The address of the page; nil without one.
        public var page: String?
        /// Counts the clients of a panel, so that no answer reaches the next one.
        public var generation: UInt32

        /// Collects the facts.
        public init(version: String, page: String? = nil, generation: UInt32 = 0) {
            self.version = version
            self.page = page
            self.generation = generation
        }
    }

    private let port: any PanelPort
    private let facts: Facts
    private let say: @Sendable (String) -> Void
    private let isEnding = Atomic<Bool>(false)
    private let thread = Mutex<WorkerThread?>(nil)
    private let mail: BrokerMail?

    /// Makes a client that does nothing yet. A panel without a broker is left alone.
    ///
    /// - Parameters:
    ///   - port: the panel; the client is the one reader of its updates.
    ///   - say: prints a message for people; must not wait.
    public convenience init(
        port: any PanelPort, facts: Facts, say: @escaping @Sendable (String) -> Void
    ) {
        self.init(port: port, facts: facts, mail: nil, say: say)
    }

    /// - Parameter mail: brings the messages of actions, and takes the reports of devices.
    init(
        port: any PanelPort, facts: Facts, mail: BrokerMail?,
        say: @escaping @Sendable (String) -> Void
    ) {
        self.mail = mail
        self.port = port
        self.facts = facts
        self.say = say
    }

    /// Starts the thread, which connects.
    ///
    /// - Throws: `PlatformError` if no thread is available.
    public func start() throws(PlatformError) {
        let worker = try WorkerThread(named: "detent-mqtt") { [self] in
            var work = BrokerWork(port: port, facts: facts, mail: mail, say: say)
            work.run { isEnding.load(ordering: .acquiring) }
        }
        thread.withLock { $0 = worker }
    }

    /// Says good-bye to the broker and ends. A name look-up can outlast it; the broker then
    /// publishes the last will.
    public func stop() {
        isEnding.store(true, ordering: .releasing)
        port.updates.wake()
        let deadline = MonotonicClock.now + MQTTLimits.goodbye + MQTTLimits.goodbye
        _ = thread.withLock { $0.take()?.join(until: deadline) }
    }
}
