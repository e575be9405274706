import DetentCore
import DetentPanel
import DetentTypes
import DetentWorld

/// Reads what a step's verb wants of one control's part: gestures, all of which begin at once.
struct GestureReader {
    private let names: PanelNames
    private let log: ProblemLog

    /// Verbs of a finger on a button.
    static let pushes = ["press", "release", "click", "hold"]
    /// Verbs that move a part, those of a finger among them.
    static let verbs = pushes + ["flip", "turn", "select", "cover"]
    /// Verbs of accidents to a line.
    static let accidents = ["glitch", "stick", "cut", "restore"]

    init(_ names: PanelNames, _ log: ProblemLog) {
        self.names = names
        self.log = log
    }

    /// What a verb wants; empty after a problem.
    func gestures(_ verb: String, _ control: ControlID, _ target: StepTarget) -> [Gesture] {
        let found: [Gesture]
        if Self.accidents.contains(verb) {
            found = accident(verb, control, target).map { [$0] } ?? []
        } else if Self.pushes.contains(verb) {
            guard isPossible(.press(control)) else {
                wrongPart(verb, control, target)
                return []
            }
            found = push(verb, control, target)
        } else {
            found = move(verb, control, target).map { [$0] } ?? []
        }
        guard found.allSatisfy(isPossible) else {
            wrongPart(verb, control, target)
            return []
        }
        return found
    }

    private func isPossible(_ gesture: Gesture) -> Bool {
        var world = World(names.plan, seed: 0, bounce: .all(.none))
        return (try? world.apply(gesture, at: .zero)) != nil
    }

    private func wrongPart(_ verb: String, _ control: ControlID, _ target: StepTarget) {
        log.error(
            PanelNames.wrongPart, at: target.control.place,
            "no `\(verb)` moves the part of `\(names.plan(of: control).id)`",
            help: names.plan.possibleGestures(of: control))
    }

    // MARK: Fingers

    /// `press: calibrate`, `press: {bus: CAM 1}`, `{bus: [CAM 1, CAM 2]}`, `click: {calibrate:
    /// 50ms}`, `hold: {bus: {button: CAM 1, for: 1s}}`.
    private func push(_ verb: String, _ control: ControlID, _ target: StepTarget) -> [Gesture] {
        let isRow = !names.plan.buttonWords(of: control).isEmpty
        let isTimed = verb == "click" || verb == "hold"
        var button: YAMLNode?
        var time: YAMLNode?
        if let argument = target.argument, argument.entries != nil {
            let keys = (isRow ? ["button"] : []) + (isTimed ? ["for"] : [])
            guard argument.hasOnly(keys, log, in: "`\(verb)`") else { return [] }
            button = argument["button"]
            time = argument["for"]
        } else if isRow {
            button = target.argument
        } else {
            time = target.argument
        }
        if let time, !isTimed {
            log.error(
                .wrongType, at: time.place, "`\(verb)` takes no time and no button here",
                help: "write `\(verb): \(names.plan(of: control).id)`, or `hold` for a time")
            return []
        }
        guard let buttons = buttons(button, control, target, isRow: isRow),
            let hold = hold(time, verb, control, target, isRow: isRow)
        else { return [] }
        return buttons.map { button in
            switch verb {
            case "press": .press(control, button: button)
            case "release": .release(control, button: button)
            case _: .click(control, button: button, hold: hold)
            }
        }
    }

    /// The buttons that are named; the only one of a part without names.
    private func buttons(
        _ node: YAMLNode?, _ control: ControlID, _ target: StepTarget, isRow: Bool
    ) -> [Int]? {
        guard isRow else { return [0] }
        guard let node, !node.isNull else {
            let words = names.plan.buttonWords(of: control).joined(separator: ", ")
            target.misses("a button, one of \(words)", log)
            return nil
        }
        guard let items = node.items else { return names.button(node, of: control).map { [$0] } }
        let buttons = items.compactMap { names.button($0, of: control) }
        return buttons.count == items.count ? buttons : nil
    }

    private func hold(
        _ node: YAMLNode?, _ verb: String, _ control: ControlID, _ target: StepTarget, isRow: Bool
    ) -> TimeSpan? {
        if let node { return node.duration(in: StepReader.day, log, verb) }
        guard verb == "hold" else { return Gesture.clickHold }
        target.misses(
            isRow ? "a button and a time, like `{button: …, for: 1s}`" : "a time, like `1s`", log)
        return nil
    }

    // MARK: Other parts

    private func move(_ verb: String, _ control: ControlID, _ target: StepTarget) -> Gesture? {
        guard let argument = target.argument else {
            let what =
                switch verb {
                case "turn": "a number of detents"
                case "cover": "`open` or `shut`"
                case _: "a position"
                }
            target.misses(what, log)
            return nil
        }
        switch verb {
        case "turn": return turn(control, argument)
        case "cover":
            return argument.word(of: ["open", "shut"], log, "cover").map {
                .cover(control, isOpen: $0 == "open")
            }
        case _:
            let settings = names.plan(of: control).settings
            switch settings.decoder {
            case .lever, .selector: break
            case .none, .button, .encoder, .buttonRow:
                wrongPart(verb, control, target)
                return nil
            }
            guard let value = names.value(argument, of: control) else { return nil }
            let place = Int(value.raw)
            return verb == "flip" ? .flip(control, to: place) : .select(control, place)
        }
    }

    private func turn(_ control: ControlID, _ argument: YAMLNode) -> Gesture? {
        let limit = WorldLimits.detents
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
    private func accident(
        _ verb: String, _ control: ControlID, _ target: StepTarget
    ) -> Gesture? {
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
                target.misses("a width, like `50us`", log)
                return nil
            }
            return value.duration(in: StepReader.day, log, "glitch").map {
                .glitch(line, width: $0)
            }
        case _:
            guard let value else {
                target.misses("on or off", log)
                return nil
            }
            return value.word(of: ["on", "off"], log, "stick").map {
                .stick(line, Level($0 == "on"))
            }
        }
    }
}
