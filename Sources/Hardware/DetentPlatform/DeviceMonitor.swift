import Glibc

/// Reports when devices appear and disappear: an inotify watch on a folder of device nodes.
///
/// GPIO needs it because Linux before 6.6 does not wake a thread in `poll` when a chip disappears.
/// A node that gets other rights, as udev gives them after it has appeared, has appeared again.
///
/// Synchronization: none; one thread.
public struct DeviceMonitor: ~Copyable {
    /// What happened to the node of a device.
    public enum Change {
        case appeared
        /// The path of the node that disappeared.
        case vanished(UnsafeBufferPointer<CChar>)
        /// The watch missed events: anything may have happened.
        case unknown
    }

    /// Readable when something happened; -1 if the folder cannot be watched.
    public let descriptor: Int32
    private let prefix: StaticString
    private let buffer: UnsafeMutableRawBufferPointer

    /// Room for many events; one needs at most 16 bytes and a file name of 256.
    private static let bufferSize = 8192

    /// Watches the nodes of a folder whose names begin with `prefix`.
    public init(folder: String, prefix: StaticString) {
        self.prefix = prefix
        descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
        buffer = .allocate(byteCount: Self.bufferSize, alignment: 8)
        if descriptor >= 0 {
            inotify_add_watch(
                descriptor, folder,
                UInt32(
                    IN_CREATE | IN_ATTRIB | IN_DELETE | IN_MOVED_TO | IN_MOVED_FROM | IN_ONLYDIR))
        }
    }

    deinit {
        if descriptor >= 0 { Glibc.close(descriptor) }
        buffer.deallocate()
    }

    /// Reads the events; the names passed to `body` are file names without the folder.
    public func read(_ body: (Change) -> Void) {
        while descriptor >= 0 {
            let length = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
            guard length > 0 else { return }
            var place = 0
            while place + MemoryLayout<inotify_event>.size <= length {
                let event = buffer.loadUnaligned(fromByteOffset: place, as: inotify_event.self)
                let begin = place + MemoryLayout<inotify_event>.size
                place = begin + Int(event.len)
                let mask = Int32(bitPattern: event.mask)
                let name = UnsafeBufferPointer(
                    UnsafeMutableRawBufferPointer(rebasing: buffer[begin..<place])
                        .assumingMemoryBound(to: CChar.self))
                if mask & Int32(IN_Q_OVERFLOW) != 0 {
                    body(.unknown)
                } else if isDevice(name) {
                    let isGone = mask & Int32(IN_DELETE | IN_MOVED_FROM) != 0
                    body(isGone ? .vanished(name) : .appeared)
                }
            }
        }
    }

    private func isDevice(_ name: UnsafeBufferPointer<CChar>) -> Bool {
        guard let start = name.baseAddress, name.count > prefix.utf8CodeUnitCount else {
            return false
        }
        return memcmp(start, prefix.utf8Start, prefix.utf8CodeUnitCount) == 0
    }
}
