import Glibc

/// A text file of the repository: its lines, and for Swift also what of them is code.
struct SourceFile: Sendable {
    /// The path from the root of the repository.
    let path: String
    let text: String
    let lines: [Substring]
    /// The lines with comments and text literals blanked; as many as `lines`. Only Swift has them.
    let code: [String]

    init(path: String, text: String) {
        self.path = path
        self.text = text
        lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .map { Substring($0) }
        code = path.hasSuffix(".swift") ? SwiftCode.blanked(text) : []
    }

    /// Reads a file; nil if it is no text, or gone by now.
    static func read(_ path: String) -> SourceFile? {
        guard let file = fopen("\(SourceTree.root)/\(path)", "r") else { return nil }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = fread(&block, 1, block.count, file)
            if count == 0 { break }
            bytes += block[..<count]
        }
        guard memchr(bytes, 0, bytes.count) == nil else { return nil }
        return SourceFile(path: path, text: String(decoding: bytes, as: UTF8.self))
    }

    /// The floor of a file of Sources: the first folder there.
    var floor: Substring? {
        let parts = path.split(separator: "/")
        return parts.count > 2 && parts[0] == "Sources" ? parts[1] : nil
    }

    /// The room: the folder on its floor of Sources, or `Tests`, or the first folder.
    var room: String {
        let parts = path.split(separator: "/")
        guard parts.count > 2 else { return String(parts.first ?? "") }
        guard parts[0] == "Sources" else { return String(parts[0]) }
        return String(parts[2])
    }

    /// Whether a text stands anywhere in this file; quick, to spare a look at each line.
    func contains(_ word: String) -> Bool { strstr(text, word) != nil }

    /// A place in this file, as compilers write it.
    func place(_ index: Int) -> String { "\(path):\(index + 1)" }
}
