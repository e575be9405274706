public import DetentTypes

/// One thing that is wrong with a capture file.
public struct CaptureProblem: DescribedError, Equatable, Sendable, CustomStringConvertible {
    /// The line from 1; 0 where the problem has no place in a text.
    public var line: Int
    /// The column from 1, in bytes; 0 where the problem has no place in a text.
    public var column: Int
    /// What is wrong.
    public var cause: String
    /// What would help.
    public var remedy: String

    /// Makes a problem.
    public init(line: Int = 0, column: Int = 0, cause: String, remedy: String) {
        self.line = line
        self.column = column
        self.cause = cause
        self.remedy = remedy
    }

    /// `LINE:COLUMN: error: cause; remedy`, without the place where there is none.
    public var description: String {
        let place = line > 0 ? "\(line):\(column): " : ""
        return "\(place)error: \(cause); \(remedy)"
    }
}

/// A capture that cannot be used, with everything that is wrong with it.
public struct CaptureError: Error, Equatable, Sendable, CustomStringConvertible {
    /// In the order of the file, at most `TraceLimits.problems`, at least one.
    public var problems: [CaptureProblem]

    /// Makes an error.
    public init(problems: [CaptureProblem]) {
        self.problems = problems
    }

    init(_ cause: String, _ remedy: String, line: Int = 0, column: Int = 0) {
        problems = [CaptureProblem(line: line, column: column, cause: cause, remedy: remedy)]
    }

    /// One problem a line.
    public var description: String {
        problems.map(\.description).joined(separator: "\n")
    }
}
