internal import DetentPlatform
internal import DetentTypes
internal import Glibc

/// An output with levels that was found: its open file, and the values that it takes.
struct LevelNode: Sendable {
    /// Where a value is written, as digits.
    let file: ChannelFile
    /// The path of that file.
    let path: String
    /// The value of full strength.
    let full: UInt64
    /// What a write may wait for: the folder of a chip whose bus is slow; nil if none ever waits.
    var slowChip: String?
    /// What is written before the first value.
    var before: [Setting] = []
    /// What is written after the first value.
    var after: [Setting] = []
    /// What is written when the kernel has the output again.
    var atEnd: [Setting] = []

    /// A text for a file of the output.
    struct Setting: Equatable, Sendable {
        var path: String
        var text: String

        /// Writes it; returns 0 or an error number.
        func put() -> Int32 {
            let file = open(path, O_WRONLY | O_CLOEXEC)
            guard file >= 0 else { return errno }
            defer { close(file) }
            let count = text.utf8.count
            return Glibc.write(file, text, count) == count ? 0 : errno
        }
    }

    /// The value of a level.
    func value(_ level: Level, _ strength: Strength, isActiveLow: Bool) -> UInt64 {
        let share = level == .active ? strength.scaled(to: full) : 0
        return isActiveLow ? full - share : share
    }

    /// Makes it an output of this value; it may wait for a driver. Returns 0 or an error number.
    func begin(_ value: UInt64) -> Int32 {
        for setting in before {
            let errno = setting.put()
            if errno != 0 { return errno }
        }
        let errno = write(value)
        guard errno == 0 else { return errno }
        return after.lazy.map { $0.put() }.first { $0 != 0 } ?? 0
    }

    /// Writes a value; returns 0 or an error number. It allocates nothing.
    func write(_ value: UInt64) -> Int32 {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
            var rest = value
            var first = digits.count
            repeat {
                first -= 1
                digits[first] = UInt8(ascii: "0") + UInt8(rest % 10)
                rest /= 10
            } while rest > 0
            let count = digits.count - first
            let written = pwrite(file.descriptor, digits.baseAddress! + first, count, 0)
            return written == count ? 0 : written < 0 ? errno : EIO
        }
    }
}

extension Strength {
    /// The strength on a scale from 0 to `largest`, rounded. What is not 0 is at least 1, so that a
    /// dim lamp is lit on a coarse scale.
    func scaled(to largest: UInt64) -> UInt64 {
        guard tenThousandths > 0 else { return 0 }
        let product = largest.multipliedFullWidth(by: UInt64(tenThousandths))
        let (share, rest) = UInt64(10_000).dividingFullWidth(product)
        return max(rest >= 5_000 ? share + 1 : share, min(1, largest))
    }
}
