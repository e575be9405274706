import DetentTypes

/// Changes of the text of a panel file, at the place of a problem.
struct PanelEdit {
    private let text: [Character]
    private let start: Int
    private let length: Int
    /// The words that the problem names.
    private let named: [String]

    init(_ text: String, _ problem: Problem) {
        self.text = Array(text)
        let source = SourceText(file: "", text: text)
        var end = problem.place
        end.column += end.length
        let first = source.offset(of: problem.place)
        let last = max(first, source.offset(of: end))
        start = String(decoding: source.bytes[..<first], as: UTF8.self).count
        length = max(1, String(decoding: source.bytes[first..<last], as: UTF8.self).count)
        let pieces = problem.text.split(separator: "`", omittingEmptySubsequences: false)
        named = stride(from: 1, to: pieces.count, by: 2).map { String(pieces[$0]) }
    }

    /// The texts that a change can mean, the likeliest first.
    func texts(_ remedy: Remedy) -> [String] {
        switch remedy {
        case .replace(let word): replacements(word)
        case .set(let key, let value, let inside): settings(key, value, inside)
        case .remove(let key): maps.compactMap { removing(key, in: $0) }
        case .removeHere: maps.prefix(1).compactMap { removing(nil, in: $0) }
        }
    }

    private func text(_ range: Range<Int>, _ new: String) -> String {
        String(text[..<range.lowerBound]) + new + String(text[range.upperBound...])
    }

    private func replacements(_ word: String) -> [String] {
        let end = min(max(start + length, end(of: start)), text.count)
        let place = String(text[start..<end])
        let ofWord = named.compactMap { name -> String? in
            place.firstRange(of: name).map { range in
                text(start..<end, place.replacingCharacters(in: range, with: word))
            }
        }
        return ofWord + [
            text(start..<min(start + length, text.count), word), text(start..<end, word),
            text(start..<end, "\"\(word)\""),
        ] + maps.prefix(2).map { text($0.whole, word) }
    }

    private func settings(_ key: String, _ value: String, _ inside: String?) -> [String] {
        var all: [String] = []
        for map in maps {
            if let inside {
                guard let entry = map.entries.first(where: { $0.key == inside }),
                    text[entry.value.lowerBound] == "{"
                else { continue }
                let open = entry.value.lowerBound + 1
                all.append(text(open..<open, "\(key): \(value), "))
                continue
            }
            if let entry = map.entries.first(where: { $0.key == key }) {
                all += [value, "\"\(value)\""].map { text(entry.value, $0) }
            } else {
                all.append(text(map.first..<map.first, "\(key): \(value)" + map.separator))
            }
            // In place of the key that has the problem.
            if let entry = map.entries.first(where: { $0.whole.contains(start) }) {
                all.append(
                    text(entry.key.isEmpty ? entry.value : entry.keyAndValue, "\(key): \(value)"))
            }
        }
        return all
    }

    private func removing(_ key: String?, in map: Map) -> String? {
        let entry = map.entries.first { key == nil ? $0.whole.contains(start) : $0.key == key }
        return entry.map { text($0.whole, "") }
    }

    // MARK: Maps

    private struct Entry {
        var key: String
        var value: Range<Int>
        var keyAndValue: Range<Int>
        /// With what separates it from the next one.
        var whole: Range<Int>
    }

    /// A map that the place is in, and how another key is written at its beginning.
    private struct Map {
        var whole: Range<Int>
        var first: Int
        var separator: String
        var entries: [Entry]
    }

    /// The maps around the place, the innermost first.
    private var maps: [Map] {
        var found: [Map] = []
        if start < text.count, text[start] == "{" { found.append(flow(start)) }
        var depth = 0
        for place in (0..<min(start, text.count)).reversed() {
            switch text[place] {
            case "}", "]": depth += 1
            case "{", "[":
                if depth > 0 {
                    depth -= 1
                } else if text[place] == "{" {
                    found.append(flow(place))
                }
            case _: break
            }
        }
        return found + block
    }

    private func flow(_ open: Int) -> Map {
        var entries: [Entry] = []
        var place = open + 1
        while place < text.count, text[place] != "}" {
            while place < text.count, " \n,".contains(text[place]) { place += 1 }
            guard place < text.count, text[place] != "}" else { break }
            let begin = place
            let end = end(of: place, isKey: true)
            let key = String(text[begin..<end])
            var value = end
            while value < text.count, ": ".contains(text[value]) { value += 1 }
            let last = self.end(of: value)
            var next = last
            while next < text.count, ", ".contains(text[next]) { next += 1 }
            entries.append(
                Entry(
                    key: key, value: value..<last, keyAndValue: begin..<last, whole: begin..<next))
            place = max(next, begin + 1)
        }
        return Map(
            whole: open..<min(place + 1, text.count), first: open + 1, separator: ", ",
            entries: entries)
    }

    /// The end of a value or a key in a line.
    private func end(of begin: Int, isKey: Bool = false) -> Int {
        var place = begin
        var depth = 0
        var quote: Character?
        while place < text.count {
            let sign = text[place]
            if let open = quote {
                if sign == open { quote = nil }
            } else if sign == "\"" || sign == "'", place == begin || depth > 0 {
                quote = sign
            } else if "{[".contains(sign) {
                depth += 1
            } else if "}]".contains(sign) {
                if depth == 0 { return place }
                depth -= 1
                if depth == 0 { return place + 1 }
            } else if depth == 0, sign == "," || sign == "\n" || isKey && sign == ":" {
                return place
            }
            place += 1
        }
        return place
    }

    /// The maps that are written in lines, the innermost first.
    private var block: [Map] {
        var lines: [(range: Range<Int>, indent: Int)] = []
        var begin = 0
        for place in text.indices where text[place] == "\n" {
            let indent = text[begin..<place].prefix { $0 == " " }.count
            lines.append((begin..<place + 1, indent))
            begin = place + 1
        }
        guard let line = lines.firstIndex(where: { $0.range.contains(start) }) else { return [] }
        var found: [Map] = []
        var indent = Int.max
        for number in (0...line).reversed() where lines[number].indent < indent {
            indent = lines[number].indent
            var last = number
            while last + 1 < lines.count, lines[last + 1].indent > indent { last += 1 }
            var top = number
            while top > 0, lines[top - 1].indent >= indent { top -= 1 }
            var entries: [Entry] = []
            for other in top..<lines.count {
                guard lines[other].indent >= indent else { break }
                guard lines[other].indent == indent else { continue }
                var end = other
                while end + 1 < lines.count, lines[end + 1].indent > indent { end += 1 }
                let whole = lines[other].range.lowerBound..<lines[end].range.upperBound
                var key = whole.lowerBound + indent
                // The first key of an item of a list.
                if text[key..<whole.upperBound].starts(with: "- ") { key += 2 }
                let colon = text[key..<whole.upperBound].firstIndex(of: ":") ?? whole.upperBound - 1
                let value = min(colon + 2, whole.upperBound - 1)..<whole.upperBound - 1
                entries.append(
                    Entry(
                        key: String(text[key..<colon]), value: value,
                        keyAndValue: key..<whole.upperBound - 1, whole: whole))
            }
            let spaces = String(repeating: " ", count: indent)
            found.append(
                Map(
                    whole: lines[number].range.lowerBound..<lines[last].range.upperBound,
                    first: lines[number].range.lowerBound + indent, separator: "\n" + spaces,
                    entries: entries))
        }
        return found
    }
}

extension String {
    fileprivate func replacingCharacters(
        in range: Range<String.Index>, with new: String
    ) -> String {
        var text = self
        text.replaceSubrange(range, with: new)
        return text
    }
}
