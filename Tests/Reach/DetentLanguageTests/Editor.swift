import DetentLanguage
import DetentPanel
import TestSupport
import Testing

/// An editor with one file open, that speaks to a server.
struct Editor {
    var server = LanguageServer(version: "test")
    private var id: Int64 = 0
    /// What the editor has, by address.
    private(set) var texts: [String: TextDocument] = [:]

    init(folder: String? = nil) {
        let folders: JSONValue = .array(
            [folder].compactMap { $0 }.map { ["uri": .string("file://" + $0), "name": "x"] })
        _ = request("initialize", ["capabilities": [:], "workspaceFolders": folders])
        note("initialized", [:])
    }

    /// The result of a request, or its error.
    mutating func request(_ method: String, _ parameters: JSONValue) -> JSONValue {
        id += 1
        let answers = server.handle([
            "jsonrpc": "2.0", "id": .integer(id), "method": .string(method),
            "params": parameters,
        ])
        expectEqual(answers.count, 1, Comment(rawValue: method))
        expectEqual(answers.first?["id"], .integer(id))
        return answers.first?["result"] ?? answers.first?["error"] ?? .null
    }

    mutating func note(_ method: String, _ parameters: JSONValue) {
        let message: JSONValue = [
            "jsonrpc": "2.0", "method": .string(method), "params": parameters,
        ]
        expectEqual(server.handle(message), [])
    }

    mutating func open(_ path: String, _ text: String) {
        let uri = "file://" + path
        texts[path] = TextDocument(uri: uri, version: 1, text: text)
        note(
            "textDocument/didOpen",
            [
                "textDocument": [
                    "uri": .string(uri), "languageId": "yaml", "version": .integer(1),
                    "text": .string(text),
                ]
            ])
    }

    /// Tells a change of a part of a text.
    mutating func change(_ path: String, _ range: JSONValue?, _ new: String) {
        texts[path]?.version += 1
        let version = Int64(texts[path]?.version ?? 0)
        if let range, let from = Self.position(range["start"]), let to = Self.position(range["end"])
        {
            texts[path]?.replace((from, to), with: new)
        } else {
            texts[path]?.replace(nil, with: new)
        }
        note(
            "textDocument/didChange",
            [
                "textDocument": ["uri": .string("file://" + path), "version": .integer(version)],
                "contentChanges": [["range": range, "text": .string(new)]],
            ])
    }

    /// What the server says of each file that is due: its address, version and problems.
    mutating func published() -> [(uri: String, version: Int?, problems: [JSONValue])] {
        var found: [(uri: String, version: Int?, problems: [JSONValue])] = []
        while let message = server.publish() {
            expectEqual(message["method"], "textDocument/publishDiagnostics")
            let parameters = message["params"]
            found.append(
                (
                    parameters?["uri"]?.text ?? "", parameters?["version"]?.whole,
                    parameters?["diagnostics"]?.items ?? []
                ))
        }
        return found
    }

    /// A request at the place of `│` in a text, which is taken out.
    mutating func ask(
        _ method: String, _ marked: String, path: String = "/panel.yaml",
        more: [(String, JSONValue)] = []
    ) -> JSONValue {
        let (text, position) = Self.cursor(marked)
        open(path, text)
        let parameters: [(String, JSONValue)] = [
            ("textDocument", ["uri": .string("file://" + path)]), ("position", position),
        ]
        return request("textDocument/" + method, .object(parameters + more))
    }

    static func cursor(_ marked: String) -> (text: String, position: JSONValue) {
        let parts = marked.split(separator: "│", maxSplits: 1, omittingEmptySubsequences: false)
        let text = parts.joined()
        let document = TextDocument(uri: "", version: 0, text: text)
        let position = document.position(of: parts[0].utf8.count)
        return (
            text,
            [
                "line": .integer(Int64(position.line)),
                "character": .integer(Int64(position.character)),
            ]
        )
    }

    static func position(_ json: JSONValue?) -> TextDocument.Position? {
        guard let line = json?["line"]?.whole, let character = json?["character"]?.whole else {
            return nil
        }
        return TextDocument.Position(line: line, character: character)
    }

    /// A text after the edits of one file, which are in their order.
    static func edited(_ text: String, _ edits: JSONValue?) -> String {
        var document = TextDocument(uri: "", version: 0, text: text)
        for edit in (edits?.items ?? []).reversed() {
            guard let from = position(edit["range"]?["start"]),
                let to = position(edit["range"]?["end"]), let new = edit["newText"]?.text
            else { continue }
            document.replace((from, to), with: new)
        }
        return document.text
    }
}

extension JSONValue {
    /// The labels of completion items, or the titles of actions.
    var labels: [String] {
        (items ?? []).compactMap { $0["label"]?.text ?? $0["title"]?.text }
    }
}
