import DetentPanel
public import DetentTypes
import Glibc

/// A file with the token of a panel's page, on one line.
public struct TokenFile: Equatable, Sendable {
    /// The token, exactly as it is in the file.
    public var token: String
    /// What is odd about the file, although it can be used: cause and remedy, for people.
    public var note: String?

    /// Why a file has no token that can be used.
    public struct Problem: DescribedError, Equatable, Sendable {
        /// The cause, in one line; it names the file, and nothing of the token.
        public var cause: String
        /// The remedy, in one line.
        public var remedy: String
    }

    /// Reads a file. Only the line ends after the token are left out.
    ///
    /// - Parameters:
    ///   - least: the fewest characters that a token may have.
    ///   - different: the fewest different characters among them.
    /// - Throws: `Problem` if it cannot be read, or if its text is not one token.
    public init(_ path: String, least: Int = 1, different: Int = 1) throws(Problem) {
        var bytes: [UInt8]
        do throws(SourceText.Unreadable) {
            bytes = try SourceText.read(file: path).bytes
        } catch {
            throw Problem(cause: "\(path): \(error.cause)", remedy: error.remedy)
        }
        while bytes.last == UInt8(ascii: "\n") || bytes.last == UInt8(ascii: "\r") {
            bytes.removeLast()
        }
        if let oddity = Self.oddity(bytes, least: least, different: different) {
            throw Problem(
                cause: "\(path) \(oddity)",
                remedy: "write one line of \(max(16, least)) to \(RuntimeLimits.token) letters and "
                    + "digits, for example with `openssl rand -hex 16`")
        }
        token = String(decoding: bytes, as: UTF8.self)
        note = Self.note(path)
    }

    /// Why a text is not one token; nil if it is.
    private static func oddity(_ bytes: [UInt8], least: Int, different: Int) -> String? {
        if bytes.isEmpty { return "contains no token" }
        if bytes.contains(where: { $0 == 0x0A || $0 == 0x0D }) {
            return "has more than one line, and a token is one line"
        }
        if bytes.contains(where: { $0 >= 0x80 }) {
            return "has a character that is not ASCII, which a request cannot carry"
        }
        if bytes.contains(where: { $0 == 0x20 || $0 == 0x09 }) {
            return "has a blank before, after or in the token"
        }
        if bytes.contains(where: { $0 < 0x20 || $0 == 0x7F }) { return "has a control character" }
        if bytes.contains(where: { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") }) {
            return "has a quotation mark or a backslash in the token"
        }
        if bytes.count < least { return "has a token of fewer than \(least) characters" }
        if Set(bytes).count < different {
            return "has a token that can be guessed: fewer than \(different) different characters"
        }
        if bytes.count > RuntimeLimits.token {
            return "has a token of more than \(RuntimeLimits.token) characters"
        }
        return nil
    }

    /// Others than the owner and the group can use the file.
    private static func note(_ path: String) -> String? {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        let deed: String
        if status.st_mode & 0o022 != 0 {
            deed = "changed"
        } else if status.st_mode & 0o004 != 0 {
            deed = "read"
        } else {
            return nil
        }
        return "the token file \(path) can be \(deed) by other users of this machine\n"
            + "help: `chmod 600 \(path)`, or 640 if the user of the service is in its group"
    }
}
