import DetentCore
import DetentPanel
import DetentRuntime
import DetentTypes
import DetentWorld

/// Reads a command for a simulated panel.
struct SimulationCommandReader {
    let plan: PanelPlan
    let body: JSONValue

    /// A gesture, or a fault of a line.
    ///
    /// - Parameters:
    ///   - verb: the name of the gesture or fault.
    ///   - control: the control; nil for a line.
    ///   - line: the line; nil for a control.
    func gesture(
        verb: String?, control: String?, line: String?
    ) throws(APIError) -> SimulationCommand {
        guard let verb else { throw .missing("verb", #""verb": "press""#) }
        let arguments = GestureArguments(try target(), time: try span("for"))
        let grammar = GestureGrammar(plan)
        do {
            if let line {
                let verb = try Self.known(verb, .line)
                guard let id = plan.line(named: line) else { throw APIError.noLine(line, in: plan) }
                return .gesture(try grammar.gesture(verb, id, arguments))
            }
            guard let control else { throw APIError.missingControl(in: plan) }
            let verb = try Self.known(verb, .control)
            guard let id = plan.control(named: control) else {
                throw APIError.noControl(control, in: plan)
            }
            return .gesture(try grammar.gesture(verb, id, arguments))
        } catch let problem as GestureProblem {
            throw APIError(422, problem.cause, problem.remedy)
        } catch let refused as APIError {
            throw refused
        } catch {
            throw APIError(422, "This is not a gesture", "\(error)")
        }
    }

    private static func known(
        _ verb: String, _ subject: GestureVerb.Subject
    ) throws(APIError) -> GestureVerb {
        if let known = GestureVerb(rawValue: verb), known.subject == subject { return known }
        let words = GestureVerb.words(for: subject)
        throw APIError(
            404, "There is no verb `\(quoted(verb))`",
            didYouMean(verb, among: words) + "one of: " + words.joined(separator: ", "))
    }

    /// Reads a command of the clock.
    func clock() throws(APIError) -> SimulationCommand {
        guard let word = body.given("do")?.text else { throw .missing("do", #""do": "pause""#) }
        switch word {
        case "pause": return .clock(.pause)
        case "run": return .clock(.run)
        case "restart": return .clock(.restart)
        case "step":
            guard let span = try span("by") else { throw .missing("by", #""by": "20ms""#) }
            return .clock(.step(span))
        case "rate":
            guard case .number(let text)? = body.given("rate") else {
                throw .missing("rate", #""rate": 0.5"#)
            }
            guard let units = DecimalNumber(text)?.units(decimals: 3),
                WorldLimits.clockRates.contains(Int(clamping: units))
            else {
                throw APIError(422, "The rate `\(quoted(text))` is out of range", "use 0.1 to 100")
            }
            return .clock(.rate(Int(units)))
        case _:
            throw APIError(
                422, "`\(quoted(word))` is not a clock command",
                didYouMean(word, among: ["pause", "run", "step", "rate", "restart"])
                    + "one of: pause, run, step, rate, restart")
        }
    }

    /// Reads how a control's contacts bounce, or how its device behaves.
    func simulation() throws(APIError) -> SimulationCommand {
        guard let name = body.given("control")?.text else { throw .missingControl(in: plan) }
        guard let id = plan.control(named: name) else { throw .noControl(name, in: plan) }
        if let member = body["bounce"] { return .bounce(id, try bounce(member)) }
        if let script = body.given("action") { return .action(id, try self.script(script)) }
        if let code = body.given("fail") { return .fail(id, code: try self.code(code)) }
        if let finish = body.given("finish") {
            guard case .bool(true) = finish else {
                throw .unreadable("`finish` is not true", "write {\"finish\": true}")
            }
            return .finish(id)
        }
        if let device = body.given("device") { return .device(id, try value(device, of: id)) }
        if let given = body.given("feedback") { return .feedback(id, try value(given, of: id)) }
        if let text = body.given("report")?.text {
            return .report(id, text, times: body.given("times")?.whole ?? 1)
        }
        throw .missing(
            "bounce, action, fail, finish, device, feedback or report", #""fail": 1"#)
    }

    private func value(_ json: JSONValue, of control: ControlID) throws(APIError) -> Value {
        let hasValue =
            switch plan[control].valueNames {
            case .none, .commands: false
            case .onOff, .threeWay, .options, .several, .number: true
            }
        // What else a control takes, such as `press`, does not help here.
        guard hasValue,
            case .value(let value) = try ControlCommand.read(json, for: control, of: plan)
        else {
            throw APIError(
                422, "`\(plan[control].id)` has no value, so its device cannot have one",
                "use a control that has a value")
        }
        return value
    }

    private func bounce(_ json: JSONValue) throws(APIError) -> BounceSelection {
        switch json {
        case .null: return .original
        case .string("typical"): return .typical
        case .string(let name): return .named(name)
        case .object:
            guard let closes = try Self.span("closes", in: json) else {
                throw .missing("closes", #""closes": "3ms""#)
            }
            return .profile(
                BounceProfile(closes: closes, opens: try Self.span("opens", in: json)))
        case .bool, .integer, .number, .array:
            throw .unreadable(
                "`bounce` is not a profile or a map of times",
                "write \"cherry-mx\", {\"closes\": \"3ms\"} or null")
        }
    }

    private func script(_ json: JSONValue) throws(APIError) -> ActionScript {
        guard let takes = try Self.span("takes", in: json) else {
            throw .missing("takes", #""takes": "20ms""#)
        }
        let word = json.given("then")?.text ?? "succeed"
        let code = word == "fail" ? try json.given("code").map(code) ?? 1 : 1
        guard let ending = ActionScript.Ending(word, code: code) else {
            throw APIError(
                422, "`\(quoted(word))` is not an outcome of an action",
                "one of: " + ActionScript.Ending.words.joined(separator: ", "))
        }
        return ActionScript(takes: takes, then: ending, answer: json.given("answer")?.text)
    }

    private func code(_ json: JSONValue) throws(APIError) -> Int32 {
        let codes = WorldLimits.failureCodes
        guard let number = json.whole, codes.contains(Int32(clamping: number)) else {
            throw APIError(
                422, "A failure has an exit code",
                "send a whole number from \(codes.lowerBound) to \(codes.upperBound)")
        }
        return Int32(number)
    }

    private func target() throws(APIError) -> GestureArguments.Target? {
        guard let value = body.given("value") else { return nil }
        if let word = value.text { return .word(word) }
        if let number = value.whole, (-1_000...1_000).contains(number) { return .number(number) }
        throw APIError(422, "`value` must be a word or a small whole number", "such as \"on\" or 2")
    }

    private func span(_ name: String) throws(APIError) -> TimeSpan? {
        try Self.span(name, in: body)
    }

    private static func span(_ name: String, in json: JSONValue) throws(APIError) -> TimeSpan? {
        guard let member = json.given(name) else { return nil }
        guard let text = member.text, let span = try? DurationText.parse(text) else {
            let what = member.text.map { "`\(name)`: `\(quoted($0))`" } ?? "`\(name)`"
            throw .unreadable(
                "\(what) is not a duration", "use a number with its unit, such as \"20ms\"")
        }
        return span
    }

}

extension APIError {
    /// - Parameter example: the member with a value, as JSON.
    static func missing(_ name: String, _ example: String) -> APIError {
        APIError(400, "`\(name)` is missing", "send it, such as \(example)")
    }

    static func missingControl(in plan: PanelPlan) -> APIError {
        .missing("control", "\"control\": \"\(plan.controls.first?.id ?? "")\"")
    }
}
