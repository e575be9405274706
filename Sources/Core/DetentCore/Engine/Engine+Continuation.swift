public import DetentTypes

/// A panel follows another one while it runs: its engine takes over what did not change.
extension Engine {
    /// Where controls and actions of the former panel are in this one.
    ///
    /// The buffers belong to the caller, and must last as long as this value is used.
    public struct Places {
        /// The place of a former index that is nowhere.
        public static var nowhere: UInt16 { .max }

        private let controls: UnsafeBufferPointer<UInt16>
        private let actions: UnsafeBufferPointer<UInt16>

        /// Takes the new places by former index, or `nowhere`.
        ///
        /// Only the actions of controls that continue with everything need a place.
        public init(
            controls: UnsafeBufferPointer<UInt16>, actions: UnsafeBufferPointer<UInt16>
        ) {
            self.controls = controls
            self.actions = actions
        }

        func control(_ former: ControlID) -> ControlID? {
            Self.index(former.index, in: controls).map { ControlID($0) }
        }

        func action(_ former: ActionID) -> ActionID? {
            Self.index(former.index, in: actions).map { ActionID($0) }
        }

        private static func index(
            _ former: UInt16, in places: UnsafeBufferPointer<UInt16>
        ) -> UInt16? {
            guard Int(former) < places.count, places[Int(former)] != nowhere else { return nil }
            return places[Int(former)]
        }
    }

    /// Takes the clock, the counters and the lamp test of the former panel's engine.
    ///
    /// Call it on a new engine, then `continueControl` for each control that continues, then pass
    /// the readings of all lines whose controls do not continue with everything, and the event
    /// `start`: it starts the other controls.
    public mutating func adopt(_ former: borrowing Engine) {
        now = former.now
        clock = former.clock
        lastRun = former.lastRun
        counters = former.counters
        lights.adopt(former.lights)
        isBrokerOffline = former.isBrokerOffline
    }

    /// Continues a control of the former panel.
    ///
    /// `everything` needs equal settings apart from indices, and as many lines of each use.
    ///
    /// - Throws: `noSuchControl` if either control does not exist.
    public mutating func continueControl(
        _ control: ControlID, as former: ControlID, of engine: borrowing Engine,
        _ continuity: Continuity, _ places: Places
    ) throws(EngineError) {
        let new = ControlIndex(control)
        let old = ControlIndex(former)
        guard controls.contains(new), engine.controls.contains(old) else { throw .noSuchControl }
        if continuity == .everything {
            controls[new] = engine.controls[old]
            controls[new].work.move(places)
            controls[new].state.move(places)
            continueLines(of: new, as: old, of: engine)
            continueRelations(of: new, as: old, of: engine, places)
        } else {
            continueParts(of: new, as: engine.controls[old], continuity)
        }
        controls[new].continuity = continuity
    }

    private mutating func continueLines(
        of control: ControlIndex, as former: ControlIndex, of engine: borrowing Engine
    ) {
        let new = settings[control]
        let old = engine.settings[former]
        continueLines(new.contacts, as: old.contacts, control, engine)
        continueLines(new.indicator.lines, as: old.indicator.lines, control, engine)
        continueLines(new.outputs, as: old.outputs, control, engine)
        continueLines(new.stepOutputs, as: old.stepOutputs, control, engine)
        continueLines(new.feedbackLines, as: old.feedbackLines, control, engine)
    }

    private mutating func continueLines(
        _ range: PlanRange, as former: PlanRange, _ control: ControlIndex,
        _ engine: borrowing Engine
    ) {
        for offset in 0..<min(range.count, former.count) {
            let line = LineIndex(range.first &+ offset)
            lines[line] = engine.lines[LineIndex(former.first &+ offset)]
            lines[line].control = control.id.index
            updateDeadline(of: .line(line))
        }
    }

    private mutating func continueRelations(
        of control: ControlIndex, as former: ControlIndex, of engine: borrowing Engine,
        _ places: Places
    ) {
        guard let new = relationIndex(control), let old = engine.relationIndex(former) else {
            return
        }
        relations[new] = engine.relations[old]
        relations[new].control = control.id.index
        relations[new].isDirty = false  // the start marks all relations
        relations[new].sequence.move(
            by: SequenceMove(
                steps: firstStep(of: control) &- engine.firstStep(of: former),
                lines: settings[control].stepOutputs.first
                    &- engine.settings[former].stepOutputs.first,
                root: root(of: engine.relations[old].sequence, engine, places) ?? new),
            places)
    }

    /// The place of the first step that the control's actions have.
    private func firstStep(of control: ControlIndex) -> UInt16 {
        for index in settings[control].actions.indices {
            let steps = actions[ActionID(UInt16(truncatingIfNeeded: index))].steps
            if !steps.isEmpty { return steps.first }
        }
        return 0
    }

    /// The relations that a sequence of the former panel counts its requests with.
    private func root(
        of sequence: ActionSequence, _ engine: borrowing Engine, _ places: Places
    ) -> RelationIndex? {
        guard engine.relations.contains(sequence.root) else { return nil }
        let former = ControlID(engine.relations[sequence.root].control)
        guard let control = places.control(former), controls.contains(ControlIndex(control)) else {
            return nil
        }
        return relationIndex(ControlIndex(control))
    }

    private mutating func continueParts(
        of control: ControlIndex, as former: Control, _ continuity: Continuity
    ) {
        let nature = controls[control].nature
        // What others make of a control is no value that it could be asked for, such as mixed.
        if continuity.contains(.value), nature.isDerived || nature.accepts(former.state.desired) {
            controls[control].state.continues(former.state, isSettled: former.work.load == .idle)
            controls[control].work.continues(former.work)
            controls[control].lost = former.lost
        }
        if continuity.contains(.lamps) { controls[control].litLamps = former.litLamps }
        if continuity.contains(.outputs) {
            controls[control].interlock = former.interlock
            controls[control].outputStrength = former.outputStrength
        }
    }

    /// Starts a control that continues: what it shows and drives follows from what it took over.
    mutating func resume(_ control: ControlIndex, _ emit: Emit) {
        if controls[control].continuity != .everything,
            lookup(control).action(for: controls[control].state.desired) == nil,
            !settings[control].isReported
        {
            // No action could confirm it.
            controls[control].state.start(controls[control].state.desired, isConfirmed: true)
        }
        refresh(control, emit)
    }
}
