public import DetentActions
import DetentPanel
import DetentPlatform
public import DetentRuntime
public import DetentTypes
public import DetentWall
import Synchronization

/// The panel's side of the connection to its broker: the runner of `mqtt` actions, and the place
/// where messages of the broker become reports of devices.
///
/// It looks up nothing and opens nothing: `MQTTProcess` does. Without a connection an action
/// fails at once, and nothing is kept for later.
public final class MQTTRunner: ActionRunner {
    fileprivate struct Attempt {
        var topic: String
        var tell: @Sendable (AttemptEvent) -> Void
        /// How its device confirms it; nil if the broker alone does.
        var confirmation: MQTTConfirmation?
        /// When the message was passed to the process; nil if it was not yet.
        var startedAt: Instant?
    }

    fileprivate struct State {
        var isUp = false
        /// Passes an order past the keeper of the process; nil without a process.
        var send: (@Sendable (PanelMessage) -> Bool)?
        /// Orders for the keeper.
        var orders: [MQTTRequest] = []
        /// Whether the keeper has taken one that it may not have sent.
        var isKeeperSending = false
        var attempts: [RunID: Attempt] = [:]
        var intake: FeedbackIntake?
        var board: MQTTBoard?
        var confirms: @Sendable (ActionCommand, [UInt8]) -> Bool = { _, _ in false }
        var ring: @Sendable () -> Void = {}
        /// Takes whether the broker is offline.
        var tellOffline: @Sendable (Bool, Instant) -> Void = { _, _ in }
    }

    private let state = Mutex(State())
    private let refuser: any ActionRunner
    private let secrets: SecretSource

    /// Makes an outlet without a connection.
    ///
    /// - Parameter refuser: ends attempts that are refused, on a thread of its own.
    public convenience init(refuser: any ActionRunner) {
        self.init(refuser: refuser, secrets: .system)
    }

    package init(refuser: any ActionRunner, secrets: SecretSource) {
        self.refuser = refuser
        self.secrets = secrets
    }

    /// Messages of the broker become reports there from now on.
    public func report(to intake: FeedbackIntake?) { state.withLock { $0.intake = intake } }

    /// `confirms` knows whether a message of a device says the value that an attempt asked for.
    public func confirm(with confirms: @escaping @Sendable (ActionCommand, [UInt8]) -> Bool) {
        state.withLock { $0.confirms = confirms }
    }

    /// Figures of the connection are shown there from now on.
    public func show(on board: MQTTBoard) { state.withLock { $0.board = board } }

    /// `tell` learns whether the broker is offline: now, and after each change, from any thread.
    public func observe(_ tell: @escaping @Sendable (_ isOffline: Bool, Instant) -> Void) {
        let isUp = state.withLock { state in
            state.tellOffline = tell
            return state.isUp
        }
        tell(!isUp, MonotonicClock.now)
    }

    // MARK: Actions

    /// Sends a message, or fails at once if there is no connection. Secrets are read now.
    ///
    /// The message goes to the process in this call, unless others wait or there is no room: then
    /// its keeper sends it.
    public func start(_ request: ActionRequest, tell: @escaping @Sendable (AttemptEvent) -> Void) {
        let message: MQTTPublication
        do throws(Refusal) {
            message = try publication(of: request)
        } catch {
            return end(request.run, .failed(.notStarted), error.text, tell)
        }
        let passed = state.withLock { state -> Passed? in
            guard state.isUp else { return nil }
            state.attempts[request.run] = Attempt(
                topic: message.topic, tell: tell, confirmation: MQTTConfirmation(of: request))
            return state.pass(.publish(message))
        }
        switch passed {
        case nil: end(request.run, .failed(.unreachable), Self.away, tell)
        case .sent(let moment): tell(.began(at: moment))
        case .waits(let ring): ring()
        }
    }

    /// What became of an order.
    fileprivate enum Passed {
        case sent(at: Instant)
        /// For the keeper, which is woken with this.
        case waits(@Sendable () -> Void)
    }

    private static let away = "the broker is not connected; nothing was sent"

    /// Why a message cannot be sent: cause and remedy, without any secret.
    private struct Refusal: Error {
        var text: String
    }

    private func publication(of request: ActionRequest) throws(Refusal) -> MQTTPublication {
        guard case .fields(let fields) = request.payload, let topic = fields.text("topic") else {
            throw Refusal(text: "this runner sends messages to a broker only")
        }
        // The words of values have replaced the placeholders.
        guard BrokerPlan.isTopic(topic) else {
            throw Refusal(
                text: "`\(topic)` is not a topic; rename the value, or write `words`")
        }
        var filling = SecretFilling(source: secrets)
        let payload: String
        do throws(SecretError) {
            payload = try filling.fill(fields.text("payload") ?? "")
        } catch {
            throw Refusal(text: "\(error.cause); \(error.remedy)")
        }
        guard payload.utf8.count <= MQTTLimits.publicationBytes else {
            throw Refusal(
                text: "the message is longer than \(MQTTLimits.publicationBytes) bytes; send less")
        }
        var message = MQTTPublication(
            number: request.run.number, topic: topic, payload: payload)
        if case .boolean(let isRetained)? = fields["retain"] { message.isRetained = isRetained }
        if case .integer(0)? = fields["qos"] { message.isFleeting = true }
        if case .duration(let span)? = fields["expire"] { message.expiry = span.wholeSeconds }
        return message
    }

    /// Drops a message that waits. The broker may have one that was sent already.
    public func cancel(_ run: RunID) {
        let found = state.withLock { state -> (Attempt, Passed?)? in
            guard let attempt = state.attempts.removeValue(forKey: run) else { return nil }
            guard attempt.startedAt == nil else {
                return (attempt, state.pass(.cancel(run.number)))
            }
            state.orders.removeAll { $0.number == run.number }
            return (attempt, nil)
        }
        guard let (attempt, passed) = found else { return }
        if case .waits(let ring) = passed { ring() }
        end(
            run, .cancelled,
            attempt.startedAt == nil
                ? "cancelled before it was sent"
                : attempt.confirmation?.missing
                    ?? "cancelled; the broker may have the message already", attempt.tell)
    }

    /// Ends all attempts at once.
    public func stop(within span: TimeSpan) -> Int {
        let left = state.withLock { state in
            state.end()
        }
        for (run, attempt) in left {
            attempt.tell(.ended(Self.result(run, .lost, "Detent ended", attempt.startedAt)))
        }
        return 0
    }

    /// Ends an attempt from another thread: the caller that starts or cancels one may hold a lock.
    private func end(
        _ run: RunID, _ outcome: ActionOutcome, _ explanation: String,
        _ tell: @escaping @Sendable (AttemptEvent) -> Void
    ) {
        refuser.start(ActionRequest(run: run, .refused(explanation))) { event in
            guard case .ended(var result) = event else { return }
            result.outcome = outcome
            tell(.ended(result))
        }
    }

    private static func result(
        _ run: RunID, _ outcome: ActionOutcome, _ explanation: String, _ startedAt: Instant?
    ) -> ActionResult {
        ActionResult(
            run: run, outcome: outcome, explanation: explanation, startedAt: startedAt,
            endedAt: MonotonicClock.now)
    }
}

extension MQTTRunner: ChildTask {
    /// Orders go past the keeper while there is room.
    package func begun(_ send: @escaping @Sendable (PanelMessage) -> Bool) {
        state.withLock { $0.send = send }
    }

    /// The next order for the process; the attempt has begun then.
    package func next() -> PanelMessage? {
        let taken = state.withLock { state -> (MQTTRequest, Attempt?)? in
            state.isKeeperSending = !state.orders.isEmpty
            guard state.isKeeperSending else { return nil }
            let order = state.orders.removeFirst()
            state.note(order, at: MonotonicClock.now)
            return (order, state.attempts[RunID(order.number)])
        }
        guard let (order, attempt) = taken else { return nil }
        if case .publish = order, let attempt, let moment = attempt.startedAt {
            attempt.tell(.began(at: moment))
        }
        return .order(order)
    }

    /// Takes what the process tells.
    package func receive(_ note: MQTTNote, of plan: PanelPlan) -> Bool {
        let now = MonotonicClock.now
        switch note {
        case .up:
            let tell = state.withLock { state in
                state.isUp = true
                return state.tellOffline
            }
            tell(false, now)
        case .down:
            endUnconfirmed(state.withLock { $0.goDown() })
            tellOffline(at: now)
            lose(plan.brokerSources, at: now)
        case .ended(let number, let ending): end(RunID(number), ending)
        case .heard(let place, let skipped, let report):
            let sources = plan.brokerSources
            guard sources.indices.contains(Int(place)) else { return false }
            let source = sources[Int(place)]
            intake?.receive(report, from: source, at: now, skipped: Int(skipped))
            if let topic = source.topic { hear(report, on: topic) }
        case .figures(let figures): state.withLock { $0.board }?.show(figures)
        case .lost(let place, let loss):
            let sources = plan.brokerSources
            guard sources.indices.contains(Int(place)) else { return false }
            let source = sources[Int(place)]
            let (cause, remedy) = Self.words(loss, source)
            intake?.lose(source, because: cause, remedy: remedy, at: now)
        }
        return true
    }

    /// The process has ended: what it was given may have been sent.
    package func ended(_ plan: PanelPlan, isRestarted: Bool) {
        let left = state.withLock { $0.end() }
        state.withLock { $0.board }?.showDisconnected()
        tellOffline(at: MonotonicClock.now)
        for (run, attempt) in left.sorted(by: { $0.key.number < $1.key.number }) {
            let (outcome, text): (ActionOutcome, String) =
                attempt.startedAt == nil
                ? (.failed(.unreachable), Self.away)
                : (.lost, "the connection to the broker ended before it acknowledged the message")
            attempt.tell(.ended(Self.result(run, outcome, text, attempt.startedAt)))
        }
        if !isRestarted { lose(plan.brokerSources, at: MonotonicClock.now) }
    }

    /// `ring` makes the keeper of the process ask for orders.
    package func wakes(with ring: @escaping @Sendable () -> Void) {
        state.withLock { $0.ring = ring }
    }

    /// The library ends the process where a packet breaks what it takes for granted.
    package var abortCause: String? {
        ": libmosquitto gave up on what the broker sent; look for a newer version of it"
    }

    private func tellOffline(at now: Instant) {
        let tell = state.withLock { $0.tellOffline }
        tell(true, now)
    }

    private var intake: FeedbackIntake? { state.withLock { $0.intake } }

    private func end(_ run: RunID, _ ending: MQTTNote.Ending) {
        // A cancel may have ended it meanwhile, and a wrong number is ignored.
        let attempt = state.withLock { state -> Attempt? in
            if ending == .taken, state.attempts[run]?.confirmation?.mustWait() == true {
                return nil
            }
            return state.attempts.removeValue(forKey: run)
        }
        guard let attempt else { return }
        let (outcome, text) = Self.words(ending, attempt.topic)
        attempt.tell(.ended(Self.result(run, outcome, text, attempt.startedAt)))
    }

    /// A device has said something: ends the attempts that it confirms.
    private func hear(_ report: [UInt8], on topic: String) {
        let confirmed = state.withLock { state -> [(RunID, Attempt)] in
            let runs = state.attempts.keys.filter { run in
                state.attempts[run]?.confirmation?.hear(report, on: topic, state.confirms) == true
            }
            return runs.sorted { $0.number < $1.number }.compactMap { run in
                state.attempts.removeValue(forKey: run).map { (run, $0) }
            }
        }
        for (run, attempt) in confirmed {
            attempt.tell(
                .ended(Self.result(run, .succeeded, "the device has it", attempt.startedAt)))
        }
    }

    /// The connection is over for attempts whose devices have not confirmed them.
    private func endUnconfirmed(_ left: [(RunID, Attempt)]) {
        for (run, attempt) in left {
            let text = "the connection to the broker ended before the device confirmed the message"
            attempt.tell(.ended(Self.result(run, .lost, text, attempt.startedAt)))
        }
    }

    private static func words(
        _ ending: MQTTNote.Ending, _ topic: String
    ) -> (ActionOutcome, String) {
        switch ending {
        case .taken: (.succeeded, "the broker has it")
        case .away: (.failed(.unreachable), away)
        case .broken:
            (.lost, "the connection to the broker ended before it acknowledged the message")
        case .refused(135):
            (
                .failed(.refused),
                "the broker does not allow the panel to write `\(topic)`; allow it there"
            )
        case .refused(MQTTPublisher.tooLarge):
            (
                .failed(.refused),
                "the message is larger than the broker allows; send less, or raise its limit "
                    + "(`max_packet_size`)"
            )
        case .refused(let code):
            (.failed(.refused), "the broker refused the message, with code \(code) of MQTT 5")
        }
    }

    private func lose(_ sources: [FeedbackSource], at now: Instant) {
        guard let intake else { return }
        for source in sources {
            intake.lose(
                source, because: "the broker is not connected",
                remedy: "the connection is tried again; see that the broker of `mqtt:` runs",
                at: now)
        }
    }

    private static func words(
        _ loss: MQTTNote.Loss, _ source: FeedbackSource
    ) -> (cause: String, remedy: String) {
        switch loss {
        case .offline:
            ("\(source.subject) is offline", "start that panel, and see that it is connected")
        case .tooLong:
            (
                "\(source.subject) had a message of more than \(ActionLimits.reportLine) bytes",
                "let the device send less, or name another topic"
            )
        case .forbidden:
            (
                "the broker does not allow the panel to read \(source.topic ?? "")",
                "allow it in the settings of the broker"
            )
        }
    }
}

extension MQTTRunner.State {
    /// Passes an order on: at once if it overtakes none and there is room, else with the keeper.
    fileprivate mutating func pass(_ order: MQTTRequest) -> MQTTRunner.Passed {
        let now = MonotonicClock.now
        guard orders.isEmpty, !isKeeperSending, let send, send(.order(order)) else {
            orders.append(order)
            return .waits(ring)
        }
        note(order, at: now)
        return .sent(at: now)
    }

    /// An order goes to the process now.
    fileprivate mutating func note(_ order: MQTTRequest, at now: Instant) {
        guard case .publish(let message) = order else { return }
        attempts[RunID(message.number)]?.startedAt = now
    }

    /// There is no connection any more.
    ///
    /// - Returns: the attempts that the broker has, and that no device will confirm.
    fileprivate mutating func goDown() -> [(RunID, MQTTRunner.Attempt)] {
        isUp = false
        let left = attempts.filter { $0.value.confirmation?.isTaken == true }
        for run in left.keys { attempts[run] = nil }
        return left.sorted { $0.key.number < $1.key.number }.map { ($0.key, $0.value) }
    }

    /// Forgets everything that belongs to the process.
    ///
    /// - Returns: the attempts that it leaves.
    fileprivate mutating func end() -> [RunID: MQTTRunner.Attempt] {
        defer {
            (attempts, orders, send) = ([:], [], nil)
            (isUp, isKeeperSending) = (false, false)
        }
        return attempts
    }
}

extension MQTTRequest {
    /// The number of the attempt.
    fileprivate var number: UInt32 {
        switch self {
        case .publish(let message): message.number
        case .cancel(let number): number
        }
    }
}

extension ActionKindID {
    /// Messages through the broker of the panel.
    public static let mqtt = ActionKindID("mqtt")
}
