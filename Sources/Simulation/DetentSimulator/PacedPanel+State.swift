import DetentActions
import DetentCore
import DetentPanel
import DetentRuntime
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
        state.firstBounce = start.bounce.name
        state.bounces = bounces
        if programs == nil {
            state.actions = machine.scripts
        }
        state.asked = asked
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

    /// What the latest attempt of each control asks for.
    private var asked: [ControlID: String] {
        let attempts = machine.attempts
        guard !attempts.isEmpty else { return [:] }
        let actions = PanelActions(plan)
        return attempts.mapValues { it in
            actions.text(
                of: ActionCommand(
                    .start, action: it.action.index, run: it.run, control: it.control,
                    value: it.value, previous: it.previous, values: it.values,
                    origin: it.origin))
        }
    }
}
