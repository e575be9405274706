public import DetentPanel
public import DetentTypes

/// What the simulated devices of a panel report without being asked; reads no clock.
///
/// A device that has a value reports it when the panel starts and, where the control has
/// `stale-after`, twice in that time, until it falls silent. While the broker is away, the panel
/// notices it, and hears none of the devices behind it.
public struct FeedbackModel: Equatable, Sendable {
    private struct Device: Equatable {
        var control: ControlID
        /// The time between two reports; zero: only at the start.
        var period: TimeSpan
        var nextAt = Instant.never
        var isSilent = false
        /// Its reports come through the broker.
        var needsBroker: Bool
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

    /// Whether the panel can hear a device.
    public func hears(_ control: ControlID) -> Bool {
        !isBrokerAway || !devices.contains { $0.control == control && $0.needsBroker }
    }

    /// The panel starts: every device that is not silent reports at once.
    public mutating func begin(at now: Instant) {
        devices = devices.map { device in
            var device = device
            device.nextAt = device.isSilent && hears(device.control) ? .never : now
            return device
        }
    }

    /// The broker goes away, or comes back and has kept what the devices said last.
    public mutating func setBroker(isThere: Bool, at now: Instant) {
        guard isBrokerAway == isThere else { return }
        isBrokerAway = !isThere
        for place in devices.indices where devices[place].needsBroker {
            devices[place].nextAt = isThere && devices[place].isSilent ? .never : now
        }
    }

    /// The process has ended, and hears no device.
    public mutating func end() {
        devices = devices.map { device in
            var device = device
            device.nextAt = .never
            return device
        }
    }

    /// A device falls silent, or speaks again.
    public mutating func setSilent(_ control: ControlID, _ isSilent: Bool, at now: Instant) {
        guard let place = devices.firstIndex(where: { $0.control == control }) else { return }
        devices[place].isSilent = isSilent
        guard hears(control) else { return }
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
        let isHeard = hears(control)
        let period = devices[place].period
        devices[place].nextAt = period == .zero || !isHeard ? .never : soonest + period
        return (control, isHeard ? .report : .lost, soonest)
    }

    /// The devices of a panel that follows: one that is silent stays so.
    ///
    /// - Parameter place: the new place of a control; nil if it is gone.
    public func moved(
        to plan: PanelPlan, at now: Instant, _ place: (ControlID) -> ControlID?
    ) -> FeedbackModel {
        var model = FeedbackModel(plan)
        model.isBrokerAway = isBrokerAway
        model.begin(at: now)
        for device in devices where device.isSilent {
            if let control = place(device.control) { model.setSilent(control, true, at: now) }
        }
        return model
    }
}
