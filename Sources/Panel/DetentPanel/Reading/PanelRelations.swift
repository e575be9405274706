import DetentCore
import DetentTypes

/// Collects the relations between controls after all controls have been read.
final class PanelRelations {
    /// The relations of one control while they are collected.
    struct Draft {
        var settings = RelationSettings()
        var members: [Int] = []
        /// Controls that depend on this one.
        var listeners: [Int] = []
        var condition: [ConditionStep] = []
        var items: [MenuItem] = []
    }

    let log: ProblemLog
    /// Whether the panel has a broker.
    let hasBroker: Bool
    private(set) var controls: [ControlPlan]
    private var gestures: [GesturePlan]
    private let places: [String: Int]
    private var drafts: [Int: Draft] = [:]
    /// The number of unknown ids so far.
    private var misspelt = 0
    private var steps: [(action: ActionID, steps: [SequenceStep])] = []
    private var stepCount = 0
    private var fired: [(control: Int, value: Value, place: SourcePlace)] = []
    private var needs: [(actions: [ActionID], values: [OtherValue])] = []
    private var acting: [(key: String, control: Int, place: SourcePlace)] = []
    private var looks = ControlGraph()
    /// Whose values actions need; a circle is no fault.
    private var reads = ControlGraph()
    private var asks = ControlGraph()

    init(
        _ controls: [ControlPlan], _ gestures: [GesturePlan] = [], hasBroker: Bool = false,
        log: ProblemLog
    ) {
        self.controls = controls
        self.gestures = gestures
        self.hasBroker = hasBroker
        self.log = log
        places = Dictionary(
            controls.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// The control with an id; nil with a problem in the log.
    ///
    /// - Parameter allowed: the ids that are allowed; nil if all are.
    func control(
        named node: YAMLNode, _ name: String? = nil, allowed: [String]? = nil
    ) -> Int? {
        guard let name = name ?? node.text else { return nil }
        if let place = places[name] {
            log.mention(name, at: node.place)
            return place
        }
        misspelt += 1
        let known = misspelt <= Limits.suggestions ? controls.map(\.id) : []
        return log.refuse(
            .unknownControl, at: node.place, "there is no control `\(quoted(name))`",
            help: didYouMean(name, among: known)
                + "name a control of this panel by its id",
            known: allowed ?? known)
    }

    /// What a condition can ask of each control: its values, or the middle of its range.
    var comparisons: [String] {
        controls.flatMap { control -> [String] in
            if let range = control.settings.nature.range, range.minimum < range.maximum {
                let middle = Value((range.minimum + range.maximum) / 2)
                return ["\(control.id) > \(control.valueNames.name(of: middle))"]
            }
            return switch control.valueNames {
            case .none, .commands, .number: []
            case .several: control.valueNames.words.map { "\(control.id) has \($0)" }
            case .onOff, .threeWay, .options:
                control.valueNames.words.map { "\(control.id) is \($0)" }
            }
        }
    }

    func hasControl(named name: String) -> Bool { places[name] != nil }

    /// The value that a text in braces means; nil if it is no such text, or names no control.
    func otherValue(in node: YAMLNode) -> OtherValue? {
        guard let text = node.text, text.hasPrefix("{"), text.hasSuffix("}") else { return nil }
        return otherValue(named: String(text.dropFirst().dropLast()))
    }

    /// The value that a name means, such as `axis` or `axis.shown`; nil if no control has it.
    func otherValue(named name: String) -> OtherValue? {
        if let place = places[name] { return OtherValue(of: ControlID(UInt16(clamping: place))) }
        guard name.hasSuffix(NeededValue.shown),
            let place = places[String(name.dropLast(NeededValue.shown.count))]
        else { return nil }
        return OtherValue(of: ControlID(UInt16(clamping: place)), isShown: true)
    }

    /// The name of a control that differs in one or two letters; nil if none does.
    func nearControl(to name: String) -> String? {
        misspelt += 1
        guard misspelt <= Limits.suggestions else { return nil }
        let isShown = name.hasSuffix(NeededValue.shown)
        let id = isShown ? String(name.dropLast(NeededValue.shown.count)) : name
        guard let near = nearestWord(to: id, among: controls.map(\.id)),
            EditDistance.between(Array(id.lowercased().utf8), Array(near.utf8)) <= 2
        else { return nil }
        return near + (isShown ? NeededValue.shown : "")
    }

    /// Actions of a control need these values of others, which therefore start first.
    func need(_ values: [OtherValue], for actions: [ActionID], by control: Int) {
        needs.append((actions, values))
        for value in values where Int(value.control.index) != control {
            reads.add(
                .init(
                    from: control, to: Int(value.control.index),
                    place: SourcePlace(line: 1, column: 1)))
        }
    }

    func kind(of control: Int) -> String { controls[control].kind }

    /// The relations of a control so far.
    func draft(of control: Int) -> Draft { drafts[control] ?? Draft() }

    /// Changes the relations of a control; afterwards it has an entry in the plan.
    func change(_ control: Int, _ body: (inout Draft) -> Void) {
        body(&drafts[control, default: Draft()])
    }

    /// `control` depends on `source`: it is notified of changes, and starts after it.
    func look(_ control: Int, at source: Int, place: SourcePlace) {
        looks.add(.init(from: control, to: source, place: place))
        change(control) { _ in }
        change(source) { draft in
            if !draft.listeners.contains(control) { draft.listeners.append(control) }
        }
    }

    /// `control` can set `other`.
    func ask(_ control: Int, for other: Int, place: SourcePlace) {
        asks.add(.init(from: control, to: other, place: place))
    }

    /// The engine's control that performs the actions of a gesture, or of a control's values.
    func performer(_ gesture: Int?, of control: Int) -> Int {
        gesture.map { controls.count + $0 } ?? control
    }

    /// A step of `control` sets `other`, and is notified of the result. What a gesture sets comes
    /// from a hand alone, so that no circle can arise.
    func fire(_ other: Int, _ value: Value, by control: Int, place: SourcePlace) {
        fired.append((other, value, place))
        if controls.indices.contains(control) { ask(control, for: other, place: place) }
        change(other) { draft in
            if !draft.listeners.contains(control) { draft.listeners.append(control) }
        }
    }

    /// Adds the steps of an action of a control.
    func add(_ new: [SequenceStep], to action: ActionID, of control: Int, place: SourcePlace) {
        change(control) { _ in }
        steps.append((action, new))
        if stepCount <= Limits.allSteps, stepCount + new.count > Limits.allSteps {
            log.error(
                .outOfRange, at: place,
                "the actions of this panel have more than \(Limits.allSteps) steps",
                help: "split the panel; `{value}` makes steps for each value")
        }
        stepCount += new.count
    }

    /// A press of a control has a gesture that acts.
    func act(on key: String, of control: Int, place: SourcePlace) {
        acting.append((key, control, place))
    }

    /// Reports gestures that act on buttons whose press has a meaning elsewhere.
    private func checkActing(_ settings: PanelSettings) {
        guard !acting.isEmpty else { return }
        var chords: [Int: Int] = [:]
        for (control, draft) in drafts {
            guard case .chord = draft.settings.confirm else { continue }
            for member in draft.members { chords[member] = control }
        }
        for (key, control, place) in acting {
            var cause: String?
            if let chord = chords[control] {
                cause = "a press of it is part of the chord of `\(quoted(controls[chord].id))`"
            } else if settings.lampTest?.index == UInt16(clamping: control) {
                cause = "a press of it tests the lamps"
            } else if draft(of: control).settings.form != .none {
                cause = "it is a button of a form"
            }
            guard let cause else { continue }
            log.error(
                .conflictingKeys, at: place, "`\(key)` cannot act here: \(cause)",
                help: "remove its `action`")
        }
    }

    /// Reports steps that set a control with a confirmation or a control of a form.
    private func checkFired() {
        for (control, value, place) in fired {
            let draft = draft(of: control)
            let id = quoted(controls[control].id)
            let item =
                draft.items.indices.contains(Int(value.raw)) ? draft.items[Int(value.raw)] : nil
            if draft.settings.confirm != .none || (item?.confirm ?? .none) != .none {
                log.error(
                    .wrongMember, at: place,
                    "`\(id)` needs confirmation, and an action cannot confirm",
                    help: "remove it from the action, or remove its `confirm`")
            }
            if item?.isSubmenu == true {
                log.error(
                    .wrongMember, at: place, "this item of `\(id)` opens a submenu",
                    help: "name an item of the submenu")
            }
            if case .member = draft.settings.form {
                log.error(
                    .wrongMember, at: place,
                    "`\(id)` is staged by a form, so setting it would do nothing yet",
                    help: "remove it from the form, or set another control")
            }
        }
    }

    /// Checks for circles, and puts everything into the plan.
    func finish(_ plan: inout PanelPlan) {
        checkFired()
        checkActing(plan.settings)
        findCircle(
            looks, .conditionCycle, "the controls depend on each other in a circle"
        ) { circle in
            excludeEachOther(circle)
                ? "write one `kind: radio-group` with these two as its options"
                : "remove one of these dependencies"
        }
        findCircle(
            asks, .actionCycle, "the `set` actions of these controls form a circle"
        ) { _ in "remove one of these `set` actions" }
        guard !log.hasErrors else { return }
        warnAboutReturns()
        checkDepth()
        rank()
        addGestures()
        for (place, _) in gestures.enumerated() {
            let draft = drafts[controls.count + place] ?? Draft()
            gestures[place].settings.relation = RelationID(UInt16(plan.relations.settings.count))
            plan.relations.settings.append(settings(draft, &plan.relations))
        }
        for control in controls.indices {
            guard let draft = drafts[control] else { continue }
            controls[control].settings.relation = RelationID(UInt16(plan.relations.settings.count))
            plan.relations.settings.append(settings(draft, &plan.relations))
        }
        for (action, steps) in steps {
            plan.actions[Int(action.index)].settings.steps = Self.add(
                steps, to: &plan.relations.sequenceSteps)
        }
        for (actions, values) in needs {
            let range = Self.add(values.map(\.control), to: &plan.relations.links)
            for action in actions {
                plan.actions[Int(action.index)].settings.values = range
                for (place, value) in values.enumerated() where value.isShown {
                    plan.actions[Int(action.index)].settings.shownValues |= 1 << UInt8(place)
                }
            }
        }
        plan.controls = controls
        plan.gestures = gestures
    }

    /// Every gesture knows its owner, and every owner its gestures.
    private func addGestures() {
        for (place, gesture) in gestures.enumerated() {
            let number = UInt16(clamping: controls.count + place)
            change(Int(gesture.owner.index)) { owner in
                if owner.settings.gestures.count == 0 { owner.settings.gestures.first = number }
                owner.settings.gestures.count += 1
            }
        }
    }

    private func settings(_ draft: Draft, _ plan: inout RelationsPlan) -> RelationSettings {
        var settings = draft.settings
        let ids = [draft.members, draft.listeners].map { places in
            places.map { ControlID(UInt16(clamping: $0)) }
        }
        settings.members = Self.add(ids[0], to: &plan.links)
        settings.listeners = Self.add(ids[1], to: &plan.links)
        settings.condition = Self.add(draft.condition, to: &plan.conditionSteps)
        if !draft.items.isEmpty {
            settings.navigation?.items = Self.add(draft.items, to: &plan.items)
        }
        return settings
    }

    /// Adds the entries of one control to a table; returns their range.
    private static func add<Entry>(_ entries: [Entry], to table: inout [Entry]) -> PlanRange {
        defer { table += entries }
        return PlanRange(
            first: UInt16(clamping: table.count), count: UInt16(clamping: entries.count))
    }

    /// Reports chains that the engine would refuse at run time without a visible reason.
    private func checkDepth() {
        let depths = asks.depths(controls.count)
        let most = Int(EngineLimits.chainDepth) - 1
        for control in controls.indices where depths[control] == most + 1 {
            guard let edge = asks.edges.first(where: { $0.from == control }) else { continue }
            log.error(
                .askedTooDeep, at: edge.place,
                "one touch of `\(quoted(controls[control].id))` sets more than \(most) controls in "
                    + "a chain",
                help: "name the members of inner groups, or the last controls, directly")
        }
    }

    /// A control starts after those that it depends on; those deeper than 255 start together.
    private func rank() {
        var all = looks
        for edge in reads.edges { all.add(edge) }
        if all.circle(controls.count) != nil { all = looks }
        for (control, depth) in all.depths(controls.count).enumerated() {
            controls[control].settings.startRank = UInt8(clamping: depth)
        }
    }

    private func findCircle(
        _ graph: ControlGraph, _ rule: Rule, _ text: String, help: (_ circle: [Int]) -> String
    ) {
        guard let circle = graph.circle(controls.count) else { return }
        log.error(
            rule, at: circle.closing.place, "\(text): \(path(circle.controls))",
            help: help(circle.controls))
    }

    /// Whether a circle has two controls, each of which is disabled while the other is on.
    private func excludeEachOther(_ circle: [Int]) -> Bool {
        guard circle.count == 3 else { return false }
        return zip(circle, circle.dropFirst()).allSatisfy { own, other in
            draft(of: own).condition.isFalse(whileOn: ControlID(UInt16(clamping: other)))
                && controls[other].valueNames == .onOff
        }
    }

    private func path(_ circle: [Int]) -> String {
        circle.map { controls[$0].id }.joined(separator: " → ")
    }

    /// Warns of controls that turn each other on and off without end: a control that returns after
    /// a time, takes its position as soon as it is enabled, and sets what enables it.
    private func warnAboutReturns() {
        var reactions = asks
        let returning = Set(
            looks.edges.map(\.from).filter { control in
                let settings = draft(of: control).settings
                return settings.onEnable == .follow && settings.returning != nil
            })
        for look in looks.edges
        where returning.contains(look.from) || draft(of: look.from).members.contains(look.to) {
            reactions.add(.init(from: look.to, to: look.from, place: look.place))
        }
        var told: Set<Int> = []
        for look in looks.edges where returning.contains(look.from) && !told.contains(look.from) {
            guard let way = reactions.way(from: look.from, to: look.to) else { continue }
            told.formUnion(way)
            log.warning(
                .enablingCycle, at: look.place,
                "the control sets the control that enables it, and returns after a time: "
                    + path(way + [look.from]),
                help: "write `on-enable: wait`, or remove `auto-off` or `expires`")
        }
    }
}
