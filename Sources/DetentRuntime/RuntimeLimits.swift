public import DetentTypes

/// Every bound of the runtime, and what happens when it is reached.
public enum RuntimeLimits {
    /// Line events that one turn of the loop takes: a whole kernel buffer (1024) of four requests.
    /// What is left is taken in the next turn, which comes at once.
    public static var eventsPerTurn: Int { 4_096 }
    /// Requests from other threads that wait for the loop. The sender is told that it is full.
    public static var inbox: Int { 256 }
    /// Event lines that wait for the reader of standard output. The newest are dropped and counted;
    /// the log says so when it begins, and how many at the end.
    public static var eventLines: Int { 8_192 }
    /// Reports that wait for the recorder. The newest are dropped and counted; the recorder says
    /// how many.
    public static var reports: Int { 8_192 }
    /// Notes that wait for a watcher. The newest are dropped and counted; the watcher then asks for
    /// all states again.
    public static var notes: Int { 16_384 }
    /// Lines whose levels a watcher sees. Further ones are left out.
    public static var tracedLines: Int { 64 }
    /// States that one turn tells a watcher who asked for all; the next turn goes on.
    public static var statesPerTurn: Int { 256 }
    /// Messages that wait for the log. The newest are dropped and counted; the log says how many.
    public static var messages: Int { 256 }
    /// Descriptors that the loop sleeps on: one a line in the worst case, and its own.
    public static var ownDescriptors: Int { 3 }
    /// How long the recorder may take to hand on what is left when the daemon ends.
    public static var recorderGrace: TimeSpan { .seconds(1) }
    /// How long event lines that wait may take to be written when the daemon ends, and then as long
    /// for messages. What remains is lost; lost event lines are counted in the log.
    public static var writerGrace: TimeSpan { .seconds(1) }
    /// How long the last write of values may take when the daemon ends; then it is left behind, and
    /// the file is the one before.
    public static var stateGrace: TimeSpan { .seconds(2) }
    /// How long programs may take to end when the daemon ends; then they are killed.
    public static var actionsGrace: TimeSpan { .seconds(2) }

    /// How long a remote caller has for the second request that confirms the first: time to read
    /// what is asked, and not to forget that it was.
    public static let confirmTime = TimeSpan.seconds(30)
    /// Tokens of one control that are valid at once. One more makes the oldest of that control
    /// invalid; those of other controls stay valid.
    public static let confirmTokens = 8
}
