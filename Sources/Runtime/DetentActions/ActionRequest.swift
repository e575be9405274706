public import DetentTypes

/// One attempt of an action, ready to start.
public struct ActionRequest: Equatable, Sendable {
    /// The attempt, by which it is cancelled and reported.
    public var run: RunID
    /// What the attempt has to do.
    public var payload: ActionPayload
    /// Longest time from its start; nil if only a cancel stops it.
    public var timeout: TimeSpan?
    /// Whether the attempt asks the device for its value. The runner then keeps the first bytes
    /// of the answer.
    public var keepsAnswer: Bool
    /// Which part of the press of a button it is.
    public var part = PressPart.whole
    /// The command that it carries out; nil for a poll, which no command asks for.
    public var command: ActionCommand?

    /// Makes a request; nothing is checked before the start.
    public init(
        run: RunID, _ payload: ActionPayload, timeout: TimeSpan? = nil, keepsAnswer: Bool = false,
        command: ActionCommand? = nil
    ) {
        self.command = command
        self.run = run
        self.payload = payload
        self.timeout = timeout
        self.keepsAnswer = keepsAnswer
    }
}

/// A part of the press of a button whose action begins with the press and ends with the release.
public enum PressPart: Equatable, Sendable {
    /// Both at once, as for any other action.
    case whole
    case beginning, end
}

/// What an attempt has to do, with all placeholders replaced.
///
/// A runner that receives a payload of another kind ends the attempt as `failed(.notStarted)`.
public enum ActionPayload: Equatable, Sendable {
    /// Starts a program.
    case program(ProgramCall)
    /// Does what the keys of the action say; the runner knows the keys of its kind.
    case fields([ActionField])
    /// Starts nothing: the attempt ends as `failed(.notStarted)`, and this is why.
    case refused(String)
    /// Gives a simulated device a value.
    case simulated(ControlID, Value)
}

/// A program and what it is started with.
public struct ProgramCall: Equatable, Sendable {
    /// The program and its arguments; no shell reads them. A program without a slash is looked up
    /// in PATH.
    public var arguments: [String]
    /// Variables in addition to those of this process; the later of two equal names wins.
    public var environment: [(name: String, value: String)] {
        get { variables.map { ($0.name, $0.value) } }
        set { variables = newValue.map { Variable(name: $0.name, value: $0.value) } }
    }
    /// Where the program runs; nil for the directory of this process.
    public var workingDirectory: String?
    /// Whether the end of standard output is kept as well; otherwise it is discarded.
    public var keepsStandardOutput: Bool
    /// What the program reads from its standard input; nil for `/dev/null`. Other users of the
    /// machine cannot see it, unlike arguments.
    public var standardInput: [UInt8]?
    /// Most bytes of standard output that are read; the pipe is closed after them. nil reads and
    /// discards all.
    public var outputLimit: Int?

    private struct Variable: Equatable, Sendable {
        var name: String
        var value: String
    }
    private var variables: [Variable]

    /// Describes a program; nothing is checked before the start.
    public init(
        _ arguments: [String], environment: [(name: String, value: String)] = [],
        workingDirectory: String? = nil, keepsStandardOutput: Bool = false
    ) {
        self.arguments = arguments
        self.variables = environment.map { Variable(name: $0.name, value: $0.value) }
        self.workingDirectory = workingDirectory
        self.keepsStandardOutput = keepsStandardOutput
    }
}
