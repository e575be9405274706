import DetentCore
import DetentTypes

extension Kind {
    /// A number on a rotary encoder.
    static let dial = Kind(
        word: "dial",
        summary: "A number with a range, on a rotary encoder.",
        requires: [["encoder"], ["range"]],
        allows: ["debounce"] + gestures + values
    ) { draft in
        let (range, names) = range(draft)
        var settings = ControlSettings(kind: .dial(range))
        if let encoder = draft["encoder"] { addEncoder(encoder, draft, &settings) }
        settings.indicator = draft.indicator()
        settings.startup = draft.startup(
            hasPosition: false, names: names, standard: Value(range.minimum),
            range: range.minimum...max(range.minimum, range.maximum))
        settings.actions = draft.actions(names)
        return Parts(names: names, settings: settings, layout: draft.layout())
    }

    private static func addEncoder(
        _ node: YAMLNode, _ draft: ControlDraft, _ settings: inout ControlSettings
    ) {
        let a = node["a"]
        let b = node["b"]
        var encoder = EncoderSettings(
            transitions: UInt8(clamping: node["transitions"]?.integerValue ?? 4),
            rest: rest(node, draft))
        let first = draft.builder.nextLine
        for contact in [a, b].compactMap({ $0 }) {
            draft.builder.addContact(contact, of: draft, debounce: .none, isEncoder: true)
        }
        var count: UInt16 = 2
        if let push = node["push"] {
            encoder.push = draft.gestures()
            draft.builder.addContact(
                push, of: draft, debounce: draft.debounce(standard: .button))
            count = 3
        } else {
            for key in ["debounce"] + gestures {
                draft.refuse(
                    key, because: "`\(key)` is for the encoder's push contact, and there is none",
                    help: "add `push:` to `encoder`, or remove `\(key)`")
            }
        }
        settings.decoder = .encoder(encoder)
        settings.contacts = LineRange(first: first, count: count)
    }

    /// From electrical levels to logical ones: bit 1 is A, bit 0 is B.
    private static func rest(_ node: YAMLNode, _ draft: ControlDraft) -> UInt8 {
        guard let levels = node["rest"]?.text, levels.utf8.count == 2 else { return 0 }
        let digits = Array(levels.utf8)
        var rest: UInt8 = 0
        for (digit, contact, bit) in [(digits[0], node["a"], 2), (digits[1], node["b"], 1)] {
            let isHigh = digit == UInt8(ascii: "1")
            if isHigh != draft.builder.isActiveLow(contact) { rest |= UInt8(bit) }
        }
        return rest
    }

    private static func range(_ draft: ControlDraft) -> (DialSettings, ValueNames) {
        let none = (DialSettings(minimum: 0, maximum: 0), ValueNames.number(decimals: 0))
        guard let node = draft["range"], let low = node["min"]?.decimalValue,
            let high = node["max"]?.decimalValue
        else { return none }
        let step = node["step"].map(\.decimalValue) ?? DecimalNumber("1")
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
                "the range has too many digits for \(decimals) decimals",
                help: "allowed: up to "
                    + DecimalNumber.text(units: Int64(Int32.max), decimals: decimals))
            return none
        }
        check(minimum, maximum, step, node, draft)
        let settings = DialSettings(
            minimum: minimum, maximum: maximum, step: max(1, step),
            wraps: node["wrap"]?.booleanValue ?? false,
            acceleration: UInt8(clamping: node["acceleration"]?.integerValue ?? 1))
        return (settings, .number(decimals: decimals))
    }

    private static func check(
        _ minimum: Int32, _ maximum: Int32, _ step: Int32, _ node: YAMLNode, _ draft: ControlDraft
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
            draft.log.warning(
                .stepDoesNotFit, at: node["step"]?.place ?? node.place,
                "no whole number of steps leads from `min` to `max`",
                help: "change `step`, or move an end")
        }
    }
}
