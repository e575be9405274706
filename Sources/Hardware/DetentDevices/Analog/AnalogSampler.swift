internal import DetentPlatform
internal import DetentTypes
internal import Glibc
internal import Synchronization

/// Samples the channels of one converter, on a thread of its own: a converter that does not answer
/// stops no other one.
///
/// The thread keeps the latest sample of each channel until it is taken, so that a slow taker costs
/// no memory. It ends after `stop`, when its converter is gone, or when the last reference is.
final class AnalogSampler: Sendable {
    /// Reads a sample from an open file; an error number below zero.
    typealias Read = @Sendable (_ file: Int32) -> Sample

    /// What a reading brought.
    enum Sample: Equatable, Sendable {
        case value(Int32)
        case failed(errno: Int32)
    }

    /// What there is to tell of a channel.
    struct News: Sendable {
        var key: Int
        var sample: Int32
        var at: Instant
    }

    private struct Channel: Sendable {
        let key: Int
        let file: ChannelFile
        let tolerance: UInt32
        var latest: Int32?
        var told: Int32?
        var at = Instant.zero
    }

    private struct State: Sendable {
        var channels: [Channel] = []
        var isStopped = false
        /// Why the thread ended although it was not asked to.
        var failure: Int32?
        /// When the reading began that goes on; nil between two of them.
        var readingSince: Instant?
    }

    /// Failed readings of a channel in a row after which its converter is gone: a disturbed bus
    /// fails once.
    private static let mostFailures = 3

    /// The folder of the converter.
    let node: String
    private let bell: WakeUp
    /// Ends the wait for the next reading.
    private let pause: WakeUp
    private let period: TimeSpan
    private let read: Read
    private let state: Mutex<State>

    init(
        node: String, bell: WakeUp, period: TimeSpan, read: @escaping Read
    ) throws(PlatformError) {
        self.node = node
        self.bell = bell
        pause = try WakeUp()
        self.period = period
        self.read = read
        state = Mutex(State())
    }

    /// Starts the thread; false if the system has none left.
    func start() -> Bool {
        let thread = try? WorkerThread(named: "detent-analog") { [self] in run() }
        return thread != nil
    }

    /// Samples a channel from now on.
    func add(_ file: ChannelFile, key: Int, tolerance: UInt32) {
        state.withLock {
            $0.channels.append(Channel(key: key, file: file, tolerance: tolerance))
        }
    }

    /// Samples a channel no more; the thread ends with the last one.
    func remove(key: Int) {
        let isLast = state.withLock { state in
            state.channels.removeAll { $0.key == key }
            return state.channels.isEmpty
        }
        if isLast { stop() }
    }

    func stop() {
        state.withLock { $0.isStopped = true }
        pause.ring()
    }

    /// Whether each channel has a sample, or none will come.
    var isReady: Bool {
        state.withLock { $0.failure != nil || $0.channels.allSatisfy { $0.latest != nil } }
    }

    /// Why it has ended; nil while it runs.
    var failure: Int32? { state.withLock { $0.failure } }

    /// Whether a reading has gone on for this long.
    func isStuck(at now: Instant, after limit: TimeSpan) -> Bool {
        state.withLock { state in state.readingSince.map { $0 + limit <= now } ?? false }
    }

    /// Takes the samples that are new.
    func collect(_ body: (News) -> Void) {
        state.withLock { state in
            for place in state.channels.indices {
                guard let latest = state.channels[place].latest,
                    latest != state.channels[place].told
                else { continue }
                state.channels[place].told = latest
                body(
                    News(
                        key: state.channels[place].key, sample: latest,
                        at: state.channels[place].at))
            }
        }
    }

    /// Tells the next sample of a channel, whatever it is.
    func forget(key: Int) {
        state.withLock { state in
            for place in state.channels.indices where state.channels[place].key == key {
                state.channels[place].latest = nil
                state.channels[place].told = nil
            }
        }
    }

    // MARK: The thread

    private func run() {
        var failures: [Int: Int] = [:]
        var next = MonotonicClock.now
        while true {
            let channels = state.withLock { state -> [Channel]? in
                guard !state.isStopped else { return nil }
                state.readingSince = MonotonicClock.now
                return state.channels
            }
            guard let channels else { return }
            var isNew = false
            for channel in channels {
                switch read(channel.file.descriptor) {
                case .value(let sample):
                    failures[channel.key] = 0
                    if note(sample, of: channel.key, at: MonotonicClock.now) { isNew = true }
                case .failed(let errno):
                    let count = failures[channel.key, default: 0] + 1
                    failures[channel.key] = count
                    guard errno == ENODEV || count >= Self.mostFailures else { continue }
                    state.withLock {
                        $0.failure = errno
                        $0.readingSince = nil
                    }
                    return bell.ring()
                }
            }
            state.withLock { $0.readingSince = nil }
            if isNew { bell.ring() }
            // What was missed is not made up.
            next = max(next + period, MonotonicClock.now)
            pause.wait(until: next)
        }
    }

    /// Keeps a sample; true if it has to be told.
    private func note(_ sample: Int32, of key: Int, at now: Instant) -> Bool {
        state.withLock { state in
            guard let place = state.channels.firstIndex(where: { $0.key == key }) else {
                return false
            }
            if let latest = state.channels[place].latest,
                (Int64(sample) - Int64(latest)).magnitude <= UInt64(state.channels[place].tolerance)
            {
                return false
            }
            state.channels[place].latest = sample
            state.channels[place].at = now
            return true
        }
    }

    /// Reads a file of the kernel from its start.
    static let readFile: Read = { file in
        var bytes: (UInt64, UInt64, UInt64) = (0, 0, 0)
        return withUnsafeMutableBytes(of: &bytes) { bytes in
            let count = pread(file, bytes.baseAddress, bytes.count, 0)
            if count < 0 { return .failed(errno: errno) }
            var value: Int64 = 0
            var isNegative = false
            var digits = 0
            for byte in bytes.prefix(count) {
                if byte == UInt8(ascii: "-") { isNegative = true }
                guard byte >= 0x30, byte <= 0x39, digits < 10 else { continue }
                value = value * 10 + Int64(byte - 0x30)
                digits += 1
            }
            guard digits > 0 else { return .failed(errno: EIO) }
            return .value(Int32(clamping: isNegative ? -value : value))
        }
    }
}

/// The open file of a channel; closed with its last reference.
final class ChannelFile: Sendable {
    let descriptor: Int32

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }
}
