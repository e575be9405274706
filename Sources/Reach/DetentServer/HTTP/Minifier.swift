/// Removes what only a developer needs from a file of the page.
///
/// It removes indentation, empty lines and comment lines. It would change a multi-line text within
/// backquotes; a test forbids these in simulator/web.
enum Minifier {
    /// The shortened file.
    static func minified(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8] {
        var minified: [UInt8] = []
        minified.reserveCapacity(bytes.count)
        for line in bytes.split(separator: UInt8(ascii: "\n")) {
            let words = line.drop { $0 == UInt8(ascii: " ") }
            if words.isEmpty || isComment(words) { continue }
            minified += words
            minified.append(UInt8(ascii: "\n"))
        }
        return minified
    }

    private static func isComment(_ line: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        line.starts(with: "//".utf8)
            || line.starts(with: "/*".utf8) && line.suffix(2).elementsEqual("*/".utf8)
    }
}
