internal import DetentTypes
import DetentWorld

/// Compares the events of a run on real lines with those expected from virtual time.
///
/// For each control and kind of event, the order and the words must be the same. Between controls
/// and kinds, only the time counts. Times are relative to the previous event, because a real run
/// falls a little behind with each step; the tolerance applies to these times. Lost edges are
/// ignored, because bounce causes them.
struct TraceComparison {
    private struct Line {
        var at: UInt64
        /// The control and the kind of event.
        var key: String
        /// The line without its time.
        var words: String
    }

    /// The differences, one or several lines each; empty if the traces agree.
    private(set) var differences: [String] = []

    init(found: [String], expected: [String], tolerance: TimeSpan) {
        let foundLines = found.compactMap(Self.line)
        let expectedLines = expected.compactMap(Self.line)
        let groups = Dictionary(grouping: foundLines, by: \.key)
        var keys: [String] = []
        for line in expectedLines + foundLines where !keys.contains(line.key) {
            keys.append(line.key)
        }
        var pairs: [(expected: Line, found: Line)] = []
        for key in keys {
            let wanted = expectedLines.filter { $0.key == key }
            let got = groups[key] ?? []
            for (expectation, fact) in zip(wanted, got) { pairs.append((expectation, fact)) }
            compareWords(key, wanted, got)
        }
        if differences.isEmpty { compareTimes(pairs, tolerance) }
    }

    private mutating func compareWords(_ key: String, _ wanted: [Line], _ got: [Line]) {
        for place in 0..<max(wanted.count, got.count) {
            let expectation = place < wanted.count ? wanted[place] : nil
            let fact = place < got.count ? got[place] : nil
            if expectation?.words == fact?.words { continue }
            differences.append(
                "the events differ: \(key), number \(place + 1)\n"
                    + "    expected: \(Self.text(expectation))\n    found:    \(Self.text(fact))\n")
            return
        }
    }

    private mutating func compareTimes(
        _ pairs: [(expected: Line, found: Line)], _ tolerance: TimeSpan
    ) {
        var drift: Int64 = 0
        var latest: Int64 = 0
        var moment: UInt64 = 0
        let limit = Int64(clamping: tolerance.nanoseconds)
        for pair in pairs.sorted(by: { $0.expected.at < $1.expected.at }) {
            if pair.expected.at != moment {
                moment = pair.expected.at
                drift = latest
                latest = .max
            }
            let late = Int64(clamping: pair.found.at) - Int64(clamping: pair.expected.at)
            latest = min(latest, late)
            if abs(late - drift) <= limit { continue }
            differences.append(
                "an event was \(abs(late - drift) / 1_000_000) ms too "
                    + (late > drift ? "late" : "early")
                    + ", more than \(tolerance.milliseconds)\n"
                    + "    expected: \(Self.text(pair.expected))\n"
                    + "    found:    \(Self.text(pair.found))\n")
            return
        }
    }

    private static func text(_ line: Line?) -> String {
        line.map { "{\"at\": \($0.at), \($0.words)" } ?? "(nothing)"
    }

    /// Parses an event line; nil if it is not compared.
    private static func line(_ text: String) -> Line? {
        let start = "{\"at\": "
        guard text.hasPrefix(start), let comma = text.firstIndex(of: ","),
            let at = UInt64(text[text.index(text.startIndex, offsetBy: start.utf8.count)..<comma])
        else { return nil }
        let words = text[text.index(comma, offsetBy: 2)...].prefix { $0 != "\n" }
        // "control": "output", "event": "phase", …
        var parts = words.split(separator: "\"")[...]
        guard parts.popFirst() == "control", parts.popFirst() != nil,
            let control = parts.popFirst(), parts.popFirst() != nil,
            parts.popFirst() == "event", parts.popFirst() != nil,
            let event = parts.popFirst(), event != "lost"
        else { return nil }
        return Line(at: at, key: "\(control) \(event)", words: String(words))
    }
}
