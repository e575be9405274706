import DetentPlatform
import DetentTypes
import Glibc
import Synchronization

/// Makes requests to services on this machine without TLS.
///
/// The caller's thread connects and sends, which does not block; a thread of its own, which starts
/// with the first request, waits for the answers. It sleeps while there are none. A connection is
/// kept for a moment after its answer, if no other to the same service is open: a service that
/// serves one connection after another would wait for it.
final class LoopbackClient: Sendable {
    private struct Inbox {
        /// Attempts that are told as begun, but are not in `begun` yet.
        var starting: [RunID] = []
        var begun: [PlainExchange] = []
        var cancelled: [RunID] = []
        var kept = KeptConnections()
        var thread: WorkerThread?
        var isStopping = false
    }

    private let inbox = Mutex(Inbox())
    private let wakeUp: WakeUp
    private let keptTime: TimeSpan

    /// Makes a client that has requested nothing.
    ///
    /// - Parameter keptTime: how long a connection is kept after its answer.
    /// - Throws: `PlatformError` if no descriptor is available.
    init(keptTime: TimeSpan = ActionLimits.keptConnectionTime) throws(PlatformError) {
        wakeUp = try WakeUp()
        self.keptTime = keptTime
    }

    /// Sends a request; `tell` gets `began` in this call, and `ended` on the thread.
    ///
    /// - Parameter keeps: whether its connection may be kept. That of a poll is not: each would
    ///   keep it for the next one, and a service with one connection would serve no other client.
    /// - Returns: false if there is no thread for it; nothing was sent or told.
    func start(
        _ request: ActionRequest, _ plain: PlainRequest, keeps: Bool = true,
        tell: @escaping @Sendable (AttemptEvent) -> Void
    ) -> Bool {
        let (hasThread, kept) = inbox.withLock { inbox -> (Bool, KeptConnection?) in
            if inbox.thread == nil, !inbox.isStopping {
                inbox.thread = try? WorkerThread(named: "detent-http") { [self] in work() }
            }
            guard inbox.thread != nil else { return (false, nil) }
            inbox.starting.append(request.run)
            let route = plain.route
            let kept = route.isRepeatable ? inbox.kept.pop(to: route.places) : nil
            if kept == nil { inbox.kept.closeAll(to: route.places) }
            return (true, kept)
        }
        guard hasThread else { return false }
        // The request comes first: the loop that is told may take this processor.
        let exchange = PlainExchange(request, plain, on: kept, keeps: keeps, tell: tell)
        tell(.began(at: exchange.startedAt))
        inbox.withLock { inbox in
            inbox.starting.removeAll { $0 == request.run }
            inbox.begun.append(exchange)
        }
        wakeUp.ring()
        return true
    }

    /// Closes the connections that wait for a next request.
    func closeKept() {
        inbox.withLock { $0.kept.closeAll() }
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
        var late = inbox.withLock { inbox in
            inbox.kept.closeAll()
            return inbox.begun
        }
        for place in late.indices {
            late[place].cancel()
            late[place].finish()
        }
    }

    private func work() {
        var exchanges: [PlainExchange] = []
        var capacity = 32
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
            inbox.withLock { $0.kept.closeExpired(at: now) }
            for place in exchanges.indices {
                if isStopping || cancelled.contains(exchanges[place].request.run) {
                    exchanges[place].cancel()
                } else if exchanges[place].deadline <= now {
                    exchanges[place].timeOut()
                }
                guard exchanges[place].ending != nil else { continue }
                keepConnection(of: place, in: &exchanges, now: now)
                exchanges[place].finish()
            }
            exchanges.removeAll { $0.ending != nil }
            if isStopping { return }
            if 1 + exchanges.count + ActionLimits.keptConnections > capacity {
                // Actions are bounded, but each control may also poll a service.
                capacity = 2 * (1 + exchanges.count + ActionLimits.keptConnections)
                set = PollSet(capacity: capacity)
            }
            wait(for: &exchanges, &set, buffer, now: now)
        }
    }

    /// Keeps the connection of an exchange that has ended, if the service does and nothing else is
    /// on its way there.
    private func keepConnection(of index: Int, in exchanges: inout [PlainExchange], now: Instant) {
        let place = exchanges[index].place
        let isOpenElsewhere = { (other: PlainExchange) in
            other.ending == nil && other.place == place
        }
        if exchanges.contains(where: isOpenElsewhere) { return }
        inbox.withLock { inbox in
            let isAlone =
                inbox.starting.isEmpty && !inbox.isStopping
                && !inbox.begun.contains(where: isOpenElsewhere)
            guard isAlone, let connection = exchanges[index].takeConnection() else { return }
            inbox.kept.keep(connection, until: now + keptTime)
        }
    }

    /// Sleeps until something is to be done, and reads what came.
    private func wait(
        for exchanges: inout [PlainExchange], _ set: inout PollSet,
        _ buffer: UnsafeMutableRawBufferPointer, now: Instant
    ) {
        let (kept, closing) = inbox.withLock { ($0.kept.entries, $0.kept.deadline) }
        set.removeAll()
        _ = set.add(wakeUp.descriptor)
        for exchange in exchanges { _ = set.add(exchange.descriptor, for: exchange.interest) }
        for entry in kept { _ = set.add(entry.connection.descriptor) }
        let deadline = exchanges.reduce(closing) { min($0, $1.deadline) }
        guard set.wait(now: now, until: deadline) else { return }
        for place in exchanges.indices where set.isReady(place + 1) {
            // What is cancelled is not sent again, not even if its connection ends first: another
            // request may follow it already.
            inbox.withLock { inbox in
                guard !inbox.cancelled.contains(exchanges[place].request.run) else { return }
                exchanges[place].advance(with: buffer)
            }
        }
        for (place, entry) in kept.enumerated() where set.isReady(1 + exchanges.count + place) {
            inbox.withLock { $0.kept.close(number: entry.number) }
        }
    }
}
