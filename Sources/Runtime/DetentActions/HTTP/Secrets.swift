import DetentTypes
import Glibc

/// Where secrets come from: the environment and the files of this machine, or those of a test.
package struct SecretSource: Sendable {
    /// The value of a secret.
    package var read: @Sendable (SecretReference) throws(SecretError) -> String

    /// The environment and the files of this machine.
    package static let system = SecretSource { (reference) throws(SecretError) in
        switch reference {
        case .variable(let name):
            guard let text = getenv(name) else {
                throw SecretError(
                    cause: "the variable `\(name)` is not set",
                    remedy: "set it with `Environment=` or `EnvironmentFile=` in the unit")
            }
            return String(cString: text)
        case .file(let path):
            return try readFile(path)
        }
    }

    private static func readFile(_ path: String) throws(SecretError) -> String {
        func refuse(_ cause: String) -> SecretError {
            SecretError(
                cause: "the file of a secret, \(path), \(cause)",
                remedy: "let the user that runs Detent read a file of one line there")
        }
        // A pipe or a device would block or never end.
        let file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
        guard file >= 0 else {
            throw refuse("cannot be read: \(Errno(number: errno).text)")
        }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw refuse("is not a regular file")
        }
        var bytes = [UInt8](repeating: 0, count: ActionLimits.secret + 1)
        var count = 0
        while count < bytes.count {
            let more = bytes.withUnsafeMutableBytes {
                Glibc.read(file, $0.baseAddress! + count, $0.count - count)
            }
            if more < 0, errno == EINTR { continue }
            if more < 0 { throw refuse("cannot be read: \(Errno(number: errno).text)") }
            if more == 0 { break }
            count += more
        }
        guard count <= ActionLimits.secret else {
            throw refuse("is longer than \(ActionLimits.secret) bytes")
        }
        let isEnd = { (byte: UInt8) in byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") }
        let end = bytes[..<count].lastIndex { !isEnd($0) }.map { $0 + 1 } ?? 0
        // A byte order mark is that of an editor, not of the secret.
        let begin = bytes[..<end].starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        guard end > begin else { throw refuse("is empty") }
        return String(decoding: bytes[begin..<end], as: UTF8.self)
    }
}

/// A secret that cannot be used. It names the variable or the file, never the secret.
package struct SecretError: DescribedError, Equatable {
    package var cause: String
    package var remedy: String
}

/// Replaces the references of texts. What it puts in their places is not shown from then on: see
/// `KnownSecrets`.
package struct SecretFilling {
    let source: SecretSource
    private(set) var found: [String] = []

    package init(source: SecretSource) {
        self.source = source
    }

    /// A text with its secrets.
    package mutating func fill(_ text: String) throws(SecretError) -> String {
        var found: [String] = []
        let result = try SecretReference.replaced(in: text) {
            (inside: Substring) throws(SecretError) -> String in
            // Reading the panel file has refused every other reference.
            guard let reference = SecretReference(inside) else { return "" }
            let word = try source.read(reference)
            guard !word.utf8.contains(0) else {
                throw SecretError(
                    cause: "a secret contains a NUL character",
                    remedy: "use a secret of printable characters")
            }
            found.append(word)
            KnownSecrets.ofThisProcess.learn(word)
            return word
        }
        self.found += found
        return result
    }

    /// A text of one line: a line feed in a header would begin another header.
    mutating func fillLine(_ text: String) throws(SecretError) -> String {
        let line = try fill(text)
        guard line.utf8.allSatisfy({ $0 >= 0x20 || $0 == 0x09 }) else {
            throw SecretError(
                cause: "a secret in a header has several lines or control characters",
                remedy: "use a secret of one line")
        }
        return line
    }
}
