public import DetentTypes

/// One attempt of a `run` action, ready to start.
public struct ActionRequest: Equatable, Sendable {
    /// The attempt, by which it is cancelled and reported.
    public var run: RunID
    /// The program and its arguments; no shell reads them. A program without a slash is looked up
    /// in PATH.
    public var arguments: [String]
    /// Variables beside those of this process; the later of two equal names wins.
    public var environment: [(name: String, value: String)] {
        get { variables.map { ($0.name, $0.value) } }
        set { variables = newValue.map { Variable(name: $0.name, value: $0.value) } }
    }
    /// Where the program runs; nil for the directory of this process.
    public var workingDirectory: String?
    /// Longest time from its start; nil where only a cancel stops it.
    public var timeout: TimeSpan?
    /// Whether the end of standard output is kept as well; else it is discarded.
    public var keepsStandardOutput: Bool
    /// Whether standard output is an answer: its beginning is kept, and the caller is asked for its
    /// meaning.
    public var keepsAnswer: Bool

    private struct Variable: Equatable, Sendable {
        var name: String
        var value: String
    }
    private var variables: [Variable]

    /// Makes a request; nothing is checked before the start.
    public init(
        run: RunID, arguments: [String], environment: [(name: String, value: String)] = [],
        workingDirectory: String? = nil, timeout: TimeSpan? = nil,
        keepsStandardOutput: Bool = false,
        keepsAnswer: Bool = false
    ) {
        self.run = run
        self.arguments = arguments
        self.variables = environment.map { Variable(name: $0.name, value: $0.value) }
        self.workingDirectory = workingDirectory
        self.timeout = timeout
        self.keepsStandardOutput = keepsStandardOutput
        self.keepsAnswer = keepsAnswer
    }
}
