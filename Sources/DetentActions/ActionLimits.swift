public import DetentTypes

/// Every bound of the actions, with what happens when it is reached.
public enum ActionLimits {
    /// Attempts of one action that wait behind the running one. The newest beyond is refused: it
    /// ends as `failed(.notStarted)`. The engine has one in flight for each control, so that happens
    /// only while a killed process takes long to die.
    public static let waitingPerAction = 8

    /// Attempts of all actions that run at once. Further ones wait, first come first served.
    public static let running = 64

    /// Commands on their way from the real-time loop. When they are full `start` and `cancel`
    /// return false and nothing is sent.
    public static let commands = 1_024

    /// Reports on their way to the real-time loop. When they are full the rest waits in order, and
    /// no command is taken until they have gone.
    public static let reports = 4_096

    /// Bytes kept of what a program wrote last to standard error, and to standard output.
    public static let outputTail = 4_096

    /// Bytes kept of what a query wrote first to standard output; an answer that does not end its
    /// line within them is none.
    public static let answer = 1_024

    /// Bytes still read from a pipe after its program has ended, while others hold it open; twice
    /// what a pipe of Linux holds. What comes later is lost.
    public static let lateOutput = 131_072

    /// Attempts whose details are remembered; the oldest gives way.
    public static let details = 1_024

    /// Time from asking a process group to end (SIGTERM) to killing it (SIGKILL).
    public static let killGrace = TimeSpan.seconds(1)
}
