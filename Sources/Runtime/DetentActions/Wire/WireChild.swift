import CProcess
import DetentPlatform
import DetentTypes
import Glibc

/// The process that reads what one device says, as the panel sees it.
///
/// It is started with `detent wire`; a serial device is opened here, because the process may open
/// nothing. It leads its own group, which the guardian kills when this process dies.
/// Synchronization: none; one thread.
struct WireChild {
    /// This end of the link; it does not block.
    let link: Int32
    private let process: pid_t
    private let processDescriptor: Int32
    private let guardian: Guardian
    private let port: SerialPort?

    /// Starts the process of a wire.
    ///
    /// - Parameters:
    ///   - arguments: what it does; see `WireProcess`.
    ///   - keys: an open `/dev/uinput`, of which only the process keeps a copy: with the last one,
    ///     the kernel lets go of all keys.
    /// - Throws: `Errno` if the serial device cannot be opened, or there is no room for a process.
    init(
        _ arguments: [String], program: [String], serial: SerialTerms? = nil,
        keys: Int32 = -1, guardian: Guardian
    ) throws(Errno) {
        defer { if keys >= 0 { Glibc.close(keys) } }
        let port: SerialPort? = if let serial { try SerialPort(serial) } else { nil }
        var ends: [Int32] = [-1, -1]
        // Above the standard ones, which the child replaces one after another.
        let kind = Int32(SOCK_SEQPACKET.rawValue | SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else {
            let error = Errno(number: errno)
            port?.close()
            throw error
        }
        defer { Glibc.close(ends[1]) }
        _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
        do throws(Errno) {
            let image = ProgramImage(
                ProgramCall(program + arguments), inherited: SparseEnvironment.variables())
            (process, processDescriptor) = try image.spawnWatched(
                standardInput: ends[1], standardOutput: port?.descriptor ?? keys,
                standardError: STDERR_FILENO, guardian: guardian)
        } catch {
            Glibc.close(ends[0])
            port?.close()
            throw error
        }
        link = ends[0]
        self.guardian = guardian
        self.port = port
    }

    /// Asks it to send; false if it does not take the message.
    func send(_ order: WireOrder) -> Bool {
        let message = order.message
        return write(link, message, message.count) == message.count
    }

    /// What it has said; nil if there is nothing now. A process that has gone, or that says what is
    /// no message, has `ended`.
    func note(into buffer: inout [UInt8]) -> WireNote? {
        let count = read(link, &buffer, buffer.count)
        if count < 0, errno == EAGAIN || errno == EINTR { return nil }
        let note = count > 0 && count < buffer.count ? WireNote(buffer[..<count]) : nil
        return note ?? .ended(Array("its process has ended".utf8), isRefused: false)
    }

    /// Ends it, and gives a serial line its former terms; call once.
    func end() {
        Glibc.close(link)
        kill(-process, SIGKILL)
        guardian.forget(process)
        while waitpid(process, nil, 0) < 0, errno == EINTR {}
        Glibc.close(processDescriptor)
        port?.close()
    }
}
