import DetentPlatform
import DetentTypes
import Glibc
import TestSupport
import Testing

@testable import DetentActions

/// How programs are stopped, and what is left of them.
@Suite(.serialized) final class ProcessStopTests {
    let supervisor: ProcessSupervisor

    init() throws {
        supervisor = try ProcessSupervisor()
    }

    deinit {
        _ = supervisor.stop(within: .seconds(10))
    }

    @Test func timeoutStops() throws {
        let result = try supervisor.result(["sleep", "1000"], timeout: .milliseconds(50))
        expectEqual(result.outcome, .timedOut)
        expectEqual(
            result.explanation,
            "did not end within 50 ms and was stopped "
                + "(killed by signal 15, Terminated); raise `timeout` if it needs more")
        let lasted = result.endedAt - (try #require(result.startedAt))
        #expect(lasted >= .milliseconds(50))
    }

    @Test func ignoredTermIsFollowedByKill() throws {
        let result = try supervisor.shell(
            "trap '' TERM; while :; do sleep 1000; done", timeout: .milliseconds(300))
        expectEqual(result.outcome, .timedOut)
        #expect(result.explanation.contains("killed by signal 9"))
        let lasted = result.endedAt - (try #require(result.startedAt))
        #expect(lasted >= .milliseconds(300) + ActionLimits.killGrace)
    }

    @Test(arguments: [
        "sleep 1000 & echo $!; wait",
        "(trap '' TERM; echo $(sh -c 'echo $PPID'); exec sleep 1000) & exec sleep 1000",
    ])
    func wholeGroupIsKilled(script: String) throws {
        let result = try supervisor.shell(script, timeout: .milliseconds(500))
        expectEqual(result.outcome, .timedOut)
        let child = try #require(pid_t(result.standardOutputTail?.dropLast() ?? ""))
        #expect(waitUntilDead(child))
    }

    @Test func childThatHoldsThePipesDelaysNothing() throws {
        let result = try supervisor.shell("sleep 1000 & echo $!; echo done >&2")
        expectEqual(result.outcome, .succeeded)
        expectEqual(result.standardErrorTail, "done\n")
        let child = try #require(pid_t(result.standardOutputTail?.dropLast() ?? ""))
        expectEqual(kill(child, SIGKILL), 0)
    }

    @Test func childThatFloodsThePipeDelaysNothing() throws {
        let result = try supervisor.shell("yes >&2 & echo $!")
        expectEqual(result.outcome, .succeeded)
        // Its pipe is closed, so it dies of SIGPIPE.
        let child = try #require(pid_t(result.standardOutputTail?.dropLast() ?? ""))
        #expect(waitUntilDead(child))
    }

    @Test func programWithoutStandardErrorIsStillTimed() throws {
        let result = try supervisor.shell(
            "exec >&- 2>&-; sleep 1000", timeout: .milliseconds(100))
        expectEqual(result.outcome, .timedOut)
    }

    @Test func stoppedProgramIsEnded() throws {
        let result = try supervisor.shell("kill -STOP $$", timeout: .milliseconds(100))
        expectEqual(result.outcome, .timedOut)
        #expect(result.explanation.contains("signal 15"))
    }

    @Test func cancelStops() throws {
        let outcomes = try Outcomes()
        supervisor.start(
            ActionRequest(run: RunID(7), .program(ProgramCall(["sleep", "1000"]))),
            tell: outcomes.tell)
        #expect(outcomes.waitForBegun(1))
        supervisor.cancel(RunID(8))
        supervisor.cancel(RunID(7))
        #expect(outcomes.waitForEnded(1))
        expectEqual(outcomes.results.map(\.outcome), [.cancelled])
    }

    @Test func stopEndsEverything() throws {
        let supervisor = try ProcessSupervisor()
        let outcomes = try Outcomes()
        for number in 1...10 {
            supervisor.start(
                ActionRequest(
                    run: RunID(UInt32(number)), .program(ProgramCall(["sleep", "1000"]))),
                tell: outcomes.tell)
        }
        #expect(outcomes.waitForBegun(10))
        expectEqual(supervisor.stop(within: .seconds(20)), 0)
        expectEqual(outcomes.results.map(\.outcome), Array(repeating: .cancelled, count: 10))
    }

    @Test func stopWithoutTimeKillsAndSaysLost() throws {
        let supervisor = try ProcessSupervisor()
        let outcomes = try Outcomes()
        let mark = "detent-test-\(getpid())"
        let script = "trap '' TERM; while :; do sleep 1000; done"
        supervisor.start(
            ActionRequest(run: RunID(1), .program(ProgramCall(["sh", "-c", script, mark]))),
            tell: outcomes.tell)
        #expect(outcomes.waitForBegun(1))
        let deadline = MonotonicClock.now + .seconds(20)
        while process(of: mark) == nil, MonotonicClock.now < deadline { sched_yield() }
        let program = try #require(process(of: mark))
        expectEqual(supervisor.stop(within: .zero), 1)
        expectEqual(outcomes.results.map(\.outcome), [.lost])
        #expect(waitUntilDead(program))
        // Nothing is left to stop.
        expectEqual(supervisor.stop(within: .zero), 1)
    }

    private func process(of mark: String) -> pid_t? {
        names(in: "/proc").compactMap { pid_t($0) }
            .first { contents(of: "/proc/\($0)/cmdline").contains(mark) }
    }

    /// The thread of the programs is busy with the first, so that the second waits.
    @Test func whatIsCancelledBeforeItsStartIsNotStarted() throws {
        let outcomes = try Outcomes()
        let first = try HeldAttempt(outcomes)
        supervisor.start(
            ActionRequest(run: RunID(1), .program(ProgramCall(["true"]))), tell: first.tell)
        #expect(first.isHeld())
        supervisor.start(
            ActionRequest(run: RunID(2), .program(ProgramCall(["sleep", "1000"]))),
            tell: outcomes.tell)
        supervisor.cancel(RunID(2))
        first.letGo()
        #expect(outcomes.waitForEnded(2))
        let second = try #require(outcomes.results.first { $0.run == RunID(2) })
        #expect(second.outcome == .cancelled && second.startedAt == nil)
        expectEqual(second.explanation, "cancelled before it started")
    }

    @Test func floodIsBounded() throws {
        var growth = Int.max
        // Other tests of this process take memory meanwhile: the least of up to three times counts.
        for _ in 0..<3 where growth >= 16_384 {
            let before = try residentKilobytes()
            let result = try supervisor.shell(
                "head -c 100000000 /dev/zero | tr '\\0' x >&2; printf END >&2")
            expectEqual(result.outcome, .succeeded)
            expectEqual(result.standardErrorTail.utf8.count, ActionLimits.outputTail)
            #expect(result.standardErrorTail.hasSuffix("xxxEND"))
            growth = min(growth, try residentKilobytes() - before)
        }
        #expect(growth < 16_384)
    }

    @Test func thousandRunsLeaveNothing() throws {
        let outcomes = try Outcomes()
        let before = programDescriptors()
        for number in 1...1000 {
            supervisor.start(
                ActionRequest(run: RunID(UInt32(number)), .program(ProgramCall(["true"]))),
                tell: outcomes.tell)
            if number.isMultiple(of: 50) { #expect(outcomes.waitForEnded(number)) }
        }
        #expect(outcomes.results.allSatisfy { $0.outcome == .succeeded })
        // A descriptor left by each run would be 1000. Other tests run programs meanwhile.
        #expect(programDescriptors() < before + 500)
        let zombies = names(in: "/proc").filter { name in
            let fields = processFields("/proc/\(name)/stat")
            return fields.count > 1 && fields[0] == "Z" && fields[1] == "\(getpid())"
                && contents(of: "/proc/\(name)/comm") == "true\n"
        }
        expectEqual(zombies, [])
    }

    /// The open descriptors of the kinds that a run of a program opens: its pipes and its process.
    private func programDescriptors() -> Int {
        names(in: "/proc/self/fd").count { name in
            var target = [CChar](repeating: 0, count: 64)
            let length = readlink("/proc/self/fd/\(name)", &target, target.count - 1)
            guard length > 0 else { return false }
            let kind = String(
                decoding: target.prefix(length).map(UInt8.init(bitPattern:)), as: UTF8.self)
            return kind.hasPrefix("pipe:") || kind == "anon_inode:[pidfd]"
        }
    }

    private func residentKilobytes() throws -> Int {
        let line = contents(of: "/proc/self/status").split(separator: "\n")
            .first { $0.hasPrefix("VmRSS:") }
        let fields = line?.split(whereSeparator: \.isWhitespace) ?? []
        return try #require(fields.dropFirst().first.flatMap { Int($0) })
    }
}
