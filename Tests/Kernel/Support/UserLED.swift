internal import Glibc

/// A lamp of the LED class that this program makes, through the kernel's uleds. Needs root.
///
/// Synchronization: none.
public final class UserLED {
    private let file: Int32
    private let folder: String

    /// Makes a lamp; it appears as `/sys/class/leds/NAME`.
    public init(_ name: String, full: Int32 = 255) throws {
        folder = "/sys/class/leds/\(name)"
        file = open("/dev/uleds", O_RDWR | O_NONBLOCK | O_CLOEXEC)
        guard file >= 0 else { throw SimChipError(path: "/dev/uleds", errno: errno) }
        // struct uleds_user_dev: a name of 64 bytes, the largest brightness.
        var setup = [UInt8](repeating: 0, count: 64)
        for (place, byte) in name.utf8.prefix(63).enumerated() { setup[place] = byte }
        withUnsafeBytes(of: full) { setup += $0 }
        guard write(file, setup, setup.count) == setup.count else {
            throw SimChipError(path: "/dev/uleds", errno: errno)
        }
    }

    deinit { close(file) }

    /// What was written last.
    public var brightness: Int? {
        let text = try? KernelFile.text("\(folder)/brightness")
        return text.flatMap { Int($0.prefix { $0 != "\n" }) }
    }

    /// Every brightness that was written since the last call, and differed from the one before.
    public func changes() -> [Int32] {
        var values: [Int32] = []
        var value: Int32 = 0
        while read(file, &value, 4) == 4 { values.append(value) }
        return values
    }
}
