import DetentPanel
import Glibc

/// Runs a language server over two descriptors until the editor ends it.
package struct LanguageSession {
    private var server: LanguageServer
    private var reader = MessageReader()
    private let input: Int32
    private let output: Int32

    /// Why a session ended early.
    package struct Failure: Error, Equatable {
        /// What the editor sent, or that it takes no answers.
        package var cause: String
    }

    /// - Parameter version: the version of the program.
    package init(input: Int32, output: Int32, version: String) {
        self.input = input
        self.output = output
        server = LanguageServer(version: version)
    }

    /// The exit code: 0 after `shutdown` and `exit`, 1 if the editor went away without them.
    package mutating func run() throws(Failure) -> Int32 {
        while true {
            guard try read() else { return server.exitCode ?? 1 }
            if let code = try answer() { return code }
            // What changes while a file is checked is checked with the next change.
            while server.isDue, !hasInput {
                if let message = server.publish() { try write(message) }
            }
        }
    }

    /// Answers everything that was read; a request that is cancelled in it costs nothing.
    private mutating func answer() throws(Failure) -> Int32? {
        var messages: [JSONValue] = []
        while true {
            switch reader.next() {
            case .message(let bytes):
                do throws(JSONReader.Problem) {
                    messages.append(
                        try JSONReader.read(bytes, depth: LanguageLimits.messageDepth))
                } catch {
                    try write(LanguageServer.unreadable(error.cause))
                }
                continue
            case .broken(let cause): throw Failure(cause: cause)
            case .needsMore: break
            }
            break
        }
        let cancelled = messages.compactMap { message in
            message["method"]?.text == "$/cancelRequest" ? message["params"]?["id"] : nil
        }
        for message in messages {
            let isCancelled = message["id"].map { id in cancelled.contains(id) } ?? false
            for answer in server.handle(message, isCancelled: isCancelled) { try write(answer) }
            if let code = server.exitCode { return code }
        }
        return nil
    }

    private var hasInput: Bool {
        var entry = pollfd(fd: input, events: Int16(POLLIN), revents: 0)
        return poll(&entry, 1, 0) > 0
    }

    /// Waits for bytes, and reads all that are there; false at the end of the input.
    private mutating func read() throws(Failure) -> Bool {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        var hasRead = false
        repeat {
            let count = Glibc.read(input, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            // What came before the end is answered first.
            guard count > 0 else { return hasRead }
            hasRead = true
            reader.append(buffer.prefix(count))
        } while hasInput
        return true
    }

    private func write(_ message: JSONValue) throws(Failure) {
        let text = Array(message.line.utf8)
        var bytes = Array("Content-Length: \(text.count)\r\n\r\n".utf8) + text
        while !bytes.isEmpty {
            let count = Glibc.write(output, bytes, bytes.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw Failure(cause: "the editor takes no answers") }
            bytes.removeFirst(count)
        }
    }
}
