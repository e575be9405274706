import DetentTypes

extension Instant {
    /// So many milliseconds after the start.
    static func milliseconds(_ count: UInt64) -> Instant { .zero + .milliseconds(count) }
}
