import Glibc

/// Standard output, for data: every write is checked.
enum StandardOutput {
    /// Writes a text; false where it could not be written whole.
    @discardableResult
    static func write(_ text: String) -> Bool {
        StandardStream.write(text, to: STDOUT_FILENO) == 0
    }

    /// Writes a text, or ends the command with cause and remedy.
    static func writeOrFail(_ text: String) throws {
        let error = StandardStream.write(text, to: STDOUT_FILENO)
        guard error != 0 else { return }
        throw Failure(
            code: .failed,
            cause: "standard output cannot be written: \(String(cString: strerror(error)))",
            remedy: error == ENOSPC
                ? "free some space, or write somewhere else"
                : "keep the reader of the output running until the end")
    }
}

/// Standard error, for people.
enum StandardError {
    /// Writes a text; a failure has nowhere to be told.
    @discardableResult
    static func write(_ text: String) -> Bool {
        StandardStream.write(text, to: STDERR_FILENO) == 0
    }
}

private enum StandardStream {
    /// Writes a whole text; 0 or an error number.
    static func write(_ text: String, to descriptor: Int32) -> Int32 {
        var text = text
        return text.withUTF8 { bytes in
            var rest = UnsafeRawBufferPointer(bytes)[...]
            while !rest.isEmpty {
                let count = Glibc.write(
                    descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                if count < 0 {
                    if errno == EINTR { continue }
                    return errno
                }
                rest = rest.dropFirst(count)
            }
            return 0
        }
    }
}
