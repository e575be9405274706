import Glibc

/// A page in a file that only this user can read, and that leads to an address with a token.
///
/// So the token is in no list of processes. The file is removed with this value.
final class BrowserPage {
    /// The file.
    let path: String

    /// Writes the file; nil if that is impossible.
    ///
    /// - Parameter address: what it leads to; it has no sign that has a meaning in HTML.
    init?(_ address: String) {
        let folder = getenv("XDG_RUNTIME_DIR").map { String(cString: $0) } ?? ""
        let ending = ".html"
        var name = Array(
            "\(folder.hasPrefix("/") ? folder : "/tmp")/detent-XXXXXX\(ending)".utf8CString)
        let file = mkstemps(&name, Int32(ending.utf8.count))
        guard file >= 0 else { return nil }
        path = String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let text = Array(
            """
            <!doctype html><meta charset="utf-8"><title>Detent</title>
            <meta http-equiv="refresh" content="0; url=\(address)">
            <a href="\(address)">Open the panel</a>

            """.utf8)
        let count = write(file, text, text.count)
        guard fchmod(file, 0o600) == 0, close(file) == 0, count == text.count else { return nil }
    }

    deinit { unlink(path) }
}
