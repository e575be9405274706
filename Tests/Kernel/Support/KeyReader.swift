internal import Glibc

/// Reads the keys of an input device, as a desktop or a game does. Needs root.
///
/// Synchronization: none.
public final class KeyReader {
    /// A change of a key.
    public struct Change: Equatable, CustomStringConvertible {
        /// Its code.
        public var key: UInt16
        /// Whether it is down from now on.
        public var isDown: Bool

        /// Makes a change.
        public init(_ key: UInt16, isDown: Bool) {
            self.key = key
            self.isDown = isDown
        }

        /// The code and the direction.
        public var description: String { "\(key) \(isDown ? "down" : "up")" }
    }

    /// The path of the device.
    public let node: String
    private let file: Int32
    private var rest: [UInt8] = []

    /// Opens the device of a name; nil if there is none.
    public init?(_ name: String) {
        let number = KernelFile.names(in: "/sys/class/input").first {
            $0.hasPrefix("event")
                && (try? KernelFile.text("/sys/class/input/\($0)/device/name")) == "\(name)\n"
        }
        guard let number else { return nil }
        node = "/dev/input/\(number)"
        file = open(node, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard file >= 0 else { return nil }
    }

    deinit { close(file) }

    /// Whether the device exists.
    public var isThere: Bool {
        var bytes = [UInt8](repeating: 0, count: 96)
        // EVIOCGKEY of 96 bytes.
        return bytes.withUnsafeMutableBytes { ioctl(file, 0x8060_4518, $0.baseAddress!) } >= 0
    }

    /// The keys that are down.
    public var down: [UInt16] { bits(0x8060_4518) }

    /// The keys that the device has: EVIOCGBIT of keys.
    public var keys: [UInt16] { bits(0x8060_4521) }

    private func bits(_ request: UInt) -> [UInt16] {
        var bytes = [UInt8](repeating: 0, count: 96)
        _ = bytes.withUnsafeMutableBytes { ioctl(file, request, $0.baseAddress!) }
        return (0..<768 as Range<UInt16>).filter { key in
            let bit: UInt8 = 1 << UInt8(key % 8)
            return bytes[Int(key / 8)] & bit != 0
        }
    }

    /// The changes since the last call; each is a report of its own, or the kernel's order is lost.
    public func changes() -> [Change] {
        var room = [UInt8](repeating: 0, count: 24 * 64)
        while true {
            let count = read(file, &room, room.count)
            guard count > 0 else { break }
            rest += room.prefix(count)
        }
        var changes: [Change] = []
        while rest.count >= 24 {
            let event = rest.prefix(24)
            rest.removeFirst(24)
            let type = UInt16(event[16]) | UInt16(event[17]) << 8
            if type == 1 {
                changes.append(
                    Change(UInt16(event[18]) | UInt16(event[19]) << 8, isDown: event[20] != 0))
            }
        }
        return changes
    }
}
