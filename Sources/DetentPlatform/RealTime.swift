import CPlatform
import Glibc

/// Real-time scheduling for the calling thread, asked for and reported, never insisted on.
public enum RealTime {
    /// SCHED_FIFO priorities that make sense: threaded interrupt handlers run at 50.
    public static let priorities = 10...45

    /// What could not be had, each with what to do about it; empty when all was.
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
                    + "set LimitRTPRIO=\(priorities.upperBound) in the service, or grant CAP_SYS_NICE")
        }
        return missing
    }
}
