import DetentCore
import DetentPanel
import DetentTypes

/// Reads one step of a scenario: a map with one verb.
///
/// A verb with several controls is a step for each, in the order of the file.
struct StepReader {
    private let names: PanelNames
    private let log: ProblemLog
    private static let day = TimeSpan.zero...TimeSpan.seconds(86_400)
    private static let wrongPart = Rule("wrong-part", "A part moves only as it is built.")

    static let verbs = [
        "press", "release", "click", "hold", "flip", "turn", "select", "glitch", "stick", "cut",
        "restore", "set", "wait", "wait-until", "expect", "fail-action", "device", "feedback",
        "restart", "power-cut",
    ]

    init(_ names: PanelNames, _ log: ProblemLog) {
        self.names = names
        self.log = log
    }

    func steps(_ node: YAMLNode) -> [ScenarioStep] {
        guard node.hasOnly(Self.verbs + ["within"], log, in: "a step") else { return [] }
        let verbs = (node.entries ?? []).filter { $0.name != "within" }
        guard verbs.count == 1, let entry = verbs.first else {
            log.error(
                .conflictingKeys, at: node.place, "a step has one verb, not \(verbs.count)",
                help: "write a step for each: `- press: …`")
            return []
        }
        if entry.name != "wait-until", let key = node.key("within") {
            log.error(
                .unknownKey, at: key.place, "`within` belongs to `wait-until`",
                help: "remove it")
        }
        return works(entry, within: node["within"]).map {
            ScenarioStep(place: entry.key.place, verb: entry.name, work: $0)
        }
    }

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
        case "expect":
            return [.expect(ExpectationReader(names, log).expectations(value))]
        case "wait-until":
            guard let within else {
                log.error(
                    .missingKey, at: entry.key.place, "`wait-until` has no `within`",
                    help: "write how long to wait, like `within: 1s`")
                return []
            }
            guard let time = within.duration(in: Self.day, log, "within") else { return [] }
            return [.waitUntil(ExpectationReader(names, log).expectations(value), within: time)]
        case _:
            return targets(value).compactMap { target in
                names.control(target.control).flatMap { work(entry.name, $0, target) }
            }
        }
    }

    /// A control with what the verb wants of it, if anything.
    private struct Target {
        var control: YAMLNode
        var argument: YAMLNode?
    }

    private func targets(_ node: YAMLNode) -> [Target] {
        switch node.content {
        case .scalar: [Target(control: node)]
        case .sequence(let items): items.map { Target(control: $0) }
        case .mapping(let entries):
            entries.map { Target(control: $0.key, argument: $0.value) }
        }
    }

    private func work(
        _ verb: String, _ control: ControlID, _ target: Target
    ) -> ScenarioStep.Work? {
        switch verb {
        case "set": return set(control, target)
        case "device": return word(control, target).map { .device(control, $0) }
        case "feedback": return word(control, target).map { .feedback(control, $0) }
        case "fail-action":
            let code = target.argument?.integer(in: -1...599, log, "code") ?? 1
            return .failAction(control, code: Int32(code))
        case "glitch", "stick", "cut", "restore":
            return accident(verb, control, target).map { .gesture($0, control) }
        case _:
            guard let gesture = gesture(verb, control, target) else { return nil }
            guard isPossible(gesture) else {
                log.error(
                    Self.wrongPart, at: target.control.place,
                    "the part of `\(names.plan(of: control).id)` does not \(verb)",
                    help: "buttons are pressed, levers flipped, selectors selected, "
                        + "selectors and encoders turned")
                return nil
            }
            return .gesture(gesture, control)
        }
    }

    private func set(_ control: ControlID, _ target: Target) -> ScenarioStep.Work? {
        guard names.plan(of: control).valueNames != .none else { return .fire(control, .on) }
        return word(control, target).map { .set(control, $0) }
    }

    /// The value that a verb names.
    private func word(_ control: ControlID, _ target: Target) -> Value? {
        guard let node = target.argument else {
            missing("a value", target)
            return nil
        }
        return names.value(node, of: control)
    }

    private func gesture(_ verb: String, _ control: ControlID, _ target: Target) -> Gesture? {
        let argument = target.argument
        switch verb {
        case "press": return .press(control)
        case "release": return .release(control)
        case "click", "hold":
            guard let argument else {
                if verb == "hold" { missing("a time, like `1s`", target) }
                return verb == "click" ? .click(control, hold: Gesture.clickHold) : nil
            }
            return argument.duration(in: Self.day, log, verb).map { .click(control, hold: $0) }
        case "turn":
            return turn(control, target)
        case _:
            guard let argument else {
                missing("a position", target)
                return nil
            }
            guard let value = names.value(argument, of: control) else { return nil }
            let place = Int(value.raw)
            return verb == "flip" ? .flip(control, to: place) : .select(control, place)
        }
    }

    private func turn(_ control: ControlID, _ target: Target) -> Gesture? {
        let limit = WorldLimits.detents
        guard let argument = target.argument else {
            missing("a number of detents", target)
            return nil
        }
        guard argument.entries != nil else {
            return argument.integer(in: -limit...limit, log, "turn").map {
                .turn(control, detents: $0, perSecond: Gesture.turnsPerSecond)
            }
        }
        guard argument.hasOnly(["by", "per-second"], log, in: "`turn`"),
            let by = ScenarioReader.required("by", argument, log)?
                .integer(in: -limit...limit, log, "by")
        else { return nil }
        let speed = argument["per-second"]?.integer(in: 1...10_000, log, "per-second")
        return .turn(control, detents: by, perSecond: speed ?? Gesture.turnsPerSecond)
    }

    /// `glitch: {output: 50us}`, or `glitch: {range: {line: GPIO5, width: 50us}}`; the others
    /// alike.
    private func accident(_ verb: String, _ control: ControlID, _ target: Target) -> Gesture? {
        var lineNode: YAMLNode?
        var value = target.argument
        if let map = target.argument, map.entries != nil {
            guard map.hasOnly(["line", "width", "level"], log, in: "`\(verb)`") else { return nil }
            lineNode = map["line"]
            value = map["width"] ?? map["level"]
        }
        guard let line = names.line(lineNode, of: control, at: target.control.place) else {
            return nil
        }
        switch verb {
        case "cut": return .cut(line)
        case "restore": return .restore(line)
        case "glitch":
            guard let value else {
                missing("a width, like `50us`", target)
                return nil
            }
            return value.duration(in: Self.day, log, "glitch").map { .glitch(line, width: $0) }
        case _:
            let words = ["on", "off"]
            guard let value else {
                missing("on or off", target)
                return nil
            }
            return value.word(of: words, log, "stick").map { .stick(line, Level($0 == "on")) }
        }
    }

    private func isPossible(_ gesture: Gesture) -> Bool {
        var world = World(names.plan, seed: 0, bounce: .all(.none))
        return (try? world.apply(gesture, at: .zero)) != nil
    }

    private func missing(_ what: String, _ target: Target) {
        log.error(
            .missingKey, at: target.control.place,
            "`\(target.control.text ?? "")` needs \(what)",
            help: "write `{\(target.control.text ?? "control"): …}`")
    }
}
