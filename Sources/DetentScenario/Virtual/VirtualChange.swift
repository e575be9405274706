public import DetentCore
public import DetentTypes

/// One thing that a trace shows.
public struct VirtualChange: Equatable, Sendable {
    /// What changed.
    public enum Kind: Equatable, Sendable {
        /// The panel starts: every lamp and output is inactive.
        case started
        /// The panel has ended: nobody knows anything until it starts again.
        case ended
        /// The level of a line, after polarity: an input's before debounce, or what a lamp or an
        /// output was driven to.
        case line(LineID, Level)
        /// The state of a control, contacts after debounce included; its `lamps` and `outputs` do
        /// not matter here.
        case control(ControlID, ControlSnapshot)
    }

    /// What changed.
    public var kind: Kind
    /// When it changed.
    public var at: Instant
}

extension VirtualChange {
    /// The level that an event tells of a line; nil for any other event.
    init?(_ event: Event, at moment: Instant) {
        switch event {
        case .edge(let line, let level, _), .reading(let line, let level):
            self.init(kind: .line(line, level), at: moment)
        case _: return nil
        }
    }
}

/// Notices what changed since it last looked.
struct ChangeWatch {
    private var shown: [ControlSnapshot?]

    init(controls: Int) {
        shown = Array(repeating: nil, count: controls)
    }

    /// What an event and all that followed from it have changed.
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
