import CWall
import DetentWall
import Glibc

/// A TCP socket that listens. It is opened once, and stays open while the gateway starts again.
final class ListeningSocket: ChildSocket {
    let descriptor: Int32
    /// Its port.
    let port: Int

    /// Listens at an address. The system keeps up to `ServerLimits.acceptBacklog` connections.
    ///
    /// - Parameter port: 0 uses any free port.
    /// - Throws: `ServerError` if that is impossible.
    init(address: String, port: Int) throws(ServerError) {
        var bound: UInt16 = 0
        let result = detent_wall_listen(
            address, UInt16(clamping: port), Int32(ServerLimits.acceptBacklog), &bound)
        guard result >= 0 else {
            guard result != -EINVAL else {
                throw ServerError(
                    cause: "`\(address)` is not an IP address", remedy: "such as 127.0.0.1")
            }
            throw ServerError(
                cause: "cannot listen on \(address):\(port): \(String(cString: strerror(-result)))",
                remedy: "stop the other program, or use another port: `--listen 127.0.0.1:0`")
        }
        descriptor = result
        self.port = Int(bound)
    }

    /// Takes an open descriptor over.
    init(inherited descriptor: Int32) {
        self.descriptor = descriptor
        port = Int(detent_wall_port(descriptor))
    }

    deinit {
        close(descriptor)
    }

    /// Another descriptor of the same socket; its receiver closes it. Negative if there is none.
    func duplicate() -> Int32 { fcntl(descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1) }
}
