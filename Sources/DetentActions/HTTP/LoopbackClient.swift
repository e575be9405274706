import DetentPlatform
import DetentTypes
import Glibc
import Synchronization

/// Makes requests to services on this machine without TLS.
///
/// The caller's thread connects and sends, which does not block; a thread of its own, which starts
/// with the first request, waits for the answers. It sleeps while there are none.
final class LoopbackClient: Sendable {
    private struct Inbox {
        /// Attempts that are told as begun, but are not in `begun` yet.
        var starting: [RunID] = []
        var begun: [PlainExchange] = []
        var cancelled: [RunID] = []
        var thread: WorkerThread?
        var isStopping = false
    }

    private let inbox = Mutex(Inbox())
    private let wakeUp: WakeUp

    /// Makes a client that has requested nothing.
    ///
    /// - Throws: `PlatformError` if no descriptor is available.
    init() throws(PlatformError) {
        wakeUp = try WakeUp()
    }

    /// Sends a request; `tell` gets `began` in this call, and `ended` on the thread.
    ///
    /// - Returns: false if there is no thread for it; nothing was sent or told.
    func start(
        _ request: ActionRequest, _ call: HTTPCall, _ plain: PlainRequest,
        tell: @escaping @Sendable (AttemptEvent) -> Void
    ) -> Bool {
        let hasThread = inbox.withLock { inbox in
            if inbox.thread == nil, !inbox.isStopping {
                inbox.thread = try? WorkerThread(named: "detent-http") { [self] in work() }
            }
            if inbox.thread != nil { inbox.starting.append(request.run) }
            return inbox.thread != nil
        }
        guard hasThread else { return false }
        // The request comes first: the loop that is told may take this processor.
        let exchange = PlainExchange(request, call, plain, tell: tell)
        tell(.began(at: exchange.startedAt))
        inbox.withLock { inbox in
            inbox.starting.removeAll { $0 == request.run }
            inbox.begun.append(exchange)
        }
        wakeUp.ring()
        return true
    }

    /// Stops a request; one that is unknown is ignored.
    func cancel(_ run: RunID) {
        let hasThread = inbox.withLock { inbox in
            if inbox.thread != nil { inbox.cancelled.append(run) }
            return inbox.thread != nil
        }
        if hasThread { wakeUp.ring() }
    }

    /// Cancels all requests, and waits until their ends are told.
    func stop() {
        let thread = inbox.withLock { inbox in
            inbox.isStopping = true
            return inbox.thread.take()
        }
        guard let thread else { return }
        wakeUp.ring()
        thread.join()
        // What was sent while the thread ended.
        var late = inbox.withLock { $0.begun }
        for place in late.indices {
            late[place].cancel()
            late[place].finish()
        }
    }

    private func work() {
        var exchanges: [PlainExchange] = []
        var capacity = 16
        var set = PollSet(capacity: capacity)
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 16_384, alignment: 1)
        defer { buffer.deallocate() }
        while true {
            wakeUp.clear()
            let (begun, cancelled, isStopping) = inbox.withLock { inbox in
                // A cancel may come before the exchange that it is for.
                let starting = inbox.starting
                defer {
                    inbox.begun = []
                    inbox.cancelled.removeAll { !starting.contains($0) }
                }
                return (inbox.begun, inbox.cancelled, inbox.isStopping)
            }
            exchanges += begun
            let now = MonotonicClock.now
            for place in exchanges.indices {
                if isStopping || cancelled.contains(exchanges[place].request.run) {
                    exchanges[place].cancel()
                } else if exchanges[place].deadline <= now {
                    exchanges[place].timeOut()
                }
                if exchanges[place].ending != nil { exchanges[place].finish() }
            }
            exchanges.removeAll { $0.ending != nil }
            if isStopping { return }
            if exchanges.count >= capacity {
                // Actions are bounded, but each control may also poll a service.
                capacity = 2 * exchanges.count
                set = PollSet(capacity: capacity)
            }
            wait(for: &exchanges, &set, buffer, now: now)
        }
    }

    /// Sleeps until something is to be done, and reads what came.
    private func wait(
        for exchanges: inout [PlainExchange], _ set: inout PollSet,
        _ buffer: UnsafeMutableRawBufferPointer, now: Instant
    ) {
        set.removeAll()
        _ = set.add(wakeUp.descriptor)
        for exchange in exchanges { _ = set.add(exchange.descriptor, for: exchange.interest) }
        let deadline = exchanges.reduce(.never) { min($0, $1.deadline) }
        guard set.wait(now: now, until: deadline) else { return }
        for place in exchanges.indices where set.isReady(place + 1) {
            exchanges[place].advance(with: buffer)
        }
    }
}
