import DetentCore
import DetentTypes

/// One control while it is read, with the readers of keys that several kinds share.
struct ControlDraft {
    let id: String
    let node: YAMLNode
    let control: ControlID
    let builder: PanelBuilder

    var log: ProblemLog { builder.log }

    subscript(key: String) -> YAMLNode? { node[key] }

    /// Adds work that runs after all controls have been read.
    func later(_ work: @escaping (PanelRelations) -> Void) { builder.later(work) }

    /// Adds the push button of a control, which is optional.
    func addButton(to settings: inout ControlSettings) {
        guard let input = self["input"] else {
            return refuse(["debounce"] + Kind.gestures) {
                ("`\($0)` needs a push button", "add `input:`, or remove `\($0)`")
            }
        }
        settings.decoder = .button(gestures())
        settings.contacts = contacts([input], debounce: debounce(default: .button))
    }

    /// Adds contacts, in their order.
    func contacts(_ nodes: [YAMLNode], debounce: DebounceSettings) -> PlanRange {
        let first = builder.nextLine
        let bounded = nodes.prefix(Limits.options)
        for node in bounded { builder.addContact(node, of: self, debounce: debounce) }
        return PlanRange(first: first, count: UInt16(bounded.count))
    }

    func settle() -> TimeSpan { self["settle"]?.durationValue ?? Defaults.settle }

    func mismatch() -> MismatchPolicy {
        MismatchPolicy(word: self["mismatch"]?.text) ?? Defaults.mismatch
    }

    func latch() -> Latch {
        if let within = self["latch"]?["tap-or-hold"]?.durationValue {
            return .tapOrHold(within: within)
        }
        switch self["latch"]?.text {
        case "momentary": return .momentary
        case "tap-or-hold": return .tapOrHold(within: Defaults.tapOrHold)
        case .none, .some: return .toggle
        }
    }

    /// Adds the line that is driven to the control's value.
    func addOutput(to settings: inout ControlSettings) {
        guard let node = self["output"] else {
            return refuse(["pulse"], .missingKey) {
                ("`\($0)` has no effect without `output`", "add `output:`, or remove `\($0)`")
            }
        }
        let first = builder.nextLine
        builder.addDriven(node, of: self, .output(exit: exitLevel))
        settings.outputs = PlanRange(first: first, count: 1)
        settings.pulse = pulse()
    }

    /// Adds the output that is as strong as the control's number is high.
    func addOutputOfNumber(to settings: inout ControlSettings) {
        guard let node = self["output"] else { return }
        guard ChannelKind.kind(of: node)?.isInput == false else {
            return log.error(
                .keyNotForKind, at: node.place,
                "a number needs an output with levels, and a line is on or off",
                help: "use a lamp of the LED class or pulses, such as `output: {led: NAME}`")
        }
        addOutput(to: &settings)
    }

    /// The table of the file's keys.
    var schema: Schema { builder.schema }

    /// Reports `on-exit` and `on-crash` without an output.
    func checkExitKeys(_ settings: ControlSettings) {
        guard settings.outputs.count == 0, settings.stepOutputs.count == 0 else {
            return warnAboutCrash(settings)
        }
        let known = schema.kind(named: self["kind"]?.text).map(schema.keys) ?? []
        let key = ["outputs", "output"].first(where: known.contains)
        let output = key.map { "`\($0):` or " } ?? ""
        refuse(["on-exit", "on-crash"], .missingKey) {
            (
                "`\($0)` has no effect without an output",
                "add \(output)an action that drives an output, or remove `\($0)`"
            )
        }
    }

    /// The level of the outputs after the program ends.
    var exitLevel: ExitLevel { ExitLevel(word: self["on-exit"]?.text) ?? Defaults.exitLevel }

    /// The level that outputs should have after a crash; nil without `on-crash`.
    var crashLevel: ExitLevel? { ExitLevel(word: self["on-crash"]?.text) }

    /// Warns that the level of `on-crash` ends with the process that drives it, unless the kernel
    /// keeps it.
    private func warnAboutCrash(_ settings: ControlSettings) {
        guard let level = crashLevel, let place = self["on-crash"]?.place else { return }
        let ranges = [settings.outputs, settings.stepOutputs].filter { $0.count > 0 }
        guard !ranges.allSatisfy(builder.haveLevels) else { return }
        log.warning(
            .crashLevelNotKept, at: place,
            "`\(level.word)` holds only while a process drives the line: after that, the kernel's "
                + "driver and the wiring decide the level",
            help: level.crashRemedy)
    }

    /// Reports a key that conflicts with another one.
    func refuse(_ key: String, because text: String, help: String) {
        refuse([key]) { _ in (text, help) }
    }

    /// Reports each of these keys of the control, with a text and a help for it.
    func refuse(
        _ keys: [String], _ rule: Rule = .conflictingKeys,
        _ message: (String) -> (text: String, help: String)
    ) {
        node.refuse(keys, log, rule, message)
    }
}
