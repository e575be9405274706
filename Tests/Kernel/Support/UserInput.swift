internal import Glibc

/// An input device that this program makes, through the kernel's uinput. Needs root.
///
/// Synchronization: none.
public final class UserInput {
    private let file: Int32

    /// Makes a device; it appears as `/dev/input/eventN`.
    ///
    /// - Parameters:
    ///   - place: where it seems to be plugged in.
    ///   - keys: codes of its keys.
    ///   - axes: codes of its axes that report steps.
    public init(_ name: String, place: String = "", keys: [UInt16], axes: [UInt16] = []) throws {
        file = open("/dev/uinput", O_WRONLY | O_NONBLOCK | O_CLOEXEC)
        guard file >= 0 else { throw SimChipError(path: "/dev/uinput", errno: errno) }
        _ = ioctl(file, Self.setEventBit, 1)
        for key in keys { _ = ioctl(file, Self.setKeyBit, Int32(key)) }
        if !axes.isEmpty { _ = ioctl(file, Self.setEventBit, 2) }
        for axis in axes { _ = ioctl(file, Self.setAxisBit, Int32(axis)) }
        place.withCString {
            _ = ioctl(file, Self.setPlace, UnsafeMutableRawPointer(mutating: $0))
        }
        // struct uinput_setup: bus, vendor, product, version; a name of 80 bytes; effects.
        var setup = [UInt8](repeating: 0, count: 92)
        setup[0] = 3
        for (place, byte) in name.utf8.prefix(79).enumerated() { setup[8 + place] = byte }
        let isMade = setup.withUnsafeMutableBytes {
            ioctl(file, Self.setUp, $0.baseAddress!) >= 0 && ioctl(file, Self.create, 0) >= 0
        }
        guard isMade else { throw SimChipError(path: "/dev/uinput", errno: errno) }
    }

    deinit { close(file) }

    /// Presses or releases a key, as a report of its own.
    public func set(key: UInt16, isPressed: Bool) {
        send([(1, key, isPressed ? 1 : 0)])
    }

    /// Turns an axis, as a report of its own.
    public func turn(axis: UInt16, by steps: Int32) { send([(2, axis, steps)]) }

    /// The path of its node; nil while the kernel has none.
    public var node: String? {
        var name = [CChar](repeating: 0, count: 64)
        let count = name.withUnsafeMutableBytes {
            ioctl(file, Self.getName, $0.baseAddress!)
        }
        guard count > 0 else { return nil }
        let folder = name.withUnsafeBufferPointer {
            String(decoding: $0.map(UInt8.init(bitPattern:)).prefix { $0 != 0 }, as: UTF8.self)
        }
        for number in 0..<64 {
            let path = "/sys/devices/virtual/input/\(folder)/event\(number)"
            if access(path, F_OK) == 0 { return "/dev/input/event\(number)" }
        }
        return nil
    }

    private func send(_ events: [(type: UInt16, code: UInt16, value: Int32)]) {
        // struct input_event of 64-bit systems: two words of time, type, code, value.
        var bytes: [UInt8] = []
        for event in events + [(type: 0, code: 0, value: 0)] {
            bytes += [UInt8](repeating: 0, count: 16)
            withUnsafeBytes(of: event.type) { bytes += $0 }
            withUnsafeBytes(of: event.code) { bytes += $0 }
            withUnsafeBytes(of: event.value) { bytes += $0 }
        }
        _ = write(file, bytes, bytes.count)
    }

    // linux/uinput.h
    private static let create: UInt = 0x5501
    private static let setUp: UInt = 0x405C_5503
    private static let setEventBit: UInt = 0x4004_5564
    private static let setKeyBit: UInt = 0x4004_5565
    private static let setAxisBit: UInt = 0x4004_5566
    private static let setPlace: UInt = 0x4008_556C
    private static let getName: UInt = 0x8040_552C
}
