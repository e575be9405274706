import CPlatform
import Glibc

/// Real-time scheduling for the calling thread. A refusal is reported; the thread then runs without
/// it.
public enum RealTime {
    /// Sensible SCHED_FIFO priorities: threaded interrupt handlers run at 50.
    public static let priorities = 10...45

    /// Requests real-time scheduling and locked memory. Returns the refusals with their remedies;
    /// empty if all was granted.
    ///
    /// - Parameter priority: clamped to `priorities`.
    public static func enter(priority: Int) -> [String] {
        var missing: [String] = []
        let wanted = min(max(priority, priorities.lowerBound), priorities.upperBound)
        let memory = detent_lock_memory()
        if memory != 0 {
            missing.append(
                "memory is not locked (\(String(cString: strerror(memory)))): "
                    + "set LimitMEMLOCK=infinity in the service, or `ulimit -l unlimited`")
        }
        let policy = detent_real_time_thread(Int32(wanted))
        if policy != 0 {
            missing.append(
                "SCHED_FIFO \(wanted) was refused (\(String(cString: strerror(policy)))): "
                    + "set LimitRTPRIO=\(priorities.upperBound) in the service, "
                    + "or grant CAP_SYS_NICE"
            )
        }
        return missing
    }

    /// What `enter` would be refused because of this process's limits; changes nothing.
    public static var missing: [String] {
        var missing: [String] = []
        let priority = detent_real_time_limit()
        if priority < UInt64(priorities.lowerBound) {
            missing.append("the limit of real-time priority (RLIMIT_RTPRIO) is \(priority)")
        }
        let memory = detent_memory_lock_limit()
        if memory < 64 << 20 {
            missing.append("the limit of locked memory (RLIMIT_MEMLOCK) is \(memory) bytes")
        }
        return missing
    }
}
