import DetentCore
public import DetentTypes

extension PanelPlan {
    /// How long the device of a control may be silent before it is stale; zero: any time.
    public func staleAfter(of control: ControlPlan) -> TimeSpan {
        let place = Int(control.settings.relation.index)
        return relations.rules.indices.contains(place) ? relations.rules[place].staleAfter : .zero
    }

    /// Every control, in the order of the file.
    public var allControls: [ControlID] { controls.indices.map { ControlID(UInt16($0)) } }

    /// The plan of a control. It traps for a control of another panel.
    public subscript(control: ControlID) -> ControlPlan { controls[Int(control.index)] }

    /// The plan of a line. It traps for a line of another panel.
    public subscript(line: LineID) -> LinePlan { lines[Int(line.index)] }

    /// The control with this id.
    public func control(named id: String) -> ControlID? {
        controls.firstIndex { $0.id == id }.map { ControlID(UInt16($0)) }
    }

    /// The line with this name.
    public func line(named name: String) -> LineID? {
        lines.firstIndex { $0.name == name }.map { LineID(UInt16($0)) }
    }
}
