public import DetentTypes

/// When to wake so as not to miss a deadline.
public enum WakeTime {
    /// Waits in as many parts as a deadline needs, and returns the answer of the last part.
    ///
    /// - Parameters:
    ///   - isExact: false if the wait may end up to `mostSlack` late.
    ///   - sleep: sleeps between two moments; the answer is 0 if nothing ended the sleep before.
    @inline(__always)
    static func wait(
        now: Instant, until deadline: Instant, isExact: Bool,
        _ sleep: (_ now: Instant, _ end: Instant) -> Int32
    ) -> Int32 {
        var end = isExact ? of(deadline, now: now) : deadline
        let began = end == deadline ? .zero : MonotonicClock.now
        var answer = sleep(now, end)
        while answer == 0, end < deadline {
            let later = now + (MonotonicClock.now - began)
            end = of(deadline, now: later)
            answer = sleep(later, end)
        }
        return answer
    }

    /// The moment for which to ask the kernel, so that a wait until `deadline` does not end late.
    ///
    /// The kernel may end a wait late by a thousandth of it, a two-hundredth for a process of lower
    /// priority, and 100 ms at most (`select_estimate_accuracy` in fs/select.c). If this exceeds
    /// the normal slack of 50 µs, the wait ends early by this amount, and the rest is a short wait.
    /// So a deadline costs at most two additional wake-ups. A wait without a deadline costs none,
    /// and an edge that ends the wait costs no additional system call.
    static func of(_ deadline: Instant, now: Instant) -> Instant {
        guard deadline != .never else { return .never }
        let slack = min(TimeSpan(nanoseconds: (deadline - now).nanoseconds / 200), mostSlack)
        guard slack > defaultSlack else { return deadline }
        return Instant(nanoseconds: deadline.nanoseconds - slack.nanoseconds)
    }

    /// 100 ms: the kernel's MAX_SLACK.
    public static let mostSlack = TimeSpan.milliseconds(100)
    /// 50 µs: the kernel's timer slack of a process.
    private static let defaultSlack = TimeSpan.microseconds(50)
}
