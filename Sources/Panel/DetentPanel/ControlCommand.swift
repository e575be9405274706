import DetentCore
import DetentTypes

/// A remote request to a control: to set a value, to change it, or to fire.
package enum ControlCommand: Equatable {
    case value(Value)
    /// How far from the shown value.
    case change(Int32)
    case fire(Value)

    /// Reads a value, or a change that counts from the shown one: `toggle`, `next`, `previous`, or
    /// an object with `by`. A word that is a value of the control is that value.
    ///
    /// A caller that repeats a request must not use it: each repetition changes the value again.
    ///
    /// - Throws: `CommandError` if the control has no such value, and cannot be changed so.
    package init(
        changing json: JSONValue?, for id: ControlID, of plan: PanelPlan
    ) throws(CommandError) {
        do throws(CommandError) {
            self = try ControlCommand(json, for: id, of: plan)
        } catch {
            guard let distance = Self.distance(json, plan[id]) else { throw error }
            self = .change(distance)
        }
    }

    /// Whether JSON is a change of a control, and no value.
    package static func isChange(_ json: JSONValue?, of control: ControlPlan) -> Bool {
        distance(json, control) != nil
    }

    private static func distance(_ json: JSONValue?, _ control: ControlPlan) -> Int32? {
        if let by = json?["by"] { return control.distance(by: by.text ?? by.line) }
        guard let word = json?.text, control.valueNames.value(named: word) == nil else {
            return nil
        }
        return control.distance(named: word)
    }

    /// Reads a value from JSON: a word, a number, or an array of words.
    ///
    /// - Parameter json: nil fires a button.
    /// - Throws: `CommandError` if the control has no such value.
    package init(_ json: JSONValue?, for id: ControlID, of plan: PanelPlan) throws(CommandError) {
        let control = plan[id]
        let names = control.valueNames
        switch names {
        case .none:
            guard json == nil || json?.text == "press" else {
                throw Self.noValue(json, control, known: ["press"])
            }
            self = .fire(.on)
        case .commands(let words):
            guard let event = json?.text.flatMap(names.event) else {
                throw Self.noValue(json, control, known: words)
            }
            self = .fire(event)
        case .several(let words):
            if let text = json?.text, let value = names.value(named: text) {
                self = .value(value)
                return
            }
            guard case .array(let items)? = json else {
                throw Self.noValue(json, control, known: words, form: "send an array of words")
            }
            if let item = items.first(where: { $0.text.flatMap(words.firstIndex) == nil }) {
                throw Self.noValue(item, control, known: words)
            }
            guard let value = names.value(ofNames: items) else {
                throw Self.noValue(json, control, known: words)
            }
            self = .value(value)
        case .onOff, .threeWay, .options:
            guard let value = json?.text.flatMap(names.value(named:)) else {
                throw Self.noValue(json, control, known: names.words)
            }
            self = .value(value)
        case .number:
            self = .value(try Self.number(json, control))
        }
    }

    private static func number(
        _ json: JSONValue?, _ control: ControlPlan
    ) throws(CommandError) -> Value {
        let text: String? =
            switch json {
            case .number(let text), .string(let text): text
            case .integer(let number): String(number)
            case .none, .null, .bool, .array, .object: nil
            }
        guard let value = text.flatMap(control.valueNames.value(nearest:)) else {
            throw noValue(json, control, known: [], form: "send a number")
        }
        if let range = control.settings.nature.range, !range.contains(value) {
            let ends = control.valueNames.ends(of: range)
            throw noValue(json, control, known: [], form: "send a number from \(ends)")
        }
        return value
    }

    private static func noValue(
        _ json: JSONValue?, _ control: ControlPlan, known: [String], form: String? = nil
    ) -> CommandError {
        let what =
            json.map { "`\(quoted($0.text ?? $0.line))` is not a value of" } ?? "No value for"
        var remedy = form ?? ""
        if remedy.isEmpty {
            if let text = json?.text { remedy = didYouMean(text, among: known) }
            remedy += "one of: " + known.joined(separator: ", ")
        }
        return CommandError(cause: "\(what) `\(control.id)`", remedy: remedy)
    }

    /// The event for the core. A remote request is already confirmed if that is required.
    package func event(_ control: ControlID, _ origin: Origin, _ request: RequestID) -> Event {
        switch self {
        case .value(let value): .intent(control, value, origin, request: request)
        case .change(let distance): .change(control, by: distance, origin, request: request)
        case .fire(let value):
            .fire(control, value, origin, isConfirmed: true, request: request)
        }
    }
}

/// Why a request names no value of its control.
package struct CommandError: DescribedError, Equatable {
    /// The cause, in one line.
    package var cause: String
    /// The remedy, in one line.
    package var remedy: String
}
