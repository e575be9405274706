public import DetentCore
public import DetentPanel
import DetentTypes

/// Reads gestures written as words, such as `flip output on`, by the names of a panel.
public struct GestureWords: Sendable {
    /// What a line of words asks for.
    public enum Request: Equatable, Sendable {
        case gesture(Gesture)
        /// Somebody outside the panel asks for a value or fires an event, or a device tells its
        /// value.
        case tell(Event)
    }

    /// Why words are no gesture: cause and remedy.
    public struct Problem: Error, Equatable, Sendable {
        /// What is wrong.
        public var cause: String
        /// What would help.
        public var remedy: String
    }

    /// The words that begin a request, each with its form.
    public static let forms = [
        "press CONTROL [BUTTON]", "release CONTROL [BUTTON]", "click CONTROL [BUTTON]",
        "hold CONTROL [BUTTON] TIME", "flip CONTROL VALUE", "turn CONTROL DETENTS",
        "select CONTROL OPTION", "cover CONTROL open|shut", "set CONTROL VALUE",
        "confirm CONTROL EVENT", "feedback CONTROL VALUE", "glitch LINE TIME",
        "stick LINE active|inactive", "cut LINE", "restore LINE",
    ]

    private let plan: PanelPlan

    /// Reads words for a panel.
    public init(_ plan: PanelPlan) {
        self.plan = plan
    }

    /// Reads a request; words are separated by blanks, and the last may hold some.
    public func request(_ text: String) throws(Problem) -> Request {
        var parts = text.split(separator: " ", maxSplits: 2).map(String.init)[...]
        guard let verb = parts.popFirst() else { throw unknownVerb("") }
        let subject = parts.popFirst() ?? ""
        let rest = parts.popFirst()
        switch verb {
        case "press", "release", "click", "hold", "flip", "select", "turn", "cover":
            return .gesture(try gesture(verb, try control(subject), rest))
        case "set", "confirm", "feedback":
            return .tell(try word(verb, try control(subject), rest))
        case "glitch": return .gesture(.glitch(try line(subject), width: try time(rest)))
        case "stick":
            guard rest == "active" || rest == "inactive" else {
                throw Problem(
                    cause: "`stick` needs a level", remedy: "say `active` or `inactive`")
            }
            return .gesture(.stick(try line(subject), Level(rest == "active")))
        case "cut": return .gesture(.cut(try line(subject)))
        case "restore": return .gesture(.restore(try line(subject)))
        case _: throw unknownVerb(verb)
        }
    }

    /// What a hand does.
    private func gesture(
        _ verb: String, _ control: ControlID, _ rest: String?
    ) throws(Problem) -> Gesture {
        let id = plan.controls[Int(control.index)].id
        switch verb {
        case "press": return .press(control, button: try button(rest, of: control))
        case "release": return .release(control, button: try button(rest, of: control))
        case "click":
            let button = try button(rest, of: control)
            return .click(control, button: button, hold: Gesture.clickHold)
        case "hold":
            let words = (rest ?? "").split(separator: " ")
            let time = try time(words.last.map(String.init))
            let name = words.count > 1 ? words.dropLast().joined(separator: " ") : nil
            return .click(control, button: try button(name, of: control), hold: time)
        case "flip": return .flip(control, to: Int(try value(rest, of: control).raw))
        case "select": return .select(control, Int(try value(rest, of: control).raw))
        case "cover":
            guard rest == "open" || rest == "shut" else {
                throw Problem(cause: "`cover` needs a word", remedy: "say `open` or `shut`")
            }
            return .cover(control, isOpen: rest == "open")
        case _:
            guard let rest, let detents = Int(rest) else {
                throw Problem(
                    cause: "`turn` needs a number of detents",
                    remedy: "such as `turn \(id) +3`, clockwise positive")
            }
            return .turn(control, detents: detents, perSecond: Gesture.turnsPerSecond)
        }
    }

    /// What somebody says who is not at the panel.
    private func word(
        _ verb: String, _ control: ControlID, _ rest: String?
    ) throws(Problem) -> Event {
        let it = plan.controls[Int(control.index)]
        if verb == "feedback" { return .feedback(control, try value(rest, of: control)) }
        guard it.valueNames.eventWords.isEmpty else {
            let event = try event(rest, of: control)
            return .fire(control, event, .api, isConfirmed: verb == "confirm")
        }
        guard verb == "set" else {
            throw Problem(
                cause: "\(it.id) has values, and no event that is confirmed",
                remedy: "say `set \(it.id) VALUE`")
        }
        return .intent(control, try value(rest, of: control), .api)
    }

    private func unknownVerb(_ verb: String) -> Problem {
        Problem(
            cause: "`\(quoted(verb))` is no gesture",
            remedy: "one of: " + Self.forms.joined(separator: "; "))
    }

    private func control(_ name: String) throws(Problem) -> ControlID {
        if let place = plan.controls.firstIndex(where: { $0.id == name }) {
            return ControlID(UInt16(place))
        }
        throw Problem(
            cause: name.isEmpty
                ? "this gesture needs a control" : "there is no control `\(quoted(name))`",
            remedy: "the panel has: " + plan.controls.map(\.id).joined(separator: ", "))
    }

    private func line(_ name: String) throws(Problem) -> LineID {
        guard let place = plan.lines.firstIndex(where: { $0.name == name }) else {
            throw Problem(
                cause: "there is no line `\(quoted(name))`",
                remedy: "the panel has: " + plan.lines.map(\.name).joined(separator: ", "))
        }
        return LineID(UInt16(place))
    }

    /// The place of a button; 0 for the one button of a part that has no more.
    private func button(_ text: String?, of control: ControlID) throws(Problem) -> Int {
        let words = plan.buttonWords(of: control)
        let id = plan.controls[Int(control.index)].id
        if let text, let place = plan.button(named: text, of: control) { return place }
        if words.isEmpty {
            guard let text else { return 0 }
            throw Problem(
                cause: "`\(quoted(text))` is too much: \(id) has no buttons with names",
                remedy: plan.possibleGestures(of: control))
        }
        throw Problem(
            cause: text.map { "\(id) has no button `\(quoted($0))`" }
                ?? "\(id) has several buttons",
            remedy: "one of: " + words.joined(separator: ", "))
    }

    private func event(_ text: String?, of control: ControlID) throws(Problem) -> Value {
        let it = plan.controls[Int(control.index)]
        if let text, let event = it.valueNames.event(named: text) { return event }
        throw Problem(
            cause: text.map { "`\(quoted($0))` is no event of \(it.id)" }
                ?? "\(it.id) needs an event",
            remedy: "one of: " + it.valueNames.eventWords.joined(separator: ", "))
    }

    private func value(_ text: String?, of control: ControlID) throws(Problem) -> Value {
        let it = plan.controls[Int(control.index)]
        if let text, let value = it.valueNames.value(named: text) { return value }
        let events = it.valueNames.eventWords
        if !events.isEmpty {
            throw Problem(
                cause: "\(it.id) has no value",
                remedy: "fire one of its events with `set`: \(events.joined(separator: ", ")); "
                    + plan.possibleGestures(of: control))
        }
        throw Problem(
            cause: text.map { "`\(quoted($0))` is no value of \(it.id)" }
                ?? "\(it.id) needs a value",
            remedy: it.valueNames.remedy)
    }

    private func time(_ text: String?) throws(Problem) -> TimeSpan {
        if let text, let span = try? DurationText.parse(text) { return span }
        throw Problem(
            cause: "`\(quoted(text ?? ""))` is no time", remedy: "such as 2s, 80ms or 150us")
    }
}

extension ValueNames {
    /// The words for the events of a control without state; empty for one that has values.
    package var eventWords: [String] {
        switch self {
        case .none: ["press"]
        case .commands(let names): names
        case .onOff, .threeWay, .options, .several, .number: []
        }
    }

    /// What to write as a value.
    package var remedy: String {
        let words = words.joined(separator: ", ")
        switch self {
        case .number: return "give a number"
        case .several: return "none, or some of these joined by +: \(words)"
        case .none, .onOff, .threeWay, .options, .commands: return "one of: \(words)"
        }
    }
}
