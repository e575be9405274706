public import DetentPanel
public import DetentTypes

/// What the simulated devices of a panel report without being asked; reads no clock.
///
/// A device that has a value reports it when the panel starts and, where the control has
/// `stale-after`, twice in that time, until it falls silent. While the broker or a wire is away,
/// the panel notices it, and hears none of the devices behind it; each reports when it is back.
public struct FeedbackModel: Equatable, Sendable {
    private struct Device: Equatable {
        var control: ControlID
        /// The time between two reports; zero: only at the start.
        var period: TimeSpan
        var nextAt = Instant.never
        var isSilent = false
        /// Its reports come through the broker.
        var needsBroker: Bool
        /// When what its reports come through is there again; `never` while that is not known.
        var heardFrom = Instant.zero

        /// Reports at once, or when it is heard again. Until then its value is in doubt at once, or
        /// with `stale-after` when that time is over.
        mutating func begin(at now: Instant) {
            let isLost = heardFrom > now && period == .zero
            nextAt = isLost ? now : isSilent ? .never : max(now, heardFrom)
        }
    }

    /// What the panel hears of a device.
    public enum Word: Equatable, Sendable {
        /// The device reports its value.
        case report
        /// What reports the value is gone.
        case lost
    }

    private var devices: [Device] = [] {
        didSet { next = devices.reduce(.never) { min($0, $1.nextAt) } }
    }

    /// The devices of a panel; none reports before `begin`.
    public init(_ plan: PanelPlan) {
        var devices: [Device] = []
        for (place, control) in plan.controls.enumerated() {
            guard let feedback = control.feedback else { continue }
            // The level of a line is no report: it is moved as other lines are.
            if case .line = feedback.source { continue }
            devices.append(
                Device(
                    control: ControlID(UInt16(clamping: place)),
                    period: TimeSpan(nanoseconds: plan.staleAfter(of: control).nanoseconds / 2),
                    needsBroker: feedback.source.topic != nil))
        }
        self.devices = devices
    }

    /// The next moment at which a device reports; `never` if none does.
    public private(set) var next = Instant.never

    /// Whether the broker is away.
    public private(set) var isBrokerAway = false

    /// Whether the panel can hear a device at a moment.
    public func hears(_ control: ControlID, at moment: Instant) -> Bool {
        !devices.contains { $0.control == control && $0.heardFrom > moment }
    }

    /// The panel starts: every device that is not silent reports at once.
    public mutating func begin(at now: Instant) {
        for place in devices.indices { devices[place].begin(at: now) }
    }

    /// The broker goes away, or comes back and has kept what the devices said last.
    public mutating func setBroker(isThere: Bool, at now: Instant) {
        guard isBrokerAway == isThere else { return }
        isBrokerAway = !isThere
        for place in devices.indices where devices[place].needsBroker {
            devices[place].heardFrom = isThere ? .zero : .never
            devices[place].begin(at: now)
        }
    }

    /// A wire is gone, and the panel opens it again at `moment`; or it is open, if that is now.
    ///
    /// - Parameter isBehind: whether a control hears its device over this wire.
    public mutating func setWire(
        openFrom moment: Instant, at now: Instant, _ isBehind: (ControlID) -> Bool
    ) {
        for place in devices.indices where isBehind(devices[place].control) {
            if moment <= now, devices[place].heardFrom <= now { continue }
            devices[place].heardFrom = moment
            devices[place].begin(at: now)
        }
    }

    /// The process has ended, and hears no device.
    public mutating func end() {
        for place in devices.indices {
            devices[place].nextAt = .never
            if !devices[place].needsBroker { devices[place].heardFrom = .zero }
        }
    }

    /// A device falls silent, or speaks again.
    public mutating func setSilent(_ control: ControlID, _ isSilent: Bool, at now: Instant) {
        guard let place = devices.firstIndex(where: { $0.control == control }) else { return }
        devices[place].isSilent = isSilent
        if devices[place].heardFrom > now {
            // The panel has yet to notice that it hears nothing.
            if devices[place].nextAt <= now { return }
            return devices[place].nextAt = isSilent ? .never : devices[place].heardFrom
        }
        let period = devices[place].period
        devices[place].nextAt = isSilent || period == .zero ? .never : now + period
    }

    /// The first device of which the panel hears by `now`, and when.
    public mutating func takeDue(
        by now: Instant
    ) -> (control: ControlID, word: Word, at: Instant)? {
        let soonest = next
        guard soonest != .never, soonest <= now,
            let place = devices.firstIndex(where: { $0.nextAt == soonest })
        else { return nil }
        let control = devices[place].control
        let (isHeard, period) = (hears(control, at: soonest), devices[place].period)
        if !isHeard {
            devices[place].nextAt = devices[place].isSilent ? .never : devices[place].heardFrom
        } else {
            devices[place].nextAt = period == .zero ? .never : soonest + period
        }
        return (control, isHeard ? .report : .lost, soonest)
    }

    /// The devices of a panel that follows: one that is silent stays so.
    ///
    /// - Parameter place: the new place of a control; nil if it is gone.
    public func moved(
        to plan: PanelPlan, at now: Instant, _ place: (ControlID) -> ControlID?
    ) -> FeedbackModel {
        var model = FeedbackModel(plan)
        if isBrokerAway { model.setBroker(isThere: false, at: now) }
        for former in devices {
            guard let control = place(former.control),
                let new = model.devices.firstIndex(where: { $0.control == control })
            else { continue }
            model.devices[new].isSilent = former.isSilent
            if former.needsBroker || model.devices[new].needsBroker { continue }
            model.devices[new].heardFrom = former.heardFrom
        }
        model.begin(at: now)
        return model
    }
}
