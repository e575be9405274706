import Glibc

/// How many descriptors this process may have.
public enum OpenFiles {
    /// Raises the limit as far as the system allows, if fewer are allowed.
    ///
    /// - Returns: how many are allowed now.
    public static func allow(_ count: Int) -> Int {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 0 }
        if limit.rlim_cur < UInt(count) {
            limit.rlim_cur = min(limit.rlim_max, UInt(count))
            _ = setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            _ = getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        }
        return Int(clamping: limit.rlim_cur)
    }
}
