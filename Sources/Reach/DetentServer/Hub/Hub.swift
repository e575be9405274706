import DetentCore
import DetentPanel
import DetentRuntime
import DetentTypes
import DetentWall
import DetentWorld

/// The coordinator of the server. It turns the updates of a panel into states and numbered events,
/// sends them to listeners, and turns requests into events for the panel.
///
/// It does no input or output and reads no clock. `now` is passed in and is on the monotonic clock;
/// moments in updates are on the panel's clock. Synchronization: none; one thread.
final class Hub {
    let port: any PanelPort
    /// Controls a simulated panel; nil for real lines.
    let simulation: (any SimulationControl)?
    private(set) var plan: PanelPlan
    private(set) var words: ControlStateJSON
    /// The tokens, one of which a WebSocket must send first.
    let access: AccessTokens
    /// Asks for the panel file to be read again, and returns whether it could; nil if the file is
    /// not read again.
    let reload: (@Sendable () -> Bool)?
    private let makeSession: () -> String
    /// Called when the first request begins to wait for an answer of the panel.
    private let endPause: () -> Void

    /// Changes when the panel starts again.
    private(set) var session: String
    var history = EventHistory()
    private(set) var states: [ControlSnapshot?]
    /// Why each control is in its phase.
    private var reasons: [Reason]
    /// How the last action of each control ended; nil if none has ended.
    private var ends: [ActionEnd?]
    /// The last chosen item of each menu.
    private var chosen: [Value]
    /// What the actions of each control came to.
    private(set) var figures: [ActionFigures]
    /// The figures of the connection to a broker; nil without one.
    var broker: MQTTFigures?
    /// The processes whose figures are served.
    var processes: [ProcessProbe] = []
    /// Detent's version; empty if it is not told.
    var version = ""
    /// How late a wrong token is answered.
    var wrongTokenTime = ServerLimits.wrongTokenTime
    var simulationState: SimulationState?
    var counters = HubCounters()

    var subscriptions: [InputSourceID: Subscription] = [:]
    var changes: [PendingChange] = []
    /// The number of the last requested change.
    var lastRequest = RequestID.none
    /// Callers that wait for the states of all controls, or for a word of the panel.
    private var stateRequests: [StateRequest] = []
    /// What is known of the panel's being alive.
    private var proof = PanelProof()
    /// Whether all states are known, apart from waiting updates.
    private(set) var isComplete = false
    private var isWatched = false
    /// Whether a request waits for an answer of the panel.
    private(set) var isAwaited = false

    /// Changes that were not sent yet.
    var pending = PendingBatch()
    var waves = PendingWaves()
    /// The next time at which events and states may be sent.
    var nextBatch = Instant.zero
    /// The next time at which the clock is sent even without a change.
    var nextClock = Instant.never

    /// Makes the hub of a panel.
    ///
    /// - Parameters:
    ///   - simulation: for a simulated panel.
    ///   - access: the tokens, one of which listeners must send.
    ///   - reload: asks for the panel file to be read again; must not wait.
    ///   - makeSession: makes a unique name for a session.
    ///   - resuming: the session and the numbers of requests to go on with.
    ///   - endPause: called when a request begins to wait for an answer of the panel. Drain without
    ///     a pause until `isAwaited` is false again.
    init(
        port: any PanelPort, simulation: (any SimulationControl)? = nil,
        access: AccessTokens = AccessTokens(), reload: (@Sendable () -> Bool)? = nil,
        makeSession: @escaping () -> String, resuming: PanelServer.Continuation? = nil,
        endPause: @escaping () -> Void = {}
    ) {
        self.port = port
        self.simulation = simulation
        plan = port.plan
        self.access = access
        self.reload = reload
        self.makeSession = makeSession
        self.endPause = endPause
        words = ControlStateJSON(plan: port.plan, isSimulated: simulation != nil)
        session = resuming?.session ?? makeSession()
        lastRequest.number = (resuming?.generation ?? 0) &* Self.requestsOfOne
        states = Array(repeating: nil, count: port.plan.controls.count)
        reasons = Array(repeating: .none, count: port.plan.controls.count)
        ends = Array(repeating: nil, count: port.plan.controls.count)
        chosen = Array(repeating: .unknown, count: port.plan.controls.count)
        figures = Array(repeating: ActionFigures(), count: port.plan.controls.count)
        simulationState = simulation?.state
    }

    /// Numbers of requests for each server of a session: an answer to an earlier one, which has
    /// ended, means nothing to this one.
    private static let requestsOfOne: UInt32 = 1 << 20

    /// The present moment on the panel's clock.
    func panelTime(_ now: Instant) -> Instant { simulation?.state.now ?? now }

    // MARK: Updates of the panel

    /// Handles the waiting updates of the panel, and sends what is due.
    func drain(now: Instant) {
        let dropped = port.updates.drain { receive($0, now: now) }
        if dropped > 0 { handleOverflow(dropped, now: now) }
        settle(now: now)
    }

    private func receive(_ timed: TimedUpdate, now: Instant) {
        waves.until = max(waves.until, timed.at)
        proof.heard(at: now)
        switch timed.update {
        case .report(let report, let number):
            receive(report, number: number, at: timed.at)
        case .state(let control, let state):
            guard states.indices.contains(Int(control.index)) else { return }
            // A question whether the panel is alive tells what is known.
            if isComplete, proof.isAsked, states[Int(control.index)] == state { return }
            let isDimmer = plan.settings.dimmer == control
            let dims = isDimmer && states[Int(control.index)]?.desired != state.desired
            states[Int(control.index)] = state
            pending.states.insert(control)
            if dims { pending.states.formUnion(plan.controlsWithLamps) }
        case .answer(let request, _, let answer):
            finishChange(request, answer)
        case .complete:
            // Who has stopped watching does not hear what changes from now on.
            isComplete = isWatched
            proof.answered()
        case .level(let line, let level):
            waves.points.append(.init(line: line, isContact: false, level: level, at: timed.at))
        case .contact(let line, let level):
            waves.points.append(.init(line: line, isContact: true, level: level, at: timed.at))
        case .simulation:
            takeSimulation(now: now)
        case .restarted:
            port.adoptNextPlan()
            restart(now: now)
        }
    }

    private func receive(_ report: Report, number: UInt64, at moment: Instant) {
        history.append(.init(number: number, report: report, at: moment))
        guard reasons.indices.contains(report.place) else { return }
        takeEnd(report, at: moment)
        if case .chosen(let item, _) = report.kind, plan[report.control].valueNames != .none {
            chosen[report.place] = item
            pending.states.insert(report.control)
        }
    }

    /// Takes what a report tells of the action of its control.
    private func takeEnd(_ report: Report, at moment: Instant) {
        let place = report.place
        guard case .phase(let phase, let reason) = report.kind else {
            let old = ends[place]
            ends[place]?.record(report.kind)
            if ends[place] != old { pending.states.insert(report.control) }
            return
        }
        reasons[place] = reason
        pending.states.insert(report.control)
        guard let result = figures[place].record(phase, reason, at: moment) else { return }
        switch plan[report.control].settings.nature.role {
        case .device, .events: ends[place] = ActionEnd(result: result, reason: reason, at: moment)
        case .group, .form, .mirror: break
        }
    }

    private func takeSimulation(now: Instant) {
        guard let simulation else { return }
        let latest = simulation.state
        let old = simulationState ?? SimulationState()
        simulationState = latest
        for place in latest.partPositions.indices
        where !old.partPositions.indices.contains(place)
            || old.partPositions[place] != latest.partPositions[place]
        {
            pending.states.insert(ControlID(UInt16(place)))
        }
        let isStepped = !latest.isRunning && old.now != latest.now
        if old.isRunning != latest.isRunning || old.rate != latest.rate || isStepped {
            pending.clock = true
        }
        if !old.isSameSimulation(as: latest) { pending.simulation = true }
    }

    /// The panel restarts: all state is new.
    private func restart(now: Instant) {
        session = makeSession()
        history = EventHistory()
        plan = port.plan
        words = ControlStateJSON(plan: plan, isSimulated: simulation != nil)
        states = plan.controls.map { _ in nil }
        reasons = plan.controls.map { _ in .none }
        ends = plan.controls.map { _ in nil }
        chosen = plan.controls.map { _ in .unknown }
        figures = plan.controls.map { _ in ActionFigures() }
        simulationState = simulation?.state
        proof = PanelProof()
        pending = PendingBatch()
        waves = PendingWaves()
        abandonChanges()
        for source in subscriptions.keys { subscriptions[source]?.traced = [] }
        traceAll()
        resnapshotAll(isLost: false, now: now)
    }

    /// Updates were dropped, and it is not known which.
    private func handleOverflow(_ count: Int, now: Instant) {
        counters.droppedUpdates += UInt64(count)
        waves.loseAll()
        // The update that told of another panel may be among them.
        port.adoptLatestPlan()
        if port.plan != plan { restart(now: now) }
        resnapshotAll(isLost: true, now: now)
    }

    /// Sends a snapshot to all listeners, once all states are known again.
    func resnapshotAll(isLost: Bool, now: Instant) {
        isComplete = false
        for source in subscriptions.keys where subscriptions[source]?.stage == .live {
            subscriptions[source]?.stage = .snapshot(isLost: isLost)
        }
        if isWatched { ask(now: now) }
    }

    /// Asks the panel for the states of all controls.
    private func ask(now: Instant) {
        proof.asked(at: now)
        port.updates.requestSnapshot()
    }

    // MARK: Known state

    /// The state of a control; null if it is not known.
    func stateJSON(_ control: ControlID) -> JSONValue {
        let place = Int(control.index)
        guard states.indices.contains(place), let state = states[place] else { return .null }
        let stands = simulationState?.partPositions ?? []
        return words.json(
            control, state, reason: reasons[place], end: ends[place], chosen: chosen[place],
            dimmer: dimmer,
            partPosition: stands.indices.contains(place) ? stands[place] : nil)
    }

    /// The dimmer, as a percentage of each lamp's brightness.
    private var dimmer: Int {
        guard let control = plan.settings.dimmer,
            let range = plan[control].settings.nature.range,
            let value = states[Int(control.index)]?.desired, value != .unknown,
            range.maximum > range.minimum
        else { return 100 }
        let span = Int(range.maximum) - Int(range.minimum)
        return min(100, max(0, (Int(value.raw) - Int(range.minimum)) * 100 / span))
    }

    /// Calls a function when the states of all controls are known, and the panel is known to be
    /// alive; with a problem if the panel does not answer within `RuntimeLimits.answerTime`.
    ///
    /// Callers share one question. While it is overdue they are answered at once.
    ///
    /// - Parameters:
    ///   - sharing: whether the states of the last question will do, if it was asked less than
    ///     `ServerLimits.sharedAnswer` ago.
    ///   - role: what the caller may do.
    ///   - source: the WebSocket that asks; nil for HTTP.
    func withStates(
        sharing: Bool = false, as role: AccessRole, for source: InputSourceID? = nil, now: Instant,
        _ body: @escaping (APIError?) -> Void
    ) {
        if isComplete ? proof.isFresh(at: now) : sharing && proof.isShared(at: now) {
            return body(nil)
        }
        guard !proof.isOverdue(at: now) else { return body(.hangs) }
        let own = source == nil ? 0 : stateRequests.count { $0.source == source }
        guard stateRequests.count < ServerLimits.places(ServerLimits.waitingRequests, for: role),
            own < ServerLimits.waitingPerConnection
        else { return body(.tooMuch) }
        stateRequests.append(
            StateRequest(
                source: source, until: now + RuntimeLimits.answerTime, finish: body))
        if isComplete, !proof.isAsked { ask(now: now) }
        updateWatching(now: now)
    }

    /// How many callers wait for the states.
    var waitingForStates: Int { stateRequests.count }

    /// Sends what is due, and answers the requests that waited for states.
    func settle(now: Instant) {
        endChanges(now: now)
        endStateRequests(now: now)
        flush(now: now)
        updateWatching(now: now)
    }

    private func endStateRequests(now: Instant) {
        guard !stateRequests.isEmpty else { return }
        if isComplete, proof.isFresh(at: now) {
            let requests = stateRequests
            stateRequests = []
            for request in requests { request.finish(nil) }
        } else if stateRequests.contains(where: { $0.until <= now }) {
            let over = stateRequests.filter { $0.until <= now }
            stateRequests.removeAll { $0.until <= now }
            for request in over { request.finish(.hangs) }
        }
    }

    /// Turns the updates of states on while there is a client, and off otherwise.
    ///
    /// They stay on while the panel owes an answer: callers that come meanwhile share it, and a
    /// panel that hangs is not asked again and again.
    func updateWatching(now: Instant) {
        noteAwaited()
        let wanted = isAwaited || !subscriptions.isEmpty || isWatched && proof.isAsked
        guard wanted != isWatched else { return }
        isWatched = wanted
        isComplete = false
        port.updates.setWatched(wanted)
        if wanted { ask(now: now) } else { forget() }
    }

    private func noteAwaited() {
        let wasAwaited = isAwaited
        isAwaited = !changes.isEmpty || !stateRequests.isEmpty
        if isAwaited, !wasAwaited { endPause() }
    }

    /// There is no client: discards what waits to be sent.
    private func forget() {
        pending = PendingBatch()
        waves = PendingWaves()
        nextClock = .never
    }

    /// When to call `settle` even if nothing happens.
    var deadline: Instant {
        var earliest = nextClock
        for change in changes { earliest = min(earliest, change.until) }
        for request in stateRequests { earliest = min(earliest, request.until) }
        for subscription in subscriptions.values {
            switch subscription.stage {
            case .token(let until), .wrongToken(let until, _): earliest = min(earliest, until)
            case .snapshot, .resumption, .live: break
            }
        }
        let isFollowed = subscriptions.values.contains { $0.stage == .live }
        if isFollowed, hasNews { earliest = min(earliest, nextBatch) }
        if isFollowed, waves.isWorthTelling { earliest = min(earliest, waves.next) }
        if isComplete, subscriptions.values.contains(where: \.isWaiting) {
            earliest = min(earliest, nextBatch)
        }
        return earliest
    }

    /// Whether there is something to send.
    var hasNews: Bool { !pending.isEmpty || pending.sent < history.last }
}

/// Counters of the server.
struct HubCounters: Equatable {
    var droppedUpdates: UInt64 = 0
    var messages: UInt64 = 0
    var requests: UInt64 = 0
    var refused: UInt64 = 0
    var lostListeners: UInt64 = 0
    var displaced: UInt64 = 0
}

extension Report {
    /// The index of its control.
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
    /// Whether the message `simulation` would be the same.
    fileprivate func isSameSimulation(as other: SimulationState) -> Bool {
        faults == other.faults && bounces == other.bounces && actions == other.actions
            && asked == other.asked && profiles == other.profiles
            && waitingGestures == other.waitingGestures
            && refusedGestures == other.refusedGestures && recordedSteps == other.recordedSteps
            && runsRealActions == other.runsRealActions
    }
}
