import DetentCore
import DetentPanel
import DetentTypes

extension KeyCase {
    /// Keys of displays.
    static let displays: [KeyCase] = [
        KeyCase(
            "panel.displays", "panel: P, board: none, controls: {c: {\(Base.dial)}}",
            "displays: {main: {charlcd: /dev/lcd}}", bad: "displays: [main]", "wrong-type"
        ) { $0.displays.map(\.name) == ["main"] },
        KeyCase(
            "control.display", Base.dial, "display: {charlcd: /dev/lcd}", bad: "display: main",
            "unknown-word"
        ) { $0.displays.map(\.controls) == [[ControlID(0)]] },
        device("charlcd", "charlcd: /dev/lcd", bad: "charlcd: lcd", "invalid-argument") {
            .charlcd(path: $0)
        },
        device(
            "framebuffer", "framebuffer: /dev/lcd", bad: "framebuffer: /dev/fb1, charlcd: /dev/lcd",
            "conflicting-keys"
        ) { .framebuffer(path: $0) },
        device("file", "file: /dev/lcd", bad: "file: /dev/lcd, rows: 1", "conflicting-keys") {
            .message(path: $0)
        },
        device("run", "run: [/dev/lcd]", bad: "run: show", "wrong-type") {
            .program(arguments: [$0])
        },
        shape("columns", "columns: 20", bad: "columns: 3", "out-of-range") { $0.columns == 20 },
        shape("rows", "rows: 4", bad: "rows: 0", "out-of-range") { $0.rows == 4 },
        shape("return-after", "return-after: 3s", bad: "return-after: 3", "invalid-duration") {
            $0.returnAfter == .seconds(3)
        },
    ]

    private static func device(
        _ key: String, _ good: String, bad: String, _ rule: String,
        _ made: @escaping @Sendable (String) -> DisplayPlan.Device
    ) -> KeyCase {
        KeyCase(
            "display.\(key)", Base.dial, "display: {\(good)}", bad: "display: {\(bad)}", rule
        ) { $0.displays.first?.device == made("/dev/lcd") }
    }

    private static func shape(
        _ key: String, _ good: String, bad: String, _ rule: String,
        _ effect: @escaping @Sendable (DisplayPlan) -> Bool
    ) -> KeyCase {
        let device = "display: {charlcd: /dev/lcd, "
        return KeyCase(
            "display.\(key)", Base.dial, device + good + "}", bad: device + bad + "}", rule
        ) { $0.displays.first.map(effect) ?? false }
    }
}
