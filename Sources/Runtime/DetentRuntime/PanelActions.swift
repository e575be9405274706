public import DetentActions
import DetentCore
public import DetentPanel
public import DetentTypes
import Synchronization

/// Fills the actions of a panel with names and values, just before an attempt starts.
///
/// The dispatcher knows controls and actions by keys, which are the indices of the first plan. When
/// a panel follows another one, controls and actions that continue keep their keys, because
/// attempts may run; the others get new ones.
public final class PanelActions: Sendable {
    /// A class, because a plan is large and is looked at for each attempt.
    fileprivate final class Control: Sendable {
        let plan: ControlPlan
        /// The key of its query.
        let query: UInt16?

        init(_ plan: ControlPlan, query: UInt16? = nil) {
            self.plan = plan
            self.query = query
        }
    }

    fileprivate struct Tables {
        var controls: [Control] = []
        var actions: [PreparedAction] = []
        var keys = ActionKeys()
    }

    /// The kind of each action of the first plan; nil for one that the core performs.
    public let kinds: [ActionKindID?]
    private let tables: Mutex<Tables>

    /// Takes the actions of a plan.
    public init(_ plan: PanelPlan) {
        var tables = Tables()
        tables.add(plan, nil)
        kinds = tables.actions.map(\.kind)
        self.tables = Mutex(tables)
    }

    /// The keys of the present panel.
    public var keys: ActionKeys { tables.withLock { $0.keys } }

    /// Adds the actions of a panel that follows the present one.
    ///
    /// - Returns: the kinds of the added actions, for the dispatcher, and the keys of the panel;
    ///   nil if `RuntimeLimits.actionKeys` are in use.
    public func replacePlan(
        _ plan: PanelPlan, _ difference: PanelDifference
    ) -> (kinds: [ActionKindID?], keys: ActionKeys)? {
        tables.withLock { tables -> (kinds: [ActionKindID?], keys: ActionKeys)? in
            let limit = RuntimeLimits.actionKeys
            guard tables.controls.count + plan.controls.count <= limit,
                tables.actions.count + plan.actions.count <= limit
            else { return nil }
            let first = tables.actions.count
            tables.add(plan, difference)
            return (tables.actions[first...].map(\.kind), tables.keys)
        }
    }

    /// The panel that was to follow was refused: the former keys are valid again.
    public func goBack(to keys: ActionKeys) { tables.withLock { $0.keys = keys } }

    /// The attempt that a command asks for.
    ///
    /// The request has no timeout: the engine measures the time and cancels the attempt.
    public func request(_ command: ActionCommand) -> ActionRequest {
        guard let (control, action) = parts(of: command) else {
            return ActionRequest(run: command.run, .fields([]))
        }
        let isTurn = action.usesSteps
        let words = ActionWords(
            value: isTurn ? "" : control.plan.deviceWord(of: command.value),
            previous: isTurn ? "" : control.plan.deviceWord(of: command.previous),
            control: control.plan.id, origin: command.origin.word,
            group: control.plan.layout.group ?? "",
            steps: isTurn ? String(command.value.raw) : "",
            others: action.otherNames.enumerated().map { place, names in
                names.name(of: command.values[place])
            })
        var request = ActionRequest(
            run: command.run, action.payload(words),
            keepsAnswer: control.query == command.action || action.pointer != nil
                || action.expectsValue,
            command: command)
        if control.plan.settings.nature == .heldButton {
            if command.value == .pressed { request.part = .beginning }
            if command.value == .released { request.part = .end }
        }
        return request
    }

    private func parts(
        of command: ActionCommand
    ) -> (control: Control, action: PreparedAction)? {
        let control = Int(command.control.index)
        let action = Int(command.action)
        return tables.withLock { tables in
            guard tables.controls.indices.contains(control),
                tables.actions.indices.contains(action)
            else { return nil }
            return (tables.controls[control], tables.actions[action])
        }
    }

    /// What an attempt is for, in messages for people.
    public struct Subject: Equatable, Sendable {
        /// The id of the control.
        public var control: String
        /// Whether it asks the device for its value.
        public var isQuery = false
        /// How long the engine waits for it; nil if it has no timeout.
        public var timeout: TimeSpan?
    }

    /// What an attempt is for; a command of an unknown control has its number.
    public func subject(of command: ActionCommand) -> Subject {
        guard let (control, action) = parts(of: command) else {
            return Subject(control: "#\(command.control.index)")
        }
        return Subject(
            control: control.plan.id, isQuery: control.query == command.action,
            timeout: action.timeout)
    }

    /// What a command asks for, for people: the words of the panel file. Secrets are not filled in.
    public func text(of command: ActionCommand) -> String {
        guard let (_, action) = parts(of: command) else { return "" }
        switch (request(command).payload, action.kind) {
        case (.program(let call), _): return "run: " + Self.list(call.arguments)
        case (.fields(let fields), let kind?):
            if fields.count == 1, fields[0].name == kind.word {
                return "\(kind.word): " + Self.text(of: fields[0].content)
            }
            let keys = fields.filter { !action.implied.contains($0.name) }.map {
                let expected = WireExpectation.text($0).map(Self.written)
                return "\($0.name): \(expected ?? Self.text(of: $0.content))"
            }
            return "\(kind.word): {\(keys.joined(separator: ", "))}"
        case _: return ""
        }
    }

    private static func text(of content: ActionField.Content) -> String {
        switch content {
        case .text(let text): written(text)
        case .texts(let texts): list(texts)
        case .pairs(let pairs):
            "{" + pairs.map { "\($0.name): \(written($0.text))" }.joined(separator: ", ") + "}"
        case .integer(let number): String(number)
        case .boolean(let flag): flag ? "true" : "false"
        case .duration(let span): DurationText.text(span)
        }
    }

    private static func list(_ texts: [String]) -> String {
        "[" + texts.map(written).joined(separator: ", ") + "]"
    }

    /// A text as a panel file has it: in quotation marks if it has a line end or another character
    /// that is not seen.
    private static func written(_ text: String) -> String {
        let plain = PrintableText.text(text)
        guard plain != text else { return quoted(text) }
        let escaped = text.map { letter in
            switch letter {
            case "\n": "\\n"
            case "\r": "\\r"
            case "\r\n": "\\r\\n"
            case "\t": "\\t"
            case "\"", "\\": "\\\(letter)"
            default: PrintableText.text(String(letter))
            }
        }
        return "\"\(quoted(escaped.joined()))\""
    }

    /// Whether a message of the device confirms an attempt: it says the value that was asked for.
    /// nil if no message confirms it.
    public func confirms(_ command: ActionCommand, _ message: [UInt8]) -> Bool? {
        guard let (control, action) = parts(of: command), let confirmation = action.confirmation
        else {
            return nil
        }
        let words = confirmation.words.compactMap { pair in
            control.plan.value(named: pair.text).map { FeedbackPlan.Word(pair.name, $0) }
        }
        let feedback = FeedbackPlan(
            .topic(confirmation.topic), pointer: confirmation.pointer, words: words)
        return QueryAnswer.read(message, as: feedback, of: control.plan) == .value(command.value)
    }

    /// Whether an answer of a device has what its action expects; nil if it expects nothing, or if
    /// the device may say no more, because `ActionLimits.wireLooked` bytes are looked at.
    public func fits(_ command: ActionCommand, _ bytes: [UInt8]) -> Bool? {
        guard let expected = expectation(of: command) else { return nil }
        let isWhole = bytes.count >= ActionLimits.wireLooked
        return expected.fits(Array(bytes.prefix(ActionLimits.wireLooked))) || isWhole ? nil : false
    }

    private func expectation(of command: ActionCommand) -> WireExpectation? {
        guard case .fields(let fields) = request(command).payload else { return nil }
        return WireExpectation(fields)
    }

    /// The value that an answer means: its first line, what its JSON has at `confirm`, or what it
    /// has at `expect`.
    public func answer(_ command: ActionCommand, _ answer: [UInt8]) -> ActionAnswer {
        guard let (control, action) = parts(of: command) else {
            return .unreadable("unknown control")
        }
        var bytes = answer
        if let expected = expectation(of: command) {
            let looked = Array(bytes.prefix(ActionLimits.wireLooked))
            if !expected.hasValue, expected.fits(looked) { return .confirmed(command.value) }
            guard let value = expected.value(in: looked) else {
                return .unreadable("no part of its answer fits `expect`")
            }
            bytes = value
        }
        let answer =
            action.pointer.map { QueryAnswer.read(bytes, at: $0, of: control.plan) }
            ?? QueryAnswer.read(bytes, of: control.plan)
        guard case .value(let value) = answer, control.query != command.action else {
            return answer
        }
        return .confirmed(value)
    }
}

extension PanelActions.Tables {
    /// Gives every control and action of a plan a key.
    fileprivate mutating func add(_ plan: PanelPlan, _ difference: PanelDifference?) {
        var next = ActionKeys()
        let former = keys
        for (place, control) in plan.controls.enumerated() {
            let change = difference?.controls[place]
            if let change, change.continuity == .everything, let old = change.former {
                next.controls.append(former.controls[Int(old.index)])
            } else {
                next.controls.append(UInt16(controls.count))
                controls.append(PanelActions.Control(control))
            }
        }
        var continued = [UInt16?](repeating: nil, count: plan.actions.count)
        for (old, new) in (difference?.actionPlaces ?? []).enumerated()
        where continued.indices.contains(Int(new)) {
            continued[Int(new)] = former.actions[old]
        }
        for (place, action) in plan.actions.enumerated() {
            if let key = continued[place] {
                next.actions.append(key)
            } else {
                next.actions.append(UInt16(actions.count))
                actions.append(PreparedAction(action, of: plan))
            }
        }
        for (place, control) in plan.controls.enumerated() {
            controls[Int(next.controls[place])] = PanelActions.Control(
                control, query: control.settings.query.map { next.actions[Int($0.index)] })
        }
        keys = next
    }
}
