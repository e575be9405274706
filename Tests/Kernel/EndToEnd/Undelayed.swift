internal import Glibc
internal import KernelSupport

// A busy host stops the whole machine for a while, but its clock continues: a bounce of two
// milliseconds becomes two presses, and the program reports them correctly. Checks that move lines
// quickly measure their own pauses, and repeat if a pause was too long.
extension EndToEndChecks {
    /// Repeats a body until it reports that nothing delayed it.
    ///
    /// - Throws: also if the host delayed it ten times.
    static func undelayed(_ body: () throws -> Bool) throws {
        for _ in 0..<10 where try body() { return }
        throw Failure(description: "the host delayed the check ten times")
    }

    /// Moves a line through levels, and returns the longest pause between two of them.
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

    /// The time of the machine's clock, which never jumps.
    static func monotonicTime() -> Duration {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
