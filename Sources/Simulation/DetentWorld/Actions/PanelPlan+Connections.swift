import DetentCore
public import DetentPanel
public import DetentTypes

extension PanelPlan {
    /// Controls whose actions and query go over connections, and start no program.
    public var connections: Set<ControlID> {
        Set(
            allControls.filter { id in
                let settings = self[id].settings
                let query = settings.query.map { [actions[Int($0.index)]] } ?? []
                let own = actions[settings.actions.indices] + query
                return !own.contains { $0.startsProgram } && own.contains { $0.isCall }
            })
    }
}

extension ActionPlan {
    fileprivate var startsProgram: Bool {
        switch command {
        case .run: true
        case .call, .steps: false
        }
    }

    fileprivate var isCall: Bool {
        switch command {
        case .call: true
        case .run, .steps: false
        }
    }
}
