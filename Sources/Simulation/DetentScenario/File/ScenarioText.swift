package import DetentCore
package import DetentPanel
package import DetentTypes
package import DetentWorld

/// Writes steps in the form of a scenario file, each with its time, so that reading them gives the
/// same steps.
package struct ScenarioText {
    private let plan: PanelPlan

    package init(_ plan: PanelPlan) {
        self.plan = plan
    }

    /// The head of a file, without comments.
    package func head(
        panel: String, bounce: BounceSelection, seed: UInt64, actions: [ControlID: ActionScript]
    ) -> String {
        var text = "panel: \(Self.word(panel))\nbounce: \(Self.text(bounce))\nseed: \(seed)\n"
        if !actions.isEmpty { text += "actions:\n" }
        for (control, script) in actions.sorted(by: { $0.key < $1.key }) {
            text += "  \(id(control)): \(Self.text(script))\n"
        }
        return text + "steps:\n"
    }

    /// A step with a stimulus; nil if scenarios cannot express it.
    package func step(_ stimulus: Stimulus, at moment: Instant) -> String? {
        text(stimulus).map { step($0, at: moment) }
    }

    /// A step with expectations; nil if scenarios cannot express them.
    package func step(_ expectations: [Expectation], at moment: Instant) -> String? {
        text(expectations).map { step($0, at: moment) }
    }

    /// A step that ends the process and starts it after a pause.
    ///
    /// - Parameter verb: `restart` or `power-cut`.
    package func restart(_ verb: String, _ pause: TimeSpan, at moment: Instant) -> String {
        step("\(verb): \(DurationText.text(pause))", at: moment)
    }

    /// A step that reloads the panel; these controls start again.
    package func reload(_ controls: [ControlID], at moment: Instant) -> String {
        let list = controls.map { " " + id($0) }.joined(separator: ",")
        return step(controls.isEmpty ? "reload:" : "reload: [\(list.dropFirst())]", at: moment)
    }

    private func step(_ text: String, at moment: Instant) -> String {
        "  - at: \(DurationText.seconds(moment - .zero))\n    \(text)\n"
    }

    /// The verb with its argument; nil if scenarios cannot express it.
    private func text(_ stimulus: Stimulus) -> String? {
        switch stimulus {
        case .gestures(let gestures):
            guard let first = gestures.first, gestures.count == 1 else { return nil }
            return text(first.gesture)
        case .tell(let event): return text(event)
        case .failAction(let control, let code):
            return "fail-action: {\(id(control)): \(code)}"
        case .failNext: return "fail-action:"
        case .finishAction(let control): return "finish-action: \(id(control))"
        case .actions(let control, let script):
            return "actions: {\(id(control)): \(Self.text(script))}"
        case .bounce(let control, let word):
            return "bounce: {\(id(control)): \(Self.text(word))}"
        case .device(let control, let value):
            return self.value(value, control).map { "device: {\(id(control)): \($0)}" }
        case .feedback(let control, let value):
            return self.value(value, control).map { "feedback: {\(id(control)): \($0)}" }
        case .report(let control, let reports):
            return "report: {\(id(control)): \(Self.text(reports))}"
        case .silence(let control): return "silence: \(id(control))"
        case .loseFeedback(let control): return "lose-feedback: \(id(control))"
        case .broker(let isThere): return "broker: \(isThere ? "back" : "away")"
        }
    }

    /// Texts are quoted as in JSON, which is YAML too.
    private static func text(_ reports: DeviceReports) -> String {
        let texts = reports.texts.map { JSONValue.string($0).line }
        if reports == DeviceReports(reports.texts), texts.count == 1 { return texts[0] }
        return "{texts: [\(texts.joined(separator: ", "))], times: \(reports.count), every: "
            + "\(DurationText.text(reports.period))}"
    }

    // MARK: Gestures and faults

    private func text(_ gesture: Gesture) -> String? {
        guard let (verb, arguments) = GestureGrammar.written(gesture) else { return nil }
        switch gesture.subject {
        case .line(let line): return fault(verb, line, arguments)
        case .control(let control): return text(verb, control, arguments)
        }
    }

    private func text(
        _ verb: GestureVerb, _ control: ControlID, _ arguments: GestureArguments
    ) -> String? {
        switch (arguments.target, verb.isPush) {
        case (.number(let button), true):
            return push(verb.rawValue, control, button, arguments.time)
        case (.number(let detents), false) where verb.arguments == .detents:
            let argument =
                arguments.perSecond.map { "{by: \(detents), per-second: \($0)}" } ?? "\(detents)"
            return "\(verb.rawValue): {\(id(control)): \(argument)}"
        case (.number(let position), false):
            return move(verb.rawValue, control, position)
        case (.word(let word), false), (.word(let word), true):
            return "\(verb.rawValue): {\(id(control)): \(word)}"
        case (nil, false), (nil, true):
            return nil
        }
    }

    private func push(
        _ verb: String, _ control: ControlID, _ button: Int, _ hold: TimeSpan?
    ) -> String? {
        let words = plan.buttonWords(of: control)
        let time = hold.map { DurationText.text($0) }
        guard !words.isEmpty else {
            return button == 0
                ? time.map { "\(verb): {\(id(control)): \($0)}" } ?? "\(verb): \(id(control))" : nil
        }
        guard words.indices.contains(button) else { return nil }
        // A name that two buttons have, or that is the number of another, means the first.
        let names = [words[button], String(button + 1)]
        guard let name = names.first(where: { plan.button(named: $0, of: control) == button })
        else { return nil }
        let target =
            time.map { "{button: \(Self.word(name)), for: \($0)}" } ?? Self.word(name)
        return "\(verb): {\(id(control)): \(target)}"
    }

    private func move(_ verb: String, _ control: ControlID, _ position: Int) -> String? {
        Int32(exactly: position).flatMap { value(Value($0), control) }
            .map { "\(verb): {\(id(control)): \($0)}" }
    }

    private func fault(
        _ verb: GestureVerb, _ line: LineID, _ arguments: GestureArguments
    ) -> String? {
        guard plan.lines.indices.contains(Int(line.index)) else { return nil }
        let linePlan = plan[line]
        var text = "\(verb.rawValue): {\(id(linePlan.control)): {line: \(Self.word(linePlan.name))"
        if let width = arguments.time { text += ", width: \(DurationText.text(width))" }
        if case .word(let level)? = arguments.target { text += ", level: \(level)" }
        return text + "}}"
    }

    // MARK: Others

    /// The origins of remote requests that a scenario can name.
    static let origins: [Origin] = [.api, .web, .mqtt]

    /// The origin that a scenario names: its place, since callers are not in the file.
    private func spoken(_ origin: Origin) -> Origin? {
        Self.origins.first { $0.place == origin.place }
    }

    private func text(_ event: Event) -> String? {
        switch event {
        case .resync(let origin):
            return spoken(origin).map { "resync: \($0.word)" } ?? "resync:"
        case .lampTest(let isOn, let origin):
            let word = isOn ? "on" : "off"
            guard let origin = spoken(origin), origin != .api else { return "lamp-test: \(word)" }
            return "lamp-test: {value: \(word), origin: \(origin.word)}"
        case .close(let control, let origin):
            guard let origin = spoken(origin), origin != .web else {
                return "close: \(id(control))"
            }
            return "close: {\(id(control)): \(origin.word)}"
        case .intent(let control, let value, let origin, _):
            guard let origin = spoken(origin) else { return nil }
            return self.value(value, control).map { set(control, $0, origin, false) }
        case .change(let control, let distance, let origin, _):
            guard let origin = spoken(origin),
                plan.controls.indices.contains(Int(control.index)),
                let change = plan[control].change(by: distance)
            else { return nil }
            let text = change["by"].map { "{by: \($0.text ?? $0.line)}" } ?? change.text ?? ""
            return set(control, text, origin, false)
        case .fire(let control, let event, let origin, let isConfirmed, _):
            guard let origin = spoken(origin) else { return nil }
            return self.event(event, control).map { set(control, $0, origin, isConfirmed) }
        case .tick, .start, .edge, .reading, .sample, .overflow, .lineFault, .lineRestored,
            .actionStarted,
            .actionFinished, .outputWritten, .saved, .answered, .feedback, .feedbackLost,
            .reload,
            .broker:
            return nil
        }
    }

    private func set(
        _ control: ControlID, _ word: String, _ origin: Origin, _ isConfirmed: Bool
    ) -> String {
        if origin == .api, !isConfirmed { return "set: {\(id(control)): \(word)}" }
        var text = "set: {\(id(control)): {value: \(word)"
        if isConfirmed { text += ", confirm: true" }
        if origin != .api { text += ", origin: \(origin.word)" }
        return text + "}}"
    }

    /// The expected state of a control, as far as scenarios can express it.
    package func expectation(_ state: ControlSnapshot, of control: ControlID) -> [Expectation] {
        var fields: [Expectation.Field] = [.phase, .flags]
        if value(state.desired, control) != nil || isWorded(state.desired, control) {
            fields.insert(.value, at: 0)
        }
        return fields.map { field in
            Expectation(
                subject: .control(control, field),
                expected: field.word(of: state, control, in: plan),
                place: SourcePlace(line: 1, column: 1))
        }
    }

    /// Whether it is one of the values that can only be expected, not set.
    private func isWorded(_ value: Value, _ control: ControlID) -> Bool {
        switch plan[control].valueNames {
        case .none, .commands: false
        case .onOff: value == .unknown || value == .mixed
        case .threeWay, .options, .several, .number: value == .unknown
        }
    }

    private func text(_ expectations: [Expectation]) -> String? {
        var text = "expect:"
        var last: ControlID?
        for expectation in expectations {
            guard case .control(let control, let field) = expectation.subject else { return nil }
            text += control == last ? ", " : (last == nil ? "" : "}") + "\n      \(id(control)): {"
            last = control
            let words = expectation.expected.split(separator: "+").joined(separator: ", ")
            text += "\(field.rawValue): "
            text += field == .flags ? "[\(words)]" : Self.word(expectation.expected)
        }
        return last == nil ? nil : text + "}"
    }

    // MARK: Words

    private func id(_ control: ControlID) -> String {
        plan.controls.indices.contains(Int(control.index))
            ? Self.word(plan[control].id) : "\"\""
    }

    /// The word of a value, if reading it gives the same value.
    private func value(_ value: Value, _ control: ControlID) -> String? {
        guard plan.controls.indices.contains(Int(control.index)) else { return nil }
        let names = plan[control].valueNames
        let word = names.name(of: value)
        return names.value(named: word) == value ? Self.word(word) : nil
    }

    private func event(_ event: Value, _ control: ControlID) -> String? {
        guard plan.controls.indices.contains(Int(control.index)) else { return nil }
        let names = plan[control].valueNames
        return names.eventWords.first { names.event(named: $0) == event }.map(Self.word)
    }

    private static func text(_ script: ActionScript) -> String {
        var text = "{takes: \(DurationText.text(script.takes))"
        if script.ending != .succeed { text += ", then: \(script.ending.word)" }
        if case .fail(let code) = script.ending { text += ", code: \(code)" }
        if let answer = script.answer { text += ", answer: \(JSONValue.string(answer).line)" }
        return text + "}"
    }

    private static func text(_ bounce: BounceSelection) -> String {
        switch bounce {
        case .named(let name): return word(name)
        case .typical: return "typical"
        case .original: return "original"
        case .profile(let it): return "{" + text(it) + "}"
        }
    }

    private static func text(_ it: BounceProfile) -> String {
        let plain: BounceProfile
        var text: String
        if let measured = it.measured {
            plain = BounceProfile(measured, cleanCloses: 0, cleanOpens: 0)
            text = "closing: \(measured.closing.line), opening: \(measured.opening.line)"
        } else {
            plain = BounceProfile(closes: it.closes, opens: it.opens)
            text =
                "closes: \(DurationText.text(it.closes)), "
                + "opens: \(DurationText.text(it.opens))"
        }
        func add(_ key: String, _ value: KeyPath<BounceProfile, TimeSpan>) {
            guard it[keyPath: value] != plain[keyPath: value] else { return }
            text += ", \(key): \(DurationText.text(it[keyPath: value]))"
        }
        func add(_ key: String, _ value: KeyPath<BounceProfile, UInt8>) {
            guard it[keyPath: value] != plain[keyPath: value] else { return }
            text += ", \(key): \(it[keyPath: value])"
        }
        add("longest", \.longest)
        add("tail", \.tail)
        add("clean-closes", \.cleanCloses)
        add("clean-opens", \.cleanOpens)
        add("shortest-pulse", \.shortestPulse)
        add("longest-pulse", \.longestPulse)
        if it.transition != plain.transition { text += ", transition: \(it.transition.rawValue)" }
        add("gap", \.gap)
        add("travel", \.travel)
        return text
    }

    /// A word in YAML, quoted if it could be read as something else.
    private static func word(_ text: String) -> String {
        let isPlain = text.utf8.allSatisfy {
            $0.isASCIIAlphanumeric || "_.-/ +".utf8.contains($0)
        }
        let isSafe = isPlain && text.first.map { $0.isLetter || $0.isNumber || $0 == "/" } ?? false
        return isSafe && text.last != " " && text != "null" ? text : JSONValue.string(text).line
    }
}
