import CWall
import DetentCore
import DetentPanel
import DetentPlatform
import DetentRuntime
import DetentTypes
import Glibc

/// Keeps a process beside a panel running, and passes updates and requests between the two.
///
/// It keeps what has to survive a process: the events of the session. A process that sends what it
/// may not is killed and started again.
///
/// Synchronization: none; one thread.
struct ChildKeeper: ~Copyable {
    struct Running {
        var process: pid_t
        var link: ChildLink
        var since: Instant
        /// It has asked for the history and gets updates.
        var isServed = false
        /// Whether it is alive.
        var heartbeat: Heartbeat
    }

    enum State {
        case down(until: Instant)
        case up(Running)
    }

    /// Starts a process with its end of the link, the socket that it gets and the setup.
    ///
    /// Returns its process, or a negative error number. The caller closes the descriptors.
    typealias Launch = @Sendable (_ link: Int32, _ socket: Int32, _ setup: Int32) -> pid_t

    /// What messages call it.
    let name: String

    let port: any PanelPort
    let launch: Launch
    let socket: (any ChildSocket)?
    var setup: ChildSetup
    let settings: @Sendable () -> [UInt8]
    /// What the process may ask for; another panel may allow it something else.
    let rightsOf: @Sendable (PanelPlan) -> ChildRights
    var rights: ChildRights
    let say: @Sendable (String) -> Void
    var state = State.down(until: .zero)
    var delay = WallLimits.pause.lowerBound
    var record: SessionRecord
    var pacing = UpdatePacing()
    var ready: PollSet
    var buffer: [UInt8]
    var news = KeeperNews()
    /// A process that cannot start does not fill the log.
    var said = RepeatedMessages()
    let outcomeTold: @Sendable () -> Void
    let reload: @Sendable () -> Void
    /// Gives back what requests have used, when there was none for a while.
    let rest: () -> Void
    let restTime: TimeSpan
    /// When it rests; nil while it does.
    var restsAt: Instant?
    /// What else the process does; nil if it does nothing else.
    let task: (any ChildTask)?
    /// Connections that wait for the process; nil without a socket.
    let arrivals: ListenerWatch?
    /// Since when no process serves; nil while one does.
    var unservedSince: Instant?
    let times: LifeTimes

    init(
        port: any PanelPort, socket: (any ChildSocket)?, setup: ChildSetup,
        settings: @escaping @Sendable () -> [UInt8] = { [] },
        name: String, rights: @escaping @Sendable (PanelPlan) -> ChildRights,
        launch: @escaping Launch, reload: @escaping @Sendable () -> Void = {},
        outcomeTold: @escaping @Sendable () -> Void = {},
        task: (any ChildTask)? = nil, times: LifeTimes = LifeTimes(),
        restTime: TimeSpan = RuntimeLimits.restTime,
        rest: @escaping () -> Void = { Memory.giveBack(libraries: false) },
        say: @escaping @Sendable (String) -> Void
    ) {
        self.name = name
        self.rest = rest
        self.restTime = restTime
        self.outcomeTold = outcomeTold
        self.task = task
        self.reload = reload
        self.port = port
        self.launch = launch
        self.socket = socket
        arrivals = socket.flatMap { ListenerWatch($0.descriptor) }
        self.times = times
        self.setup = setup
        self.settings = settings
        rightsOf = rights
        self.rights = rights(port.plan)
        self.say = say
        record = SessionRecord(controls: port.plan.controls.count)
        ready = PollSet(capacity: 4)
        // One byte more, so that a message that is too long is seen to be.
        let longest = task == nil ? PanelRequest.byteLimit : ChildMessage.byteLimit
        buffer = [UInt8](repeating: 0, count: longest + 1)
    }

    /// Works until `isEnding`, which is looked at after each ring of the bell, as is `news`.
    mutating func keep(
        _ bell: borrowing WakeUp, news takeNews: () -> KeeperNews = { KeeperNews() },
        isEnding: () -> Bool
    ) {
        while true {
            // Cleared before the questions: what comes later rings again.
            bell.clear()
            if isEnding() { break }
            let taken = takeNews()
            news.source = taken.source
            news.outcome = taken.outcome ?? news.outcome
            let now = MonotonicClock.now
            switch state {
            case .down(let until) where until <= now: start(now: now)
            case .down(let until):
                ready.removeAll()
                _ = ready.add(bell.descriptor)
                _ = ready.add(port.updates.descriptor)
                _ = ready.wait(now: now, until: until)
                if !ready.isReady(0) { forward(to: nil) }
            case .up(let running):
                work(running, bell, now: now)
            }
        }
        end()
    }

    mutating func work(_ running: Running, _ bell: borrowing WakeUp, now: Instant) {
        if running.isServed, news.outcome != nil { return tellOutcome(running) }
        if running.isServed, !sendTaskMessages(running) { return }
        if let time = restsAt, time <= now {
            restsAt = nil
            rest()
        }
        guard ask(now: now) else { return }
        let pause = pacing.pause(now: now)
        let places = sleep(running, bell, pause: pause, now: now)
        // News come first: the file of a panel that begins is known before its first update.
        if ready.isReady(0) { return }
        if ready.isReady(1), !takeRequests(running) { return }
        if let place = places.arrivals, ready.isReady(place), noteArrival() { owe() }
        guard proveAlive(), case .up(let running) = state, running.isServed else {
            if let place = places.updates, ready.isReady(place) { forward(to: nil) }
            return
        }
        if let place = places.updates, ready.isReady(place), !forward(to: running.link) {
            terminate(because: "it read nothing for \(Self.milliseconds(WallLimits.stall)) ms")
        }
    }

    /// Sleeps until something has to be done.
    ///
    /// - Returns: where the updates and the arrivals are in the set, if they are waited for. The
    ///   bell and the link are the first two.
    mutating func sleep(
        _ running: Running, _ bell: borrowing WakeUp, pause: Instant?, now: Instant
    ) -> (updates: Int?, arrivals: Int?) {
        var places: (updates: Int?, arrivals: Int?) = (nil, nil)
        ready.removeAll()
        _ = ready.add(bell.descriptor)
        _ = ready.add(running.link.descriptor)
        if pause == nil {
            places.updates = ready.count
            _ = ready.add(port.updates.descriptor)
        }
        if running.isServed, let descriptor = arrivals?.descriptor {
            places.arrivals = ready.count
            _ = ready.add(descriptor)
        }
        let soon = min(pause ?? .never, restsAt ?? .never)
        let alive = aliveBy
        // A late question harms nothing, and a wait that may be late has no wake-up in between.
        _ = ready.wait(now: now, until: min(soon, alive), isExact: soon <= alive)
        return places
    }

    // MARK: Heartbeat

    /// When to look whether the process is alive.
    var aliveBy: Instant {
        guard case .up(let running) = state else { return .never }
        return running.isServed
            ? running.heartbeat.deadline : running.since + times.start
    }

    /// Asks the process whether it is alive, if that is due; false if it has ended.
    mutating func ask(now: Instant) -> Bool {
        guard case .up(var running) = state, let number = running.heartbeat.next(at: now) else {
            return true
        }
        state = .up(running)
        if running.link.send(PanelMessage.ping(number).bytes, waits: true) { return true }
        terminate(because: "it did not take a message")
        return false
    }

    /// The process owes something from now on.
    mutating func owe() {
        guard case .up(var running) = state else { return }
        running.heartbeat.owe(at: MonotonicClock.now)
        state = .up(running)
    }

    /// Whether a connection has come that the process has to accept.
    func noteArrival() -> Bool { arrivals?.popArrival() ?? false }

    /// Takes the answer to a question.
    mutating func takeLife(_ number: UInt32, isBusy: Bool) {
        guard case .up(var running) = state else { return }
        if number == 0 {
            running.heartbeat.owe(at: MonotonicClock.now)
        } else {
            running.heartbeat.answered(number, isBusy: isBusy)
        }
        state = .up(running)
    }

    /// Ends a process that has not answered in time; false if it has ended.
    mutating func proveAlive() -> Bool {
        guard case .up(var running) = state else { return false }
        let now = MonotonicClock.now
        if !running.isServed {
            guard running.since + times.start <= now else { return true }
            terminate(because: "it did not begin for \(DurationText.text(times.start))")
            return false
        }
        let isOverdue = running.heartbeat.isOverdue(at: now)
        state = .up(running)
        guard isOverdue else { return true }
        terminate(because: "it hung for \(DurationText.text(times.answer))")
        return false
    }

    /// Sends what else the process is asked for; false if it has ended.
    mutating func sendTaskMessages(_ running: Running) -> Bool {
        while let message = task?.next() {
            owe()
            guard running.link.send(message.bytes, waits: true) else {
                terminate(because: "it did not take a message")
                return false
            }
        }
        return true
    }

    /// Tells the pages what a reload came to: those of the panel that runs since then.
    mutating func tellOutcome(_ running: Running) {
        // The panel published its restart before the outcome was known.
        guard forward(to: running.link) else { return terminate(because: "it read nothing") }
        guard case .up = state, let outcome = news.outcome else { return }
        news.outcome = nil
        guard running.link.send(PanelMessage.reloaded(outcome).bytes, waits: true) else {
            return terminate(because: "it did not take the outcome of a reload")
        }
        outcomeTold()
    }

    // MARK: Updates

    /// Takes the waiting updates and sends them; false if they could not be sent.
    @discardableResult
    mutating func forward(to link: ChildLink?) -> Bool {
        var batch: [TimedUpdate] = []
        var isAnother = false
        let dropped = port.updates.drain { update in
            if case .restarted = update.update {
                port.adoptNextPlan()
                isAnother = true
                record = SessionRecord(controls: port.plan.controls.count)
                batch = []
            }
            record.note(update)
            pacing.note(update.update)
            if link != nil { batch.append(update) }
        }
        if dropped > 0, port.adoptLatestPlan() { isAnother = true }
        pacing.forwarded(at: MonotonicClock.now)
        if isAnother {
            restart()
            return true
        }
        guard let link else { return true }
        if !batch.isEmpty { owe() }
        return Self.send(batch, to: link)
            && (dropped == 0
                || link.send(PanelMessage.dropped(UInt32(clamping: dropped)).bytes, waits: true))
    }

    /// Another panel runs: the process that knows the former one ends, and the next one begins.
    mutating func restart() {
        if let source = news.source {
            setup.file = source.file
            setup.panel = source.bytes
        }
        setup.session = EventHistory.newSession()
        rights = rightsOf(port.plan)
        guard case .up(let running) = state else { return }
        end(running)
        state = .down(until: .zero)
    }

    static func send(_ updates: [TimedUpdate], to link: ChildLink) -> Bool {
        var rest = updates[...]
        while !rest.isEmpty {
            let next = rest.prefix(WallLimits.updatesPerMessage)
            rest = rest.dropFirst(next.count)
            guard link.send(PanelMessage.updates(Array(next)).bytes, waits: true) else {
                return false
            }
        }
        return true
    }

    // MARK: Requests

    /// Takes the waiting requests; false if the process has ended.
    mutating func takeRequests(_ running: Running) -> Bool {
        // The limit lets updates through when requests never pause.
        for _ in 0..<WallLimits.requestsAtOnce {
            switch running.link.receive(into: &buffer, waits: false) {
            case .none: return true
            case .ended:
                terminate(because: nil)
                return false
            case .message(let bytes):
                guard let message = ChildMessage(bytes) else { return refuse() }
                switch message {
                case .alive(let number, let isBusy): takeLife(number, isBusy: isBusy)
                case .request(let request):
                    guard rights.allow(request) else { return refuse() }
                    guard perform(request, running) else { return false }
                case .note(let note):
                    guard running.isServed, let task, task.receive(note, of: port.plan) else {
                        return refuse()
                    }
                }
            }
        }
        return true
    }

    /// Ends the process for what it sent; false, as it has ended.
    mutating func refuse() -> Bool {
        terminate(because: "it sent a message that is not allowed")
        return false
    }

    /// Performs a request; false if the process has ended.
    mutating func perform(_ request: PanelRequest, _ running: Running) -> Bool {
        let now = MonotonicClock.now
        restsAt = now + restTime
        if request.isAwaited {
            pacing.expectAnswer(now: now)
            owe()
        }
        switch request {
        case .begin: return serve(running)
        case .watch(let isOn): port.updates.setWatched(isOn)
        case .snapshot: port.updates.requestSnapshot()
        case .trace(let lines): port.updates.trace(lines)
        case .intent, .change, .fire, .confirming, .resync, .lampTest, .close, .reload:
            guard let event = request.event else { break }
            if case .reload = request { reload() }
            return pass(on: event, confirming: request.token, running)
        }
        return true
    }

    /// Passes an event on to the panel; false if the process has ended.
    mutating func pass(
        on event: Event, confirming token: ConfirmTokens.Token?, _ running: Running
    ) -> Bool {
        // A panel that takes no requests for so long answers none: the page says so.
        let last = MonotonicClock.now + RuntimeLimits.answerTime
        while true {
            switch port.send(event, confirming: token, at: MonotonicClock.now) {
            case .taken: return true
            case .unconfirmed(let token):
                let message = PanelMessage.token(event.request, token)
                if running.link.send(message.bytes, waits: true) { return true }
                terminate(because: "it did not take a message")
                return false
            case .full: break
            }
            if MonotonicClock.now >= last { return true }
            poll(nil, 0, Int32(Self.milliseconds(RuntimeLimits.answersEvery)))
        }
    }

    /// Sends the history, and everything from now on.
    mutating func serve(_ running: Running) -> Bool {
        forward(to: nil)
        guard case .up = state else { return false }
        guard Self.send(record.updates, to: running.link),
            running.link.send(PanelMessage.served.bytes, waits: true)
        else {
            terminate(because: "it did not take the history")
            return false
        }
        guard case .up(var served) = state else { return false }
        served.isServed = true
        unservedSince = nil
        served.heartbeat.owe(at: MonotonicClock.now)
        state = .up(served)
        let link = running.link
        task?.begun { link.send($0.bytes, waits: false) }
        return true
    }
}
