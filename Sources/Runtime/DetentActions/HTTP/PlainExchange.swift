import DetentPlatform
import DetentTypes
import Glibc

/// One request to a service on this machine: its connection, what is to be sent, and the answer.
///
/// Synchronization: none; one thread at a time.
struct PlainExchange {
    let request: ActionRequest
    let tell: @Sendable (AttemptEvent) -> Void
    private let plain: PlainRequest
    private let keeps: Bool
    private var places: ArraySlice<LoopbackAddress> = []
    /// Where its connection leads; nil while there is none.
    private(set) var place: LoopbackAddress?
    /// -1 while there is no connection.
    private(set) var descriptor: Int32 = -1
    /// Nothing has come on a connection that had another request before.
    private var isOnKept = false
    private var unsent: ArraySlice<UInt8> = []
    private var answer = HTTPAnswer()
    let startedAt: Instant
    /// When it times out.
    let deadline: Instant
    /// How it has ended; nil while it has not.
    private(set) var ending: (outcome: ActionOutcome, explanation: String)?

    /// Connects, and sends as much as the kernel takes; on this machine that is nearly always all.
    ///
    /// - Parameters:
    ///   - kept: a connection to use; only for a request that is repeatable.
    ///   - keeps: whether its connection may be kept.
    init(
        _ request: ActionRequest, _ plain: PlainRequest, on kept: KeptConnection?,
        keeps: Bool, tell: @escaping @Sendable (AttemptEvent) -> Void
    ) {
        (self.request, self.plain, self.tell) = (request, plain, tell)
        self.keeps = keeps
        let now = MonotonicClock.now
        startedAt = now
        deadline = request.timeout.map { now + $0 } ?? .never
        if let kept {
            (place, descriptor, isOnKept) = (kept.place, kept.descriptor, true)
            unsent = plain.bytes[...]
            send()
        } else {
            begin()
        }
    }

    private var host: String { plain.route.host }

    /// Sends the whole request on a new connection.
    private mutating func begin() {
        close()
        (isOnKept, unsent, places) = (false, plain.bytes[...], plain.route.places[...])
        connect(last: Errno(number: ECONNREFUSED))
    }

    /// What its connection is waited for.
    var interest: PollSet.Interest { unsent.isEmpty ? .reading : .writing }

    /// Tries the next address, and the one after it if there is no service.
    private mutating func connect(last: Errno) {
        var last = last
        while let place = places.popFirst() {
            do throws(Errno) {
                descriptor = try place.connect()
                self.place = place
                return send()
            } catch {
                last = error
            }
        }
        ending = (.failed(.unreachable), "cannot connect to \(host): \(last.text)")
    }

    private mutating func send() {
        while !unsent.isEmpty {
            let count = unsent.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count >= 0 {
                unsent = unsent.dropFirst(count)
                continue
            }
            switch errno {
            case EINTR: continue
            case EAGAIN, ENOTCONN: return  // the connection is being made, or full
            case ECONNREFUSED, EADDRNOTAVAIL, ENETUNREACH:
                let error = Errno(number: errno)
                close()
                return connect(last: error)
            case _ where isOnKept:
                return begin()
            case _:
                // The service has closed; it may have answered before.
                unsent = []
            }
        }
    }

    /// Goes on when the connection is ready.
    mutating func advance(with buffer: UnsafeMutableRawBufferPointer) {
        if !unsent.isEmpty { send() }
        guard ending == nil, unsent.isEmpty else { return }
        // One read each, so that a service that floods delays the others by one buffer only.
        let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
        if count < 0, errno == EAGAIN || errno == EINTR { return }
        // The service closed the kept connection, and has not answered. The request is repeatable.
        if count <= 0, isOnKept { return begin() }
        isOnKept = false
        if count < 0 {
            let error = Errno(number: errno)
            ending = (.lost, "the connection to \(host) broke: \(error.text)")
            return
        }
        if count > 0 { answer.take(buffer.prefix(count)) } else { answer.end() }
        switch answer.progress {
        case .reading: break
        case .whole: ending = HTTPEnding.judge(status: answer.status)
        case .tooLong: ending = HTTPEnding.tooLong
        case .broken:
            ending = (.lost, "\(host) closed the connection or did not answer with HTTP/1.1")
        }
    }

    /// Takes its connection away, if the service keeps it open for a next request.
    mutating func takeConnection() -> KeptConnection? {
        guard keeps, plain.route.isRepeatable, answer.keepsConnection, let place else { return nil }
        defer { descriptor = -1 }
        return KeptConnection(place: place, descriptor: descriptor)
    }

    /// Ends it before its answer, if it has not ended: the service may have done what it was asked.
    mutating func timeOut() {
        let time = request.timeout.map { " within \($0.nanoseconds / 1_000_000) ms" } ?? ""
        ending =
            ending ?? (
                .timedOut, "no answer\(time); raise `timeout` if the service needs more"
            )
    }

    /// Ends it before its answer, as `timeOut` does.
    mutating func cancel() {
        ending = ending ?? (.cancelled, "cancelled while it waited for the answer")
    }

    /// Closes the connection and tells the end; call it once, when `ending` is set.
    mutating func finish() {
        close()
        guard let ending else { return }
        var result = ActionResult(
            run: request.run, outcome: ending.outcome,
            explanation: KnownSecrets.ofThisProcess.hide(ending.explanation),
            startedAt: startedAt, endedAt: MonotonicClock.now,
            standardOutputTail: HTTPEnding.tail(of: answer.body))
        if request.keepsAnswer, ending.outcome == .succeeded { result.answer = answer.body }
        tell(.ended(result))
    }

    private mutating func close() {
        if descriptor >= 0 { Glibc.close(descriptor) }
        (descriptor, place) = (-1, nil)
    }
}
