public import DetentCore
public import DetentTypes

/// What a display needs to know of one control; it follows from the control's reports.
public struct DisplayFacts: Equatable, Sendable {
    /// The shown value.
    public var value: Value
    /// What its form would set; unknown: nothing.
    public var staged = Value.unknown
    /// The option or item in focus; unknown while nothing is open.
    public var focus = Value.unknown
    /// The last item that was chosen, which a phase is about.
    public var chosen = Value.unknown
    /// How far its value is.
    public var phase = Phase.idle
    /// How far a confirmation is, in percent; 0: none is under way.
    public var progress = 0
    /// What else is known.
    public var flags: Flag = []

    /// Facts of a control of which nothing was reported yet.
    public init(_ kind: ControlNature) {
        value = kind.rest
    }

    /// The facts of a known state.
    ///
    /// - Parameter chosen: the last chosen item, which is not part of the state.
    public init(_ state: ControlSnapshot, chosen: Value) {
        value = state.desired
        staged = state.staged
        focus = state.focus
        phase = state.phase
        progress = Self.open(Int(state.progress) * 10)
        flags = state.flags
        self.chosen = chosen
    }

    /// Whether it says something that must not be replaced by another control.
    public var isBusy: Bool {
        switch phase {
        case .pending, .loading: true
        case .idle, .failed: focus != .unknown || progress > 0
        }
    }

    /// A confirmation that is complete is over, also while the button is still held. The state does
    /// not tell a hold that has just begun from its first tenth, so both are no progress yet.
    private static func open(_ percent: Int) -> Int {
        percent == 100 || percent == 10 ? 0 : percent
    }

    /// Follows a report of the control.
    public mutating func record(_ kind: Report.Kind) {
        switch kind {
        case .changed(let value, _): self.value = value
        case .staged(let value): staged = value
        case .focused(let item): focus = item
        case .closed:
            focus = .unknown
            progress = 0
        case .chosen(let item, _): chosen = item
        case .phase(let phase, _): self.phase = phase
        case .armed: progress = 50
        case .progress(let percent): progress = Self.open(Int(percent))
        case .flag(let flag, let isSet):
            if isSet { flags.insert(flag) } else { flags.remove(flag) }
        case .fault(.line): flags.insert(.fault)
        case .fault(.none): flags.remove(.fault)
        default: break
        }
    }
}

/// What a report asks of a display that shows several controls.
enum DisplayCall: Equatable {
    /// Someone touches the control, so the display turns to it.
    case touch
    /// Something happened to it; the display turns to it unless the present one is busy.
    case news
    case none
}

extension Report.Kind {
    var displayCall: DisplayCall {
        switch self {
        case .pressed, .buttonPressed, .stepped, .moved, .held, .opened, .focused: .touch
        case .changed(_, let origin), .refused(_, let origin), .chosen(_, let origin):
            switch origin.place {
            case .panel: .touch
            case .startup: .none
            case .web, .api, .mqtt, .control, .device: .news
            }
        case .phase(.failed, _), .staged: .news
        default: .none
        }
    }
}
