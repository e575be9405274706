import DetentCore
import DetentTypes

extension ControlDraft {
    /// Adds the lines of `outputs`, at most one for each option, and their transition;
    /// `optionOutputs` are those in the options.
    func addOutputs(
        _ options: [String], optionOutputs: [YAMLNode?] = [], to settings: inout ControlSettings
    ) {
        let own = optionOutputs.first { $0 != nil } ?? nil
        guard let node = self["outputs"] ?? own else { return refuseOutputKeys() }
        if own != nil {
            refuse(
                "outputs", because: "both an option and the control have outputs",
                help: "remove one of them")
        }
        let lines = own == nil ? outputLines(node, options) : optionOutputs
        let first = builder.nextLine
        var present: UInt32 = 0
        for (option, line) in lines.enumerated() where option < 32 {
            guard let line else { continue }
            present |= 1 << UInt32(option)
            builder.addDriven(line, of: self, .output(exit: exitLevel))
        }
        let count = UInt16(present.nonzeroBitCount)
        settings.outputs = PlanRange(first: first, count: count)
        settings.outputsPresent = present
        settings.transition = transition()
        settings.pulse = pulse()
        if exitLevel == .on, count > 1 {
            log.error(
                .conflictingKeys, at: self["on-exit"]?.place ?? node.place,
                "`on-exit: on` would turn all \(count) outputs on at once",
                help: "write `off` or `keep`")
        }
    }

    /// The line of each option, nil for one without.
    private func outputLines(_ node: YAMLNode, _ options: [String]) -> [YAMLNode?] {
        guard let entries = node.entries else {
            let items = (node.items ?? []).prefix(Limits.options).map { $0 }
            if items.count != options.count {
                log.error(
                    .optionsDoNotFit, at: node.place,
                    "\(items.count) outputs for \(options.count) options",
                    help: "give each option a line in their order, or write a map: `{OPTION: LINE}`"
                )
            }
            return items
        }
        var lines: [YAMLNode?] = options.map { _ in nil }
        for entry in entries {
            guard let option = options.firstIndex(of: entry.name) else {
                log.error(
                    .unknownWord, at: entry.key.place,
                    "`\(quoted(entry.name))` is not an option",
                    help: didYouMean(entry.name, among: options)
                        + "options: \(options.map(quoted).joined(separator: ", "))")
                continue
            }
            lines[option] = entry.value
        }
        return lines
    }

    private func transition() -> OutputTransition {
        let word = self["transition"]?.text ?? Defaults.transition
        if word != "break-before-make" {
            refuse(
                "pulse",
                because: "`pulse` and `transition: \(word)` cannot be combined, because a pulse "
                    + "always ends before the next begins",
                help: "remove `transition`")
            refuse(
                "dead-time", because: "`transition: \(word)` has no dead time",
                help: "remove `dead-time`, or write `transition: break-before-make`")
        }
        switch word {
        case "make-before-break": return .makeBeforeBreak
        case "none": return .none
        case _:
            return .breakBeforeMake(
                deadTime: self["dead-time"]?.durationValue ?? OutputTransition.defaultDeadTime)
        }
    }

    /// How long an output is on after each change; zero: as long as the control has its value.
    func pulse() -> TimeSpan {
        guard let node = self["pulse"], let span = node.durationValue else { return .zero }
        if exitLevel == .on {
            log.error(
                .conflictingKeys, at: self["on-exit"]?.place ?? node.place,
                "`on-exit: on` would leave a pulsed output on permanently",
                help: "write `off`, or remove `on-exit`")
        }
        return span
    }

    /// Reports keys that have no effect without outputs.
    private func refuseOutputKeys() {
        refuse(["transition", "dead-time", "pulse"], .missingKey) {
            ("`\($0)` has no effect without `outputs`", "add `outputs:`, or remove `\($0)`")
        }
    }
}
