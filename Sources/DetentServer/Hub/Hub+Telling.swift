import DetentCore
import DetentPanel
import DetentRuntime
import DetentTypes
import DetentWorld

/// Sends updates to listeners.
extension Hub {
    // // MARK: Connecting

    /// Adds a listener.
    ///
    /// - Parameter isKnown: whether it has sent the token, if one is required.
    func attach(
        _ listener: any Listener, as source: InputSourceID, resuming resumption: Resumption? = nil,
        isKnown: Bool = false, now: Instant
    ) {
        var stage = Self.firstStage(resumption)
        if accessToken != nil, !isKnown { stage = .token(until: now + ServerLimits.tokenTime) }
        followings[source] = Following(
            listener: listener, source: source, stage: stage, resumption: resumption)
        settle(now: now)
    }

    /// Whether one more WebSocket may receive events. WebSockets without their token do not count:
    /// their connections are limited like those of strangers.
    var hasRoomForListener: Bool {
        followings.keys.count(where: isListening) < ServerLimits.webSockets
    }

    /// Whether a WebSocket may receive events: it is open and has sent its token.
    func isListening(_ source: InputSourceID) -> Bool {
        switch followings[source]?.stage {
        case .token, nil: false
        case .snapshot, .resumption, .live: true
        }
    }

    static func firstStage(_ resumption: Resumption?) -> Following.Stage {
        resumption.map(Following.Stage.resumption) ?? .snapshot(isLost: false)
    }

    /// Removes a listener and releases the inputs that it holds.
    func detach(_ source: InputSourceID, now: Instant) {
        guard let following = followings.removeValue(forKey: source) else { return }
        if !following.traced.isEmpty { traceAll() }
        simulation?.releaseAll(source)
        settle(now: now)
    }

    /// All data for a listener has been sent.
    func drained(_ source: InputSourceID, now: Instant) {
        if case .snapshot = followings[source]?.stage { settle(now: now) }
    }

    /// Traces the lines that any listener needs.
    func traceAll() {
        var lines: [LineID] = []
        for following in followings.values {
            for line in following.traced where !lines.contains(line) { lines.append(line) }
        }
        port.updates.trace(lines.sorted())
    }

    // MARK: Sending

    /// Sends what is due at `now`.
    func flush(now: Instant) {
        closeUnauthorized(now: now)
        let isWanted = isComplete && followings.values.contains { $0.isWaiting }
        if isWanted || (now >= nextBatch && hasNews) { sendBatch(now: now) }
        if isWanted { welcome(now: now) }
        if waves.isWorthTelling, now >= waves.next { sendWaves(now: now) }
        tellClock(now: now)
    }

    private func closeUnauthorized(now: Instant) {
        for following in followings.values {
            guard case .token(let until) = following.stage, until <= now else { continue }
            sendAway(following)
        }
    }

    /// Closes a connection that may not receive events. Nothing more is sent to it.
    func sendAway(_ following: Following, _ cause: ListenerEnd = .unauthorized) {
        followings[following.source]?.stage = .token(until: .never)
        following.listener.close(cause)
    }

    private func sendBatch(now: Instant) {
        nextBatch = now + ServerLimits.eventsEvery
        let live = followings.values.filter { $0.stage == .live }.map(\.source).sorted()
        defer { pending.clear(upTo: history.last) }
        guard !live.isEmpty else { return }
        if history.last > pending.sent {
            guard let events = history.entries(after: pending.sent) else {
                return retell(isLost: true)
            }
            tell(eventsMessage(events), live)
        }
        if !pending.states.isEmpty {
            tell(stateMessage(pending.states.sorted(), now: now), live)
        }
        if pending.clock { tell(clockMessage(now: now), live) }
        if pending.simulation { tell(simulationMessage(), live) }
    }

    /// Sends the snapshot, or the missed events, to listeners that wait for them.
    private func welcome(now: Instant) {
        var snapshots: [Bool: String] = [:]
        for source in followings.keys.sorted() {
            guard let following = followings[source], following.isWaiting else { continue }
            // Sending can call this function again, so the stage is set first.
            followings[source]?.stage = .live
            switch following.stage {
            case .token, .live: continue
            case .resumption(let resumption):
                if resume(following, resumption, now: now) { break }
                fallthrough
            case .snapshot:
                let isLost = following.stage == .snapshot(isLost: true)
                let text = snapshots[isLost] ?? snapshotMessage(isLost: isLost, now: now).line
                snapshots[isLost] = text
                following.listener.send(text)
            }
        }
        if deskState.map({ $0.isRunning && $0.rate != 1_000 }) == true, nextClock == .never {
            nextClock = now + ServerLimits.clockEvery
        }
    }

    /// Sends the events that a listener missed; false if they are no longer stored.
    private func resume(
        _ following: Following, _ resumption: Resumption, now: Instant
    ) -> Bool {
        guard resumption.session == session,
            let events = history.entries(after: resumption.since)
        else { return false }
        let text = events.isEmpty ? "" : eventsMessage(events).line
        guard text.utf8.count < ServerLimits.backlogBytes else { return false }
        if !events.isEmpty { following.listener.send(text) }
        following.listener.send(stateMessage(plan.allControls, now: now).line)
        if simulation != nil {
            following.listener.send(clockMessage(now: now).line)
            following.listener.send(simulationMessage().line)
        }
        return true
    }

    /// Sends one message to several listeners. A listener that is too slow gets a snapshot later.
    private func tell(_ message: JSONValue, _ sources: [InputSourceID]) {
        let text = message.line
        for source in sources { tell(text, source) }
    }

    private func tell(_ text: String, _ source: InputSourceID) {
        guard let following = followings[source], following.stage == .live else { return }
        if following.listener.backlog + text.utf8.count > ServerLimits.backlogBytes {
            counters.lostListeners += 1
            followings[source]?.stage = .snapshot(isLost: true)
            // A message that is too large on its own does not wait.
            return
        }
        following.listener.send(text)
    }

    private func sendWaves(now: Instant) {
        waves.next = now + ServerLimits.wavesEvery
        for following in followings.values.sorted(by: { $0.source < $1.source })
        where following.stage == .live && !following.traced.isEmpty {
            let lines = Set(following.traced)
            let points = waves.points.filter { lines.contains($0.line) }
            guard !points.isEmpty else { continue }
            let message = wavesMessage(points, following.traced)
            tell(message.line, following.source)
        }
        waves.points.removeAll(keepingCapacity: true)
        waves.isGap = false
    }

    private func tellClock(now: Instant) {
        guard let clock = deskState, clock.isRunning, clock.rate != 1_000,
            followings.values.contains(where: { $0.stage == .live })
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
        let live = followings.values.filter { $0.stage == .live }.map(\.source).sorted()
        tell(clockMessage(now: now), live)
    }
}

extension Following {
    /// Whether it waits for a snapshot and can take one.
    var isWaiting: Bool {
        switch stage {
        case .token, .live: false
        case .snapshot, .resumption: listener.backlog == 0
        }
    }
}

extension PanelPlan {
    /// Every control of the panel.
    var allControls: [ControlID] { controls.indices.map { ControlID(UInt16($0)) } }
}
