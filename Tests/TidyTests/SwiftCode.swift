/// Just enough of Swift's grammar to tell code from comments and texts.
enum SwiftCode {
    private enum Place: Equatable {
        case code
        case lineComment
        case blockComment(depth: Int)
        case text(hashes: Int, isLong: Bool)
    }

    /// The lines of a text with comments, and what stands between quotes, as spaces.
    ///
    /// An interpolation counts as text, so code within one is not seen.
    static func blanked(_ text: String) -> [String] {
        let bytes = Array(text.utf8) + [0, 0, 0]
        var result: [UInt8] = []
        var place = Place.code
        var index = 0
        while index < bytes.count - 3 {
            let step = advance(&place, bytes, index)
            for byte in bytes[index..<index + step.count] {
                let isKept = byte == 0x0A || (step.isCode && byte < 0x80)
                result.append(isKept ? byte : 0x20)
            }
            index += step.count
        }
        return String(decoding: result, as: UTF8.self)
            .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    private struct Step {
        var count: Int
        var isCode: Bool
    }

    private static func advance(_ place: inout Place, _ bytes: [UInt8], _ index: Int) -> Step {
        let pair = (bytes[index], bytes[index + 1])
        switch place {
        case .code:
            return leaveCode(&place, bytes, index)
        case .lineComment:
            if pair.0 == UInt8(ascii: "\n") { place = .code }
            return Step(count: 1, isCode: false)
        case .blockComment(let depth):
            if pair == (UInt8(ascii: "*"), UInt8(ascii: "/")) {
                place = depth == 1 ? .code : .blockComment(depth: depth - 1)
                return Step(count: 2, isCode: false)
            }
            if pair == (UInt8(ascii: "/"), UInt8(ascii: "*")) {
                place = .blockComment(depth: depth + 1)
                return Step(count: 2, isCode: false)
            }
            return Step(count: 1, isCode: false)
        case .text(let hashes, let isLong):
            if hashes == 0, pair.0 == UInt8(ascii: "\\") { return Step(count: 2, isCode: false) }
            let quotes = isLong ? 3 : 1
            if has(quotes, UInt8(ascii: "\""), bytes, index),
                has(hashes, UInt8(ascii: "#"), bytes, index + quotes)
            {
                place = .code
                return Step(count: quotes + hashes, isCode: true)
            }
            // An unclosed short text would hide the rest of the file.
            if !isLong, pair.0 == UInt8(ascii: "\n") { place = .code }
            return Step(count: 1, isCode: false)
        }
    }

    private static func leaveCode(_ place: inout Place, _ bytes: [UInt8], _ index: Int) -> Step {
        let pair = (bytes[index], bytes[index + 1])
        if pair == (UInt8(ascii: "/"), UInt8(ascii: "/")) {
            place = .lineComment
            return Step(count: 2, isCode: false)
        }
        if pair == (UInt8(ascii: "/"), UInt8(ascii: "*")) {
            place = .blockComment(depth: 1)
            return Step(count: 2, isCode: false)
        }
        var hashes = 0
        while bytes[index + hashes] == UInt8(ascii: "#") { hashes += 1 }
        if bytes[index + hashes] == UInt8(ascii: "\"") {
            let isLong = has(3, UInt8(ascii: "\""), bytes, index + hashes)
            place = .text(hashes: hashes, isLong: isLong)
            return Step(count: hashes + (isLong ? 3 : 1), isCode: true)
        }
        return Step(count: max(hashes, 1), isCode: true)
    }

    private static func has(_ count: Int, _ byte: UInt8, _ bytes: [UInt8], _ index: Int) -> Bool {
        index + count <= bytes.count && bytes[index..<index + count].allSatisfy { $0 == byte }
    }
}
