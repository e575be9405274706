import CPlatform
import Glibc

/// A lock on a file, held until this value goes or the process ends in whatever way.
///
/// Programs that the process starts do not hold it, since their descriptors are closed.
public final class FileLock: Sendable {
    private let descriptor: Int32

    /// Keeps the descriptor of a locked file, and closes it at the end.
    public init(_ descriptor: Int32) {
        self.descriptor = descriptor
    }

    deinit {
        close(descriptor)
    }

    /// Locks an open file without waiting.
    ///
    /// - Returns: 0; `EWOULDBLOCK` where it is locked through another description of the file, even
    ///   one of this process; or another error number.
    public static func take(_ descriptor: Int32) -> Int32 { detent_lock_file(descriptor) }
}
