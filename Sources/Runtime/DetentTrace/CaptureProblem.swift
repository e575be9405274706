public import DetentTypes

/// An error in a capture file.
public struct CaptureProblem: DescribedError, Equatable, Sendable, CustomStringConvertible {
    /// The line from 1; 0 if the problem has no position in a text.
    public var line: Int = 0
    /// The column from 1, in bytes; 0 if the problem has no position in a text.
    public var column: Int = 0
    /// The cause.
    public var cause: String
    /// The remedy.
    public var remedy: String

    /// `LINE:COLUMN: error: cause; remedy`, without the position if there is none.
    public var description: String {
        let place = line > 0 ? "\(line):\(column): " : ""
        return "\(place)error: \(cause); \(remedy)"
    }
}

/// A capture that cannot be used, with all its problems.
public struct CaptureError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The problems in the order of the file: at least one, at most `TraceLimits.problems`.
    public var problems: [CaptureProblem]

    /// Makes an error.
    public init(problems: [CaptureProblem]) {
        self.problems = problems
    }

    init(_ cause: String, _ remedy: String, line: Int = 0, column: Int = 0) {
        problems = [CaptureProblem(line: line, column: column, cause: cause, remedy: remedy)]
    }

    /// One problem per line.
    public var description: String {
        problems.map(\.description).joined(separator: "\n")
    }
}
