import DetentPanel
import Glibc

/// Standard output, for data. Every write is checked.
package enum StandardOutput {
    /// Writes a text; returns 0, or the error number if it was not written completely.
    package static func write(_ text: String) -> Int32 {
        StandardStream.write(text, to: STDOUT_FILENO)
    }

    /// Writes a text, or ends the command with cause and remedy.
    package static func writeOrFail(_ text: String) throws { try check(write(text)) }

    /// Writes the bytes of a text, or ends the command with cause and remedy.
    package static func writeOrFail(_ text: [UInt8]) throws {
        try check(text.withUnsafeBytes { StandardStream.write($0, to: STDOUT_FILENO) })
    }

    private static func check(_ error: Int32) throws {
        guard error != 0 else { return }
        throw Failure(
            code: .failed,
            cause: "standard output cannot be written: \(String(cString: strerror(error)))",
            remedy: remedy(for: error))
    }

    private static func remedy(for error: Int32) -> String {
        switch error {
        case ENOSPC, EDQUOT, EFBIG: "free some space, or write somewhere else"
        case EPIPE: "keep the program that reads the output running"
        case EBADF: "it is closed; redirect it, such as with `> file`"
        case _: "write somewhere else, such as with `> file`"
        }
    }
}

/// Standard error, for people. Control characters are made visible.
package enum StandardError {
    /// Writes a text; returns 0 or an error number. A failure cannot be reported.
    @discardableResult
    package static func write(_ text: String) -> Int32 {
        StandardStream.write(PrintableText.message(text), to: STDERR_FILENO)
    }
}

package enum StandardStream {
    /// Writes progress to a terminal on standard error; a text may begin with a carriage return.
    package static func raw(_ text: String) { _ = write(text, to: STDERR_FILENO) }

    /// Opens the standard streams that are closed, so that no chip or event descriptor gets their
    /// numbers.
    ///
    /// Each is opened in the wrong direction, so reading or writing still fails.
    package static func fillGaps() {
        for place in STDIN_FILENO...STDERR_FILENO where fcntl(place, F_GETFD) == -1 {
            _ = open("/dev/null", place == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }

    /// Writes a whole text; returns 0 or an error number.
    fileprivate static func write(_ text: String, to descriptor: Int32) -> Int32 {
        var text = text
        return text.withUTF8 { write(UnsafeRawBufferPointer($0), to: descriptor) }
    }

    /// Writes all bytes; returns 0 or an error number.
    fileprivate static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Int32 {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = Glibc.write(
                descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
            if count < 0 {
                let error = errno
                if error == EINTR { continue }
                guard error == EAGAIN else { return error }
                // Another process that shares the descriptor made it non-blocking.
                var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                _ = poll(&entry, 1, -1)
                continue
            }
            rest = rest.dropFirst(count)
        }
        return 0
    }
}
