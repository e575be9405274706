import DetentCore
import DetentTypes

extension ControlDraft {
    /// Adds the potentiometer of a dial.
    func addPotentiometer(
        _ node: YAMLNode, _ range: NumberRange, to settings: inout ControlSettings
    ) {
        refuseGestures("a potentiometer has no button", and: ["debounce"])
        self["range"]?.refuse(["wrap", "acceleration"], log) {
            ("`\($0)` has no effect: a potentiometer has ends, and no detents", "remove `\($0)`")
        }
        node.refuse(["levels"], log) { _ in
            ("`levels` are those of a selector", "write `ends`, the samples at both ends")
        }
        if let word = self["mismatch"], word.text == "toggle" {
            log.error(
                .unknownWord, at: word.place, "a number cannot be toggled",
                help: "allowed: follow, catch-up, detached")
        }
        var analog = AnalogSettings(
            scale: scale(node["ends"]), hysteresis: hysteresis(node),
            settle: self["settle"]?.durationValue ?? .zero, minimum: range.minimum,
            maximum: max(range.minimum &+ 1, range.maximum), step: range.step)
        if analog.positions > EngineLimits.analogPositions {
            log.error(
                .outOfRange, at: self["range"]?.place ?? node.place,
                "the range has \(analog.positions) values, more than a potentiometer can tell",
                help: "write a larger `step`; allowed: \(EngineLimits.analogPositions) values")
            let width = Int64(range.maximum) - Int64(range.minimum)
            analog.step = Int32(clamping: width / 100)
        }
        checkDistance(analog, node)
        checkFineness(analog, node)
        finish(analog, node, &settings)
        settings.mismatch = mismatch()
    }

    /// Adds a selector whose positions are those of a ladder of resistors.
    func addLadder(_ node: YAMLNode, _ names: [String], to settings: inout ControlSettings) {
        var analog = AnalogSettings(
            scale: scale(node["ends"]), hysteresis: hysteresis(node), settle: settle(),
            settlesEach: true, maximum: Int32(max(2, names.count) - 1))
        if let levels = node["levels"] {
            node.refuse(["ends"], log) { _ in
                ("`ends` are the first and the last of `levels`", "remove `ends`")
            }
            readLevels(levels, names.count, &analog)
        }
        checkDistance(analog, node)
        let positions = (1..<analog.positions)
        let narrowest = positions.map { analog.level(of: $0) &- analog.level(of: $0 - 1) }.min()
        if let narrowest, narrowest <= UInt32(analog.hysteresis) {
            log.error(
                .outOfRange, at: node["hysteresis"]?.place ?? node.place,
                "`hysteresis` is wider than the step between two positions",
                help: "write a smaller `hysteresis`; two positions are "
                    + "\(Int(narrowest) * 100 / Int(AnalogScale.full))% of the way apart")
        }
        finish(analog, node, &settings)
    }

    /// Reports keys that only a part with a position has.
    func refusePositionKeys() {
        refuse(["mismatch", "settle"]) {
            ("`\($0)` has no effect: an encoder has no position", "remove `\($0)`")
        }
    }

    private func finish(
        _ analog: AnalogSettings, _ node: YAMLNode, _ settings: inout ControlSettings
    ) {
        settings.decoder = .analog(analog)
        settings.contacts = PlanRange(first: builder.nextLine, count: 1)
        builder.addAnalog(node, of: self, analog)
    }

    private func scale(_ ends: YAMLNode?) -> AnalogScale {
        let samples = (ends?.items ?? []).compactMap { $0.integerValue.flatMap(Int32.init) }
        guard samples.count == 2 else { return AnalogScale(first: 0, last: 32_767) }
        if let ends, samples[0] == samples[1] {
            log.error(
                .outOfRange, at: ends.place, "both `ends` are \(samples[0])",
                help: "write the samples at the lowest and at the highest value; `detent measure` "
                    + "finds them")
            return AnalogScale(first: 0, last: 32_767)
        }
        return AnalogScale(first: samples[0], last: samples[1])
    }

    private func readLevels(_ node: YAMLNode, _ options: Int, _ analog: inout AnalogSettings) {
        let samples = (node.items ?? []).compactMap { $0.integerValue.flatMap(Int32.init) }
        guard let first = samples.first, let last = samples.last, samples.count > 1 else { return }
        // Missing options have been reported already.
        guard samples.count == options || options == 0 else {
            log.error(
                .optionsDoNotFit, at: node.place,
                "\(samples.count) levels for \(options) options",
                help: "give each option a level, in their order")
            return
        }
        let pairs = zip(samples, samples.dropFirst())
        guard pairs.allSatisfy({ $0 < $1 }) || pairs.allSatisfy({ $0 > $1 }) else {
            log.error(
                .outOfRange, at: node.place, "`levels` neither rise nor fall from each to the next",
                help: "a ladder has a higher voltage at each position, or a lower one; measure "
                    + "them again")
            return
        }
        analog.scale = AnalogScale(first: first, last: last)
        var levels = AnalogLevels()
        for (place, sample) in samples.enumerated() {
            levels[UInt32(place)] = analog.scale.fraction(of: sample)
        }
        analog.levels = levels
    }

    /// In parts of the scale.
    private func hysteresis(_ node: YAMLNode) -> UInt16 {
        let text = node["hysteresis"]?.text ?? Defaults.hysteresis
        let place = node["hysteresis"]?.place ?? node.place
        let number = text.hasSuffix("%") ? DecimalNumber(String(text.dropLast())) : nil
        guard let thousandths = number?.units(decimals: 3) else {
            log.error(
                .invalidNumber, at: place, "`\(quoted(text))` is not a percentage",
                help: "write one such as 1%")
            return AnalogSettings.defaultHysteresis
        }
        guard (100...10_000).contains(thousandths) else {
            log.error(
                .outOfRange, at: place, "`hysteresis` is \(quoted(text))",
                help: "allowed: 0.1% to 10%")
            return AnalogSettings.defaultHysteresis
        }
        return UInt16(clamping: thousandths * Int64(AnalogScale.full) / 100_000)
    }

    private func checkFineness(_ analog: AnalogSettings, _ node: YAMLNode) {
        let steps = Int(analog.positions) * Int(analog.hysteresis) / Int(AnalogScale.full)
        guard steps > 2 else { return }
        log.warning(
            .hysteresisWide, at: node["hysteresis"]?.place ?? node.place,
            "`hysteresis` is \(steps) steps of the range",
            help: "write a smaller `hysteresis` if the noise allows it, or a larger `step`")
    }

    private func checkDistance(_ analog: AnalogSettings, _ node: YAMLNode) {
        let distance = (Int64(analog.scale.last) - Int64(analog.scale.first)).magnitude
        guard distance < UInt64(analog.positions) else { return }
        log.error(
            .outOfRange, at: node["ends"]?.place ?? node.place,
            "between the ends are \(distance) samples, for \(analog.positions) values",
            help: "write the samples at both ends of the turn, or a larger `step`")
    }
}
