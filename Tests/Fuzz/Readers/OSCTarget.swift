import DetentRuntime
import DetentTypes

/// Datagrams that the listener for messages of Open Sound Control hears.
struct OSCTarget: FuzzTarget {
    private var board = OSCSwitchboard(["/mute", "1", "/ch/01/mix/fader", "2"])
    private var now = Instant.zero

    let words =
        numbers + [
            "/mute", "/ch/01/mix/fader", ",ifsTFhd", ",", "\0\0\0\0", "#bundle\0", "\n",
        ]

    mutating func read(_ bytes: [UInt8]) throws(BrokenPromise) -> Bool {
        now = now + .seconds(1)
        board?.take(bytes[...])
        let lines = board?.lines(at: now) ?? ""
        for line in lines.split(separator: "\n") {
            try BrokenPromise.unless(
                line.hasPrefix("0 ") || line.hasPrefix("1 "), "this is no report: \(line)")
        }
        return !lines.isEmpty
    }
}
