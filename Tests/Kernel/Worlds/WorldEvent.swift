internal import DetentTypes

/// An event line, taken apart.
struct WorldEvent {
    /// When, since the panel first started.
    var at: Instant
    /// The id of the control; empty for an event of the whole panel.
    var control: String
    /// The kind of event.
    var word: String
    /// The line without its time.
    var text: String

    /// Reads an event line; nil if it is none.
    ///
    /// - Parameter real: what the line's clock said at `told`.
    init?(_ line: String, since real: Instant = .zero, told: Instant = .zero) {
        let start = "{\"at\": "
        guard line.hasPrefix(start), let comma = line.firstIndex(of: ","),
            let at = UInt64(line[line.index(line.startIndex, offsetBy: start.utf8.count)..<comma])
        else { return nil }
        text = String(line[line.index(comma, offsetBy: 2)...].prefix { $0 != "\n" })
        // "control": "output", "event": "phase", …, or "event": "lamp-test", …
        var words = text.split(separator: "\"", omittingEmptySubsequences: false).map(String.init)
        if words.count > 1, words[1] == "event" {
            words = ["", "control", ": ", "", ", "] + words.dropFirst()
        }
        guard words.count > 7 else { return nil }
        (control, word) = (words[3], words[7])
        self.at = told + (Instant(nanoseconds: max(at, real.nanoseconds)) - real)
    }
}
