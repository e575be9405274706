import DetentTypes
import Glibc
import TestSupport
import Testing

@testable import DetentActions

/// What a program's end becomes, and what it is started with.
@Suite(.serialized) final class ProcessOutcomeTests {
    let supervisor: ProcessSupervisor

    init() throws {
        supervisor = try ProcessSupervisor()
    }

    deinit {
        _ = supervisor.stop(within: .seconds(10))
    }

    @Test(arguments: [
        ("exit 0", ActionOutcome.succeeded, "exited with code 0"),
        ("exit 3", .failed(.exit(3)), "exited with code 3"),
        ("exit 255", .failed(.exit(255)), "exited with code 255"),
        ("kill -KILL $$", .killed(signal: 9), "killed by signal 9, Killed"),
        ("kill -TERM $$", .killed(signal: 15), "killed by signal 15, Terminated"),
    ])
    func endBecomesOutcome(script: String, outcome: ActionOutcome, text: String) throws {
        let result = try supervisor.shell(script)
        expectEqual(result.outcome, outcome)
        expectEqual(result.explanation, text)
        #expect(try #require(result.startedAt) <= result.endedAt)
    }

    @Test(
        arguments: [
            (["detent-no-such-program"], ENOENT, "No such file or directory in PATH"),
            (["/nowhere/program"], ENOENT, "check the path"),
            (["/etc/passwd"], EACCES, "chmod +x"),
            ([], nil, "has no program"),
            ([""], nil, "has no program"),
            (["true", "a\0b"], nil, "NUL"),
        ] as [([String], Int32?, String)])
    func whatCannotStartSaysWhy(arguments: [String], errno: Int32?, text: String) throws {
        let result = try supervisor.result(arguments)
        let failure = errno.map { ActionFailure.cannotStart(errno: UInt16($0)) } ?? .notStarted
        expectEqual(result.outcome, .failed(failure))
        #expect(result.startedAt == nil)
        #expect(result.explanation.contains(text), "\(result.explanation)")
    }

    @Test func missingDirectoryIsNamed() throws {
        let result = try supervisor.result(["true"], directory: "/nowhere")
        expectEqual(result.outcome, .failed(.cannotStart(errno: UInt16(ENOENT))))
        #expect(result.explanation.contains("working directory '/nowhere'"))
    }

    @Test(arguments: [
        "two words", "\"double\" 'single'", "line\nbreak", "$(touch /tmp/x) `id` $HOME", "*", "",
        "{value}", "a;b|c&d>e", "ä😀", "-n", "\\", "tab\t",
    ])
    func argumentStaysOneArgument(argument: String) throws {
        let result = try supervisor.result(["printf", "[%s]", argument, "end"])
        expectEqual(result.outcome, .succeeded)
        expectEqual(result.standardOutputTail, "[\(argument)][end]")
    }

    @Test func variablesAreAddedAndReplaced() throws {
        setenv("DETENT_TEST_REPLACED", "old", 1)
        setenv("DETENT_TEST_KEPT", "kept", 1)
        let supervisor = try ProcessSupervisor()
        defer { _ = supervisor.stop(within: .seconds(10)) }
        let result = try supervisor.result(
            ["sh", "-c", "env | grep ^DETENT_TEST_ | sort"],
            environment: [
                ("DETENT_TEST_REPLACED", "one"), ("DETENT_TEST_REPLACED", "two"),
                ("DETENT_TEST_ADDED", "a=b c"),
            ])
        expectEqual(
            result.standardOutputTail,
            "DETENT_TEST_ADDED=a=b c\nDETENT_TEST_KEPT=kept\nDETENT_TEST_REPLACED=two\n")
    }

    @Test func standardInputIsEmpty() throws {
        let result = try supervisor.result(["cat"])
        expectEqual(result.outcome, .succeeded)
        expectEqual(result.standardOutputTail, "")
    }

    @Test func workingDirectoryIsGiven() throws {
        expectEqual(try supervisor.result(["pwd"], directory: "/").standardOutputTail, "/\n")
    }

    @Test func descriptorsAreClosed() throws {
        let leaking = open("/dev/null", O_RDONLY)
        defer { close(leaking) }
        // The fourth is the directory that `ls` reads.
        let result = try supervisor.result(["ls", "/proc/self/fd"])
        expectEqual(result.standardOutputTail, "0\n1\n2\n3\n")
    }

    @Test func signalsAreReset() throws {
        let before = signal(SIGPIPE, SIG_IGN)
        defer { signal(SIGPIPE, before) }
        let result = try supervisor.result(["grep", "-E", "^Sig(Blk|Ign)", "/proc/self/status"])
        let masks = try #require(result.standardOutputTail).split(separator: "\n")
            .compactMap { UInt64($0.suffix(16), radix: 16) }
        expectEqual(masks.count, 2)
        // Signals 32 and 33 are glibc's own; it starts every program with them ignored.
        #expect(masks.allSatisfy { $0 & ~0x1_8000_0000 == 0 }, "\(masks)")
    }

    @Test func programLeadsItsGroup() throws {
        let result = try supervisor.result(["awk", "{print $1 == $5}", "/proc/self/stat"])
        expectEqual(result.standardOutputTail, "1\n")
    }

    /// Runs a closure in the real-time class; nil if this user may not.
    private static func inRealTime<Result>(_ work: () throws -> Result) rethrows -> Result? {
        var lowest = sched_param()
        lowest.sched_priority = 1
        guard sched_setscheduler(0, SCHED_FIFO, &lowest) == 0 else { return nil }
        lowest.sched_priority = 0
        defer { sched_setscheduler(0, SCHED_OTHER, &lowest) }
        return try work()
    }

    @Test(.enabled(if: inRealTime { true } == true, "it needs the right to the real-time class"))
    func theRealTimeClassIsNotInherited() throws {
        try #require(try Self.inRealTime { try Self.expectOrdinaryClass() } != nil)
    }

    private static func expectOrdinaryClass() throws {
        let supervisor = try ProcessSupervisor()
        defer { _ = supervisor.stop(within: .seconds(10)) }
        let result = try supervisor.result(["awk", "{print $41}", "/proc/self/stat"])
        expectEqual(result.standardOutputTail, "0\n")
        let policies = names(in: "/proc/self/task")
            .filter { contents(of: "/proc/self/task/\($0)/comm") == "detent-programs\n" }
            .compactMap { processFields("/proc/self/task/\($0)/stat").dropFirst(38).first }
        #expect(!policies.isEmpty)
        #expect(policies.allSatisfy { $0 == "0" })
    }

    @Test func outputThatIsNoTextIsReplaced() throws {
        let result = try supervisor.shell("printf 'a\\377b' >&2")
        expectEqual(result.standardErrorTail, "a\u{FFFD}b")
    }

    @Test func standardOutputIsKeptOnlyIfItIsAskedFor() throws {
        let result = try supervisor.result(
            of: ActionRequest(run: RunID(1), .program(ProgramCall(["echo", "on"]))))
        #expect(result.outcome == .succeeded && result.standardOutputTail == nil)
        #expect(result.answer == nil && !result.isOutputCut)
    }

    @Test func theBeginningOfAnAnswerIsKept() throws {
        let result = try supervisor.result(
            ["sh", "-c", "echo on; yes x | head -c 100000"], keepsAnswer: true)
        expectEqual(result.outcome, .succeeded)
        let answer = try #require(result.answer)
        expectEqual(answer.count, ActionLimits.answer)
        #expect(answer.starts(with: Array("on\nx\n".utf8)))
        expectEqual(try supervisor.result(["true"], keepsAnswer: true).answer, [])
        #expect(try supervisor.result(["echo", "on"]).answer == nil)
    }
}
