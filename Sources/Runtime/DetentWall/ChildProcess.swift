public import DetentPanel
import DetentPlatform
public import DetentRuntime
import DetentTypes
import Synchronization

/// Keeps a process beside a panel, so that no fault of code that reads foreign bytes can end the
/// panel.
///
/// It starts the process, passes updates on to it, takes its requests, and starts it again when it
/// ends. One thread does all this; the real-time loop does not notice.
///
///     let process = try ChildProcess(word: word, name: name, port: port, …) { log.add($0) }
///     try process.start()
///     …
///     process.stop()
public final class ChildProcess: Sendable {
    private let port: any PanelPort
    private let socket: (any ChildSocket)?
    private let word: String
    private let name: String
    private let setup: ChildSetup
    private let settings: @Sendable () -> [UInt8]
    private let rights: @Sendable (PanelPlan) -> ChildRights
    private let say: @Sendable (String) -> Void
    private let reload: @Sendable () -> Void
    private let bell: WakeUp
    /// Rung when the pages know the outcome of a reload.
    private let told: WakeUp
    private let isEnding = Atomic<Bool>(false)
    private let news = Mutex(KeeperNews())
    private let thread = Mutex<WorkerThread?>(nil)
    private let task: (any ChildTask)?
    private let variables: @Sendable () -> [String]
    private let rhythm: TimeSpan?

    /// Prepares a process; it starts later.
    ///
    /// - Parameters:
    ///   - word: the argument with which this program becomes that process.
    ///   - name: what messages call it.
    ///   - port: the panel, whose updates nothing else reads.
    ///   - source: the panel file that was read; the process gets the same bytes.
    ///   - version: Detent's version.
    ///   - settings: what only this kind of process reads; asked each time it starts.
    ///   - rights: what it may ask for, by the panel that runs.
    ///   - socket: a socket that it gets each time it starts.
    ///   - reload: has the panel file read again; must not wait.
    ///   - task: what the process does beyond updates and requests.
    ///   - variables: the names of the variables that it gets when it starts.
    ///   - rhythm: how often it is asked whether it is alive, even if it owes nothing; nil for
    ///     never.
    ///   - say: prints a message for people; must not wait.
    /// - Throws: `PlatformError` if no descriptor is available.
    package init(
        word: String, name: String, port: any PanelPort, source: SourceText, version: String,
        settings: @escaping @Sendable () -> [UInt8],
        rights: @escaping @Sendable (PanelPlan) -> ChildRights,
        socket: (any ChildSocket)? = nil,
        reload: @escaping @Sendable () -> Void = {}, task: (any ChildTask)? = nil,
        variables: @escaping @Sendable () -> [String] = { [] }, rhythm: TimeSpan? = nil,
        say: @escaping @Sendable (String) -> Void
    ) throws(PlatformError) {
        self.word = word
        self.name = name
        self.port = port
        self.rights = rights
        self.socket = socket
        self.reload = reload
        self.task = task
        self.variables = variables
        self.rhythm = rhythm
        self.say = say
        bell = try WakeUp()
        told = try WakeUp()
        setup = ChildSetup(
            session: EventHistory.newSession(), file: source.file, panel: source.bytes,
            version: version)
        self.settings = settings
        task?.wakes { [weak self] in self?.bell.ring() }
    }

    /// Starts the thread, which starts the process.
    ///
    /// - Throws: `PlatformError` if no thread is available.
    public func start() throws(PlatformError) {
        let worker = try WorkerThread(named: "detent-gatekeep") { [self] in
            var keeper = ChildKeeper(
                port: port, socket: socket, setup: setup, settings: settings, name: name,
                rights: rights,
                launch: ChildKeeper.startProgram(word, variables), reload: reload,
                outcomeTold: { [self] in told.ring() }, task: task,
                times: LifeTimes(rhythm: rhythm), say: say)
            keeper.keep(
                bell, news: { news.withLock { $0.pop() } },
                isEnding: { isEnding.load(ordering: .acquiring) })
        }
        thread.withLock { $0 = worker }
    }

    /// The panel file was read again: if another panel follows, it is the one in these bytes.
    public func expect(_ source: SourceText) {
        news.withLock { $0.source = source }
        bell.ring()
    }

    /// Tells the pages what a reload came to, and waits until they are those of the panel that runs
    /// now, `WallLimits.stall` at most.
    public func announce(_ outcome: PanelReloader.Outcome) {
        told.clear()
        news.withLock { $0.outcome = outcome }
        bell.ring()
        told.wait(until: MonotonicClock.now + WallLimits.stall)
    }

    /// Ends the process, which closes its connections; kills it if that takes too long.
    public func stop() {
        isEnding.store(true, ordering: .releasing)
        bell.ring()
        let deadline = MonotonicClock.now + WallLimits.grace + WallLimits.stall
        _ = thread.withLock { $0.take()?.join(until: deadline) }
    }
}

/// What the keeper of a process learns from other threads.
struct KeeperNews {
    /// The panel file as it was read last; the next panel has it.
    var source: SourceText?
    /// What the latest reload came to, until the pages know it.
    var outcome: PanelReloader.Outcome?

    /// Takes the outcome; the source stays until it is replaced.
    mutating func pop() -> KeeperNews {
        defer { outcome = nil }
        return self
    }
}
