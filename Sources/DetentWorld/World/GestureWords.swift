public import DetentPanel
public import DetentTypes

/// Reads gestures written as words, such as `flip output on`, by the names of a panel.
public struct GestureWords: Sendable {
    /// What a line of words asks for.
    public enum Request: Equatable, Sendable {
        case gesture(Gesture)
        /// A remote caller asks for a value.
        case set(ControlID, Value)
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
        "press CONTROL", "release CONTROL", "click CONTROL", "hold CONTROL TIME",
        "flip CONTROL VALUE", "turn CONTROL DETENTS", "select CONTROL OPTION",
        "set CONTROL VALUE", "glitch LINE TIME", "stick LINE active|inactive", "cut LINE",
        "restore LINE",
    ]

    private let plan: PanelPlan

    /// Reads words for a panel.
    public init(_ plan: PanelPlan) {
        self.plan = plan
    }

    /// Reads a request; words are separated by blanks, and the last may hold some.
    public func request(_ text: String) throws(Problem) -> Request {
        let parts = text.split(separator: " ", maxSplits: 2).map(String.init)
        guard let verb = parts.first else { throw unknownVerb("") }
        let subject = parts.count > 1 ? parts[1] : ""
        let rest = parts.count > 2 ? parts[2] : nil
        switch verb {
        case "press": return .gesture(.press(try control(subject)))
        case "release": return .gesture(.release(try control(subject)))
        case "click": return .gesture(.click(try control(subject), hold: Gesture.clickHold))
        case "hold": return .gesture(.click(try control(subject), hold: try time(rest)))
        case "flip":
            let control = try control(subject)
            return .gesture(.flip(control, to: Int(try value(rest, of: control).raw)))
        case "select":
            let control = try control(subject)
            return .gesture(.select(control, Int(try value(rest, of: control).raw)))
        case "turn":
            guard let rest, let detents = Int(rest) else {
                throw Problem(
                    cause: "`turn` needs a number of detents",
                    remedy: "such as `turn \(subject) +3`, clockwise positive")
            }
            return .gesture(
                .turn(
                    try control(subject), detents: detents, perSecond: Gesture.turnsPerSecond))
        case "set":
            let control = try control(subject)
            return .set(control, try value(rest, of: control))
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

    private func unknownVerb(_ verb: String) -> Problem {
        Problem(
            cause: "`\(verb)` is no gesture",
            remedy: "one of: " + Self.forms.joined(separator: "; "))
    }

    private func control(_ name: String) throws(Problem) -> ControlID {
        if name.isEmpty {
            throw Problem(
                cause: "this gesture needs a control",
                remedy: "the panel has: " + plan.controls.map(\.id).joined(separator: ", "))
        }
        guard let place = plan.controls.firstIndex(where: { $0.id == name }) else {
            throw Problem(
                cause: "there is no control `\(name)`",
                remedy: "the panel has: " + plan.controls.map(\.id).joined(separator: ", "))
        }
        return ControlID(UInt16(place))
    }

    private func line(_ name: String) throws(Problem) -> LineID {
        guard let place = plan.lines.firstIndex(where: { $0.name == name }) else {
            throw Problem(
                cause: "there is no line `\(name)`",
                remedy: "the panel has: " + plan.lines.map(\.name).joined(separator: ", "))
        }
        return LineID(UInt16(place))
    }

    private func value(_ text: String?, of control: ControlID) throws(Problem) -> Value {
        let it = plan.controls[Int(control.index)]
        if let text, let value = it.valueNames.value(named: text) { return value }
        let words = it.valueNames.words
        if it.valueNames == .none {
            throw Problem(cause: "\(it.id) has no value", remedy: "say `click \(it.id)`")
        }
        throw Problem(
            cause: text.map { "`\($0)` is no value of \(it.id)" } ?? "\(it.id) needs a value",
            remedy: words.isEmpty ? "give a number" : "one of: " + words.joined(separator: ", "))
    }

    private func time(_ text: String?) throws(Problem) -> TimeSpan {
        if let text, let span = try? DurationText.parse(text) { return span }
        throw Problem(cause: "`\(text ?? "")` is no time", remedy: "such as 2s, 80ms or 150us")
    }
}
