import DetentCore
import DetentTypes

/// Reads what an action does: the steps of the core, or the call of a runner.
extension ControlDraft {
    /// A write takes microseconds on a chip of the board and a millisecond on an expander. After a
    /// second without a timestamp the chip is gone, and the control must not stay pending.
    private static let writeAllowance = TimeSpan.seconds(1)

    /// The kind of an action or a step; nil with a problem in the log.
    func actionKind(of node: YAMLNode, in section: Section) -> ActionKind? {
        let schema = builder.schema
        let kinds = schema.actionKinds.filter {
            node[$0.word] != nil && schema.key($0.word, in: section) != nil
        }
        let name = section.title.lowercased()
        if kinds.count > 1 {
            return log.refuse(
                .conflictingKeys, at: node.key(kinds[1].word)?.place ?? node.place,
                "`\(kinds[0].word)` and `\(kinds[1].word)` cannot be in one \(name)",
                help: section == .action
                    ? "write `sequence: [{…}, {…}]` with a step for each"
                    : "write one \(name) for each")
        }
        if kinds.isEmpty,
            (node.entries ?? []).allSatisfy({ schema.key($0.name, in: section) != nil })
        {
            let words = schema.actionKinds.filter { schema.key($0.word, in: section) != nil }
                .map { "`\($0.word)`" }
            log.error(
                .missingKey, at: node.place, "the \(name) is empty",
                help: "add one of \(words.joined(separator: ", ")), such as "
                    + "`run: [program, argument]`")
        }
        return kinds.first
    }

    /// The steps that the core performs; none if a runner performs the action.
    func steps(of node: YAMLNode, _ kind: ActionKind) -> [StepDraft] {
        switch kind.work {
        case .program, .runner: []
        case .sequence:
            (node["sequence"]?.items ?? []).prefix(Limits.steps).flatMap { step in
                actionKind(of: step, in: .step).map { self.step(step, $0) } ?? []
            }
        case .output, .set, .wait: step(node, kind)
        }
    }

    private func step(_ node: YAMLNode, _ kind: ActionKind) -> [StepDraft] {
        switch kind.work {
        case .program, .runner:
            guard let texts = ActionTexts(node, kind) else { return [] }
            let settings = ActionSettings(
                timeout: node["timeout"]?.durationValue ?? kind.timeout)
            var plan = ActionPlan(command: command(of: node, kind), settings: settings)
            plan.usesSteps = texts.node.mentions("{steps}")
            return [.run(plan, texts)]
        case .output: return node["output"].map { [output($0)] } ?? []
        case .set:
            return (node["set"]?.entries ?? []).prefix(Limits.steps).map {
                .set(control: $0.key, value: $0.value)
            }
        case .wait: return (node["wait"]?.durationValue).map { [.wait($0)] } ?? []
        case .sequence: return []  // the schema has no such key in a step
        }
    }

    private func output(_ node: YAMLNode) -> StepDraft {
        guard let pulse = node["pulse"]?.durationValue else {
            return .drive(node, node["level"]?.text == "off" ? .inactive : .active)
        }
        node.refuse(["level"], log) {
            ("`pulse` and `\($0)` cannot be combined", "remove `\($0)` or `pulse`")
        }
        return .pulse(node, pulse)
    }

    /// The longest time of an attempt; false with a problem in the log.
    func readTimeout(
        of node: YAMLNode, _ kind: ActionKind, _ steps: [StepDraft],
        into settings: inout ActionSettings
    ) -> Bool {
        checkStepTimeouts(node)
        let ownTime = steps.reduce(TimeSpan.zero) { $0 + $1.ownTime }
        if let node = node["timeout"] {
            settings.timeout = node.durationValue
            guard let timeout = node.durationValue, timeout <= ownTime else { return true }
            log.error(
                .outOfRange, at: node.place,
                "`timeout: \(quoted(node.text ?? ""))` is shorter than the waits and pulses of the "
                    + "action",
                help: "write more than \(DurationText.text(ownTime))")
            return false
        }
        if let timeout = kind.timeout {
            settings.timeout = timeout
            return true
        }
        if kind.work.leavesCore {
            log.error(
                .actionWithoutTimeout, at: node.key(kind.word)?.place ?? node.place,
                "`\(kind.word)` needs a `timeout`, because it may never end",
                help: "add `timeout: 5s`, the longest time that it may take")
            return false
        }
        for case .run(let plan, let texts) in steps where plan.settings.timeout == nil {
            log.error(
                .actionWithoutTimeout, at: texts.place,
                "`\(texts.kind.word)` needs a `timeout`, because it may never end",
                help: "add `timeout: 5s` to this step or to the whole action")
            return false
        }
        let writes = steps.reduce(0) { $0 + $1.writes }
        guard writes != 0 else { return true }
        guard !steps.contains(where: \.awaitsOthers) else {
            log.error(
                .actionWithoutTimeout, at: node.place,
                "an action with `output` and with `set` or `run` needs a `timeout`, because Detent "
                    + "cannot know how long it may take",
                help: "add `timeout:` to the action, longer than the sum of its steps")
            return false
        }
        settings.timeout = ownTime + Self.writeAllowance * UInt64(writes)
        return true
    }

    private func checkStepTimeouts(_ node: YAMLNode) {
        for step in node["sequence"]?.items ?? [] {
            let leavesCore = builder.schema.actionKinds.contains {
                $0.work.leavesCore && step[$0.word] != nil
            }
            if leavesCore { continue }
            let text = "only a step with `run` can have its own `timeout`"
            step.refuse(["timeout"], log) { (text, "give the whole action a `\($0)`") }
        }
    }

    /// Gives the steps of the control's actions their lines and programs; call it after its other
    /// lines and its actions were added.
    ///
    /// - Parameter gesture: the number of the gesture that performs them; nil for the control.
    func addSteps(to settings: inout ControlSettings, gesture: Int? = nil) {
        let drafts = builder.pendingSteps
        builder.pendingSteps = []
        guard !drafts.isEmpty else { return }
        let first = builder.nextLine
        for draft in drafts {
            let bound = draft.steps.map(bind)
            later { relations in
                for (action, word) in draft.actions {
                    let performer = relations.performer(gesture, of: Int(control.index))
                    let steps = bound.flatMap { self.steps($0, word, performer, relations) }
                    relations.add(steps, to: action, of: performer, place: draft.place)
                }
            }
        }
        let count = builder.nextLine - first
        settings.stepOutputs = PlanRange(first: first, count: count)
        if count > EngineLimits.linesPerControl {
            log.error(
                .outOfRange, at: self["action"]?.place ?? node.place,
                "the actions of this control drive \(count) outputs",
                help: "allowed: up to \(EngineLimits.linesPerControl); use several controls")
        }
    }

    private enum BoundStep {
        case known(SequenceStep)
        case set(control: YAMLNode, value: YAMLNode)
        case wrong
    }

    private func bind(_ step: StepDraft) -> BoundStep {
        switch step {
        case .set(let control, let value):
            return .set(control: control, value: value)
        case .drive(let node, let level):
            return builder.addStepOutput(node, of: self).map { .known(.drive($0, level)) } ?? .wrong
        case .pulse(let node, let span):
            return builder.addStepOutput(node, of: self).map { .known(.pulse($0, span)) } ?? .wrong
        case .wait(let span):
            return .known(.wait(span))
        case .run(let plan, let texts):
            let action = builder.add(plan)
            needValues(of: texts, for: [action])
            return .known(.run(action))
        }
    }

    private func steps(
        _ step: BoundStep, _ word: String?, _ performer: Int, _ relations: PanelRelations
    ) -> [SequenceStep] {
        switch step {
        case .known(let step): [step]
        case .wrong: []
        case .set(let control, let value): set(control, value, word, performer, relations)
        }
    }

    private func set(
        _ key: YAMLNode, _ node: YAMLNode, _ word: String?, _ performer: Int,
        _ relations: PanelRelations
    ) -> [SequenceStep] {
        guard let other = relations.control(named: key) else { return [] }
        guard other != performer else {
            log.error(
                .actionCycle, at: key.place, "`\(quoted(id))` sets itself",
                help: "remove it; the control already has the requested value")
            return []
        }
        let steps: [SequenceStep]
        if let by = node["by"] {
            steps = change(by, other, relations).map { [$0] } ?? []
        } else if let source = relations.otherValue(in: node) {
            steps = copy(source, to: other, at: node.place, relations)
        } else {
            steps = step(node, word, other, relations).map { [$0] } ?? []
        }
        for step in steps {
            switch step {
            case .set(_, let value), .fire(_, let value):
                relations.fire(other, value, by: performer, place: node.place)
            case .change, .copy: relations.fire(other, .unknown, by: performer, place: node.place)
            case .choose, .drive, .pulse, .wait, .run: break  // these ask no other control
            }
        }
        return steps
    }

    private func step(
        _ node: YAMLNode, _ word: String?, _ other: Int, _ relations: PanelRelations
    ) -> SequenceStep? {
        let isOwn = node.text == StepDraft.ownValue
        if isOwn, word == nil {
            return log.refuse(
                .wrongType, at: node.place,
                "`{value}` needs a control with a value; this control has none",
                help: "write the value for the other control")
        }
        return (isOwn ? word : node.text).flatMap {
            relations.controls[other].step(
                to: $0, named: ControlID(UInt16(clamping: other)), at: node.place,
                from: isOwn ? StepDraft.ownValue : nil, log)
        }
    }

    /// `{mode}`: the value of a third control, which must be one of the other control's.
    private func copy(
        _ source: OtherValue, to other: Int, at place: SourcePlace, _ relations: PanelRelations
    ) -> [SequenceStep] {
        let from = relations.controls[Int(source.control.index)]
        let to = relations.controls[other]
        let id = ControlID(UInt16(clamping: other))
        if Int(source.control.index) == other {
            log.error(
                .actionCycle, at: place, "`\(quoted(to.id))` is set to its own value",
                help: "name another control, or write `next` or `{by: 5}`")
            return []
        }
        if let range = from.settings.nature.range {
            return copy(range, of: from, source, to: to, id, at: place).map { [$0] } ?? []
        }
        let words = from.valueNames.words
        var isSeveral = false
        if case .several = from.valueNames { isSeveral = true }
        guard !words.isEmpty, !isSeveral else {
            log.error(
                .wrongMember, at: place, "`\(quoted(from.id))` has no single value to copy",
                help: "name a control that has one of several values, or a number")
            return []
        }
        let steps = words.compactMap {
            to.step(to: $0, named: id, at: place, from: "{\(from.id)}", log)
        }
        // After the first option that does not fit, the others say nothing new.
        guard steps.count == words.count else { return [] }
        return [.choose(source, of: UInt8(clamping: words.count))] + steps
    }

    private func copy(
        _ range: NumberRange, of from: ControlPlan, _ source: OtherValue, to: ControlPlan,
        _ id: ControlID, at place: SourcePlace
    ) -> SequenceStep? {
        guard case .number(let fine) = to.valueNames, case .number(let coarse) = from.valueNames,
            let wanted = to.settings.nature.range, !to.settings.isReported
        else {
            return log.refuse(
                .wrongMember, at: place,
                "`\(quoted(from.id))` is a number, and `\(quoted(to.id))` cannot have one",
                help: "write a value of `\(quoted(to.id))`")
        }
        guard coarse <= fine else {
            return log.refuse(
                .outOfRange, at: place,
                "`\(quoted(from.id))` has more decimals than `\(quoted(to.id))`",
                help: "give the `step` of `\(quoted(to.id))` as many decimals")
        }
        let factor = (coarse..<fine).reduce(Int64(1)) { factor, _ in factor * 10 }
        let ends = [range.minimum, range.maximum].map { Int64($0) * factor }
        guard ends[0] >= Int64(wanted.minimum), ends[1] <= Int64(wanted.maximum) else {
            return log.refuse(
                .outOfRange, at: place,
                "`\(quoted(from.id))` goes from \(from.valueNames.ends(of: range)), and "
                    + "`\(quoted(to.id))` from \(to.valueNames.ends(of: wanted))",
                help: "give `\(quoted(to.id))` a `range` with all values of the other")
        }
        return .copy(id, from: source, times: Int32(clamping: factor))
    }

    /// `{by: 5}`: the number of another control, from what it shows.
    private func change(
        _ node: YAMLNode, _ other: Int, _ relations: PanelRelations
    ) -> SequenceStep? {
        let plan = relations.controls[other]
        guard case .number(let decimals) = plan.valueNames, !plan.settings.isReported else {
            return log.refuse(
                .wrongMember, at: node.place,
                "`by` needs a number, and `\(quoted(plan.id))` has none",
                help: "write a value, `toggle`, `next` or `previous`")
        }
        let units = node.decimalValue?.units(decimals: decimals).flatMap { Int32(exactly: $0) }
        guard let units, units != 0 else {
            return log.refuse(
                .invalidNumber, at: node.place,
                "`\(quoted(node.text ?? ""))` is not a change with at most \(decimals) decimals",
                help: "write a number, such as 1 or -1")
        }
        return .change(ControlID(UInt16(clamping: other)), by: units)
    }
}

extension ControlPlan {
    /// The step that sets this control to a word; nil with a problem in the log.
    ///
    /// - Parameter source: the placeholder that the word is a possible value of; nil for none.
    fileprivate func step(
        to word: String, named control: ControlID, at place: SourcePlace, from source: String?,
        _ log: ProblemLog
    ) -> SequenceStep? {
        switch settings.nature.role {
        case _ where settings.isReported:
            return log.refuse(
                .wrongMember, at: place,
                "`\(quoted(id))` cannot be set: only its device changes it",
                help: "remove it from the action")
        case .form, .mirror:
            return log.refuse(
                .wrongMember, at: place, "`\(quoted(id))` is a \(kind), which cannot be set",
                help: "set the controls that it summarises or shows")
        case .events:
            if let event = valueNames.event(named: word) { return .fire(control, event) }
        case .device, .group:
            guard let value = valueNames.value(named: word) else {
                guard source == nil, let distance = distance(named: word) else { break }
                return .change(control, by: distance)
            }
            if let range = settings.nature.range, !range.contains(value) {
                return log.refuse(
                    .outOfRange, at: place, "`\(quoted(id))` cannot be \(quoted(word))",
                    help: "allowed: " + valueNames.ends(of: range))
            }
            return .set(control, value)
        }
        report(word, at: place, from: source, log)
        return nil
    }

    private func report(
        _ word: String, at place: SourcePlace, from source: String?, _ log: ProblemLog
    ) {
        if case .number(let decimals) = valueNames {
            log.error(
                .invalidNumber, at: place,
                "`\(quoted(word))` is not a number with at most \(decimals) decimals",
                help: "`\(quoted(id))` is a dial; write a number of its range")
            return
        }
        let known = settings.nature.isButton ? ["press"] : valueNames.words
        log.error(
            .unknownWord, at: place,
            "`\(quoted(word))`\(source.map { ", a possible `\($0)`," } ?? "") is not a value of "
                + "`\(quoted(id))`",
            help: (source != nil ? "" : didYouMean(word, among: known))
                + "allowed: \(known.map(quoted).joined(separator: ", "))",
            known: known)
    }
}
