import DetentPanel
import DetentTypes

/// Where files name a control.
struct ControlUses {
    /// A name of a control in a text.
    struct Use {
        var control: String
        /// The bytes of the name.
        var bytes: Range<Int>
        /// Whether it is the key of the control in its panel.
        var isDefinition = false
    }

    /// The names of controls in a file, in the order of the file, each once.
    static func uses(in file: CheckedFile, _ document: TextDocument) -> [Use] {
        var found: [Use] = []
        if file.kind == .panel {
            for entry in file.root.map(controls(of:)) ?? [] {
                let bytes = document.bytes(of: entry.key.place, in: file.source)
                found.append(
                    Use(
                        control: entry.name,
                        bytes: name(entry.name, in: bytes, document.bytes)?.first ?? bytes,
                        isDefinition: true))
            }
        }
        for mention in file.mentions {
            let bytes = document.bytes(of: mention.place, in: file.source)
            for place in name(mention.control, in: bytes, document.bytes) ?? []
            where !found.contains(where: { $0.bytes == place }) {
                found.append(Use(control: mention.control, bytes: place))
            }
        }
        return found.sorted { $0.bytes.lowerBound < $1.bytes.lowerBound }
    }

    /// The controls of a panel, those of its groups last.
    static func controls(of root: YAMLNode) -> [YAMLEntry] {
        let groups = root["groups"]?.items ?? []
        return ([root] + groups).flatMap { $0["controls"]?.entries ?? [] }
    }

    /// The places of a name in a text: the whole text, or its words in a condition. What is
    /// compared with is a value, and no control.
    private static func name(
        _ name: String, in range: Range<Int>, _ bytes: [UInt8]
    ) -> [Range<Int>]? {
        let wanted = Array(name.utf8)
        guard !wanted.isEmpty, range.upperBound <= bytes.count else { return nil }
        var found: [Range<Int>] = []
        var previous: [UInt8] = []
        var place = range.lowerBound
        while place < range.upperBound {
            guard isWord(bytes[place]) else {
                if !" \t\r\n".utf8.contains(bytes[place]) { previous = [] }
                place += 1
                continue
            }
            let end = bytes[place..<range.upperBound].firstIndex { !isWord($0) } ?? range.upperBound
            let word = Array(bytes[place..<end])
            let isValue = ["is", "has"].contains { Array($0.utf8) == previous }
            if word == wanted, !isValue { found.append(place..<end) }
            // `is not` is one comparison.
            if !(word == Array("not".utf8) && isValue) { previous = word }
            place = end
        }
        // Among other words, a placeholder names a control, and an equal word does not.
        let braced = found.filter { $0.lowerBound > 0 && bytes[$0.lowerBound - 1] == 0x7B }
        if !braced.isEmpty,
            bytes[range].contains(0x7D)
        {
            return braced
        }
        return found.isEmpty ? nil : found
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        byte.isASCIIAlphanumeric || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
    }
}
