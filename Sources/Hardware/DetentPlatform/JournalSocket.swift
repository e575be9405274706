import CPlatform
import Glibc

/// Sends entries to the journal of systemd, one datagram for each.
///
/// Any program may send entries in the native format of the journal; this takes no library.
public final class JournalSocket: Sendable {
    /// Where the journal listens.
    public static let address = "/run/systemd/journal/socket"

    private let descriptor: Int32

    /// Connects to a journal.
    ///
    /// - Parameter address: a path, or `@` and a name without a file.
    /// - Throws: `PlatformError` if nothing listens there.
    public init(_ address: String = JournalSocket.address) throws(PlatformError) {
        descriptor = detent_datagram_open(address)
        guard descriptor >= 0 else {
            throw PlatformError(doing: "reach the journal at \(address)", errno: errno)
        }
    }

    deinit { close(descriptor) }

    /// Sends an entry; waits while the journal has no room for it.
    ///
    /// - Returns: 0, or the error number. The entry is then lost; later ones may be sent.
    public func write(_ entry: String) -> Int32 {
        var entry = entry
        return entry.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) { text in
                while true {
                    let error = detent_datagram_send(descriptor, text.baseAddress, text.count)
                    if error == EINTR { continue }
                    guard error == EAGAIN else { return error }
                    var room = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                    _ = poll(&room, 1, -1)
                }
            }
        }
    }
}
