public import DetentCore
import DetentHAL
public import DetentTypes

extension PanelPlan {
    /// The relations of a control to others; nil if it has none.
    public func relation(of control: ControlPlan) -> RelationSettings? {
        let place = Int(control.settings.relation.index)
        return relations.settings.indices.contains(place) ? relations.settings[place] : nil
    }

    /// Whether buttons of a row have gestures that act.
    public func gesturesOfRow(_ control: ControlID) -> Bool {
        self[control].settings.decoder == .buttonRow
            && gestures.contains { $0.owner == control }
    }

    /// How long a tap of a control waits before it acts, in words; nil if it acts at once.
    ///
    /// It waits until no gesture can come that acts in its place.
    public func tapWait(of control: ControlID) -> String? {
        var gap: TimeSpan?
        if let button = self[control].settings.decoder.button, button.isExclusive {
            gap = button.multiClickGap
        }
        for gesture in gestures where gesture.owner == control {
            let place = Int(gesture.settings.relation.index)
            guard relations.settings.indices.contains(place),
                let acting = relations.settings[place].acting, acting.row.isExclusive
            else { continue }
            let isClick = acting.gesture == .doubleClick || acting.gesture == .multiClick
            gap = max(gap ?? .zero, isClick ? acting.row.after : .zero)
        }
        return gap.map {
            $0 == .zero
                ? "a tap acts when it is released"
                : "a tap acts \(DurationText.text($0)) after its release"
        }
    }

    /// Whether a control has a query, or an action whose device confirms it in its answer.
    public func readsAnswers(of control: ControlID) -> Bool {
        let settings = self[control].settings
        guard settings.query == nil else { return true }
        return actions[settings.actions.indices].contains { action in
            guard case .call(let call) = action.command else { return false }
            let places = ["confirm.pointer", "confirm.topic", "expect"]
            return places.contains { call.fields[$0] != nil }
        }
    }

    /// Whether a device reports the value of a control in texts, and not by a line.
    public func hasReports(_ control: ControlID) -> Bool {
        self[control].feedback != nil && self[control].settings.feedbackLine == nil
    }

    /// The members of a control's group or form, or the other buttons of its chord.
    public func members(of control: ControlPlan) -> [ControlID] {
        (relation(of: control)?.members.places ?? 0..<0).filter(relations.links.indices.contains)
            .map { relations.links[$0] }.filter { controls.indices.contains(Int($0.index)) }
    }

    /// How long the device of a control may be silent before it is stale; zero: any time.
    public func staleAfter(of control: ControlPlan) -> TimeSpan {
        relation(of: control)?.staleAfter ?? .zero
    }

    /// The controls whose values nothing in the file uses: no action, output, lamp, device, other
    /// control, display or broker. Only who looks from outside sees them.
    public var idleControls: [ControlPlan] {
        guard broker == nil, displays.isEmpty else { return [] }
        return allControls.filter(isIdle).map { self[$0] }
    }

    private func isIdle(_ id: ControlID) -> Bool {
        let control = self[id]
        let settings = control.settings
        if let relation = relation(of: control) {
            let isAlone = members(of: control).isEmpty && relation.navigation == nil
            guard isAlone, relation.form == .none, relation.shows == nil else { return false }
        }
        let isUsed =
            mentioned.contains(id) || control.feedback != nil || control.layout.role.isOfThePage
            || gestures.contains { $0.owner == id }
            || lines.contains { line in
                guard line.control == id else { return false }
                if case .contact = line.use { return false }
                return true
            }
        return !isUsed && settings.actions == .none && settings.query == nil
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

extension LinePlan {
    /// The level while nothing drives an input: that of its bias, or else of the resistor outside
    /// that holds it inactive.
    package var isHighWhenOpen: Bool {
        guard case .contact(let contact) = use else { return false }
        switch contact.bias {
        case .pullUp: return true
        case .pullDown: return false
        case .asIs, .disabled: return isActiveLow
        }
    }

    /// The device whose channel makes the line; nil for a line of a GPIO chip.
    package var deviceName: String? { channel?.device }

    /// Whether it is a channel of a converter.
    public var isAnalog: Bool { channel?.kind == .analog }

    /// Whether it is an output with levels, such as a lamp that Linux itself dims.
    public var hasLevels: Bool { channel?.kind.hasLevels == true }

    /// Whether it is an input.
    public var isContact: Bool {
        switch use {
        case .contact: true
        case .indicator, .output: false
        }
    }
}
