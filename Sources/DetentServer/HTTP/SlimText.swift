/// What travels of a file of the page: nothing that only its reader in the editor needs.
///
/// Indentation, empty lines and lines that are a comment alone are left out. A text over several
/// lines within backquotes would lose its own; a test forbids these in simulator/web.
enum SlimText {
    /// The file without them.
    static func slim(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8] {
        var slim: [UInt8] = []
        slim.reserveCapacity(bytes.count)
        for line in bytes.split(separator: UInt8(ascii: "\n")) {
            let words = line.drop { $0 == UInt8(ascii: " ") }
            if words.isEmpty || isComment(words) { continue }
            slim += words
            slim.append(UInt8(ascii: "\n"))
        }
        return slim
    }

    private static func isComment(_ line: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        line.starts(with: "//".utf8)
            || line.starts(with: "/*".utf8) && line.suffix(2).elementsEqual("*/".utf8)
    }
}
