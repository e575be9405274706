import Glibc

/// Files that commands write as a whole.
package enum OutputFile {
    /// Writes a text, or ends the command with cause and remedy.
    package static func write(_ text: String, to path: String) throws {
        guard let file = fopen(path, "w") else {
            throw Failure(
                code: .failed,
                cause: "\(path) cannot be written: \(String(cString: strerror(errno)))",
                remedy: "name a file in a writable folder")
        }
        let isWritten = fputs(text, file) >= 0
        let isClosed = fclose(file) == 0
        guard isWritten, isClosed else {
            throw Failure(
                code: .failed,
                cause: "\(path) was not written completely: \(String(cString: strerror(errno)))",
                remedy: "free some space, or write somewhere else")
        }
    }
}
