public import DetentTypes

/// Every bound of the runtime, and what happens when it is reached.
public enum RuntimeLimits {
    /// Line events that one turn of the loop takes: the full kernel buffers (1024) of four
    /// requests. The rest follows in the next turn, which begins at once.
    public static var eventsPerTurn: Int { 4_096 }
    /// Requests from other threads that wait for the loop. A sender is told when it is full.
    public static var inbox: Int { 256 }
    /// Event lines that wait for the reader of standard output. The newest are dropped and counted.
    /// The log reports when dropping begins, and the total at the end.
    public static var eventLines: Int { 8_192 }
    /// Reports that wait for the recorder. The newest are dropped and counted; the recorder logs
    /// how many.
    public static var reports: Int { 8_192 }
    /// Reports of one turn that wait until its lamps are written. If there are more, they are
    /// published before the lamps that follow.
    static var heldReports: Int { 64 }
    /// Updates that wait for a reader. The newest are dropped and counted; the reader then requests
    /// all states again.
    public static var updates: Int { 16_384 }
    /// Lines whose levels can be traced. Further lines are ignored.
    public static var tracedLines: Int { 64 }
    /// States that one turn sends after a request for all states; the next turn continues.
    public static var statesPerTurn: Int { 256 }
    /// How long a change waits for the panel's answer, which normally comes within a turn. After
    /// that it is answered 503: the panel is blocked or overloaded.
    public static var answerTime: TimeSpan { .seconds(2) }
    /// The shortest time between two messages with events and states: thirty a second.
    public static var eventsEvery: TimeSpan { .milliseconds(33) }
    /// The pause between two looks at the panel while a request waits for its answer. The answer of
    /// an idle panel comes within one turn, and is seen without a pause.
    public static var answersEvery: TimeSpan { .milliseconds(1) }
    /// Events in the history. Older ones are removed, and a client cannot resume from them.
    public static var history: Int { 10_000 }
    /// How long there has to be no request until memory that requests have used is given back.
    public static var restTime: TimeSpan { .seconds(5) }
    /// Keys of controls and of actions, which each reload adds to. When they are used up, a reload
    /// is refused until the panel restarts.
    static var actionKeys: Int { 60_000 }
    /// Panels that the reader of the updates has not followed yet. A further reload is refused.
    static var waitingPanels: Int { 8 }
    /// How long after the start of its timeout an attempt can begin: a busy thread starts it a
    /// little later. A cancel that is earlier than the timeout by no more than this is taken for
    /// one by it.
    static var timeoutSlack: TimeSpan { .milliseconds(5) }
    /// How long a saved file must rest before it is read: editors save in several steps.
    static var restOfFile: TimeSpan { .milliseconds(50) }
    /// After this time a file is read although it is still being written.
    static var longestSave: TimeSpan { .seconds(1) }
    /// How long a reload waits for the loop. After that it is reported as failed, and the loop may
    /// still carry it out.
    static var changeGrace: TimeSpan { .seconds(10) }
    /// Messages that wait for the log. The newest are dropped and counted; the log reports how
    /// many.
    public static var messages: Int { 256 }
    /// Descriptors of the loop itself, in addition to one per line in the worst case.
    public static var ownDescriptors: Int { 3 }
    /// How long the recorder may take to handle the remaining reports when the daemon ends.
    public static var recorderGrace: TimeSpan { .seconds(1) }
    /// How long the waiting event lines may take to be written when the daemon ends, and then the
    /// messages. The rest is lost; the log reports how many event lines were lost.
    public static var writerGrace: TimeSpan { .seconds(1) }
    /// How long the last write of values may take when the daemon ends. After that the write is
    /// abandoned, and the previous file remains.
    public static var stateGrace: TimeSpan { .seconds(2) }
    /// How long programs may take to end when the daemon ends. After that they are killed.
    public static var actionsGrace: TimeSpan { .seconds(2) }

    /// How long a display that cannot be written waits before the next attempt. The time doubles
    /// after each, up to `displayLongestPause`.
    public static let displayFirstPause = TimeSpan.seconds(1)
    /// The longest time between two attempts to write a display.
    public static let displayLongestPause = TimeSpan.seconds(30)
    /// How long a display's last text may take when the daemon ends, and then its program to end.
    /// After that the thread is abandoned, and the program is killed.
    public static let displayGrace = TimeSpan.milliseconds(500)

    /// Characters of a token of the page. A file with a longer one is refused.
    public static let token = 1_000

    /// The shortest time between two messages of one kind in the log, where they repeat. Those
    /// between are counted.
    public static let repeatedMessage = TimeSpan.seconds(60)
    /// Kinds of messages whose repetitions are counted. Of more, the oldest is forgotten, and told
    /// anew when it comes again.
    public static let repeatedKinds = 8

    /// How long a remote caller has to send the second request, which confirms the first. This is
    /// enough to read the question.
    public static let confirmTime = TimeSpan.seconds(30)
    /// Tokens of one control that are valid at once. A further token invalidates the oldest of that
    /// control; tokens of other controls stay valid.
    public static let confirmTokens = 8

    /// The shortest time between two reports of one device. Of reports that follow too closely, the
    /// newest waits until this time has passed, and the others are dropped; the log says so once.
    public static let feedbackGap = TimeSpan.milliseconds(20)

    /// Reports of one source that wait for the end of that time in the process that hears them. The
    /// oldest is dropped.
    public static let waitingReports = 32

    /// The shortest time after which the log has another unreadable report of one feedback, or the
    /// same reason why its source is gone. The flag `stale` shows each of them.
    public static let feedbackLogGap = TimeSpan.seconds(10)

    /// The most faults of one feedback in the log in that time; others are not told.
    public static let feedbackLogFaults = 4

    /// How long a program of a feedback that has ended waits before it is started again. The time
    /// doubles after each end, up to `feedbackLongestPause`, and begins anew after a program that
    /// ran as long as that.
    public static let feedbackFirstPause = TimeSpan.seconds(1)
    /// The longest time between the end of a program of a feedback and its next start.
    public static let feedbackLongestPause = TimeSpan.seconds(30)
    /// How long programs of feedback may take to end; then they are killed.
    public static let feedbackGrace = TimeSpan.milliseconds(500)
    /// How long one request of a feedback may take. A longer one is stopped, and counts as no
    /// answer.
    public static let feedbackRequestTime = TimeSpan.seconds(10)
}
