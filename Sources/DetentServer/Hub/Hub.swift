import DetentCore
import DetentPanel
import DetentRuntime
import DetentTypes
import DetentWorld

/// The heart of the server: folds what a panel does into states and numbered events, tells
/// listeners, and turns what they ask for into events for the panel.
///
/// It opens nothing and reads no clock: `now` is told, on the monotonic clock, while moments in
/// notes are those of the panel's own clock. Synchronization: none; one thread.
final class Hub {
    let port: any PanelPort
    /// What can be done with a simulated panel; nil for real lines.
    let simulation: (any SimulationControl)?
    let plan: PanelPlan
    let words: ControlWords
    let tokens: ConfirmTokens
    /// What a WebSocket has to send first; nil where nothing is asked for.
    let accessToken: AccessToken?
    private let makeSession: () -> String
    /// Called when the first request begins to wait for an answer of the panel.
    private let endPause: () -> Void

    /// Changes when the panel starts again.
    private(set) var session: String
    var history = EventHistory()
    private(set) var states: [ControlSnapshot?]
    /// Why the phase of each control began.
    private var reasons: [Reason]
    var deskState: SimulationState?
    var counters = HubCounters()

    var followings: [HolderID: Following] = [:]
    var changes: [WaitingChange] = []
    /// The number of the last change that was asked for.
    var lastRequest = RequestID.none
    /// Who waits for the states of all controls.
    private var stateRequests: [() -> Void] = []
    /// Everything that is known is as the panel has it, apart from notes that wait.
    private(set) var isComplete = false
    private var isWatched = false
    /// Whether a request waits for an answer of the panel.
    private(set) var isAwaited = false

    /// What was not sent yet.
    var pending = PendingBatch()
    var waves = PendingWaves()
    /// When events and states may go out next.
    var nextBatch = Instant.zero
    /// When the clock is told next although nothing happens.
    var nextClock = Instant.never

    /// Makes the hub of a panel.
    ///
    /// - Parameters:
    ///   - simulation: for a simulated panel.
    ///   - accessToken: what listeners must know; nil where they need nothing.
    ///   - makeSession: makes a name that no other session has.
    ///   - endPause: called when the first request begins to wait for an answer of the panel, so
    ///     that notes are taken at once until `isAwaited` is false again.
    init(
        port: any PanelPort, simulation: (any SimulationControl)? = nil,
        accessToken: AccessToken? = nil, tokens: ConfirmTokens,
        makeSession: @escaping () -> String, endPause: @escaping () -> Void = {}
    ) {
        self.port = port
        self.simulation = simulation
        plan = port.plan
        self.accessToken = accessToken
        self.tokens = tokens
        self.makeSession = makeSession
        self.endPause = endPause
        words = ControlWords(plan: port.plan, isSimulated: simulation != nil)
        session = makeSession()
        states = Array(repeating: nil, count: port.plan.controls.count)
        reasons = Array(repeating: .none, count: port.plan.controls.count)
        deskState = simulation?.state
    }

    /// The moment on the panel's clock.
    func panelTime(_ now: Instant) -> Instant { simulation?.state.now ?? now }

    // MARK: What the panel does

    /// Takes what the panel has told, and sends what is due.
    func drain(now: Instant) {
        let dropped = port.watch.drain { take($0, now: now) }
        if dropped > 0 { lose(dropped) }
        settle(now: now)
    }

    private func take(_ timed: TimedNote, now: Instant) {
        waves.until = max(waves.until, timed.at)
        switch timed.note {
        case .report(let report, let number):
            take(report, number: number, at: timed.at)
        case .state(let control, let state):
            guard states.indices.contains(Int(control.index)) else { return }
            let isDimmer = plan.settings.dimmer == control
            let dims = isDimmer && states[Int(control.index)]?.desired != state.desired
            states[Int(control.index)] = state
            pending.states.insert(control)
            if dims { pending.states.formUnion(plan.controlsWithLamps) }
        case .answer(let request, _, let answer):
            finishChange(request, answer)
        case .complete:
            isComplete = true
        case .level(let line, let level):
            waves.points.append(.init(line: line, isContact: false, level: level, at: timed.at))
        case .contact(let line, let level):
            waves.points.append(.init(line: line, isContact: true, level: level, at: timed.at))
        case .desk:
            takeDesk(now: now)
        case .startedOver:
            startOver(now: now)
        }
    }

    private func take(_ report: Report, number: UInt64, at moment: Instant) {
        history.append(.init(number: number, report: report, at: moment))
        if case .phase(_, let reason) = report.kind, reasons.indices.contains(report.place) {
            reasons[report.place] = reason
        }
    }

    private func takeDesk(now: Instant) {
        guard let desk = simulation else { return }
        let latest = desk.state
        let old = deskState ?? SimulationState()
        deskState = latest
        for place in latest.stands.indices
        where !old.stands.indices.contains(place) || old.stands[place] != latest.stands[place] {
            pending.states.insert(ControlID(UInt16(place)))
        }
        let isStepped = !latest.isRunning && old.now != latest.now
        if old.isRunning != latest.isRunning || old.rate != latest.rate || isStepped {
            pending.clock = true
        }
        if !old.isSameSimulation(as: latest) { pending.simulation = true }
    }

    /// The panel starts over: everything is new.
    private func startOver(now: Instant) {
        session = makeSession()
        history = EventHistory()
        states = states.map { _ in nil }
        reasons = reasons.map { _ in .none }
        deskState = simulation?.state
        pending = PendingBatch()
        waves = PendingWaves()
        retell(isLost: false)
    }

    /// Notes were dropped: nobody knows which.
    private func lose(_ count: Int) {
        counters.droppedNotes += UInt64(count)
        waves.loseAll()
        retell(isLost: true)
    }

    /// Everybody gets a snapshot, once all states have been told anew.
    func retell(isLost: Bool) {
        isComplete = false
        for holder in followings.keys where followings[holder]?.stage == .live {
            followings[holder]?.stage = .snapshot(isLost: isLost)
        }
        if isWatched { port.watch.askForStates() }
    }

    // MARK: What is known

    /// The state of a control; null while nothing is known of it.
    func stateJSON(_ control: ControlID) -> JSONValue {
        let place = Int(control.index)
        guard states.indices.contains(place), let state = states[place] else { return .null }
        let stands = deskState?.stands ?? []
        return words.json(
            control, state, reason: reasons[place], dimmer: dimmer,
            stand: stands.indices.contains(place) ? stands[place] : nil)
    }

    /// Hundredths of its own brightness that each lamp has.
    private var dimmer: Int {
        guard let control = plan.settings.dimmer,
            case .dial(let range) = plan.controls[Int(control.index)].settings.kind,
            let value = states[Int(control.index)]?.desired, value != .unknown,
            range.maximum > range.minimum
        else { return 100 }
        let span = Int(range.maximum) - Int(range.minimum)
        return min(100, max(0, (Int(value.raw) - Int(range.minimum)) * 100 / span))
    }

    /// Does something once the states of all controls are known.
    func withStates(_ body: @escaping () -> Void) {
        if isComplete { return body() }
        stateRequests.append(body)
        updateInterest()
    }

    /// How many wait for the states.
    var waitingForStates: Int { stateRequests.count }

    /// Sends what is due, and what is asked for now that it is known.
    func settle(now: Instant) {
        endChanges(now: now)
        if isComplete, !stateRequests.isEmpty {
            let requests = stateRequests
            stateRequests = []
            for request in requests { request() }
        }
        flush(now: now)
        updateInterest()
    }

    /// Watches while anybody is there, and lets the panel be while nobody is.
    func updateInterest() {
        noteAwaited()
        let wanted = isAwaited || !followings.isEmpty
        guard wanted != isWatched else { return }
        isWatched = wanted
        isComplete = false
        port.watch.setWatched(wanted)
        if wanted { port.watch.askForStates() } else { forget() }
    }

    private func noteAwaited() {
        let wasAwaited = isAwaited
        isAwaited = !changes.isEmpty || !stateRequests.isEmpty
        if isAwaited, !wasAwaited { endPause() }
    }

    /// Nobody is there: nothing waits to be sent.
    private func forget() {
        pending = PendingBatch()
        waves = PendingWaves()
        nextClock = .never
    }

    /// When `settle` should be called although nothing happens.
    var deadline: Instant {
        var earliest = nextClock
        for change in changes { earliest = min(earliest, change.until) }
        for following in followings.values {
            if case .token(let until) = following.stage { earliest = min(earliest, until) }
        }
        let isFollowed = followings.values.contains { $0.stage == .live }
        if isFollowed, hasNews { earliest = min(earliest, nextBatch) }
        if isFollowed, waves.isWorthTelling { earliest = min(earliest, waves.next) }
        if isComplete, followings.values.contains(where: \.isWaiting) {
            earliest = min(earliest, nextBatch)
        }
        return earliest
    }

    /// Whether there is something that a listener should be told.
    var hasNews: Bool { !pending.isEmpty || pending.sent < history.last }
}

/// What the server counts.
struct HubCounters: Equatable {
    var droppedNotes: UInt64 = 0
    var messages: UInt64 = 0
    var requests: UInt64 = 0
    var refused: UInt64 = 0
    var lostListeners: UInt64 = 0
    var displaced: UInt64 = 0
}

extension Report {
    /// The place of its control.
    var place: Int { Int(control.index) }
}

extension PanelPlan {
    /// The controls that have lamps.
    fileprivate var controlsWithLamps: [ControlID] {
        controls.indices.filter { controls[$0].settings.indicator.lines.count > 0 }
            .map { ControlID(UInt16($0)) }
    }
}

extension SimulationState {
    /// Whether nothing differs that the message `simulation` tells.
    fileprivate func isSameSimulation(as other: SimulationState) -> Bool {
        faults == other.faults && bounces == other.bounces && actions == other.actions
            && profiles == other.profiles && waitingGestures == other.waitingGestures
            && refusedGestures == other.refusedGestures && recordedSteps == other.recordedSteps
            && runsRealActions == other.runsRealActions
    }
}
