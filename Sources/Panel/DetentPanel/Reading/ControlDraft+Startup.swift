import DetentCore
import DetentTypes

extension ControlDraft {
    /// The value of the control at start.
    ///
    /// - Parameters:
    ///   - hasPosition: whether the part holds a reliable position.
    ///   - initial: off, the first option, the lowest number.
    func startup(
        hasPosition: Bool, names: ValueNames, default initial: Value,
        range: ClosedRange<Int32>? = nil
    ) -> StartupSettings {
        let fallback = value("default", names, range) ?? initial
        var settings = StartupSettings(
            rule: hasPosition ? .panel : isHeld ? .value(fallback) : .saved, fallback: fallback,
            runsAction: hasPosition)
        if let node = self["startup"], let word = node.text {
            settings.rule = rule(word, node, hasPosition, names, fallback, range)
            settings.runsAction = settings.rule == .panel
        }
        settings.runsAction = self["startup-runs-action"]?.booleanValue ?? settings.runsAction
        if settings.rule == .device, settings.runsAction {
            refuse(
                "startup-runs-action",
                because: "`startup-runs-action` has no effect with `startup: device`, because no "
                    + "action runs",
                help: "remove `startup-runs-action`, or write `startup: saved`")
        }
        settings.delay = self["startup-delay"]?.durationValue ?? .zero
        return settings
    }

    /// Whether the control is on while it is held. A saved value could then switch a transmitter on
    /// at start, although no button is held.
    private var isHeld: Bool {
        guard self["latch"] != nil else { return false }
        switch latch() {
        case .toggle: return false
        case .momentary, .tapOrHold: return true
        }
    }

    private func rule(
        _ word: String, _ node: YAMLNode, _ hasPosition: Bool, _ names: ValueNames,
        _ fallback: Value, _ range: ClosedRange<Int32>?
    ) -> StartupSettings.Rule {
        if word == "panel" {
            if !hasPosition {
                log.error(
                    .unknownWord, at: node.place,
                    "`startup: panel` needs a part that holds its position",
                    help: "write a value, or remove `startup`")
            }
            return .panel
        }
        if word == "saved", names.value(named: word) == nil { return .saved }
        if word == "device", names.value(named: word) == nil {
            if self["query"] == nil {
                log.error(
                    .missingKey, at: node.place, "`startup: device` needs a `query`",
                    help: "add `query: {run: [program, argument], timeout: 2s}`, or write "
                        + "`startup: saved`")
            }
            return .device
        }
        let words = ["panel", "saved", "device"]
        return .value(value("startup", names, range, alsoAllowed: words) ?? fallback)
    }

    /// The value of a key; nil without the key, or with a problem in the log.
    private func value(
        _ key: String, _ names: ValueNames, _ range: ClosedRange<Int32>?,
        alsoAllowed: [String] = []
    ) -> Value? {
        guard let node = self[key], let word = node.text else { return nil }
        if let value = names.value(named: word) {
            guard let range, !range.contains(value.raw) else { return value }
            return log.refuse(
                .outOfRange, at: node.place, "`\(key)` is \(quoted(word))",
                help: "allowed: \(names.name(of: Value(range.lowerBound))) to "
                    + names.name(of: Value(range.upperBound)))
        }
        if case .number(let decimals) = names {
            return log.refuse(
                .invalidNumber, at: node.place,
                "`\(quoted(word))` is not a number with at most \(decimals) decimals",
                help: "the finest number of `range` sets the number of decimals")
        }
        let known = alsoAllowed + names.words
        return log.refuse(
            .unknownWord, at: node.place, "`\(quoted(word))` is not a value of this control",
            help: didYouMean(word, among: known)
                + "allowed: \(known.joined(separator: ", "))",
            known: known)
    }
}
