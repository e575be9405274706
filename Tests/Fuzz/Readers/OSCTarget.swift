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
        // In bytes, as its reader does: a letter after the space may join it to one character.
        for line in lines.utf8.split(separator: UInt8(ascii: "\n")) {
            try BrokenPromise.unless(
                line.starts(with: "0 ".utf8) || line.starts(with: "1 ".utf8),
                "this is no report: \(Substring(line))")
        }
        return !lines.isEmpty
    }
}
