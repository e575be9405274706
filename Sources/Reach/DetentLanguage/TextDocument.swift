import DetentPanel
import DetentTypes

/// A file as the editor has it.
///
/// Places of editors count lines from 0, and units of UTF-16 in a line. Their lines end with LF, CR
/// or CR LF alone; YAML knows more ends, so that a place of YAML is another number.
package struct TextDocument {
    /// A place of an editor.
    package struct Position: Equatable, Comparable {
        package var line: Int
        package var character: Int

        package init(line: Int, character: Int) {
            self.line = line
            self.character = character
        }

        package static func < (left: Position, right: Position) -> Bool {
            (left.line, left.character) < (right.line, right.character)
        }
    }

    /// The address that the editor gave it.
    package let uri: String
    /// The editor's number of the text.
    package var version: Int
    /// The text in UTF-8.
    package private(set) var bytes: [UInt8]
    private var lineStarts: [Int]

    package init(uri: String, version: Int, text: String) {
        self.uri = uri
        self.version = version
        bytes = Array(text.utf8)
        lineStarts = Self.lineStarts(bytes)
    }

    /// The text.
    package var text: String { String(decoding: bytes, as: UTF8.self) }

    /// The path of the file; the whole address if it is none.
    package var path: String { FileAddress.path(uri) ?? uri }

    /// The text for readers of files. It has no byte order mark.
    var source: SourceText { SourceText(file: path, bytes: bytes) }

    /// The bytes before the text of `source`.
    private var markLength: Int { bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0 }

    /// Replaces a range, or everything without one.
    package mutating func replace(_ range: (from: Position, to: Position)?, with text: String) {
        if let range {
            let first = offset(of: range.from)
            bytes.replaceSubrange(first..<max(first, offset(of: range.to)), with: text.utf8)
        } else {
            bytes = Array(text.utf8)
        }
        lineStarts = Self.lineStarts(bytes)
    }

    private static func lineStarts(_ bytes: [UInt8]) -> [Int] {
        var starts = [0]
        bytes.withUnsafeBufferPointer { bytes in
            for (index, byte) in bytes.enumerated() {
                let isEnd =
                    byte == 0x0A
                    || byte == 0x0D && (index + 1 == bytes.count || bytes[index + 1] != 0x0A)
                if isEnd { starts.append(index + 1) }
            }
        }
        return starts
    }

    /// The bytes before a place; the end of its line for a place beyond it.
    package func offset(of position: Position) -> Int {
        guard position.line >= 0 else { return 0 }
        guard position.line < lineStarts.count else { return bytes.count }
        let end = endOfLine(position.line)
        var place = lineStarts[position.line]
        var units = 0
        while place < end, units < position.character {
            let length = Self.length(of: bytes[place])
            units += length == 4 ? 2 : 1
            place = min(end, place + length)
        }
        return place
    }

    /// The end of a line, without what ends it.
    private func endOfLine(_ line: Int) -> Int {
        let isLast = line + 1 == lineStarts.count
        var end = isLast ? bytes.count : lineStarts[line + 1]
        guard !isLast else { return end }
        while end > lineStarts[line], bytes[end - 1] == 0x0A || bytes[end - 1] == 0x0D { end -= 1 }
        return end
    }

    private static func length(of first: UInt8) -> Int {
        switch first {
        case 0..<0xC0: 1
        case 0xC0..<0xE0: 2
        case 0xE0..<0xF0: 3
        default: 4
        }
    }

    /// The place of a byte.
    package func position(of offset: Int) -> Position {
        let offset = min(max(0, offset), bytes.count)
        var low = 0
        var high = lineStarts.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if lineStarts[middle] <= offset { low = middle } else { high = middle }
        }
        var place = lineStarts[low]
        var units = 0
        while place < offset {
            let length = Self.length(of: bytes[place])
            units += length == 4 ? 2 : 1
            place += length
        }
        return Position(line: low, character: units)
    }

    /// The bytes that a place of a reader covers.
    func bytes(of place: SourcePlace, in source: SourceText) -> Range<Int> {
        let first = source.offset(of: place)
        var last = place
        last.column += place.length
        let mark = markLength
        return first + mark..<max(first, source.offset(of: last)) + mark
    }

    /// The place of a byte in `source`.
    func position(of offset: Int, in source: SourceText) -> SourcePlace {
        source.position(ofByte: offset - markLength)
    }
}

/// Addresses of files, `file:///etc/detent/panel.yaml`.
enum FileAddress {
    /// The path; nil for an address of another kind.
    static func path(_ uri: String) -> String? {
        guard uri.hasPrefix("file://") else { return nil }
        let rest = uri.dropFirst(7).drop { $0 != "/" }
        var bytes: [UInt8] = []
        var place = rest.utf8.startIndex
        while place < rest.utf8.endIndex {
            let byte = rest.utf8[place]
            let digits = rest.utf8[place...].dropFirst().prefix(2)
            if byte == UInt8(ascii: "%"), digits.count == 2,
                let code = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
            {
                bytes.append(code)
                place = digits.endIndex
            } else {
                bytes.append(byte)
                place = rest.utf8.index(after: place)
            }
        }
        return normal(String(decoding: bytes, as: UTF8.self))
    }

    /// The address of a path.
    static func uri(_ path: String) -> String {
        path.hasPrefix("/") ? "file://" + path.percentEncoded(except: "-._~/") : path
    }

    /// A path without `.` and `..`.
    static func normal(_ path: String) -> String {
        var parts: [Substring] = []
        for part in path.split(separator: "/") {
            switch part {
            case ".": break
            case "..": _ = parts.popLast()
            default: parts.append(part)
            }
        }
        return (path.hasPrefix("/") ? "/" : "") + parts.joined(separator: "/")
    }

    /// The folder of a path, with a slash at its end.
    static func folder(_ path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "" }
        return String(path[...slash])
    }
}
