import DetentPanel
import DetentScenario
import DetentTypes
import DetentWorld

extension PacedPanel {
    /// The current state of the simulation.
    func state() -> SimulationState {
        let outside = machine.outside
        var state = SimulationState()
        state.now = now
        state.isRunning = clock.isRunning
        state.rate = clock.rate
        for place in plan.lines.indices {
            let line = LineID(UInt16(place))
            if let fault = outside.fault(of: line) { state.faults[line] = fault }
        }
        state.bounces = bounces
        if programs == nil {
            state.actions = machine.scripts
        }
        state.partPositions = plan.controls.indices.map { place in
            let control = ControlID(UInt16(place))
            return SimulationState.PartPosition(
                position: outside.position(of: control),
                isCoverOpen: outside.isCoverOpen(of: control))
        }
        state.profiles =
            ["none", "typical"] + BounceCatalogue.builtIn.names.filter { $0 != "none" }
        state.waitingGestures = queue.count
        state.refusedGestures = queue.refused
        state.recordedSteps = session.saidSteps
        state.isRecording = session.end == nil
        state.runsRealActions = programs != nil
        return state
    }
}
