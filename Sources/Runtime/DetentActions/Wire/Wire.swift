import DetentPlatform
import DetentTypes
import Glibc

/// One wire to a device: what is to be sent, in its order, over one connection that is kept.
///
/// It is opened when something is to be sent, or at once if feedback comes from it; then it is
/// opened again after each loss. One thing is under way at a time, so an answer belongs to what was
/// sent last. Synchronization: none; one thread.
struct Wire {
    /// Something to send, and who is told how it ends.
    struct Job {
        enum Purpose {
            case attempt(ActionRequest, tell: @Sendable (AttemptEvent) -> Void)
            /// A question of a source of feedback.
            case question(WireFeed)
            /// Nothing is sent: the answer to what was given up is not waited for any more.
            case nothing
        }

        var purpose: Purpose
        var call: WireCall
        var startedAt: Instant
        /// What to do with keys, in place of the bytes of the call.
        var keys: KeyOrder?
        /// Whether it is a tap whose keys are down.
        var isHalf = false

        var run: RunID? {
            if case .attempt(let request, _) = purpose { request.run } else { nil }
        }
    }

    private enum State {
        /// Nothing is needed, or it waits until it may be opened again for feedback.
        case closed(until: Instant)
        /// The name is looked up.
        case finding(WireChild, since: Instant)
        /// The connection is made.
        case opening(WireChild, since: Instant)
        case open(WireChild, since: Instant)
    }

    /// What the first job has come to.
    private enum Progress: Equatable {
        case waiting
        /// The process has it.
        case ordered(UInt32)
        /// It was sent, and an answer is waited for.
        case sent(UInt32, by: Instant)
    }

    let place: WirePlace
    private var state = State.closed(until: .zero)
    private var jobs: [Job] = []
    private var progress = Progress.waiting
    private var number: UInt32 = 0
    private var pause = ActionLimits.wireFirstPause
    private var feeds: [(feed: WireFeed, nextAt: Instant)] = []
    private var held = HeldKeys()
    /// Nothing is sent before.
    private var restsUntil = Instant.zero

    init(_ place: WirePlace) { self.place = place }

    /// Whether nothing is to be done or heard.
    var isIdle: Bool { jobs.isEmpty && feeds.isEmpty }

    /// The link to wait for; -1 if there is none.
    var descriptor: Int32 {
        switch state {
        case .closed: -1
        case .finding(let child, _), .opening(let child, _), .open(let child, _): child.link
        }
    }

    /// What its process has said; nil if there is nothing now.
    func note(into buffer: inout [UInt8]) -> WireNote? {
        switch state {
        case .closed: nil
        case .finding(let child, _), .opening(let child, _), .open(let child, _):
            child.note(into: &buffer)
        }
    }

    /// When `advance` is needed without news.
    var deadline: Instant {
        switch state {
        case .closed(let until): feeds.isEmpty && !place.isKept ? .never : until
        case .finding(_, let since), .opening(_, let since): since + ActionLimits.wireOpening
        case .open: feeds.reduce(min(answerBy, resting)) { min($0, $1.nextAt) }
        }
    }

    private var answerBy: Instant { if case .sent(_, let by) = progress { by } else { .never } }

    /// When the first job may go on after a rest.
    private var resting: Instant {
        progress == .waiting && !jobs.isEmpty && restsUntil != .zero ? restsUntil : .never
    }

    // MARK: Inputs

    mutating func add(_ job: Job) { jobs.append(job) }

    /// The sources that are heard from now on; the times of those that stay go on.
    mutating func hear(_ wanted: [WireFeed], at now: Instant) {
        feeds = wanted.map { feed in
            let nextAt = feeds.first { $0.feed == feed }?.nextAt
            return (feed, nextAt ?? (feed.asks ? now : .never))
        }
        jobs = jobs.enumerated().filter { index, job in
            guard case .question(let feed) = job.purpose else { return true }
            return wanted.contains(feed) || index == 0 && progress != .waiting
        }.map(\.element)
    }

    /// A source asks its device again at a moment, or earlier.
    mutating func ask(_ feed: WireFeed, at moment: Instant) {
        for place in feeds.indices where feeds[place].feed == feed && feed.asks {
            feeds[place].nextAt = min(feeds[place].nextAt, moment)
        }
    }

    /// Stops an attempt; false if it is not one of this wire.
    mutating func cancel(_ run: RunID, at now: Instant) -> Bool {
        guard let index = jobs.firstIndex(where: { $0.run == run }) else { return false }
        let isUnderWay = index == 0 && (progress != .waiting || jobs[0].isHalf)
        if isUnderWay { giveUp(at: now) }
        finish(jobs.remove(at: index), .cancelled, "cancelled", at: now)
        if isUnderWay, progress != .waiting {
            jobs.insert(
                Job(purpose: .nothing, call: WireCall(place: place, bytes: []), startedAt: now),
                at: 0)
        }
        // Nobody waits for a name or a connection any more.
        switch state {
        case .finding(let child, _), .opening(let child, _):
            guard isIdle else { break }
            child.end()
            state = .closed(until: now)
        case .closed, .open: break
        }
        return true
    }

    /// The answer to what was sent is not wanted, and must not be taken for that of the next text.
    /// A connection is made anew. A serial device stays open, because opening resets many of them:
    /// its process is told.
    private mutating func giveUp(at now: Instant) {
        guard case .open(let child, _) = state else { return }
        if case .serial = place, case .sent = progress {
            number &+= 1
            progress = .ordered(number)
            if child.send(WireOrder(number, [])) { return }
        }
        progress = .waiting
        child.end()
        held = HeldKeys()
        state = .closed(until: now)
    }

    /// Another panel follows: what held a key may not be there to let it go.
    mutating func releaseKeys(at now: Instant) {
        guard !held.isEmpty else { return }
        let call = WireCall(place: place, bytes: held.releaseAll())
        jobs.append(Job(purpose: .nothing, call: call, startedAt: now))
    }

    /// Opens, asks and gives up what is due, and passes the next job on.
    mutating func advance(_ wires: WireWorkshop, at now: Instant) {
        switch state {
        case .closed:
            if jobs.isEmpty, deadline > now { return }
            open(wires, at: now)
        case .finding(_, let since), .opening(_, let since):
            guard since + ActionLimits.wireOpening <= now else { return }
            let span = ActionLimits.wireOpening.nanoseconds / 1_000_000_000
            fail("it did not answer for \(span) s", wires, at: now)
        case .open(let child, _):
            if answerBy <= now { return lose("it did not answer a question", wires, at: now) }
            askDue(at: now)
            guard progress == .waiting, restsUntil <= now, let job = jobs.first else { return }
            number &+= 1
            let bytes = job.keys.map { held.bytes($0) } ?? job.call.bytes
            let order = WireOrder(number, bytes, job.call.expectation)
            restsUntil = .zero
            progress = .ordered(number)
            if !child.send(order) { lose("its process does not answer", wires, at: now) }
        }
    }

    private mutating func askDue(at now: Instant) {
        for place in feeds.indices where feeds[place].nextAt <= now {
            let feed = feeds[place].feed
            feeds[place].nextAt = feed.every.map { now + $0 } ?? .never
            let isAsked = jobs.contains { job in
                if case .question(feed) = job.purpose { true } else { false }
            }
            guard !isAsked, let call = try? WireCall(feed.kind, feed.fields) else { continue }
            jobs.append(Job(purpose: .question(feed), call: call, startedAt: now))
        }
    }

    /// Takes what the process says.
    mutating func receive(_ note: WireNote, _ wires: WireWorkshop, at now: Instant) {
        switch (note, state) {
        case (_, .closed): break
        case (.found(let text), .finding(let child, let since)):
            child.end()
            state = .closed(until: now)
            let found = String(decoding: text, as: UTF8.self).split(separator: " ").map(String.init)
            let addresses = found.filter { HostAndPort($0)?.isNumeric == true }
            begin(addresses, wires, since: since, at: now)
        case (.open, .opening(let child, _)):
            state = .open(child, since: now)
            for place in feeds.indices where feeds[place].feed.asks { feeds[place].nextAt = now }
        case (.ended(let text, _), .finding), (.ended(let text, _), .opening):
            fail(Self.printable(text), wires, at: now)
        case (.ended(let text, let isRefused), .open(_, let since)):
            // One that closes at once is not opened again and again.
            let isAtOnce = progress == .waiting && since + ActionLimits.wireFirstPause > now
            if isAtOnce, !jobs.isEmpty { return fail(Self.printable(text), wires, at: now) }
            lose(Self.printable(text), wires, at: now, isRefused: isRefused)
        case (.report(let line), .open):
            for listener in feeds { wires.tell(listener.feed, .report(line, asked: .never), now) }
        case (let note, .open): takeProgress(note, wires, at: now)
        case (_, .finding), (_, .opening): fail("its process said nonsense", wires, at: now)
        }
    }

    private mutating func takeProgress(_ note: WireNote, _ wires: WireWorkshop, at now: Instant) {
        switch (note, progress) {
        case (.sent(let sent), .ordered(let number)) where sent == number:
            guard let job = jobs.first else { return }
            if job.keys?.part == .whole || job.isHalf { restsUntil = now + ActionLimits.keyTap }
            if job.keys?.part == .whole {
                jobs[0].keys?.part = .end
                jobs[0].isHalf = true
                progress = .waiting
                return
            }
            let by: Instant =
                if case .question = job.purpose { now + ActionLimits.wireQuestion } else { .never }
            progress = .sent(number, by: by)
            if job.call.expectation == nil { end(.succeeded, "sent to \(place.text)", at: now) }
        case (.answered(let answered, let bytes), .sent(let number, _)) where answered == number:
            if case .question(let feed)? = jobs.first?.purpose, let asked = jobs.first?.startedAt {
                wires.tell(feed, .report(bytes, asked: asked), now)
            }
            end(.succeeded, "\(place.text) has answered", bytes, at: now)
        case (.unfit(let unfit), .sent(let number, _)) where unfit == number:
            takeUnfit(wires, at: now)
        // The answer to what was given up came at the same moment.
        case (.answered, .ordered), (.unfit, .ordered): break
        case _: lose("its process said nonsense", wires, at: now)
        }
    }

    /// Nothing of what came fits. A connection is made anew; for a source as after a loss, with a
    /// pause.
    private mutating func takeUnfit(_ wires: WireWorkshop, at now: Instant) {
        let cause = "no part of \(ActionLimits.wireLooked) bytes of its answer fits `expect`"
        let isSerial = if case .serial = place { true } else { false }
        if case .question(let feed)? = jobs.first?.purpose {
            guard isSerial else { return lose(cause, wires, at: now) }
            wires.tell(feed, .lost("\(place.text): \(cause)"), now)
        } else if !isSerial {
            giveUp(at: now)
        }
        end(.failed(.invalidAnswer), "\(place.text): \(cause)", at: now)
    }

    // MARK: Opening and closing

    private mutating func open(_ wires: WireWorkshop, at now: Instant) {
        switch place {
        case .tcp(let text), .udp(let text):
            guard let address = HostAndPort(text) else {
                return fail("it is no host with a port", wires, at: now)
            }
            if address.isNumeric { return begin([text], wires, since: now, at: now) }
            launch(["find", address.host, String(address.port)], wires, since: now, at: now)
        case .hearing(let text): begin([text], wires, since: now, at: now)
        case .serial: begin([], wires, since: now, at: now)
        case .keys(let pad):
            begin([pad.name] + pad.keys.map { String($0) }, wires, since: now, at: now)
        }
    }

    private mutating func begin(
        _ addresses: [String], _ wires: WireWorkshop, since: Instant, at now: Instant
    ) {
        let word =
            switch place {
            case .tcp: "tcp"
            case .udp: "udp"
            case .hearing: "hear"
            case .serial: "serial"
            case .keys: "keys"
            }
        launch([word] + addresses, wires, since: since, at: now)
    }

    private mutating func launch(
        _ arguments: [String], _ wires: WireWorkshop, since: Instant, at now: Instant
    ) {
        var terms: SerialTerms?
        if case .serial(let wanted) = place { terms = wanted }
        var keys: Int32 = -1
        do throws(Errno) {
            if case .keys = place { keys = try KeyPad.open(wires.maker) }
        } catch {
            let problem = KeyPad.problem(error.number)
            return fail("\(problem.cause); \(problem.remedy)", wires, at: now)
        }
        do throws(Errno) {
            let child = try WireChild(
                arguments, program: wires.program, serial: terms, keys: keys,
                guardian: wires.guardian)
            state =
                arguments[0] == "find"
                ? .finding(child, since: since) : .opening(child, since: since)
        } catch {
            let isTerms = error.number == EINVAL && terms != nil
            fail(isTerms ? "it does not take these terms" : error.text, wires, at: now)
        }
    }

    /// It cannot be opened: nothing of what waits was sent.
    private mutating func fail(_ cause: String, _ wires: WireWorkshop, at now: Instant) {
        shut(cause, wires, at: now)
        while !jobs.isEmpty { end(.failed(.unreachable), "\(place.text): \(cause)", at: now) }
    }

    /// It is gone. What was handed to its process may have arrived; what waits is sent when it is
    /// open again.
    private mutating func lose(
        _ cause: String, _ wires: WireWorkshop, at now: Instant, isRefused: Bool = false
    ) {
        shut(cause, wires, at: now)
        if progress == .waiting { return }
        end(isRefused ? .failed(.unreachable) : .lost, "\(place.text): \(cause)", at: now)
    }

    private mutating func shut(_ cause: String, _ wires: WireWorkshop, at now: Instant) {
        switch state {
        case .closed: break
        case .finding(let child, _), .opening(let child, _): child.end()
        case .open(let child, let since):
            if since + ActionLimits.wireLongestPause <= now { pause = ActionLimits.wireFirstPause }
            child.end()
        }
        held = HeldKeys()
        state = .closed(until: now + pause)
        pause = min(pause + pause, ActionLimits.wireLongestPause)
        for listener in feeds { wires.tell(listener.feed, .lost("\(place.text): \(cause)"), now) }
    }

    /// Ends everything, and gives a serial line its former terms.
    mutating func stop(at now: Instant) -> Int {
        switch state {
        case .closed: break
        case .finding(let child, _), .opening(let child, _), .open(let child, _): child.end()
        }
        state = .closed(until: .never)
        let left = jobs.filter { $0.run != nil }.count
        for job in jobs { finish(job, .lost, "Detent ended before it was done", at: now) }
        jobs = []
        return left
    }

    // MARK: Endings

    /// Ends a job of a wire that there is no room for.
    func refuse(_ job: Job, _ explanation: String, at now: Instant) {
        finish(job, .failed(.notStarted), explanation, at: now)
    }

    /// The first job has ended.
    private mutating func end(
        _ outcome: ActionOutcome, _ explanation: String, _ answer: [UInt8]? = nil, at now: Instant
    ) {
        progress = .waiting
        guard !jobs.isEmpty else { return }
        finish(jobs.removeFirst(), outcome, explanation, answer, at: now)
    }

    private func finish(
        _ job: Job, _ outcome: ActionOutcome, _ explanation: String, _ answer: [UInt8]? = nil,
        at now: Instant
    ) {
        guard case .attempt(let request, let tell) = job.purpose else { return }
        let text = KnownSecrets.ofThisProcess.hide(explanation)
        tell(
            .ended(
                ActionResult(
                    run: request.run, outcome: outcome, explanation: text,
                    startedAt: job.startedAt, endedAt: now,
                    answer: request.keepsAnswer ? answer : nil)))
    }

    private static func printable(_ text: [UInt8]) -> String {
        String(
            String.UnicodeScalarView(
                String(decoding: text.prefix(200), as: UTF8.self).unicodeScalars.map {
                    $0.value < 32 || $0.value == 127 ? "?" : $0
                }))
    }
}

extension HostAndPort {
    /// Whether nothing has to be looked up.
    var isNumeric: Bool {
        var room = in6_addr()
        return inet_pton(AF_INET, host, &room) == 1 || inet_pton(AF_INET6, host, &room) == 1
    }
}
