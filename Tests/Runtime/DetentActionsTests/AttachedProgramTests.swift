import DetentPlatform
import DetentTypes
import Glibc
import TestSupport
import Testing

@testable import DetentActions

/// Programs that run as long as the panel: one is fed, the other is watched.
@Suite struct AttachedProgramTests {
    private let guardian: Guardian

    init() throws {
        guardian = try Guardian()
    }

    private func explanation(_ start: () throws(FedProgram.Failure) -> Void) -> String? {
        do throws(FedProgram.Failure) {
            try start()
            return nil
        } catch {
            return error.explanation
        }
    }

    /// All that a watched program prints until it closes its output.
    private func read(_ program: WatchedProgram) -> String {
        var bytes: [UInt8] = []
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64, alignment: 1)
        defer { buffer.deallocate() }
        let end = MonotonicClock.now + .seconds(20)
        while let count = program.read(into: buffer), MonotonicClock.now < end {
            bytes += buffer[..<count]
            var entry = pollfd(fd: program.descriptor, events: Int16(POLLIN), revents: 0)
            if count == 0 { _ = poll(&entry, 1, 100) }
        }
        #expect(MonotonicClock.now < end, "its output is not closed")
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test func aFedProgramReadsAllBeforeItEnds() throws {
        let output = try WatchedProgram.start(["cat"], guardian: guardian)
        expectEqual(read(output), "", "its input is empty")
        expectEqual(output.end(within: .seconds(60)), "exited with code 0")

        var name = Array("/tmp/detent-fed-XXXXXX".utf8CString)
        close(mkstemp(&name))
        let path = String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        defer { unlink(path) }
        let program = try FedProgram.start(
            ["sh", "-c", "cat >\"$1\"", "sh", path], guardian: guardian)
        #expect(fcntl(program.descriptor, F_GETFL) & O_NONBLOCK != 0)
        expectEqual(write(program.descriptor, "on\n", 3), 3)
        program.end(within: .seconds(60))
        let copy = try WatchedProgram.start(["cat", path], guardian: guardian)
        expectEqual(read(copy), "on\n")
        copy.end(within: .seconds(60))
    }

    @Test func aFedProgramThatDoesNotEndIsKilled() throws {
        let start = MonotonicClock.now
        let program = try FedProgram.start(["sleep", "1000"], guardian: guardian)
        program.end(within: .milliseconds(20))
        #expect(MonotonicClock.now < start + .seconds(100))
    }

    @Test func whatIsNoProgramIsNotStarted() {
        let missing = "/nowhere/program"
        for arguments in [[], [""], [missing]] {
            let fed = explanation { () throws(FedProgram.Failure) in
                try FedProgram.start(arguments, guardian: guardian).end(within: .zero)
            }
            let watched = explanation { () throws(FedProgram.Failure) in
                try WatchedProgram.start(arguments, guardian: guardian).end(within: .zero)
            }
            #expect(fed != nil)
            expectEqual(fed, watched)
            expectEqual(fed?.contains(arguments.first ?? "no program"), true)
        }
    }

    @Test func programsAreLookedForBeforeTheyAreNeeded() {
        #expect(FedProgram.check([]) == nil)
        #expect(FedProgram.check(["sh", "x"]) == nil)
        #expect(FedProgram.check(["/bin/sh"]) == nil)
        expectEqual(FedProgram.check(["/etc/passwd"])?.cause, "`/etc/passwd` cannot be executed")
        expectEqual(
            FedProgram.check(["detent-none"])?.cause, "there is no program `detent-none`")
        expectEqual(FedProgram.check(["/nowhere/sh"])?.cause, "there is no program `/nowhere/sh`")
    }

    @Test func aWatchedProgramIsReadWithoutWaiting() throws {
        let program = try WatchedProgram.start(
            ["sh", "-c", "echo on; exec sleep 1000"], guardian: guardian)
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64, alignment: 1)
        defer { buffer.deallocate() }
        var entry = pollfd(fd: program.descriptor, events: Int16(POLLIN), revents: 0)
        expectEqual(poll(&entry, 1, 60_000), 1)
        expectEqual(program.read(into: buffer), 3)
        expectEqual(program.read(into: buffer), 0)
        program.askToEnd()
        expectEqual(program.end(within: .seconds(60)), "was killed by signal 15, Terminated")
    }

    /// It tells that it is stopped, through a process of its own.
    @Test func aWatchedProgramThatIsStoppedEndsAsWell() throws {
        let script = """
            (until grep -q '^State:.T' /proc/$$/status; do sleep 0.01; done; echo on) &
            kill -STOP $$
            sleep 1000
            """
        let program = try WatchedProgram.start(["sh", "-c", script], guardian: guardian)
        var entry = pollfd(fd: program.descriptor, events: Int16(POLLIN), revents: 0)
        expectEqual(poll(&entry, 1, 60_000), 1)
        program.askToEnd()
        expectEqual(program.end(within: .seconds(20)), "was killed by signal 15, Terminated")
    }

    @Test func aWatchedProgramThatDoesNotEndIsKilled() throws {
        let program = try WatchedProgram.start(["sleep", "1000"], guardian: guardian)
        expectEqual(program.end(within: .milliseconds(20)), "was killed by signal 9, Killed")
    }

    // MARK: Standard error

    private static let noise = "printf 'one\\n\\ntwo' >&2"

    @Test func standardErrorIsRead() throws {
        let watched = try WatchedProgram.start(["sh", "-c", Self.noise], guardian: guardian)
        var errors = watched.errors
        _ = read(watched)
        watched.end(within: .seconds(60))
        expectEqual(errors.end(at: .zero), ["one", "two"])

        let fed = try FedProgram.start(["sh", "-c", Self.noise], guardian: guardian)
        errors = fed.errors
        fed.end(within: .seconds(60))
        expectEqual(errors.end(at: .zero), ["one", "two"])
        expectEqual(errors.descriptor(at: .never), -1)
    }

    /// A program that complains without end fills neither the log nor the memory.
    @Test func ofManyLinesTheirNumberIsTold() throws {
        let script = "i=0; while [ $i -lt 40 ]; do echo line >&2; i=$((i+1)); done"
        let program = try WatchedProgram.start(["sh", "-c", script], guardian: guardian)
        var errors = program.errors
        _ = read(program)
        program.end(within: .seconds(60))
        let lines = errors.end(at: .zero)
        expectEqual(lines.count, ActionLimits.errorLines + 1)
        expectEqual(lines.last, "(30 more lines, which are not shown)")
    }

    @Test func aLongLineIsCut() throws {
        let script = "head -c 9000 /dev/zero | tr '\\0' x >&2; echo abc >&2; echo def >&2"
        let program = try WatchedProgram.start(["sh", "-c", script], guardian: guardian)
        var errors = program.errors
        _ = read(program)
        program.end(within: .seconds(60))
        let lines = errors.end(at: .zero)
        expectEqual(lines, [String(repeating: "x", count: ActionLimits.errorLine), "def"])
    }

    /// After the time, lines are told again, and a flood is read with pauses.
    @Test func linesAreToldAgainLater() throws {
        let script = "yes line | head -n 20 >&2; read x; echo later >&2; exec sleep 1000"
        let program = try FedProgram.start(["sh", "-c", script], guardian: guardian)
        var errors = program.errors
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 4_096, alignment: 1)
        defer { buffer.deallocate() }
        func next(at now: Instant) -> [String] {
            var entry = pollfd(
                fd: errors.descriptor(at: .never), events: Int16(POLLIN), revents: 0)
            expectEqual(poll(&entry, 1, 60_000), 1)
            return errors.read(into: buffer, at: now)
        }
        var now = Instant.zero + .seconds(1)
        var lines: [String] = []
        while lines.count < ActionLimits.errorLines {
            lines += next(at: now)
            expectEqual(errors.descriptor(at: now), -1, "it pauses")
            #expect(errors.deadline > now)
            now = now + ActionLimits.errorGap
        }
        expectEqual(Set(lines), ["line"])
        now = now + ActionLimits.errorLinesTime
        expectEqual(write(program.descriptor, "\n", 1), 1)
        lines = []
        while lines.last != "later" {
            lines += next(at: now)
            now = now + ActionLimits.errorGap
        }
        expectEqual(lines, ["(10 more lines, which are not shown)", "later"])
        program.end(within: .milliseconds(20))
        expectEqual(errors.end(at: now), [])
    }
}
