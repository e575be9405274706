import DetentTypes

/// What a control shows, and what is known of its device.
struct ControlState: Equatable, BitwiseCopyable {
    enum Display: Equatable, BitwiseCopyable {
        case idle
        case pending(loadingAt: Instant)
        case loading
        /// The last attempt failed, for this reason.
        case failed(until: Instant, Reason)
    }

    /// The last accepted intent: the shown value.
    var desired: Value
    /// The last value that was confirmed, or unknown.
    var actual = Value.unknown
    /// The last value that was ever confirmed, even after `actual` became unknown.
    private(set) var confirmed = Value.unknown
    private(set) var display = Display.idle
    /// What `startup` gave. A failure leads back to it until a value is confirmed.
    var initial: Value
    /// Where the request for `desired` came from.
    var origin = Origin.startup

    init(initial: Value) {
        desired = initial
        self.initial = initial
    }

    var phase: Phase {
        switch display {
        case .idle: .idle
        case .pending: .pending
        case .loading: .loading
        case .failed: .failed
        }
    }

    /// Why the phase is `failed`; none in every other phase.
    var failure: Reason {
        switch display {
        case .failed(_, let reason): reason
        case .idle, .pending, .loading: .none
        }
    }

    /// Its panel is followed by another one: a failure names the control of that one.
    mutating func move(_ places: Engine.Places) {
        guard case .failed(let until, var reason) = display,
            case .failed(.valueUnknown(let control)) = reason.cause
        else { return }
        reason.cause = .failed(.valueUnknown(places.control(control) ?? ControlID(.max)))
        display = .failed(until: until, reason)
    }

    /// Whether an intent has been accepted that is not confirmed yet.
    var isIntentWaiting: Bool {
        switch display {
        case .pending, .loading: true
        case .idle, .failed: false
        }
    }

    /// When the display changes without an input.
    var deadline: Instant {
        switch display {
        case .idle, .loading: .never
        case .pending(let until), .failed(let until, _): until
        }
    }

    /// Sets the value at start without running anything; `isConfirmed` where no action could
    /// confirm it.
    mutating func start(_ value: Value, isConfirmed: Bool) {
        desired = value
        if isConfirmed { confirm(value) }
    }

    /// Takes over the values of the same control of the panel before.
    ///
    /// - Parameter isSettled: nothing was under way, so the device still has the confirmed value.
    mutating func continues(_ former: ControlState, isSettled: Bool) {
        desired = former.desired
        actual = isSettled ? former.actual : .unknown
        confirmed = former.confirmed
        initial = former.initial
        origin = former.origin
    }

    mutating func show(_ display: Display, _ changes: inout Changes) {
        let before = phase
        self.display = display
        if phase != before { changes.reports.insert(.phase) }
    }

    /// Shows that an attempt failed. A second failure is reported again.
    mutating func showFailure(until: Instant, _ changes: inout Changes) {
        show(.failed(until: until, changes.reason), &changes)
        changes.reports.insert(.phase)
    }

    /// The device has this value.
    mutating func confirm(_ value: Value) {
        actual = value
        confirmed = value
    }

    /// The device has this value; reported where that is new.
    mutating func recordActual(_ value: Value, _ changes: inout Changes) {
        if value != actual { changes.reports.insert(.confirmed) }
        confirm(value)
    }

    /// The shown value becomes the device's; nothing runs.
    mutating func adoptActual(_ changes: inout Changes) {
        if desired != actual { returnTo(actual, &changes) }
    }

    /// The shown value changes without a request.
    mutating func returnTo(_ value: Value, _ changes: inout Changes) {
        desired = value
        origin = .device
        changes.reports.insert(.value)
    }

    /// The time of what is displayed may be over. A failure that was shown while an attempt runs
    /// gives way to `loading`.
    mutating func deadlineReached(
        _ work: ControlWork.Load, at now: Instant, _ changes: inout Changes
    ) {
        switch display {
        case .pending(let until) where until <= now:
            show(.loading, &changes)
        case .failed(let until, _) where until <= now:
            switch work {
            case .idle: show(.idle, &changes)
            case .busy: show(.loading, &changes)
            }
        case .idle, .pending, .loading, .failed:
            break  // not due
        }
    }

    /// Takes over the state of other controls.
    mutating func mirror(_ aggregate: Aggregate) -> Changes {
        var changes = Changes()
        if aggregate.desired != desired { changes.reports.insert(.value) }
        if aggregate.actual != actual, aggregate.actual != .unknown {
            changes.reports.insert(.confirmed)
        }
        desired = aggregate.desired
        actual = aggregate.actual
        if actual != .unknown { confirmed = actual }
        guard aggregate.phase != phase else { return changes }
        changes.reason = aggregate.reason
        switch aggregate.phase {
        case .idle: show(.idle, &changes)
        case .pending: show(.pending(loadingAt: .never), &changes)
        case .loading: show(.loading, &changes)
        case .failed: show(.failed(until: .never, aggregate.reason), &changes)
        }
        return changes
    }
}
