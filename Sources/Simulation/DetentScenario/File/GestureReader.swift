import DetentCore
import DetentPanel
import DetentTypes
import DetentWorld

/// Reads the argument of a step's gesture verb for one control; all its gestures begin at once.
struct GestureReader {
    let names: PanelNames
    private var log: ProblemLog { names.log }

    /// The gestures of a verb; empty after a problem.
    func gestures(_ verb: GestureVerb, _ control: ControlID, _ target: StepTarget) -> [Gesture] {
        let found: [Gesture]
        switch verb.arguments {
        case .button(let time):
            guard isPossible(.press(control)) else {
                wrongPart(verb, control, target)
                return []
            }
            found = push(verb, time, control, target)
        case .position, .detents, .words:
            found = move(verb, control, target).map { gesture(verb, control, $0) } ?? []
        case .fault(let argument):
            found = fault(verb, argument, control, target).map { [$0] } ?? []
        }
        guard found.allSatisfy(isPossible) else {
            wrongPart(verb, control, target)
            return []
        }
        return found
    }

    /// The gesture of a verb with arguments, by the grammar that all front ends share.
    private func gesture(
        _ verb: GestureVerb, _ control: ControlID, _ arguments: GestureArguments
    ) -> [Gesture] {
        // The arguments were checked before, each at its position.
        (try? GestureGrammar(names.plan).gesture(verb, control, arguments)).map { [$0] } ?? []
    }

    private func isPossible(_ gesture: Gesture) -> Bool {
        var world = PhysicalModel(names.plan, seed: 0, bounce: .all(.none))
        return (try? world.apply(gesture, at: .zero)) != nil
    }

    private func wrongPart(_ verb: GestureVerb, _ control: ControlID, _ target: StepTarget) {
        log.error(
            PanelNames.wrongPart, at: target.control.place,
            "`\(verb.rawValue)` does not suit the part of `\(names.plan(of: control).id)`",
            help: names.plan.possibleGestures(of: control))
    }

    // MARK: Buttons

    /// `press: calibrate`, `press: {bus: CAM 1}`, `{bus: [CAM 1, CAM 2]}`, `click: {calibrate:
    /// 50ms}`, `hold: {bus: {button: CAM 1, for: 1s}}`.
    private func push(
        _ verb: GestureVerb, _ use: GestureVerb.Arguments.TimeUse, _ control: ControlID,
        _ target: StepTarget
    ) -> [Gesture] {
        let isRow = !names.plan.buttonWords(of: control).isEmpty
        let isTimed = use != .none
        var button: YAMLNode?
        var time: YAMLNode?
        if let argument = target.argument, argument.entries != nil {
            let keys = (isRow ? ["button"] : []) + (isTimed ? ["for"] : [])
            guard argument.hasOnly(keys, log, in: "`\(verb.rawValue)`") else { return [] }
            button = argument["button"]
            time = argument["for"]
        } else if isRow {
            button = target.argument
        } else {
            time = target.argument
        }
        if let time, !isTimed {
            log.error(
                .wrongType, at: time.place,
                "`\(verb.rawValue)` cannot have a time or a button here",
                help:
                    "write `\(verb.rawValue): \(names.plan(of: control).id)`, or `hold` for a time")
            return []
        }
        guard let buttons = buttons(button, control, target, isRow: isRow),
            use != .required || time != nil
        else {
            if use == .required, time == nil { missesTime(target, isRow: isRow) }
            return []
        }
        var span: TimeSpan?
        if let time {
            guard let read = time.duration(in: StepReader.day, log, verb.rawValue) else {
                return []
            }
            span = read
        }
        return buttons.flatMap {
            gesture(verb, control, GestureArguments(.number($0), time: span))
        }
    }

    /// The named buttons; the only one of a part without names.
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

    private func missesTime(_ target: StepTarget, isRow: Bool) {
        target.misses(
            isRow ? "a button and a time, such as `{button: …, for: 1s}`" : "a time, such as `1s`",
            log)
    }

    // MARK: Other parts

    private func move(
        _ verb: GestureVerb, _ control: ControlID, _ target: StepTarget
    ) -> GestureArguments? {
        guard let argument = target.argument else {
            target.misses(Self.words(for: verb.arguments), log)
            return nil
        }
        switch verb.arguments {
        case .detents: return turn(argument)
        case .words(let words):
            return argument.word(of: words, log, verb.rawValue).map { GestureArguments(.word($0)) }
        case .button, .position, .fault: return position(verb, argument, control, target)
        }
    }

    private static func words(for arguments: GestureVerb.Arguments) -> String {
        switch arguments {
        case .detents: "a number of detents"
        case .words(let words): words.map { "`\($0)`" }.joined(separator: " or ")
        case .button, .position, .fault: "a position"
        }
    }

    private func position(
        _ verb: GestureVerb, _ argument: YAMLNode, _ control: ControlID, _ target: StepTarget
    ) -> GestureArguments? {
        guard names.plan(of: control).settings.decoder.holdsPosition else {
            wrongPart(verb, control, target)
            return nil
        }
        return names.value(argument, of: control).map { GestureArguments(.number(Int($0.raw))) }
    }

    private func turn(_ argument: YAMLNode) -> GestureArguments? {
        let limit = WorldLimits.detents
        guard argument.entries != nil else {
            return argument.integer(in: -limit...limit, log, "turn").map {
                GestureArguments(.number($0))
            }
        }
        guard argument.hasOnly(["by", "per-second"], log, in: "`turn`"),
            let by = ScenarioReader.required("by", argument, log)?
                .integer(in: -limit...limit, log, "by")
        else { return nil }
        let speed = argument["per-second"]?.integer(in: 1...10_000, log, "per-second")
        return GestureArguments(.number(by), perSecond: speed)
    }

    /// `glitch: {output: 50us}`, or `glitch: {range: {line: GPIO5, width: 50us}}`; the others
    /// alike.
    private func fault(
        _ verb: GestureVerb, _ needed: GestureVerb.Arguments.FaultArgument, _ control: ControlID,
        _ target: StepTarget
    ) -> Gesture? {
        var lineNode: YAMLNode?
        var value = target.argument
        if let map = target.argument, map.entries != nil {
            let keys = ["line", "width", "level"]
            guard map.hasOnly(keys, log, in: "`\(verb.rawValue)`") else { return nil }
            lineNode = map["line"]
            value = map["width"] ?? map["level"]
        }
        guard let line = names.line(lineNode, of: control, at: target.control.place) else {
            return nil
        }
        var arguments = GestureArguments()
        switch needed {
        case .none: break
        case .width:
            guard let value else { return misses("a width, such as `50us`", target) }
            arguments.time = value.duration(in: StepReader.day, log, verb.rawValue)
        case .level:
            guard let value else { return misses("active or inactive", target) }
            arguments.target = value.word(of: GestureGrammar.levelWords, log, verb.rawValue)
                .map { .word($0) }
        }
        return try? GestureGrammar(names.plan).gesture(verb, line, arguments)
    }

    private func misses(_ what: String, _ target: StepTarget) -> Gesture? {
        target.misses(what, log)
        return nil
    }
}
