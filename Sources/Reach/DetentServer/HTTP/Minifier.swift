/// Removes what only a developer needs from a file of the page.
///
/// It removes indentation, empty lines, comment lines, and a comment behind code that holds neither
/// a text nor a slash. It would change a multi-line text within backquotes; a test forbids these in
/// simulator/web.
enum Minifier {
    /// The shortened file.
    static func minified(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8] {
        var minified: [UInt8] = []
        minified.reserveCapacity(bytes.count)
        for line in bytes.split(separator: UInt8(ascii: "\n")) {
            let words = line.drop { $0 == UInt8(ascii: " ") }
            if words.isEmpty || isComment(words) { continue }
            minified += withoutRemark(words)
            minified.append(UInt8(ascii: "\n"))
        }
        return minified
    }

    /// The line without ` // …` at its end. A quote or a slash before it may begin a text or a
    /// pattern that holds it.
    private static func withoutRemark(
        _ line: Slice<UnsafeBufferPointer<UInt8>>
    ) -> Slice<UnsafeBufferPointer<UInt8>> {
        guard let end = line.firstIndex(where: { "\"'`/".utf8.contains($0) }),
            end > line.startIndex, line[(end - 1)...].starts(with: " // ".utf8)
        else { return line }
        return line[..<(end - 1)]
    }

    private static func isComment(_ line: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        line.starts(with: "//".utf8)
            || line.starts(with: "/*".utf8) && line.suffix(2).elementsEqual("*/".utf8)
    }
}
