public import DetentPanel
public import DetentTypes

/// What the simulated devices of a panel report without being asked; reads no clock.
///
/// A device that has a value reports it when the panel starts and, where the control has
/// `stale-after`, twice in that time, until it falls silent.
public struct FeedbackModel: Equatable, Sendable {
    private struct Device: Equatable {
        var control: ControlID
        /// The time between two reports; zero: only at the start.
        var period: TimeSpan
        var nextAt = Instant.never
        var isSilent = false
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
                    period: TimeSpan(nanoseconds: plan.staleAfter(of: control).nanoseconds / 2)))
        }
        self.devices = devices
    }

    /// The next moment at which a device reports; `never` if none does.
    public private(set) var next = Instant.never

    /// The panel starts: every device that is not silent reports at once.
    public mutating func begin(at now: Instant) {
        devices = devices.map { device in
            var device = device
            device.nextAt = device.isSilent ? .never : now
            return device
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
        let period = devices[place].period
        devices[place].nextAt = isSilent || period == .zero ? .never : now + period
    }

    /// The first device that reports by `now`, and when.
    public mutating func takeDue(by now: Instant) -> (control: ControlID, at: Instant)? {
        let soonest = next
        guard soonest != .never, soonest <= now,
            let place = devices.firstIndex(where: { $0.nextAt == soonest })
        else { return nil }
        let period = devices[place].period
        devices[place].nextAt = period == .zero ? .never : soonest + period
        return (devices[place].control, soonest)
    }

    /// The devices of a panel that follows: one that is silent stays so.
    ///
    /// - Parameter place: the new place of a control; nil if it is gone.
    public func moved(
        to plan: PanelPlan, at now: Instant, _ place: (ControlID) -> ControlID?
    ) -> FeedbackModel {
        var model = FeedbackModel(plan)
        model.begin(at: now)
        for device in devices where device.isSilent {
            if let control = place(device.control) { model.setSilent(control, true, at: now) }
        }
        return model
    }
}
