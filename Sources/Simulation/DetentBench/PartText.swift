/// An identified part in words.
public enum PartText {
    /// What the part is and where its wires are.
    ///
    /// - Parameter places: each line for people, such as `GPIO17 (pin 11)`.
    public static func text(_ result: PartClassifier.Result, places: [String]) -> String {
        let (what, hint) = words(result.guess, places)
        if case .potentiometer = result.guess { return what + "\n" }
        guard case .unclear = result.guess else {
            let level = result.isActiveLow ? "low" : "high"
            let proof = result.isLevelProved ? "" : " (assumed from the pull resistor)"
            return what + "\n  a closed contact is \(level)\(proof)\n"
                + (hint.isEmpty ? "" : "  \(hint)\n")
        }
        return what + "\n  \(hint)\n"
    }

    private static func words(
        _ guess: PartGuess, _ places: [String]
    ) -> (what: String, hint: String) {
        func list(_ lines: [Int]) -> String { lines.map { places[$0] }.joined(separator: ", ") }
        switch guess {
        case .button(let line): return ("push button on \(places[line])", "")
        case .lever(let line): return ("switch on \(places[line])", "")
        case .changeover(let on, let off):
            return (
                "switch with two contacts: \(places[on]) where it is now, \(places[off]) before",
                "A selector with two positions looks the same."
            )
        case .threeWay(let down, let up):
            return (
                "lever with a centre: \(places[down]) and \(places[up])",
                "If up and down are exchanged, exchange the two lines."
            )
        case .encoder(let a, let b, let transitions, _):
            return (
                "encoder: a \(places[a]), b \(places[b]), \(transitions) transitions per detent",
                "The order is right if you turned it clockwise."
            )
        case .selector(let lines, let hasNone):
            return (
                "selector: \(list(lines)), in the order of its positions",
                hasNone ? "One position closes no contact." : ""
            )
        case .coded(let lines, let isGray):
            return (
                "selector with a \(isGray ? "Gray" : "binary") code: \(list(lines)), lowest bit "
                    + "first",
                "Turn it through all positions for a reliable order."
            )
        case .buttons(let lines):
            return ("\(lines.count) push buttons: \(list(lines))", "")
        case .potentiometer(let line, let first, let last):
            return ("potentiometer on \(places[line]), from \(first) to \(last)", "")
        case .unclear(let lines, let reason):
            let why =
                switch reason {
                case .noise: "The pulse was shorter than a finger can press. Press longer."
                case .tooShort: "Turn it several detents clockwise."
                case .tooMany: "Too many lines changed. Operate one part only."
                }
            return ("not clear: \(list(lines))", why)
        }
    }
}
