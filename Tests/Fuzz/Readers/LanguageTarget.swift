import DetentLanguage
import DetentPanel

/// What an editor says to the language server: a stream of messages, and texts of half-written
/// files, of which something is asked at several places.
struct LanguageTarget: FuzzTarget {
    let words =
        numbers + [
            "Content-Length: ", "\r\n\r\n", "{\"jsonrpc\": \"2.0\", \"method\": \"", "\"id\": 1",
            "initialize", "shutdown", "exit", "textDocument/didChange", "panel: ", "controls:\n",
            "kind: ", "switch", "input: ", "enabled-when: ", "action: {run: [a, \"{", "steps:\n- ",
            "{", "}", "[", "]", ": ", "\r\n", "\u{2028}", "\u{1F600}", "\u{301}", "\u{F8F0}",
            "|", ">", "&a", "*a", "\"", "'", "#",
        ]

    mutating func read(_ bytes: [UInt8]) throws(BrokenPromise) -> Bool {
        try readStream(bytes)
        guard let text = String(validating: bytes, as: UTF8.self) else { return false }
        var server = LanguageServer(version: "fuzz")
        _ = server.handle(["id": .integer(0), "method": "initialize", "params": [:]])
        let file: JSONValue = [
            "uri": "file:///nonexistent/fuzz.yaml", "version": .integer(1), "text": .string(text),
        ]
        _ = server.handle(["method": "textDocument/didOpen", "params": ["textDocument": file]])
        guard server.publish() != nil else { throw BrokenPromise(text: "nothing is published") }
        let document = TextDocument(uri: "", version: 0, text: text)
        // A place that depends on the text, and both ends.
        let middle = bytes.reduce(7) { ($0 &* 31 &+ Int($1)) & 0xFFFF } % (bytes.count + 1)
        for offset in [0, middle, bytes.count] {
            // A place between the two signs of a line's end is the end of the line.
            let place = document.position(of: document.offset(of: document.position(of: offset)))
            try BrokenPromise.unless(
                document.offset(of: place) <= bytes.count
                    && document.position(of: document.offset(of: place)) == place,
                "a place is not where it was")
            let position: JSONValue = [
                "line": .integer(Int64(place.line)),
                "character": .integer(Int64(place.character)),
            ]
            for method in [
                "completion", "hover", "definition", "prepareRename", "codeAction",
                "documentSymbol", "foldingRange",
            ] {
                let answers = server.handle([
                    "id": .integer(1), "method": .string("textDocument/" + method),
                    "params": [
                        "textDocument": file, "position": position,
                        "range": ["start": position, "end": position],
                    ],
                ])
                try BrokenPromise.unless(
                    answers.count == 1 && answers[0]["error"] == nil, "\(method) fails")
            }
        }
        return true
    }

    private func readStream(_ bytes: [UInt8]) throws(BrokenPromise) {
        var reader = MessageReader()
        var server = LanguageServer(version: "fuzz")
        reader.append(bytes)
        var left = bytes.count
        while case .message(let message) = reader.next() {
            left -= 1
            try BrokenPromise.unless(left >= 0, "messages come from nothing")
            guard let json = try? JSONReader.read(message, depth: 64) else { continue }
            _ = server.handle(json)
        }
    }
}
