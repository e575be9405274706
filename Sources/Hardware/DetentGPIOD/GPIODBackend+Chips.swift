internal import DetentPlatform
internal import DetentTypes
internal import Glibc

extension GPIODBackend {
    /// Handles chips that appeared or disappeared.
    func readMonitor(now: Instant) {
        var hasAppeared = false
        var isUnsure = false
        var gone: OpenChip?
        monitor?.read { change in
            switch change {
            case .appeared: hasAppeared = true
            case .unknown: isUnsure = true
            case .vanished(let name):
                if let group = groups.first(where: { Self.is($0.chip.path, namedLike: name) }) {
                    gone = group.chip
                }
            }
            // Handle this one now, because the next change may concern another chip.
            if let chip = gone {
                lose(chip, errno: ENODEV, at: MonotonicClock.now)
                gone = nil
            }
        }
        if isUnsure { loseChipsWithoutNodes() }
        if hasAppeared || isUnsure, nextRetry != .never { nextRetry = now }
    }

    /// Checks each node, after the monitor missed events.
    func loseChipsWithoutNodes() {
        while let group = groups.first(where: { access($0.chip.path, F_OK) != 0 }) {
            lose(group.chip, errno: ENODEV, at: MonotonicClock.now)
        }
    }

    /// Whether the last component of a path is the name in an inotify record, which is padded with
    /// zeros.
    private static func `is`(_ path: String, namedLike name: UnsafeBufferPointer<CChar>) -> Bool {
        guard let wanted = name.baseAddress else { return false }
        return path.withCString { start in
            guard let slash = strrchr(start, Int32(UInt8(ascii: "/"))) else { return false }
            return strcmp(slash + 1, wanted) == 0
        }
    }
}
