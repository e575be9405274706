import DetentCore
import DetentTypes

extension Kind {
    /// A number on a rotary encoder or a potentiometer.
    static let dial = Kind(
        word: "dial",
        look: .knob,
        summary:
            "A rotary encoder or a potentiometer: a number with a range, or with `turn`, an action "
            + "for each turn.",
        requires: [["encoder", "analog"], ["range", "turn"]],
        allows: [
            "action", "by", "debounce", "settle", "mismatch", "scale", "offset", "output",
            "on-exit", "on-crash",
        ] + gestures
            + values,
        remedies: [
            "words": "a dial has numbers, not names: `scale` and `offset` translate them"
        ],
        canLackPart: true
    ) { draft in
        if draft["turn"] != nil { return turning(draft) }
        draft.refuse(
            "by", because: "`by` has no effect without `turn`",
            help: "write `step` in `range`, or remove `by`")
        let (range, names) = range(draft)
        let isAnalog = draft["analog"] != nil
        var settings = ControlSettings(nature: isAnalog ? .potentiometer(range) : .dial(range))
        if let analog = draft["analog"] {
            draft.addPotentiometer(analog, range, to: &settings)
        } else if !draft.hasNoPart {
            draft.refusePositionKeys()
            if let encoder = draft["encoder"] { draft.addEncoder(encoder, to: &settings) }
        }
        settings.indicator = draft.indicator()
        settings.startup = draft.startup(
            hasPosition: isAnalog, names: names, default: Value(range.minimum),
            range: range.minimum...max(range.minimum, range.maximum))
        draft.addOutputOfNumber(to: &settings)
        settings.actions = draft.actions(names)
        return Parts(names: names, settings: settings, layout: draft.layout())
    }

    /// A knob that only acts: it has no value.
    private static func turning(_ draft: ControlDraft) -> Parts {
        draft.refuse(["action", "scale", "offset", "output"] + values) {
            ("`\($0)` has no effect: a dial with `turn` has no value", "remove `\($0)`")
        }
        draft.refuse(
            "analog", because: "`turn` needs detents, and a potentiometer has none",
            help: "write `range` in place of `turn`, or use an encoder")
        draft.refusePositionKeys()
        var settings = ControlSettings(
            nature: ControlNature(domain: .none, role: .events, input: .none))
        if let encoder = draft["encoder"] { draft.addEncoder(encoder, to: &settings) }
        settings.indicator = draft.indicator()
        return Parts(names: .none, settings: settings, layout: draft.layout())
    }

    private static func range(_ draft: ControlDraft) -> (NumberRange, ValueNames) {
        let none = (NumberRange(minimum: 0, maximum: 0), ValueNames.number(decimals: 0))
        guard let node = draft["range"], let low = node["min"]?.decimalValue,
            let high = node["max"]?.decimalValue
        else { return none }
        let step = node["step"].map(\.decimalValue) ?? DecimalNumber(String(Defaults.step))
        guard let step else { return none }
        let decimals = min(Limits.decimals, max(low.decimals, high.decimals, step.decimals))
        let numbers = [low, high, step].map { number in
            number.units(decimals: decimals).flatMap { units in
                Int32(exactly: units).flatMap { $0 == .min ? nil : $0 }
            }
        }
        guard let minimum = numbers[0], let maximum = numbers[1], let step = numbers[2] else {
            draft.log.error(
                .outOfRange, at: node.place,
                "the numbers of the range are too large for \(decimals) decimals",
                help: "allowed: up to "
                    + DecimalNumber.text(units: Int64(Int32.max), decimals: decimals))
            return none
        }
        check(minimum, maximum, step, node, draft, decimals)
        let settings = NumberRange(
            minimum: minimum, maximum: maximum, step: max(1, step),
            wraps: node["wrap"]?.booleanValue ?? Defaults.wraps,
            acceleration: UInt8(
                clamping: node["acceleration"]?.integerValue ?? Defaults.acceleration))
        return (settings, .number(decimals: decimals))
    }

    private static func check(
        _ minimum: Int32, _ maximum: Int32, _ step: Int32, _ node: YAMLNode, _ draft: ControlDraft,
        _ decimals: Int
    ) {
        guard minimum < maximum else {
            draft.log.error(
                .outOfRange, at: node["max"]?.place ?? node.place, "`max` is not above `min`",
                help: "swap them")
            return
        }
        let width = Int64(maximum) - Int64(minimum)
        guard step > 0, Int64(step) <= width else {
            draft.log.error(
                .outOfRange, at: node["step"]?.place ?? node.place,
                "`step` must be above 0 and fit between `min` and `max`",
                help: "write a smaller step")
            return
        }
        if width % Int64(step) != 0 {
            let last = DecimalNumber.text(
                units: Int64(maximum) - width % Int64(step), decimals: decimals)
            let fits = stepThatFits(width, near: Int64(step)).map {
                ", or write `step: \(DecimalNumber.text(units: $0, decimals: decimals))`"
            }
            draft.log.warning(
                .stepDoesNotFit, at: node["step"]?.place ?? node.place,
                "the range is not a whole number of steps, so the last one is shorter",
                help: "write `max: \(last)`" + (fits ?? ""))
        }
    }

    /// The nearest step that divides a width, up to twice the step; nil if none is near.
    private static func stepThatFits(_ width: Int64, near step: Int64) -> Int64? {
        for distance in 1...min(step, 10_000) {
            for other in [step - distance, step + distance]
            where other > 0 && other * 2 >= step && width % other == 0 {
                return other
            }
        }
        return nil
    }
}
