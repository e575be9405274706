import DetentPanel
import Glibc

/// Standard output, for data: every write is checked.
enum StandardOutput {
    /// Writes a text; 0, or the error number where it could not be written whole.
    static func write(_ text: String) -> Int32 {
        StandardStream.write(text, to: STDOUT_FILENO)
    }

    /// Writes a text, or ends the command with cause and remedy.
    static func writeOrFail(_ text: String) throws {
        let error = write(text)
        guard error != 0 else { return }
        throw Failure(
            code: .failed,
            cause: "standard output cannot be written: \(String(cString: strerror(error)))",
            remedy: remedy(for: error))
    }

    private static func remedy(for error: Int32) -> String {
        switch error {
        case ENOSPC, EDQUOT, EFBIG: "free some space, or write somewhere else"
        case EPIPE: "keep the reader of the output running until the end"
        case EBADF: "it is closed: open it, such as with `> file`"
        case _: "write somewhere else, such as with `> file`"
        }
    }
}

/// Standard error, for people. Control characters are shown, not obeyed.
enum StandardError {
    /// Writes a text; 0 or an error number. A failure has nowhere to be told.
    @discardableResult
    static func write(_ text: String) -> Int32 {
        StandardStream.write(Plain.message(text), to: STDERR_FILENO)
    }
}

enum StandardStream {
    /// Opens what the caller has closed, so that no chip or event descriptor gets its number.
    ///
    /// Each is opened the wrong way round: reading or writing it still fails.
    static func fillGaps() {
        for place in STDIN_FILENO...STDERR_FILENO where fcntl(place, F_GETFD) == -1 {
            _ = open("/dev/null", place == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }

    /// Writes a whole text; 0 or an error number.
    fileprivate static func write(_ text: String, to descriptor: Int32) -> Int32 {
        var text = text
        return text.withUTF8 { bytes in
            var rest = UnsafeRawBufferPointer(bytes)[...]
            while !rest.isEmpty {
                let count = Glibc.write(
                    descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                if count < 0 {
                    let error = errno
                    if error == EINTR { continue }
                    guard error == EAGAIN else { return error }
                    // Somebody who shares it has made it non-blocking.
                    var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                    _ = poll(&entry, 1, -1)
                    continue
                }
                rest = rest.dropFirst(count)
            }
            return 0
        }
    }
}
