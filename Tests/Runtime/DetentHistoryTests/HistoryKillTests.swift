import DetentHistory
import Glibc
import TestSupport
import Testing

/// A writer that is killed at any moment.
@Suite(.serialized) struct HistoryKillTests {
    /// How often it is killed: `DETENT_KILLS=500` for a long run.
    private static let kills =
        getenv("DETENT_KILLS").flatMap { Int(String(cString: $0)) } ?? 20
    private static let seed =
        getenv("DETENT_SEED").flatMap { UInt64(String(cString: $0)) } ?? 14

    /// The writer, beside the test bundle.
    private static let program: String = {
        var buffer = [UInt8](repeating: 0, count: 4_096)
        let count = readlink("/proc/self/exe", &buffer, buffer.count)
        let text = String(decoding: buffer[..<max(0, count)], as: UTF8.self)
        return text.split(separator: "/", omittingEmptySubsequences: false).dropLast()
            .joined(separator: "/") + "/detent-history-writer"
    }()

    /// Starts a writer whose standard output is a pipe.
    private static func start(_ file: String) throws -> (process: pid_t, output: Int32) {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        // No other child inherits them.
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
        var argv: [UnsafeMutablePointer<CChar>?] = [strdup(program), strdup(file), nil]
        defer { argv.forEach { free($0) } }
        var process = pid_t()
        let error = posix_spawn(&process, program, &actions, nil, &argv, environ)
        close(ends[1])
        try #require(error == 0, "\(program) cannot be started")
        return (process, ends[0])
    }

    /// The last number that was printed, after everything is read.
    private static func last(_ text: [UInt8]) -> Int? {
        let whole = text.split(separator: 0x0A, omittingEmptySubsequences: false)
            .dropLast()
        return whole.last.flatMap { Int(String(decoding: $0, as: UTF8.self)) }
    }

    @Test func aKilledWriterLosesNothingAndInventsNothing() throws {
        var state = Self.seed
        func random(below limit: UInt64) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int((state >> 33) % limit)
        }
        let folder = HistoryFolder()
        var known = 0
        for round in 0..<Self.kills {
            let (process, output) = try Self.start(folder.file)
            defer { close(output) }
            // After some of its writes, or while it opens the database.
            var lines = random(below: 30)
            var text: [UInt8] = []
            var buffer = [UInt8](repeating: 0, count: 4_096)
            while lines > 0 {
                var waiting = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
                guard poll(&waiting, 1, 30_000) == 1 else { break }
                let count = read(output, &buffer, 64)
                guard count > 0 else { break }
                text += buffer[..<count]
                lines -= buffer[..<count].count { $0 == 0x0A }
            }
            // And anywhere within the next one.
            for _ in 0..<random(below: 4) * 200 { sched_yield() }
            kill(process, SIGKILL)
            waitpid(process, nil, 0)
            while case let count = read(output, &buffer, buffer.count), count > 0 {
                text += buffer[..<count]
            }
            let told = Self.last(text) ?? known
            #expect(told >= known, "round \(round)")
            known = try Self.check(folder, told, "round \(round), seed \(Self.seed)")
        }
        #expect(known > 10, "the writer wrote")
    }

    /// What was told is there; at most the write that was under way is there, too.
    private static func check(
        _ folder: HistoryFolder, _ told: Int, _ place: Comment
    ) throws -> Int {
        let database = try HistoryDatabase(folder.file, panel: "Kills", rows: 200)
        defer { database.close() }
        let value = database.values.first.flatMap { Int($0.word) } ?? 0
        #expect(value == told || value == told + 1, place)
        let rows = try folder.rows()
        expectEqual(rows.last.map { Int($0.number) } ?? 0, value, place)
        #expect(rows.count >= min(value, 180) && rows.count <= 200, place)
        for (index, row) in rows.enumerated() {
            expectEqual(row.line, "\(row.number)", place)
            expectEqual(row.number, rows[0].number + Int64(index), place)
        }
        return value
    }
}
