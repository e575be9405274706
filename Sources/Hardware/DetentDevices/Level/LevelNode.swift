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
    /// The file of what the kernel itself shows on the lamp.
    let triggerPath: String
    /// What the kernel showed before this program came; nil for nothing.
    var trigger: String?

    /// The value of a level.
    func value(_ level: Level, _ strength: Strength, isActiveLow: Bool) -> UInt64 {
        let share = level == .active ? strength.scaled(to: full) : 0
        return isActiveLow ? full - share : share
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

    /// Keeps the kernel from showing anything itself; returns 0 or an error number.
    func takeFromKernel() -> Int32 { trigger == nil ? 0 : put("none") }

    /// Lets the kernel show what it did before.
    func giveBackToKernel() {
        if let trigger { _ = put(trigger) }
    }

    private func put(_ word: String) -> Int32 {
        let file = open(triggerPath, O_WRONLY | O_CLOEXEC)
        guard file >= 0 else { return errno }
        defer { close(file) }
        let count = word.utf8.count
        return Glibc.write(file, word, count) == count ? 0 : errno
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
