import DetentPanel
import DetentTypes

/// Texts for devices nearby, and lines of them.
extension KeyCase {
    private struct Wire {
        var word: String
        var title: String
        /// Its place, as the file has it.
        var place: String

        static let all = [
            Wire(word: "tcp", title: "TCP", place: "to: \"supply.lan:5025\""),
            Wire(word: "udp", title: "UDP", place: "to: \"[::1]:7778\""),
            Wire(word: "serial", title: "Serial", place: "device: /dev/ttyUSB0"),
        ]

        private func action(
            _ key: String, _ good: String, bad: String, _ rule: String,
            effect: @escaping @Sendable ([ActionField]) -> Bool
        ) -> KeyCase {
            KeyCase(
                "\(title) action.\(key)", Base.lever,
                "action: {\(word): {\(good)}, timeout: 2s}",
                bad: "action: {\(word): {\(bad)}, timeout: 2s}", rule
            ) { $0.wireCall.map(effect) ?? false }
        }

        private func feedback(
            _ key: String, _ good: String, bad: String, _ rule: String,
            effect: @escaping @Sendable ([ActionField]) -> Bool
        ) -> KeyCase {
            KeyCase(
                "feedbackOver\(title).\(key)", Base.acting, "feedback: {\(word): {\(good)}}",
                bad: "feedback: {\(word): {\(bad)}}", rule
            ) { $0.wireFields.map(effect) ?? false }
        }

        private var places: [KeyCase] {
            guard word == "serial" else {
                return [
                    action("to", "\(place), text: a", bad: "to: host, text: a", "invalid-argument")
                    { $0.text("to") != nil },
                    feedback("to", place, bad: "to: \"host:0\"", "invalid-argument") {
                        $0.text("to") != nil
                    },
                ]
            }
            return [
                action(
                    "device", "\(place), text: a", bad: "device: ttyUSB0, text: a",
                    "invalid-argument"
                ) { $0.text("device") == "/dev/ttyUSB0" },
                feedback("device", place, bad: "baud: 9600", "missing-key") {
                    $0.text("device") == "/dev/ttyUSB0"
                },
            ] + terms
        }

        private var terms: [KeyCase] {
            [
                ("baud", "115200", "1", ActionField.Content.integer(115_200)),
                ("data-bits", "7", "9", .integer(7)), ("stop-bits", "2", "3", .integer(2)),
                ("parity", "even", "mark", .text("even")),
            ].flatMap { key, good, bad, content in
                let rule = key == "parity" ? "unknown-word" : "out-of-range"
                return [
                    action(
                        key, "\(place), \(key): \(good), text: a",
                        bad: "\(place), \(key): \(bad), text: a", rule
                    ) { $0[key] == content },
                    feedback(
                        key, "\(place), \(key): \(good)", bad: "\(place), \(key): \(bad)", rule
                    ) { $0[key] == content },
                ]
            }
        }

        private var contents: [KeyCase] {
            [
                action(
                    "text", "\(place), text: \"VOLT {value}\\n\"", bad: "\(place), text: \"\"",
                    "empty-text"
                ) { $0.text("text") == "VOLT {value}\n" },
                KeyCase(
                    "\(title) action.hex", Base.lever,
                    "words: {on: \"01\", off: \"0A\"}, "
                        + "action: {\(word): {\(place), hex: \"02 30{value}\"}, timeout: 2s}",
                    bad: "action: {\(word): {\(place), hex: \"02 30{value}\"}, timeout: 2s}",
                    "invalid-argument"
                ) { $0.wireCall?.text("hex") == "02 30{value}" },
                action(
                    "expect", "\(place), text: a, expect: \"VOLT {value} V\"",
                    bad: "\(place), text: a, expect: \"{value} {value}\"", "invalid-argument"
                ) { $0["expect"] == .texts(["VOLT ", " V"]) },
                feedback(
                    "text", "\(place), text: \"VOLT?\\n\"",
                    bad: "\(place), text: a, hex: \"00\"", "conflicting-keys"
                ) { $0.text("text") == "VOLT?\n" },
                feedback(
                    "hex", "\(place), hex: \"02 30\"", bad: "\(place), hex: a", "invalid-argument"
                ) { $0.text("hex") == "02 30" },
                feedback(
                    "every", "\(place), text: a, every: 5s", bad: "\(place), every: 5s",
                    "missing-key"
                ) { $0["every"] == .duration(.seconds(5)) },
                feedback(
                    "expect", "\(place), expect: \"VOLT {value}\"", bad: "\(place), expect: VOLT",
                    "invalid-argument"
                ) { $0["expect"] == .texts(["VOLT ", ""]) },
            ]
        }

        private var words: [KeyCase] {
            let good = "{\(word): {\(place), text: a}}"
            return [
                KeyCase(
                    "action.\(word)", Base.lever,
                    "action: {\(word): {\(place), text: a}, timeout: 2s}",
                    bad: "action: {\(word): {\(place)}, timeout: 2s}", "missing-key"
                ) { $0.wireCall != nil },
                KeyCase(
                    "step.\(word)", Base.lever, "action: {sequence: [\(good)], timeout: 2s}",
                    bad: "action: {sequence: [{\(word): {}}], timeout: 2s}", "missing-key"
                ) { $0.wireCall != nil },
                KeyCase(
                    "query.\(word)", Base.acting,
                    "query: {\(word): {\(place), text: \"A?\"}, timeout: 2s}",
                    bad: "query: {\(word): {\(place), text: a}}", "missing-key"
                ) { $0.wireCall != nil },
                KeyCase(
                    "feedback.\(word)", Base.acting, "feedback: {\(word): {\(place)}}",
                    bad: "feedback: {\(word): {}}", "missing-key"
                ) { $0.wireFields != nil },
            ]
        }

        var cases: [KeyCase] { places + contents + words }
    }

    static let wires: [KeyCase] =
        Wire.all.flatMap(\.cases) + [
            KeyCase(
                "feedbackOverUDP.listen", Base.acting,
                "feedback: {udp: {listen: \"0.0.0.0:7778\"}}",
                bad: "feedback: {udp: {listen: \"0.0.0.0:7778\", text: a}}", "conflicting-keys"
            ) { $0.wireFields?.text("listen") == "0.0.0.0:7778" }
        ]
}

extension PanelPlan {
    fileprivate var wireCall: [ActionField]? {
        for action in actions {
            if case .call(let call) = action.command { return call.fields }
        }
        return nil
    }

    fileprivate var wireFields: [ActionField]? {
        guard case .wire(_, let fields)? = controls[0].feedback?.source else { return nil }
        return fields
    }
}
