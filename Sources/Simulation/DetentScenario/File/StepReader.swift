import DetentCore
import DetentPanel
import DetentTypes
import DetentWorld

/// A control of a step, and the argument of the verb for it.
struct StepTarget {
    var control: YAMLNode
    var argument: YAMLNode?

    /// Reports that the verb needs an argument.
    func misses(_ what: String, _ log: ProblemLog) {
        log.error(
            .missingKey, at: control.place, "`\(control.text ?? "")` needs \(what)",
            help: "write `{\(control.text ?? "control"): …}`")
    }
}

/// Reads one step of a scenario: a map with one verb.
///
/// The gestures of one step begin at the same time. Other verbs with several controls give one step
/// for each control, in the order of the file.
struct StepReader {
    let names: PanelNames
    private var log: ProblemLog { names.log }
    static let day = TimeSpan.zero...WorldLimits.longest

    static let verbs =
        GestureVerb.allCases.map(\.rawValue) + [
            "set", "device", "feedback", "report", "silence", "lose-feedback", "wait",
            "wait-until", "expect", "fail-action", "finish-action", "actions", "bounce", "restart",
            "power-cut", "reload", "broker", "resync", "lamp-test", "close",
        ]
    /// Keys for the time of a step, in addition to its verb.
    private static let times = ["at", "within"]
    private static let origins = ScenarioText.origins.map(\.word)

    func steps(_ node: YAMLNode) -> [ScenarioStep] {
        guard node.hasOnly(Self.verbs + Self.times, log, in: "a step") else { return [] }
        let verbs = (node.entries ?? []).filter { !Self.times.contains($0.name) }
        guard verbs.count == 1, let entry = verbs.first else {
            log.error(
                .conflictingKeys, at: node.place, "a step must have one verb, not \(verbs.count)",
                help: "write a step for each: `- press: …`")
            return []
        }
        if entry.name != "wait-until", let key = node.key("within") {
            log.error(
                .unknownKey, at: key.place, "`within` belongs to `wait-until`",
                help: "remove it")
        }
        var at: Instant?
        if let moment = node["at"] {
            guard let span = moment.duration(in: .zero...Self.longest, log, "at") else { return [] }
            at = .zero + span
        }
        return works(entry, within: node["within"]).map {
            ScenarioStep(place: entry.key.place, verb: entry.name, at: at, work: $0)
        }
    }

    /// The longest time in a scenario: ten years, the limit of the number of digits.
    private static let longest = TimeSpan.seconds(315_360_000)

    private func works(_ entry: YAMLEntry, within: YAMLNode?) -> [ScenarioStep.Work] {
        let value = entry.value
        switch entry.name {
        case "wait":
            return value.duration(in: Self.day, log, "wait").map { [.wait($0)] } ?? []
        case "restart", "power-cut":
            let pause =
                value.isNull
                ? .seconds(1) : value.duration(in: Self.day, log, entry.name)
            guard let pause else { return [] }
            return [entry.name == "restart" ? .restart(pause) : .powerCut(pause)]
        case "reload": return reload(value)
        case "broker": return broker(entry)
        case "resync":
            if value.isNull { return [.apply(.tell(.resync()))] }
            return origin(value).map { [.apply(.tell(.resync(by: $0)))] } ?? []
        case "lamp-test":
            return lampTest(value).map { [.apply(.tell($0))] } ?? []
        case "fail-action" where value.isNull: return [.apply(.failNext)]
        case "expect":
            return [.expect(ExpectationReader(names: names).expectations(value))]
        case "wait-until":
            guard let within else {
                log.error(
                    .missingKey, at: entry.key.place, "`wait-until` has no `within`",
                    help: "write the longest time to wait, such as `within: 1s`")
                return []
            }
            guard let time = within.duration(in: Self.day, log, "within") else { return [] }
            return [.waitUntil(ExpectationReader(names: names).expectations(value), within: time)]
        case "set", "device", "feedback", "report", "silence", "lose-feedback", "fail-action",
            "finish-action", "close", "actions", "bounce":
            return targets(value).compactMap { target in
                names.control(target.control).flatMap { word(entry.name, $0, target) }
                    .map { .apply($0) }
            }
        case _:
            // Other words were rejected above.
            guard let verb = GestureVerb(rawValue: entry.name) else { return [] }
            let reader = GestureReader(names: names)
            let gestures = targets(value).flatMap { target -> [PartGesture] in
                guard let control = names.control(target.control) else { return [] }
                return reader.gestures(verb, control, target).map {
                    PartGesture($0, control)
                }
            }
            return gestures.isEmpty ? [] : [.apply(.gestures(gestures))]
        }
    }

    /// `reload:`, `reload: output` or `reload: [output, range]`.
    private func reload(_ node: YAMLNode) -> [ScenarioStep.Work] {
        if node.isNull { return [.reload([])] }
        let targets = targets(node)
        if targets.isEmpty || node.entries != nil {
            log.error(
                .wrongType, at: node.place, "`reload` takes the ids of controls",
                help: "write `- reload: [ID, ID]`, or `- reload:` alone")
            return []
        }
        let controls = targets.map { names.control($0.control) }
        return controls.contains(nil) ? [] : [.reload(controls.compactMap(\.self))]
    }

    private func broker(_ entry: YAMLEntry) -> [ScenarioStep.Work] {
        guard names.plan.broker != nil else {
            log.error(
                .conflictingKeys, at: entry.key.place,
                "`broker` has no effect: the panel has none",
                help: "remove the step, or add `mqtt: {url: \"mqtt://HOST\"}` to the panel")
            return []
        }
        return entry.value.word(of: ["away", "back"], log, "broker").map {
            [.apply(.broker(isThere: $0 == "back"))]
        } ?? []
    }

    private func targets(_ node: YAMLNode) -> [StepTarget] {
        switch node.content {
        case .scalar: [StepTarget(control: node)]
        case .sequence(let items): items.map { StepTarget(control: $0) }
        case .mapping(let entries):
            entries.map { StepTarget(control: $0.key, argument: $0.value) }
        }
    }

    /// Reads a step of a remote caller, a device or an action.
    private func word(
        _ verb: String, _ control: ControlID, _ target: StepTarget
    ) -> Stimulus? {
        switch verb {
        case "fail-action":
            let code = target.argument?.integer(in: ScenarioReader.codes, log, "code") ?? 1
            return .failAction(control, code: Int32(code))
        case "actions", "bounce":
            guard let argument = target.argument else {
                target.misses(
                    verb == "bounce" ? "a profile, or `original`" : "`{takes: …}`", log)
                return nil
            }
            return verb == "bounce"
                ? BounceReader.change(argument, log).map { .bounce(control, $0) }
                : ScenarioReader.script(argument, of: control, names.plan, log).map {
                    .actions(control, $0)
                }
        case "device", "feedback":
            guard let argument = target.argument else {
                target.misses("a value", log)
                return nil
            }
            return names.value(argument, of: control).map {
                verb == "device" ? .device(control, $0) : reports($0, control)
            }
        case "report": return report(control, target)
        case "close": return close(control, target)
        case "silence", "lose-feedback", "finish-action":
            guard let argument = target.argument else {
                switch verb {
                case "silence": return .silence(control)
                case "lose-feedback": return .loseFeedback(control)
                case _: return .finishAction(control)
                }
            }
            return log.refuse(
                .wrongType, at: argument.place, "`\(verb)` takes no value",
                help: "write `- \(verb): \(names.plan(of: control).id)`")
        case _:
            return set(control, target)
        }
    }

    /// The device of a control says its value: by its line, if it has one.
    private func reports(_ value: Value, _ control: ControlID) -> Stimulus {
        guard let line = names.plan(of: control).settings.feedbackLine else {
            return .feedback(control, value)
        }
        return .gestures([PartGesture(.held(line, value == .on ? .active : .inactive), control)])
    }

    private static let noReports = Rule(
        "no-reports", "Only a device of `feedback` reports texts, and a line has none.")

    /// `lamp-test: on`, or `lamp-test: {value: on, origin: web}`.
    private func lampTest(_ node: YAMLNode) -> Event? {
        let isWhole = node.entries != nil
        guard !isWhole || node.hasOnly(["value", "origin"], log, in: "`lamp-test`"),
            let value = isWhole ? ScenarioReader.required("value", node, log) : node,
            let word = value.word(of: ["on", "off"], log, "lamp-test")
        else { return nil }
        guard isWhole, let asker = node["origin"] else { return .lampTest(isOn: word == "on") }
        return origin(asker).map { .lampTest(isOn: word == "on", by: $0) }
    }

    /// `close: tools`: the list of a control, as on the page; `close: {tools: api}` by a program.
    private func close(_ control: ControlID, _ target: StepTarget) -> Stimulus? {
        let plan = names.plan(of: control)
        guard names.plan.navigation(of: plan) != nil else {
            return log.refuse(
                .wrongType, at: target.control.place, "`\(plan.id)` has no list to close",
                help: "name a pop-up, a pull-down, or a choice on an encoder")
        }
        guard let asker = target.argument else { return .tell(.close(control)) }
        return origin(asker).map { .tell(.close(control, by: $0)) }
    }

    /// `report: {shed: "ON"}`, or `report: {shed: {texts: [ON, OFF], times: 500, every: 1ms}}`.
    private func report(_ control: ControlID, _ target: StepTarget) -> Stimulus? {
        let plan = names.plan(of: control)
        let remedy: String? =
            if plan.feedback == nil {
                "add `feedback` to `\(plan.id)`, or name a control that has it"
            } else if plan.settings.feedbackLine != nil {
                "its `feedback` is a line; write `feedback: {\(plan.id): on}`"
            } else {
                nil
            }
        if let remedy {
            return log.refuse(
                Self.noReports, at: target.control.place,
                "no device tells `\(plan.id)` its value in texts", help: remedy)
        }
        guard let argument = target.argument else {
            target.misses("a text, or `{texts: […]}`", log)
            return nil
        }
        guard argument.entries != nil else {
            return argument.text(log, "report").map { .report(control, DeviceReports([$0])) }
        }
        let keys = ["texts", "times", "every"]
        guard argument.hasOnly(keys, log, in: "`report`"),
            let list = ScenarioReader.required("texts", argument, log)
        else { return nil }
        guard let items = list.items, !items.isEmpty else {
            return log.refuse(
                .wrongType, at: list.place,
                list.items == nil
                    ? "`texts` must be a list of texts, not \(list.form)" : "`texts` is empty",
                help: "write `texts: [\"ON\", \"OFF\"]`")
        }
        let texts = items.compactMap { $0.text(log, "texts") }
        guard texts.count == items.count else { return nil }
        var reports = DeviceReports(texts)
        if let times = argument["times"] {
            guard let count = times.integer(in: 1...ScenarioLimits.reports, log, "times") else {
                return nil
            }
            reports.count = count
        }
        if let every = argument["every"] {
            guard let period = every.duration(in: Self.day, log, "every") else { return nil }
            reports.period = period
        }
        return .report(control, reports)
    }

    private func origin(_ node: YAMLNode) -> Origin? {
        guard let word = node.word(of: Self.origins, log, "origin") else { return nil }
        return ScenarioText.origins.first { $0.word == word }
    }

    /// `set: {set-point: 12.5}`, `set: {menu: Reboot}`, `set: {lamp: toggle}`,
    /// `set: {set-point: {by: -5}}`, `set: {reboot: {value: press, confirm: true}}`; `origin: web`
    /// sets the origin of the request.
    private func set(_ control: ControlID, _ target: StepTarget) -> Stimulus? {
        let events = names.plan(of: control).valueNames.eventWords
        var value = target.argument
        var isConfirmed = false
        var origin = Origin.api
        if let map = value, map.entries != nil, map["by"] == nil {
            guard map.hasOnly(["value", "confirm", "origin"], log, in: "`set`") else { return nil }
            if let node = map["origin"] {
                guard let its = self.origin(node) else { return nil }
                origin = its
            }
            if let node = map["confirm"] {
                guard let word = node.boolean(log, "confirm") else { return nil }
                isConfirmed = word
            }
            if let key = map.key("confirm"), events.isEmpty {
                return log.refuse(
                    .unknownKey, at: key.place,
                    "`\(names.plan(of: control).id)` has values; only events are confirmed",
                    help: "remove `confirm`")
            }
            value = map["value"]
        }
        if value == nil, events == ["press"] {
            return .tell(.fire(control, .on, origin, isConfirmed: isConfirmed))
        }
        guard let value else {
            target.misses(
                events.isEmpty ? "a value" : "one of \(events.joined(separator: ", "))", log)
            return nil
        }
        if events.isEmpty {
            if let distance = names.distance(value, of: control) {
                return .tell(.change(control, by: distance, origin))
            }
            return names.value(value, of: control).map { .tell(.intent(control, $0, origin)) }
        }
        return names.event(value, of: control).map {
            .tell(.fire(control, $0, origin, isConfirmed: isConfirmed))
        }
    }
}
