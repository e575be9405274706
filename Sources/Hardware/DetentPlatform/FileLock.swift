import CPlatform
import Glibc

/// A lock on a file. It lasts until this object is released or the process ends.
///
/// Programs that the process starts do not hold the lock, because their descriptors are closed.
public final class FileLock: Sendable {
    private let descriptor: Int32

    /// Takes the descriptor of a locked file, and closes it at the end.
    public init(_ descriptor: Int32) {
        self.descriptor = descriptor
    }

    deinit {
        close(descriptor)
    }

    /// Locks an open file without waiting.
    ///
    /// - Returns: 0; `EWOULDBLOCK` if the file is locked through another open file description,
    ///   even of this process; or another error number.
    public static func acquire(_ descriptor: Int32) -> Int32 { detent_lock_file(descriptor) }
}
