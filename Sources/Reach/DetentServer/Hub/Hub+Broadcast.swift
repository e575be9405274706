import DetentPanel
import DetentRuntime
import DetentTypes
import DetentWorld

/// Sends updates to listeners.
extension Hub {
    // MARK: Connecting

    /// Adds a listener.
    ///
    /// - Parameter caller: who it is; nil if it has yet to send a token, if one is required.
    func attach(
        _ listener: any Listener, as source: InputSourceID, resuming resumption: Resumption? = nil,
        caller: Caller? = nil, now: Instant
    ) {
        let caller = caller ?? access.caller(of: nil)
        let stage =
            caller == nil
            ? .token(until: now + ServerLimits.tokenTime) : Self.firstStage(resumption)
        subscriptions[source] = Subscription(
            listener: listener, source: source, stage: stage, caller: caller ?? Caller(role: .view),
            resumption: resumption)
        settle(now: now)
    }

    /// Whether one more WebSocket of a role may receive events. WebSockets without their token do
    /// not count: their connections are limited like those of strangers.
    func hasRoomForListener(_ role: AccessRole) -> Bool {
        subscriptions.keys.count(where: isListening)
            < ServerLimits.places(ServerLimits.webSockets, for: role)
    }

    /// Whether a WebSocket may receive events: it is open and has sent its token.
    func isListening(_ source: InputSourceID) -> Bool {
        switch subscriptions[source]?.stage {
        case .token, .wrongToken, nil: false
        case .snapshot, .resumption, .live: true
        }
    }

    static func firstStage(_ resumption: Resumption?) -> Subscription.Stage {
        resumption.map(Subscription.Stage.resumption) ?? .snapshot(isLost: false)
    }

    /// Removes a listener and releases the inputs that it holds.
    func detach(_ source: InputSourceID, now: Instant) {
        guard let subscription = subscriptions.removeValue(forKey: source) else { return }
        if !subscription.traced.isEmpty { traceAll() }
        simulation?.releaseAll(source)
        settle(now: now)
    }

    /// All data for a listener has been sent.
    func drained(_ source: InputSourceID, now: Instant) {
        if case .snapshot = subscriptions[source]?.stage { settle(now: now) }
    }

    /// Traces the lines that any listener needs.
    func traceAll() {
        var lines: [LineID] = []
        for subscription in subscriptions.values {
            for line in subscription.traced where !lines.contains(line) { lines.append(line) }
        }
        port.updates.trace(lines.sorted())
    }

    // MARK: Sending

    /// Sends what is due at `now`.
    func flush(now: Instant) {
        closeUnauthorized(now: now)
        let isWanted = isComplete && subscriptions.values.contains { $0.isWaiting }
        if isWanted || (now >= nextBatch && hasNews) { sendBatch(now: now) }
        if isWanted { sendSnapshots(now: now) }
        if waves.isWorthTelling, now >= waves.next { sendWaves(now: now) }
        tellClock(now: now)
    }

    private func closeUnauthorized(now: Instant) {
        for subscription in subscriptions.values {
            switch subscription.stage {
            case .token(let until) where until <= now: reject(subscription)
            case .wrongToken(let until, let answer) where until <= now:
                send(answer, subscription)
                reject(subscription)
            case .token, .wrongToken, .snapshot, .resumption, .live: continue
            }
        }
    }

    /// Closes a connection that may not receive events. Nothing more is sent to it.
    func reject(_ subscription: Subscription, _ cause: ListenerEnd = .unauthorized) {
        subscriptions[subscription.source]?.stage = .token(until: .never)
        subscription.listener.close(cause)
    }

    private func sendBatch(now: Instant) {
        nextBatch = now + RuntimeLimits.eventsEvery
        let live = subscriptions.values.filter { $0.stage == .live }.map(\.source).sorted()
        defer { pending.clear(upTo: history.last) }
        guard !live.isEmpty else { return }
        if history.last > pending.sent {
            guard let events = history.entries(after: pending.sent) else {
                return resnapshotAll(isLost: true, now: now)
            }
            send(eventsMessage(events), live)
        }
        if !pending.states.isEmpty {
            send(stateMessage(pending.states.sorted(), now: now), live)
        }
        if pending.clock { send(clockMessage(now: now), live) }
        if pending.simulation { send(simulationMessage(), live) }
    }

    /// Sends the snapshot, or the missed events, to listeners that wait for them.
    private func sendSnapshots(now: Instant) {
        var snapshots: [[String]: String] = [:]
        for source in subscriptions.keys.sorted() {
            guard let subscription = subscriptions[source], subscription.isWaiting else { continue }
            // Sending can call this function again, so the stage is set first.
            subscriptions[source]?.stage = .live
            switch subscription.stage {
            case .token, .wrongToken, .live: continue
            case .resumption(let resumption):
                if resume(subscription, resumption, now: now) { break }
                fallthrough
            case .snapshot:
                let isLost = subscription.stage == .snapshot(isLost: true)
                let (role, key) = (subscription.role, [subscription.role.word, "\(isLost)"])
                let text =
                    snapshots[key] ?? snapshotMessage(role, isLost: isLost, now: now).line
                snapshots[key] = text
                subscription.listener.send(text)
            }
        }
        if simulationState.map({ $0.isRunning && $0.rate != 1_000 }) == true, nextClock == .never {
            nextClock = now + ServerLimits.clockEvery
        }
    }

    /// Sends the events that a listener missed; false if they are no longer stored.
    private func resume(
        _ subscription: Subscription, _ resumption: Resumption, now: Instant
    ) -> Bool {
        guard resumption.session == session,
            let events = history.entries(after: resumption.since)
        else { return false }
        let text = events.isEmpty ? "" : eventsMessage(events).line
        guard text.utf8.count < ServerLimits.backlogBytes else { return false }
        if !events.isEmpty { subscription.listener.send(text) }
        subscription.listener.send(stateMessage(plan.allControls, now: now).line)
        if simulation != nil {
            subscription.listener.send(clockMessage(now: now).line)
            subscription.listener.send(simulationMessage().line)
        }
        return true
    }

    /// Sends one message to several listeners. A listener that is too slow gets a snapshot later.
    private func send(_ message: JSONValue, _ sources: [InputSourceID]) {
        let text = message.line
        for source in sources { send(text, source) }
    }

    private func send(_ text: String, _ source: InputSourceID) {
        guard let subscription = subscriptions[source], subscription.stage == .live else { return }
        if subscription.listener.backlog + text.utf8.count > ServerLimits.backlogBytes {
            counters.lostListeners += 1
            subscriptions[source]?.stage = .snapshot(isLost: true)
            // A message that is too large on its own does not wait.
            return
        }
        subscription.listener.send(text)
    }

    private func sendWaves(now: Instant) {
        waves.next = now + ServerLimits.wavesEvery
        for subscription in subscriptions.values.sorted(by: { $0.source < $1.source })
        where subscription.stage == .live && !subscription.traced.isEmpty {
            let lines = Set(subscription.traced)
            let points = waves.points.filter { lines.contains($0.line) }
            guard !points.isEmpty else { continue }
            let message = wavesMessage(points, subscription.traced)
            send(message.line, subscription.source)
        }
        waves.points.removeAll(keepingCapacity: true)
        waves.isGap = false
    }

    private func tellClock(now: Instant) {
        guard let clock = simulationState, clock.isRunning, clock.rate != 1_000,
            subscriptions.values.contains(where: { $0.stage == .live })
        else {
            nextClock = .never
            return
        }
        guard nextClock != .never else {
            nextClock = now + ServerLimits.clockEvery
            return
        }
        guard now >= nextClock else { return }
        nextClock = now + ServerLimits.clockEvery
        let live = subscriptions.values.filter { $0.stage == .live }.map(\.source).sorted()
        send(clockMessage(now: now), live)
    }
}

extension Subscription {
    /// Whether it waits for a snapshot and can take one.
    var isWaiting: Bool {
        switch stage {
        case .token, .wrongToken, .live: false
        case .snapshot, .resumption: listener.backlog == 0
        }
    }
}
