internal import Glibc
internal import KernelSupport

// A host that is busy stops the whole machine for a while, and its clock goes on: a bounce of two
// milliseconds becomes two touches, and the program is right to say so. Checks that move lines
// quickly measure what they did, and do it again where it was not what they meant.
extension EndToEndChecks {
    /// Repeats a body until it says that nothing delayed it.
    ///
    /// - Throws: also where the host delayed it ten times.
    static func undelayed(_ body: () throws -> Bool) throws {
        for _ in 0..<10 where try body() { return }
        throw Failure(description: "the host delayed the check ten times")
    }

    /// Moves a line through levels, and says the longest pause between two of them.
    static func move(
        _ chip: SimChip, _ line: Int, through levels: [Bool], pause microseconds: UInt32
    ) -> Duration {
        var longest = Duration.zero
        var last: Duration?
        for high in levels {
            chip.pull(line, high: high)
            let now = monotonicTime()
            if let last { longest = max(longest, now - last) }
            last = now
            if microseconds > 0 { usleep(microseconds) }
        }
        return longest
    }

    private static func monotonicTime() -> Duration {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
