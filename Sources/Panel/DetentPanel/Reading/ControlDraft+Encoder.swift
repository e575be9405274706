import DetentCore
import DetentTypes

extension ControlDraft {
    /// Adds the contacts of a rotary encoder; `hold` is the default for a hold of its push.
    func addEncoder(
        _ node: YAMLNode, to settings: inout ControlSettings, hold: TimeSpan? = nil
    ) {
        let a = node["a"]
        let b = node["b"]
        var encoder = EncoderSettings(
            transitions: UInt8(clamping: node["transitions"]?.integerValue ?? Defaults.transitions),
            rest: rest(node))
        let first = builder.nextLine
        if node["axis"] != nil {
            // Two transitions need no time to tell a step back from a bounce.
            encoder = EncoderSettings(transitions: 2)
            builder.addAxis(node, of: self)
        } else {
            node.refuse(["device", "grab"], log, .missingKey) {
                ("`\($0)` has no effect without `axis`", "remove `\($0)`")
            }
            for contact in [a, b].compactMap({ $0 }) {
                builder.addContact(contact, of: self, debounce: .none, isEncoder: true)
            }
        }
        var count: UInt16 = 2
        if let push = node["push"] {
            var times = gestures()
            if times.hold == .zero, let hold { times.hold = hold }
            encoder.push = times
            builder.addContact(push, of: self, debounce: debounce(default: .button))
            count = 3
        } else {
            let text = "needs an encoder with a push contact"
            refuse(["debounce"] + Kind.gestures) {
                ("`\($0)` \(text)", "add `push:` to `encoder`, or remove `\($0)`")
            }
        }
        settings.decoder = .encoder(encoder)
        settings.contacts = PlanRange(first: first, count: count)
    }

    /// From electrical levels to logical ones: bit 1 is A, bit 0 is B.
    private func rest(_ node: YAMLNode) -> UInt8 {
        guard let levels = node["rest"]?.text, levels.utf8.count == 2 else { return 0 }
        let digits = Array(levels.utf8)
        var rest: UInt8 = 0
        for (digit, contact, bit) in [(digits[0], node["a"], 2), (digits[1], node["b"], 1)] {
            let isHigh = digit == UInt8(ascii: "1")
            if isHigh != builder.isActiveLow(contact) { rest |= UInt8(bit) }
        }
        return rest
    }
}
