import DetentPanel

/// A reader of foreign bytes, and what it promises about any input.
protocol FuzzTarget {
    /// Words that the format knows, and numbers at their bounds.
    var words: [String] { get }

    /// Reads an input; says whether it was accepted.
    ///
    /// - Throws: `BrokenPromise` if the reader does not keep a promise.
    mutating func read(_ bytes: [UInt8]) throws(BrokenPromise) -> Bool
}

extension FuzzTarget {
    /// What any format may have.
    static var numbers: [String] {
        [
            "0", "-1", "1", "255", "256", "65535", "65536", "2147483647", "-2147483648",
            "4294967296", "9223372036854775807", "9223372036854775808", "18446744073709551615",
            "99999999999999999999", "0.000001", "1e999", "nan", "\u{0}", "\u{FEFF}", "ü", "\r",
            "\n",
            " ", "\"", "'", "\\",
        ]
    }
}

/// A promise that a reader did not keep.
struct BrokenPromise: Error {
    let text: String

    /// Throws unless the promise was kept.
    static func unless(
        _ isKept: Bool, _ text: @autoclosure () -> String
    ) throws(BrokenPromise) {
        if !isKept { throw BrokenPromise(text: text()) }
    }

    /// What every list of problems promises.
    static func check(_ problems: [Problem]) throws(BrokenPromise) {
        for problem in problems {
            let place = problem.place
            try unless(
                place.line >= 1 && place.column >= 1 && place.length >= 1,
                "a problem has no place: \(problem.text)")
            try unless(
                !problem.text.contains("\n") && !problem.help.contains("\n"),
                "a problem has several lines: \(problem.text)")
        }
        _ = ProblemRenderer.text(problems)
    }
}
