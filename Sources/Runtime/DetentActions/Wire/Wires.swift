import DetentPlatform
public import DetentTypes
import Synchronization

/// What every wire of a panel needs.
struct WireWorkshop: Sendable {
    let program: [String]
    let guardian: Guardian
    /// The file through which the kernel makes input devices.
    let maker: String
    let tell: @Sendable (WireFeed, WireNews, Instant) -> Void
}

/// The wires of a panel to devices that speak lines of text: over TCP, UDP and serial devices.
///
/// One thread, which starts with the first use, passes texts on and takes what comes back. It waits
/// for nothing: names, connections and reading are the work of a process for each wire.
public final class Wires: Sendable {
    private struct Inbox {
        var jobs: [Wire.Job] = []
        var cancelled: [RunID] = []
        /// Sources that ask again, and when.
        var questions: [(feed: WireFeed, at: Instant)] = []
        /// The sources of the panel that runs now, and every place that it uses.
        var wanted: (feeds: [WireFeed], places: Set<WirePlace>)?
        var tell: @Sendable (WireFeed, WireNews, Instant) -> Void = { _, _, _ in }
        var thread: WorkerThread?
        var isStopping = false
        var left = 0
    }

    private let inbox = Mutex(Inbox())
    private let wakeUp: WakeUp
    private let guardian: Guardian
    private let program: [String]
    private let maker: String

    /// The program of the process of a wire and its first argument: this program.
    package static let program = ["/proc/self/exe", "wire"]

    /// Opens nothing yet.
    ///
    /// - Throws: `PlatformError` if no descriptor is available.
    public convenience init(guardian: Guardian) throws(PlatformError) {
        try self.init(guardian: guardian, program: Self.program)
    }

    package init(
        guardian: Guardian, program: [String], maker: String = KeyPad.path
    ) throws(PlatformError) {
        wakeUp = try WakeUp()
        self.maker = maker
        self.guardian = guardian
        self.program = program
    }

    /// Sends the text of an action. `tell` gets `began` in this call, and then `ended`.
    ///
    /// - Throws: `Refusal` if nothing can be sent; nothing was told then.
    func start(
        _ kind: ActionKindID, _ request: ActionRequest,
        tell: @escaping @Sendable (AttemptEvent) -> Void
    ) throws(WireCall.Refusal) {
        guard case .fields(let fields) = request.payload else {
            throw WireCall.Refusal(explanation: "this runner sends text to devices only")
        }
        var call = try WireCall(kind, fields)
        if request.keepsAnswer, call.expectation == nil { call.expectation = .anyLine }
        let now = MonotonicClock.now
        tell(.began(at: now))
        var job = Wire.Job(purpose: .attempt(request, tell: tell), call: call, startedAt: now)
        if case .keys = call.place {
            let command = request.command
            let holder = UInt32(command?.control.index ?? 0) << 16 | UInt32(command?.action ?? 0)
            job.keys = KeyOrder(KeyPad.codes(fields), request.part, holder: holder)
        }
        // Without a thread its timeout ends it.
        _ = post { $0.jobs.append(job) }
    }

    /// Stops an attempt; one that is unknown is ignored.
    func cancel(_ run: RunID) { _ = post { $0.cancelled.append(run) } }

    /// Hears these sources from now on, and closes the wires at other places.
    ///
    /// - Parameters:
    ///   - places: all places that actions and sources use.
    ///   - tell: is told what is heard, on the thread of the wires.
    public func hear(
        _ feeds: [WireFeed], keeping places: Set<WirePlace>,
        tell: @escaping @Sendable (WireFeed, WireNews, Instant) -> Void
    ) {
        let isKept = places.contains(where: \.isKept)
        let isNeeded = inbox.withLock { !feeds.isEmpty || isKept || $0.thread != nil }
        guard isNeeded else { return }
        _ = post { inbox in
            inbox.wanted = (feeds, places)
            inbox.tell = tell
        }
    }

    /// What a device has answered is out of date: it is asked again at a moment.
    public func ask(_ feed: WireFeed, at moment: Instant) {
        _ = post { $0.questions.append((feed, moment)) }
    }

    /// Ends all processes, and gives serial lines their former terms.
    ///
    /// - Returns: the number of attempts that had not ended.
    func stop() -> Int {
        let thread = inbox.withLock { inbox in
            inbox.isStopping = true
            return inbox.thread.take()
        }
        guard let thread else { return 0 }
        wakeUp.ring()
        thread.join()
        return inbox.withLock { $0.left }
    }

    /// False if there is no thread.
    private func post(_ change: (inout Inbox) -> Void) -> Bool {
        let hasThread = inbox.withLock { inbox in
            if inbox.isStopping { return false }
            if inbox.thread == nil {
                inbox.thread = try? WorkerThread(named: "detent-wires") { [self] in work() }
            }
            guard inbox.thread != nil else { return false }
            change(&inbox)
            return true
        }
        wakeUp.ring()
        return hasThread
    }

    private func work() {
        var wires: [Wire] = []
        var buffer = [UInt8](repeating: 0, count: WireNote.longest + 1)
        var set = PollSet(capacity: ActionLimits.wires + 1)
        while true {
            wakeUp.clear()
            let (news, isStopping) = inbox.withLock { inbox in
                let news = inbox
                (inbox.jobs, inbox.cancelled, inbox.wanted, inbox.questions) = ([], [], nil, [])
                return (news, inbox.isStopping)
            }
            let now = MonotonicClock.now
            let workshop = WireWorkshop(
                program: program, guardian: guardian, maker: maker, tell: news.tell)
            receive(news, &wires, workshop, at: now)
            if isStopping {
                let left = wires.indices.reduce(0) { $0 + wires[$1].stop(at: now) }
                return inbox.withLock { $0.left = left }
            }
            set.removeAll()
            _ = set.add(wakeUp.descriptor)
            for place in wires.indices {
                wires[place].advance(workshop, at: now)
                _ = set.add(wires[place].descriptor)
            }
            _ = set.wait(now: now, until: wires.reduce(.never) { min($0, $1.deadline) })
            let later = MonotonicClock.now
            for place in wires.indices where set.isReady(place + 1) {
                // The limit lets other wires have a turn.
                for _ in 0..<ActionLimits.wireReports {
                    guard wires[place].descriptor >= 0,
                        let note = wires[place].note(into: &buffer)
                    else { break }
                    wires[place].receive(note, workshop, at: later)
                }
            }
        }
    }

    private func receive(
        _ news: Inbox, _ wires: inout [Wire], _ workshop: WireWorkshop, at now: Instant
    ) {
        if let (feeds, places) = news.wanted {
            for place in wires.indices {
                wires[place].hear(feeds.filter { $0.place == wires[place].place }, at: now)
                wires[place].releaseKeys(at: now)
            }
            wires.removeAll { wire in
                guard wire.isIdle, !places.contains(wire.place) else { return false }
                var wire = wire
                _ = wire.stop(at: now)
                return true
            }
            for feed in feeds {
                guard let place = feed.place, let index = index(of: place, &wires) else { continue }
                wires[index].hear(feeds.filter { $0.place == place }, at: now)
            }
            for place in places where place.isKept { _ = index(of: place, &wires) }
        }
        for (feed, moment) in news.questions {
            for place in wires.indices { wires[place].ask(feed, at: moment) }
        }
        for job in news.jobs {
            if let index = index(of: job.call.place, &wires) {
                wires[index].add(job)
            } else {
                Wire(job.call.place).refuse(
                    job, "\(ActionLimits.wires) other wires are in use", at: now)
            }
        }
        for run in news.cancelled {
            for place in wires.indices where wires[place].cancel(run, at: now) { break }
        }
    }

    /// The place of a wire in the list, where it is added; nil if there are too many.
    private func index(of place: WirePlace, _ wires: inout [Wire]) -> Int? {
        if let index = wires.firstIndex(where: { $0.place.serves(place) }) { return index }
        guard wires.count < ActionLimits.wires else { return nil }
        wires.append(Wire(place))
        return wires.count - 1
    }
}
