public import DetentTypes

/// The limits of actions, and what happens when each is reached.
public enum ActionLimits {
    /// Attempts of one action that wait behind the running one. One more is refused: it ends as
    /// `failed(.notStarted)`. The engine has one running attempt for each control, so this happens
    /// only while a killed process takes long to end.
    public static let waitingPerAction = 8

    /// Attempts of all actions that run at the same time. Further ones wait in their order.
    public static let running = 64

    /// Commands on their way from the real-time loop. At the limit, `start` and `cancel` return
    /// false and send nothing.
    public static let commands = 1_024

    /// Reports on their way to the real-time loop. At the limit, further reports wait in order, and
    /// no command is taken until they are delivered.
    public static let reports = 4_096

    /// Last bytes of standard error and of standard output that are kept; earlier ones are dropped.
    public static let outputTail = 4_096

    /// First bytes of a query's standard output that are kept. An answer whose first line is longer
    /// is invalid.
    public static let answer = 1_024

    /// Bytes of one line that a program reports as feedback. The rest of a longer line is dropped,
    /// and what is left is read.
    public static let reportLine = 16_384

    /// Lines of a program that are reports at a time. Older ones are left out: a program that
    /// floods costs no more.
    public static let reportLinesAtOnce = 256

    /// Bytes of the answer of a web service that are read. A longer answer is invalid, and its
    /// connection is closed.
    public static let httpAnswer = 65_536

    /// Bytes of the head of such an answer, with the sizes of its chunks, if the service is on this
    /// machine. After a longer head the outcome is unknown.
    public static let httpHead = 65_536

    /// Addresses of services on this machine that are known from earlier requests. At the limit,
    /// all are forgotten, and each is read again.
    public static let httpRoutes = 64

    /// Connections to services on this machine that are kept for a next request. At the limit, no
    /// further one is kept.
    public static let keptConnections = 8

    /// How long such a connection is kept. Services keep theirs longer (usually 2 s or more), so
    /// that this side is the one that closes it.
    public static let keptConnectionTime = TimeSpan.seconds(1)

    /// Bytes of the file of a secret. A longer file is refused.
    public static let secret = 4_096

    /// Bytes of the shortest secret that is hidden in texts. A shorter one would tear up every
    /// text.
    public static let shortestSecret = 3

    /// Bytes of the beginning of a secret that may be seen at the end of a text that was cut. More
    /// of it is hidden.
    public static let shownOfSecret = 4

    /// Secrets, each in its forms, that are hidden in texts. At the limit, the oldest are
    /// forgotten.
    public static let knownSecrets = 256

    /// Bytes of one line that a program of feedback or of a display prints on its standard error;
    /// the rest of a longer line is dropped.
    public static let errorLine = 512

    /// Lines of that kind in the log within `errorLinesTime`. Further ones are counted, and the log
    /// has their number when the time is over.
    public static let errorLines = 10

    /// See `errorLines`.
    public static let errorLinesTime = TimeSpan.seconds(60)

    /// The shortest time between two readings of standard error: a program that floods waits for
    /// its pipe.
    public static let errorGap = TimeSpan.milliseconds(20)

    /// Bytes that are still read from a pipe after its program has ended, if other processes hold
    /// it open; twice the capacity of a Linux pipe. Later bytes are lost.
    public static let lateOutput = 131_072

    /// Bytes of a text for a device nearby. A longer one is not sent.
    public static let wireText = 4_096

    /// Bytes that are looked at for the answer of such a device. If none fits, the answer is
    /// invalid.
    public static let wireLooked = 4_096

    /// Bytes of such an answer that are kept.
    public static let wireAnswer = 1_024

    /// Lines of such a device that wait for `wireGap`. The oldest is dropped.
    static let wireReports = 32

    /// The time between two readings of a device that talks without being asked: it waits, as its
    /// lines do.
    static let wireGap = TimeSpan.milliseconds(20)

    /// Wires of a panel. An action of one more is not started.
    public static let wires = 32

    /// How long opening a wire may take: to find the name, and to connect. Then it is given up.
    static let wireOpening = TimeSpan.seconds(10)

    /// How long the answer to a question of a feedback is waited for; then the wire is closed.
    static let wireQuestion = TimeSpan.seconds(10)

    /// How long a wire with feedback that was lost stays closed. The time doubles, up to
    /// `wireLongestPause`, and begins anew after a wire that was open as long as that.
    public static let wireFirstPause = TimeSpan.seconds(1)
    /// See `wireFirstPause`.
    static let wireLongestPause = TimeSpan.seconds(30)

    /// How long a tap holds its keys down, and how long no key of the device changes after it.
    /// Longer than a frame of 60 Hz, because games look once a frame.
    static let keyTap = TimeSpan.milliseconds(20)

    /// Attempts whose details are kept; the oldest are dropped.
    public static let details = 1_024

    /// Time from asking a process group to end (SIGTERM) to killing it (SIGKILL).
    public static let killGrace = TimeSpan.seconds(1)
}
