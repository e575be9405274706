import DetentPanel
import DetentTypes
import DetentWorld

/// A bounce report for a terminal, and as a file.
public enum BounceText {
    /// The histogram, the numbers, and the recommended debounce time with its reason.
    public static func text(_ report: BounceReport, name: String) -> String {
        var text = "\(name): \(report.closing.count) closings, \(report.opening.count) openings\n"
        guard let debounce = report.debounce else {
            return text + "Nothing was measured. Press the contact several times.\n"
        }
        text += "\n" + histogram(report) + "\n"
        text += numbers("closes", report.closing) + numbers("opens", report.opening)
        if report.glitches > 0 {
            text +=
                "glitches: \(report.glitches) groups of edges that ended where they began; they "
                + "are noise, or presses shorter than the pause\n"
        }
        return text + "\n" + advice(report, debounce)
    }

    private static func numbers(_ word: String, _ side: BounceReport.Side) -> String {
        guard side.count > 0 else { return "\(word): not seen\n" }
        if side.clean == side.count { return "\(word): never bounced\n" }
        return "\(word): \(side.clean) of \(side.count) clean, median \(short(side.median)), "
            + "longest \(short(side.longest)), at most \(side.edges) edges\n"
    }

    private static func histogram(_ report: BounceReport) -> String {
        var rows: [(label: String, closing: Int, opening: Int)] = []
        for place in report.closing.bins.indices {
            let label =
                switch place {
                case 0: "clean"
                case report.closing.bins.count - 1:
                    "over " + DurationText.text(BounceReport.bins[place - 1])
                case _: "to " + DurationText.text(BounceReport.bins[place])
                }
            rows.append((label, report.closing.bins[place], report.opening.bins[place]))
        }
        let first = rows.firstIndex { $0.closing + $0.opening > 0 } ?? 0
        let last = rows.lastIndex { $0.closing + $0.opening > 0 } ?? 0
        let most = rows.map { max($0.closing, $0.opening) }.max() ?? 1
        var text = "  bounce      closing" + spaces(bar + 1) + "opening\n"
        for row in rows[first...last] {
            let closing = cell(row.closing, most)
            text +=
                "  " + left(row.label, 10) + "  " + left(closing, bar + 7) + " "
                + cell(row.opening, most)
            while text.last == " " { text.removeLast() }
            text += "\n"
        }
        return text
    }

    private static let bar = 20

    private static func cell(_ count: Int, _ most: Int) -> String {
        let length = count == 0 ? 0 : max(1, count * bar / most)
        let number = "\(count)"
        return spaces(max(0, 4 - number.count)) + number + " "
            + String(repeating: "█", count: length)
    }

    private static func advice(_ report: BounceReport, _ debounce: TimeSpan) -> String {
        let longest = max(report.closing.longest, report.opening.longest)
        let count = report.closing.count + report.opening.count
        var text = "debounce: \(DurationText.text(debounce))\n"
        if longest == .zero {
            text += "  No change bounced. 1 ms still covers what was not seen.\n"
        } else {
            text +=
                "  The longest of \(count) changes took \(short(longest)). The time is 1.5 times "
                + "that, rounded up.\n"
        }
        // The rule of three: none of n exceeded it, so with 95 % confidence at most 3/n do.
        if count >= 3 {
            text +=
                "  After \(count) changes, up to 1 in \(max(1, count / 3)) may still be longer "
                + "(95 % confidence).\n"
        }
        if count < 60 { text += "  Measure at least 30 presses for a result to rely on.\n" }
        if debounce >= .milliseconds(50) {
            text += "  This contact bounces long: clean or replace it.\n"
        }
        return text
    }

    /// A measured profile as a file for `sim --bounce FILE`.
    public static func file(_ profile: BounceProfile, name: String, changes: Int) -> String {
        var text = """
            id: \(identifier(name))
            # Fitted by `detent measure` to \(changes) changes.
            # Play it: detent sim PANEL --bounce FILE
            clean-closes: \(profile.cleanCloses)
            clean-opens: \(profile.cleanOpens)

            """
        guard let measured = profile.measured else { return text }
        let marks = MeasuredBounce.marks.map { "\($0)" }.joined(separator: ", ")
        text += "# Bounces by length. The times are those that \(marks) percent do not exceed.\n"
        text += "closing:\(measured.closing.text(indent: "  "))\n"
        text += "opening:\(measured.opening.text(indent: "  "))\n"
        return text
    }

    /// How well a profile plays the recording that it was fitted to.
    public static func fit(_ comparison: BounceComparison) -> String {
        func percent(_ number: Double) -> String { "\(Int(number.rounded())) %" }
        let wrong = comparison.figures.filter { !$0.agrees }
        guard wrong.isEmpty else {
            return "profile: it does not play what was measured\n"
                + wrong.map { figure in
                    "  \(figure.name) differ by \(percent(figure.difference)); chance explains "
                        + "\(percent(figure.bound))\n"
                }.joined()
        }
        let words = ["clean changes", "lengths", "pulses", "widths"]
        let largest = words.compactMap { word in
            comparison.figures.filter { $0.name.hasSuffix(": \(word)") }.map(\.difference).max()
                .map { "\(word) \(percent($0))" }
        }
        return "profile: played \(2 * BenchLimits.played) times, it differs from the measurement "
            + "by at most:\n  \(largest.joined(separator: ", "))\n"
    }

    /// Lower-case letters, digits and '-'.
    static func identifier(_ name: String) -> String {
        let letters = name.lowercased().unicodeScalars.map { scalar in
            ("a"..."z").contains(scalar) || ("0"..."9").contains(scalar) ? Character(scalar) : "-"
        }
        let words = String(letters).split(separator: "-").joined(separator: "-")
        guard let first = words.first else { return "contact" }
        return first.isNumber ? "contact-" + words : words
    }

    /// A span with about three digits.
    static func short(_ span: TimeSpan) -> String {
        let microseconds = (span.nanoseconds + 500) / 1_000
        if microseconds < 1_000 { return "\(microseconds) µs" }
        let decimals = microseconds < 10_000 ? 2 : 1
        let unit: UInt64 = decimals == 2 ? 10 : 100
        return DecimalNumber.text(
            units: Int64((microseconds + unit / 2) / unit), decimals: decimals) + " ms"
    }

    private static func left(_ text: String, _ width: Int) -> String {
        text + spaces(max(0, width - text.count))
    }

    private static func spaces(_ count: Int) -> String { String(repeating: " ", count: count) }
}
