internal import DetentActions
internal import DetentCore
internal import DetentPanel
internal import DetentRuntime
internal import DetentTypes

/// Finds out which attempt of which control a program, a request or a message belongs to.
struct Questions {
    /// Stands for the value in a text.
    private static let mark = "DETENTVALUE"

    private let plan: PanelPlan
    private let reader: PanelActions

    init(_ plan: PanelPlan) {
        self.plan = plan
        reader = PanelActions(plan)
    }

    /// The attempt that a program belongs to; nil for one that reports, or that no control knows.
    func attempt(of program: StandIn) -> (ControlID, ActionID, Value, isQuery: Bool)? {
        guard let control = plan.control(named: program.control) else { return nil }
        let value = value(program.value, of: control) ?? .on
        for action in actions(of: control) {
            let command = ActionCommand(
                .start, action: action.index, run: RunID(1), control: control, value: value)
            guard case .program(let call) = reader.request(command).payload,
                call.arguments.count == program.arguments.count,
                zip(call.arguments, program.arguments).enumerated().dropFirst().allSatisfy({
                    $1.0 == $1.1 || isOfMoment(argument: $0, of: action)
                }),
                call.arguments.first?.split(separator: "/").last.map(String.init)
                    == program.arguments.first
            else { continue }
            return (control, action, value, plan[control].settings.query == action)
        }
        return nil
    }

    /// Whether an argument depends on detents, or on other controls: on the moment of the attempt.
    private func isOfMoment(argument place: Int, of action: ActionID) -> Bool {
        guard case .run(let arguments) = plan.actions[Int(action.index)].command else {
            return false
        }
        return arguments[place].contains("{steps}")
            || !TextTemplate.names(in: arguments[place]).isEmpty
    }

    /// The attempt that a request to a web service belongs to; nil for one that no control makes.
    func attempt(of request: WebRequest) -> (ControlID, ActionID, Value, isQuery: Bool)? {
        attempt(of: "http") { fields, words in
            for method in Self.methods {
                guard let address = fields.text(method), method.uppercased() == request.method
                else {
                    continue
                }
                let body = fields.text("body").map {
                    TextTemplate($0, in: .json).filled(with: words)
                }
                return Self.match(
                    [TextTemplate(address, in: .address).filled(with: words), body ?? ""],
                    [request.address, body == nil ? "" : request.body])
            }
            return nil
        }
    }

    /// The attempt that a message to the broker belongs to; nil for one that no control sends.
    func attempt(
        ofMessage bytes: [UInt8], to topic: String
    ) -> (ControlID, ActionID, Value, isQuery: Bool)? {
        attempt(of: "mqtt") { fields, words in
            Self.match(
                [
                    TextTemplate(fields.text("topic") ?? "").filled(with: words),
                    TextTemplate(fields.text("payload") ?? "", in: .json).filled(with: words),
                ],
                [topic, String(decoding: bytes, as: UTF8.self)])
        }
    }

    /// The attempt that a text over a wire belongs to; nil for one that no control sends.
    func attempt(
        of text: WireText, at place: WirePlace
    ) -> (ControlID, ActionID, Value, isQuery: Bool)? {
        attempt(of: place.kind) { fields, words in
            guard WirePlace(ActionKindID(place.kind), fields) == place else { return nil }
            return Self.match(
                [TextTemplate(fields.text("text") ?? "").filled(with: words)], [text.text])
        }
    }

    private static let methods = ["get", "put", "post", "patch", "delete"]

    /// - Parameter match: the word for the value in what was received; empty if it has none, nil
    ///   if it is something else.
    private func attempt(
        of kind: String, _ match: ([ActionField], ActionWords) -> String?
    ) -> (ControlID, ActionID, Value, isQuery: Bool)? {
        for control in plan.allControls {
            for action in actions(of: control) {
                guard case .call(let call) = plan.actions[Int(action.index)].command,
                    call.kind == kind
                else { continue }
                let words = ActionWords(
                    value: Self.mark, previous: "", control: plan[control].id, origin: "panel")
                guard let word = match(call.fields, words) else { continue }
                let isQuery = plan[control].settings.query == action
                if isQuery { return (control, action, .unknown, true) }
                if let value = value(word, of: control) ?? only(action, of: control) {
                    return (control, action, value, false)
                }
            }
        }
        return nil
    }

    /// The value or the event that an action says to the device; nil if it says none.
    private func value(_ word: String, of control: ControlID) -> Value? {
        let device = plan[control]
        let places = device.valueNames.words.indices.map { Value(Int32($0)) }
        return device.value(ofDevice: word)
            ?? places.first { device.deviceWord(of: $0) == word }
            ?? device.valueNames.event(named: word)
    }

    /// The value of an action that says none: the one that it belongs to.
    private func only(_ action: ActionID, of control: ControlID) -> Value? {
        guard case .perValue(let first, let present) = plan[control].settings.actions else {
            return .on
        }
        let places = (0..<32).filter { present & 1 << UInt32($0) != 0 }
        let place = Int(action.index) - Int(first.index)
        return places.indices.contains(place) ? Value(Int32(places[place])) : nil
    }

    /// What stands for the mark; empty if the texts are equal without one; nil if they differ.
    private static func match(_ wanted: [String], _ found: [String]) -> String? {
        var word = ""
        for (expectation, fact) in zip(wanted, found) where expectation != fact {
            guard let mark = expectation.firstRange(of: Self.mark) else { return nil }
            let before = expectation[..<mark.lowerBound]
            let after = expectation[mark.upperBound...]
            guard fact.hasPrefix(before), fact.hasSuffix(after),
                fact.utf8.count >= before.utf8.count + after.utf8.count
            else { return nil }
            word = decoded(String(fact.dropFirst(before.count).dropLast(after.count)))
        }
        return word
    }

    /// A text without the encoding of an address.
    private static func decoded(_ text: String) -> String {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            let code = String(decoding: rest.prefix(2), as: UTF8.self)
            if byte == UInt8(ascii: "%"), let known = UInt8(code, radix: 16) {
                bytes.append(known)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The places of web services that the panel asks, such as `garden-plug.lan:80`.
    var services: [HostAndPort] {
        plan.actions.compactMap { action in
            guard case .call(let call) = action.command, call.kind == "http" else { return nil }
            let address = Self.methods.lazy.compactMap { call.fields.text($0) }.first ?? ""
            guard address.hasPrefix("http://") else { return nil }
            let place = address.dropFirst(7).prefix { $0 != "/" }
            return HostAndPort(place.contains(":") ? String(place) : "\(place):80")
        }
    }

    /// The devices at wires, of actions and of feedback; keys are pressed at no wire.
    var wires: [WirePlace] {
        var places = plan.actions.compactMap { action -> WirePlace? in
            guard case .call(let call) = action.command else { return nil }
            return WirePlace(ActionKindID(call.kind), call.fields)
        }
        places += plan.controls.compactMap { control in
            guard case .wire(let kind, let fields)? = control.feedback?.source else { return nil }
            return WirePlace(ActionKindID(kind), fields)
        }
        return places.filter { ["tcp", "serial"].contains($0.kind) }
    }

    /// The topics of the broker to which actions send messages.
    var topics: [String] {
        plan.actions.compactMap { action in
            guard case .call(let call) = action.command, call.kind == "mqtt" else { return nil }
            return call.fields.text("topic")
        }
    }

    /// The fields of an action that a runner performs.
    func fields(of action: ActionID) -> [ActionField] {
        if case .call(let call) = plan.actions[Int(action.index)].command {
            call.fields
        } else {
            []
        }
    }

    /// The controls whose feedback a program is.
    func reporters(_ program: StandIn) -> [ControlID] {
        plan.allControls.filter {
            guard case .program(let arguments)? = plan[$0].feedback?.source else { return false }
            return Array(arguments.dropFirst()) == Array(program.arguments.dropFirst())
        }
    }

    /// The programs that the panel starts, by their names.
    var programs: [String] {
        var lists = plan.actions.compactMap { action -> [String]? in
            if case .run(let arguments) = action.command { arguments } else { nil }
        }
        lists += plan.controls.compactMap { control in
            if case .program(let arguments)? = control.feedback?.source { arguments } else { nil }
        }
        return lists.compactMap(\.first)
    }

    /// All actions of a control: those of its values and of its steps, and its query.
    func actions(of control: ControlID) -> [ActionID] {
        let settings = plan[control].settings
        let gestures = plan.gestures.filter { $0.owner == control }.map(\.settings.actions)
        var found: [ActionID] = []
        for map in [settings.actions] + gestures {
            found += map.indices.map { ActionID(UInt16($0)) }
        }
        for action in found {
            for step in plan.actions[Int(action.index)].settings.steps.places {
                if case .run(let inner) = plan.relations.sequenceSteps[step] { found.append(inner) }
            }
        }
        return found + (settings.query.map { [$0] } ?? [])
    }

    /// The kinds of actions that a control has, such as `run`.
    func kinds(of control: ControlID) -> Set<String> {
        Set(
            actions(of: control).compactMap { action in
                switch plan.actions[Int(action.index)].command {
                case .run: "run"
                case .call(let call): call.kind
                case .steps: nil
                }
            })
    }
}

extension WirePlace {
    /// The kind of its actions.
    fileprivate var kind: String {
        switch self {
        case .tcp: "tcp"
        case .udp, .hearing: "udp"
        case .serial: "serial"
        case .keys: "key"
        }
    }
}
