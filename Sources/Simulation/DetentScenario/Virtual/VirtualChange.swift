public import DetentCore
public import DetentTypes

/// A change that a trace shows.
public struct VirtualChange: Equatable, Sendable {
    /// What changed.
    public enum Kind: Equatable, Sendable {
        /// The panel starts: every lamp and output is inactive.
        case started
        /// The panel has ended: its state is unknown until it starts again.
        case ended
        /// The level of a line, after polarity: of an input before debounce, or of a driven lamp or
        /// output.
        case line(LineID, Level)
        /// The state of a control, including contacts after debounce; its `lamps` and `outputs` are
        /// not used.
        case control(ControlID, ControlSnapshot)
    }

    /// What changed.
    public var kind: Kind
    /// When it changed.
    public var at: Instant
}

extension VirtualChange {
    /// The level of a line in an event; nil for other events.
    init?(_ event: Event, at moment: Instant) {
        switch event {
        case .edge(let line, let level, _), .reading(let line, let level):
            self.init(kind: .line(line, level), at: moment)
        case _: return nil
        }
    }
}

/// Detects changes since the last call.
struct ChangeDetector {
    private var shown: [ControlSnapshot?]

    init(controls: Int) {
        shown = Array(repeating: nil, count: controls)
    }

    /// The changes from an event and its consequences.
    mutating func changes(
        by event: Event, at moment: Instant, snapshot: (ControlID) -> ControlSnapshot?
    ) -> [VirtualChange] {
        var changes = VirtualChange(event, at: moment).map { [$0] } ?? []
        for place in shown.indices {
            let control = ControlID(UInt16(place))
            guard var state = snapshot(control) else { continue }
            state.lamps = 0
            state.outputs = 0
            if state == shown[place] { continue }
            shown[place] = state
            changes.append(VirtualChange(kind: .control(control, state), at: moment))
        }
        return changes
    }
}
