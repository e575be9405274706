public import DetentCore
public import DetentTypes

/// What changed from one panel to another one: pure, so that a reload can be judged before it
/// happens.
///
/// Controls are compared by their ids. Indices of lines, actions and controls may all differ.
public struct PanelDifference: Equatable, Sendable {
    /// How a control of the new panel relates to the former one.
    public struct Control: Equatable, Sendable {
        /// The control of the same id; nil for a new one.
        public var former: ControlID?
        /// What it takes over.
        public var continuity: Continuity
    }

    /// By index in the new panel.
    public private(set) var controls: [Control] = []
    /// The former index of each line of the new panel whose state or level continues; nil for
    /// others. The request of a line can be kept in both cases.
    public private(set) var lines: [LineID?] = []
    /// The new place of each former control; `Engine.Places.nowhere` if it is removed.
    public private(set) var controlPlaces: [UInt16] = []
    /// The former gesture of each new one that acts as before; nil for others.
    private(set) var gestures: [Int?] = []
    /// The new place of each former action; `Engine.Places.nowhere` if its control does not
    /// continue with everything.
    public private(set) var actionPlaces: [UInt16] = []
    /// Ids of controls that only the new panel has.
    public private(set) var added: [String] = []
    /// Ids of controls that only the former panel had.
    public private(set) var removed: [String] = []
    /// Ids of controls that start again, with their values as far as they can have them.
    public private(set) var changed: [String] = []
    /// Ids of controls of which only texts or places on the page changed.
    public private(set) var relabelled: [String] = []
    /// Something of the whole panel changed, such as its name or its layout.
    public private(set) var changesPanel = false

    /// Compares two panels.
    ///
    /// - Parameter touched: ids of controls that start again even if nothing of them differs, as
    ///   after a change of a setting that moves no value, lamp or output. Tests and simulations use
    ///   it.
    public init(from former: PanelPlan, to plan: PanelPlan, touching touched: Set<String> = []) {
        lines = Array(repeating: nil, count: plan.lines.count)
        controlPlaces = former.controls.map { control in
            plan.control(named: control.id)?.index ?? Engine.Places.nowhere
        }
        actionPlaces = Array(repeating: Engine.Places.nowhere, count: former.actions.count)
        let names = PanelNames(former: former)
        for place in plan.controls.indices {
            add(ControlID(UInt16(place)), of: plan, former, names, touched)
        }
        gestures = plan.gestures.indices.map { formerGesture(of: $0, of: plan, former) }
        for (new, old) in gestures.enumerated() {
            guard let old else { continue }
            continueRange(
                plan.gestures[new].settings.stepOutputs,
                as: former.gestures[old].settings.stepOutputs)
        }
        removed = former.controls.map(\.id).filter { plan.control(named: $0) == nil }
        changesPanel =
            former.name != plan.name || former.board != plan.board
            || former.freeFunctions != plan.freeFunctions
            || former.plateMillimeters != plan.plateMillimeters
            || former.groupOrder != plan.groupOrder || former.groupHelps != plan.groupHelps
            || former.displays != plan.displays
            || former.historyRows != plan.historyRows
            || former.broker != plan.broker
            || former.lampMilliamperes != plan.lampMilliamperes
            || names.settings(of: plan) != former.settings
            || former.controls.map(\.id) != plan.controls.map(\.id)
    }

    /// Whether the two panels are equal.
    public var isEmpty: Bool {
        added.isEmpty && removed.isEmpty && changed.isEmpty && relabelled.isEmpty && !changesPanel
    }

    private mutating func add(
        _ control: ControlID, of plan: PanelPlan, _ former: PanelPlan, _ names: PanelNames,
        _ touched: Set<String>
    ) {
        let new = plan[control]
        guard let old = former.control(named: new.id) else {
            added.append(new.id)
            return controls.append(Control(former: nil, continuity: []))
        }
        let portrait = ControlPortrait(control, of: plan, names)
        let before = ControlPortrait(old, of: former, PanelNames(former: former))
        var continuity = portrait.continuity(after: before)
        if touched.contains(new.id) { continuity.formIntersection([.value, .lamps, .outputs]) }
        controls.append(Control(former: old, continuity: continuity))
        continueLines(control, of: plan, as: old, of: former, continuity)
        if continuity == .everything {
            for (action, place) in zip(before.actionPlaces, portrait.actionPlaces) {
                actionPlaces[action] = UInt16(place)
            }
            if new.label != former[old].label || new.layout != former[old].layout
                || new.crashLevel != former[old].crashLevel
                || portrait.exitLevels != before.exitLevels
            {
                relabelled.append(new.id)
            }
        } else {
            changed.append(new.id)
        }
    }

    /// The gesture of the former panel that has the same place among those of the same control.
    private func formerGesture(
        of place: Int, of plan: PanelPlan, _ former: PanelPlan
    ) -> Int? {
        let owner = plan.gestures[place].owner
        let control = controls[Int(owner.index)]
        guard control.continuity == .everything, let old = control.former else { return nil }
        let mine = plan.gestures.indices.filter { plan.gestures[$0].owner == owner }
        let theirs = former.gestures.indices.filter { former.gestures[$0].owner == old }
        guard let number = mine.firstIndex(of: place), theirs.indices.contains(number) else {
            return nil
        }
        return theirs[number]
    }

    private mutating func continueLines(
        _ control: ControlID, of plan: PanelPlan, as old: ControlID, of former: PanelPlan,
        _ continuity: Continuity
    ) {
        let new = plan[control].settings
        let before = former[old].settings
        if continuity == .everything {
            continueRange(new.contacts, as: before.contacts)
            continueRange(new.stepOutputs, as: before.stepOutputs)
            continueRange(new.feedbackLines, as: before.feedbackLines)
        }
        if continuity.contains(.lamps) {
            continueRange(new.indicator.lines, as: before.indicator.lines)
        }
        if continuity.contains(.outputs) { continueRange(new.outputs, as: before.outputs) }
    }

    private mutating func continueRange(_ range: PlanRange, as former: PlanRange) {
        for (line, old) in zip(range.places, former.places) {
            lines[line] = LineID(UInt16(old))
        }
    }
}

extension PanelDifference {
    /// One line for the log, such as `2 controls changed (fan, pump), 1 added (jog)`.
    public var summary: String {
        var parts: [String] = []
        if !changed.isEmpty { parts.append(Self.text(changed, "changed")) }
        if !added.isEmpty { parts.append(Self.text(added, "added")) }
        if !removed.isEmpty { parts.append(Self.text(removed, "removed")) }
        if !relabelled.isEmpty { parts.append(Self.text(relabelled, "with other texts")) }
        if parts.isEmpty { return changesPanel ? "the layout changed" : "nothing changed" }
        return parts.joined(separator: ", ")
    }

    private static func text(_ ids: [String], _ what: String) -> String {
        let shown = ids.prefix(5).joined(separator: ", ") + (ids.count > 5 ? ", …" : "")
        return "\(counted(ids.count, "control")) \(what) (\(shown))"
    }
}
