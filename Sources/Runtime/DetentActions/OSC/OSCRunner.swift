public import DetentPlatform
public import DetentTypes
import Glibc
import Synchronization

/// Sends messages of Open Sound Control: the runner of `osc` actions.
///
/// One thread looks up names and sends, one message after another; it starts with the first
/// message. A datagram has no answer: the action is done when the kernel has taken it.
public final class OSCRunner: ActionRunner {
    private struct Job {
        var request: ActionRequest
        var tell: @Sendable (AttemptEvent) -> Void
        var isCancelled = false
    }

    private struct State {
        var jobs: [Job] = []
        var thread: WorkerThread?
        var isStopping = false
    }

    private let state = Mutex(State())
    private let wakeUp: WakeUp

    /// Makes a runner that has sent nothing.
    ///
    /// - Throws: `PlatformError` if no descriptor is available.
    public init() throws(PlatformError) {
        wakeUp = try WakeUp()
    }

    /// Sends the message of a request after those before it.
    public func start(_ request: ActionRequest, tell: @escaping @Sendable (AttemptEvent) -> Void) {
        state.withLock { state in
            if state.isStopping { return }
            state.jobs.append(Job(request: request, tell: tell))
            guard state.thread == nil else { return }
            state.thread = try? WorkerThread(named: "detent-osc") { [self] in work() }
        }
        wakeUp.ring()
    }

    /// Drops a message that waits; one that was sent has ended. The thread tells the end, because
    /// the caller may hold a lock: after the look-up of the name, if it waits for that.
    public func cancel(_ run: RunID) {
        state.withLock { state in
            guard let place = state.jobs.firstIndex(where: { $0.request.run == run }) else {
                return
            }
            state.jobs[place].isCancelled = true
        }
    }

    /// Ends the thread; a name server that does not answer can keep it until `span` has passed.
    public func stop(within span: TimeSpan) -> Int {
        let thread = state.withLock { state in
            state.isStopping = true
            return state.thread.take()
        }
        guard let thread else { return 0 }
        wakeUp.ring()
        _ = thread.join(until: MonotonicClock.now + span)
        let left = state.withLock { state in
            defer { state.jobs = [] }
            return state.jobs
        }
        for job in left { finish(job, .lost, "Detent ended before it was sent") }
        return left.count
    }

    private func finish(_ job: Job, _ outcome: ActionOutcome, _ explanation: String) {
        job.tell(
            .ended(
                ActionResult(
                    run: job.request.run, outcome: outcome, explanation: explanation,
                    startedAt: nil, endedAt: MonotonicClock.now)))
    }

    private func work() {
        while true {
            let (job, isStopping) = state.withLock { ($0.jobs.first, $0.isStopping) }
            guard let job else {
                if isStopping { break }
                wakeUp.wait()
                wakeUp.clear()
                continue
            }
            let (outcome, explanation) =
                job.isCancelled
                ? (.cancelled, "cancelled before it was sent") : Self.send(job.request)
            // `stop` may have taken it meanwhile, and has told its end.
            let taken = state.withLock { $0.jobs.isEmpty ? nil : $0.jobs.removeFirst() }
            guard let taken else { continue }
            if taken.isCancelled, !job.isCancelled {
                finish(job, .cancelled, "cancelled while it was sent")
            } else {
                finish(job, outcome, explanation)
            }
        }
    }

    private static func send(_ request: ActionRequest) -> (ActionOutcome, String) {
        guard case .fields(let fields) = request.payload, let to = fields.text("to"),
            let address = fields.text("address"), let place = HostAndPort(to)
        else { return (.failed(.notStarted), "this runner sends messages only") }
        var texts: [String] = []
        if case .texts(let all)? = fields["args"] { texts = all }
        let types = fields.text("types")
        guard let message = OSCMessage(address: address, arguments: texts, types: types) else {
            return (
                .failed(.notStarted),
                "an argument does not have its type: \(texts.joined(separator: ", ")) as "
                    + "`\(types ?? "")`"
            )
        }
        if let problem = place.send(message.bytes) { return (.failed(.unreachable), problem) }
        return (.succeeded, "sent to \(to)")
    }
}

extension HostAndPort {
    /// Sends a datagram; returns why it was not sent. Blocks while the name is looked up.
    fileprivate func send(_ bytes: [UInt8]) -> String? {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_DGRAM.rawValue)
        hints.ai_flags = AI_NUMERICSERV
        var list: UnsafeMutablePointer<addrinfo>?
        let error = getaddrinfo(host, String(port), &hints, &list)
        defer { if let list { freeaddrinfo(list) } }
        guard error == 0, let first = list?.pointee else {
            return "\(host): \(String(cString: gai_strerror(error)))"
        }
        let kind = Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue)
        let descriptor = socket(first.ai_family, kind, first.ai_protocol)
        guard descriptor >= 0 else { return "\(host): \(Errno(number: errno).text)" }
        defer { close(descriptor) }
        let flags = Int32(MSG_DONTWAIT | MSG_NOSIGNAL)
        let count = sendto(
            descriptor, bytes, bytes.count, flags, first.ai_addr, first.ai_addrlen)
        return count == bytes.count ? nil : "\(host): \(Errno(number: errno).text)"
    }
}

extension ActionKindID {
    /// Messages of Open Sound Control.
    public static let osc = ActionKindID("osc")
}
