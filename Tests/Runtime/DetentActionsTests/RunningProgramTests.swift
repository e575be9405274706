import DetentTypes
import Glibc
import Processes
import TestSupport
import Testing

@testable import DetentActions

/// A program that runs, without the thread that supervises it.
@Suite struct RunningProgramTests {
    private let guardian: Guardian

    init() throws {
        guardian = try Guardian()
    }

    private func start(
        _ call: ProgramCall, timeout: TimeSpan? = nil
    ) throws -> RunningProgram {
        let request = ActionRequest(
            run: RunID(1), .program(call), timeout: timeout, keepsAnswer: true)
        return try RunningProgram.start(
            request, call, inherited: ProgramImage.inheritedEnvironment(), guardian: guardian,
            tell: { _ in }
        ).get()
    }

    private func end(_ program: inout RunningProgram) -> ActionResult {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 4_096, alignment: 16)
        defer { buffer.deallocate() }
        var entry = pollfd(fd: program.processDescriptor, events: Int16(POLLIN), revents: 0)
        expectEqual(poll(&entry, 1, 60_000), 1)
        return program.end(with: buffer)
    }

    /// How many descriptors of this process are an end of the same pipe.
    private func ends(of descriptor: Int32) -> Int {
        let all = ProcessTree.files(of: getpid())
        return all.values.count { $0 == all[String(descriptor)] }
    }

    /// Whether a file in memory with this text is open.
    private func holds(_ text: String) -> Bool {
        ProcessTree.files(of: getpid()).contains { name, target in
            guard target.hasPrefix("/memfd:") else { return false }
            let file = open("/proc/self/fd/\(name)", O_RDONLY | O_CLOEXEC)
            defer { close(file) }
            var bytes = [UInt8](repeating: 0, count: 256)
            let count = read(file, &bytes, bytes.count)
            return count > 0 && String(decoding: bytes[..<count], as: UTF8.self) == text
        }
    }

    /// What the program has is closed here: it would stay open for as long as the panel runs.
    @Test func theEndsOfTheProgramAreItsOwn() throws {
        let text = "what nobody else writes \(getpid())"
        var call = ProgramCall(["cat"])
        call.standardInput = Array(text.utf8)
        var program = try start(call)
        expectEqual(ends(of: program.standardError.descriptor), 1)
        expectEqual(ends(of: try #require(program.standardOutput).descriptor), 1)
        #expect(!holds(text))
        let result = end(&program)
        expectEqual(result.outcome, .succeeded)
        expectEqual(result.answer, Array(text.utf8))
    }

    @Test func theEndThatAFedProgramReadsIsItsOwn() throws {
        let program = try FedProgram.start(["cat"], guardian: guardian)
        expectEqual(ends(of: program.descriptor), 1)
        program.end(within: .seconds(60))
    }

    /// The moment of a deadline is late already.
    @Test func itIsStoppedAtItsTimeAndThenKilled() throws {
        var program = try start(
            ProgramCall(["sh", "-c", "trap '' TERM; echo on; while :; do sleep 1000; done"]),
            timeout: .seconds(50))
        let timeout = program.deadline
        var entry = pollfd(
            fd: try #require(program.standardOutput).descriptor, events: Int16(POLLIN), revents: 0)
        expectEqual(poll(&entry, 1, 60_000), 1, "it ignores the signal from here on")
        program.tick(at: Instant(nanoseconds: timeout.nanoseconds - 1))
        expectEqual(program.deadline, timeout)
        program.tick(at: timeout)
        let kill = timeout + ActionLimits.killGrace
        expectEqual(program.deadline, kill)
        program.tick(at: Instant(nanoseconds: kill.nanoseconds - 1))
        expectEqual(program.deadline, kill)
        program.tick(at: kill)
        expectEqual(program.deadline, .never)
        expectEqual(end(&program).outcome, .timedOut)
    }

    /// The first process is nobody's child.
    @Test func anEndThatTheSystemDoesNotTellIsNoSuccess() {
        let ending = ProgramEnding(reaping: 1)
        #expect(ending == .unknown && ending.outcome == .lost)
        #expect(ending.explanation(stopped: nil, timeout: nil).hasPrefix("ended, and"))
    }

    /// A guardian that is told of groups, and that ends with the last writing end.
    @Test func theGuardianIsToldWhatToForget() throws {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64, alignment: 16)
        defer { buffer.deallocate() }
        var (pipe, end) = try OutputPipe.make().get()
        do {
            let guardian = Guardian(writingTo: end)
            guardian.forget(1_234)
            expectEqual(pipe.readOnce(into: buffer), 4)
            expectEqual(buffer.load(as: Int32.self), -1_234)
        }
        var entry = pollfd(fd: pipe.descriptor, events: 0, revents: 0)
        #expect(poll(&entry, 1, 60_000) == 1 && entry.revents & Int16(POLLHUP) != 0)
        pipe.discard()
    }
}
