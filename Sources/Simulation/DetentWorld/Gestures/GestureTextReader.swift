public import DetentCore
public import DetentPanel
import DetentTypes

/// Reads gestures in text form, such as `flip output on`, with the names of a panel.
public struct GestureTextReader: Sendable {
    /// A request in a line of text.
    public enum Request: Equatable, Sendable {
        case gesture(Gesture)
        /// A remote caller sets a value or fires an event, or a device reports its value.
        case tell(Event)
    }

    /// Why a text is not a gesture.
    public typealias Problem = GestureProblem

    /// The first words of requests, each with its form.
    public static let forms =
        GestureVerb.allCases.map(\.form) + [
            "set CONTROL VALUE", "set CONTROL by NUMBER", "confirm CONTROL EVENT",
            "feedback CONTROL VALUE",
        ]

    private let plan: PanelPlan

    /// Reads requests for a panel.
    public init(_ plan: PanelPlan) {
        self.plan = plan
    }

    /// Reads a request; words are separated by spaces, and the last may contain spaces.
    public func request(_ text: String) throws(Problem) -> Request {
        var parts = text.split(separator: " ", maxSplits: 2).map(String.init)[...]
        guard let verb = parts.popFirst() else { throw unknownVerb("") }
        let subject = parts.popFirst() ?? ""
        let rest = parts.popFirst()
        if let verb = GestureVerb(rawValue: verb) {
            return .gesture(try gesture(verb, subject, rest))
        }
        switch verb {
        case "set", "confirm", "feedback":
            return .tell(try word(verb, try control(subject), rest))
        case _: throw unknownVerb(verb)
        }
    }

    /// Reads a gesture; a time is the last argument.
    private func gesture(
        _ verb: GestureVerb, _ subject: String, _ rest: String?
    ) throws(Problem) -> Gesture {
        let grammar = GestureGrammar(plan)
        var arguments = GestureArguments(rest.map { .word($0) })
        if verb.needsTime {
            var words = (rest ?? "").split(separator: " ")
            arguments.time = try time(words.popLast().map(String.init))
            arguments.target = words.isEmpty ? nil : .word(words.joined(separator: " "))
        }
        switch verb.subject {
        case .control: return try grammar.gesture(verb, try control(subject), arguments)
        case .line: return try grammar.gesture(verb, try line(subject), arguments)
        }
    }

    /// Reads a request of a remote caller or a device.
    private func word(
        _ verb: String, _ control: ControlID, _ rest: String?
    ) throws(Problem) -> Event {
        let controlPlan = plan[control]
        if verb == "feedback" { return .feedback(control, try value(rest, of: control)) }
        guard controlPlan.valueNames.eventWords.isEmpty else {
            let event = try event(rest, of: control)
            return .fire(control, event, .api, isConfirmed: verb == "confirm")
        }
        guard verb == "set" else {
            throw Problem(
                cause: "\(controlPlan.id) has values; only events are confirmed",
                remedy: "write `set \(controlPlan.id) VALUE`")
        }
        if let rest, controlPlan.valueNames.value(named: rest) == nil {
            let change =
                rest.hasPrefix("by ") ? controlPlan.distance(by: String(rest.dropFirst(3))) : nil
            if let distance = change ?? controlPlan.distance(named: rest) {
                return .change(control, by: distance, .api)
            }
        }
        return .intent(control, try value(rest, of: control), .api)
    }

    private func unknownVerb(_ verb: String) -> Problem {
        Problem(
            cause: "`\(quoted(verb))` is not a gesture",
            remedy: "one of: " + Self.forms.joined(separator: "; "))
    }

    private func control(_ name: String) throws(Problem) -> ControlID {
        if let control = plan.control(named: name) { return control }
        throw Problem(
            cause: name.isEmpty
                ? "this gesture needs a control" : "there is no control `\(quoted(name))`",
            remedy: "the panel has: " + plan.controls.map(\.id).joined(separator: ", "))
    }

    private func line(_ name: String) throws(Problem) -> LineID {
        if let line = plan.line(named: name) { return line }
        throw Problem(
            cause: "there is no line `\(quoted(name))`",
            remedy: "the panel has: " + plan.lines.map(\.name).joined(separator: ", "))
    }

    private func event(_ text: String?, of control: ControlID) throws(Problem) -> Value {
        let controlPlan = plan[control]
        if let text, let event = controlPlan.valueNames.event(named: text) { return event }
        throw Problem(
            cause: text.map { "`\(quoted($0))` is not an event of \(controlPlan.id)" }
                ?? "\(controlPlan.id) needs an event",
            remedy: "one of: " + controlPlan.valueNames.eventWords.joined(separator: ", "))
    }

    private func value(_ text: String?, of control: ControlID) throws(Problem) -> Value {
        let controlPlan = plan[control]
        if let text, let value = controlPlan.valueNames.value(named: text) { return value }
        let events = controlPlan.valueNames.eventWords
        if !events.isEmpty {
            throw Problem(
                cause: "\(controlPlan.id) has no value",
                remedy: "fire one of its events with `set`: \(events.joined(separator: ", ")); "
                    + plan.possibleGestures(of: control))
        }
        throw Problem(
            cause: text.map { "`\(quoted($0))` is not a value of \(controlPlan.id)" }
                ?? "\(controlPlan.id) needs a value",
            remedy: controlPlan.valueNames.remedy)
    }

    private func time(_ text: String?) throws(Problem) -> TimeSpan {
        if let text, let span = try? DurationText.parse(text) { return span }
        throw Problem(
            cause: "`\(quoted(text ?? ""))` is not a duration",
            remedy: "write one such as 2s, 80ms or 150us")
    }
}

extension ValueNames {
    /// The words for the events of a control without values; empty for other controls.
    package var eventWords: [String] {
        switch self {
        case .none: ["press"]
        case .commands(let names): names
        case .onOff, .threeWay, .options, .several, .number: []
        }
    }

    /// How to write a value.
    package var remedy: String {
        let words = words.joined(separator: ", ")
        switch self {
        case .number: return "give a number"
        case .several: return "write none, or some of these joined by +: \(words)"
        case .none, .onOff, .threeWay, .options, .commands: return "one of: \(words)"
        }
    }
}
