import DetentCore
import DetentPanel
import DetentTypes

extension KeyCase {
    private static let actingDial = Base.dial + ", action: {run: [psu, x], timeout: 1s}"

    /// What the device of a control calls its values.
    static let devices: [KeyCase] = [
        KeyCase(
            "control.words", Base.acting, "words: {on: \"ON\", off: \"OFF\"}",
            bad: "words: {onn: \"ON\"}", "unknown-word"
        ) { plan in
            let control = plan.controls[0]
            return control.deviceWord(of: .on) == "ON" && control.value(ofDevice: "OFF") == .off
        },
        KeyCase(
            "control.scale", actingDial, "scale: 2.5", bad: "scale: 0", "out-of-range"
        ) { plan in
            let control = plan.controls[0]
            return control.deviceWord(of: Value(4)) == "10"
                && control.value(ofDevice: "10") == Value(4)
        },
        KeyCase(
            "control.offset", actingDial, "offset: -3", bad: "offset: 0.1234567", "out-of-range"
        ) { plan in
            let control = plan.controls[0]
            return control.deviceWord(of: Value(4)) == "1"
                && control.value(ofDevice: "1") == Value(4)
        },
    ]
}
