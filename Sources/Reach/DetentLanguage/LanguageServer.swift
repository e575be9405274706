import DetentPanel

/// A language server of LSP 3.17 for panel, scenario, board and bounce files.
///
/// It is told messages, and answers with messages. It reads files of scenarios and their panels,
/// and writes none. Changes make files due; `publish` checks one of them, so that what has changed
/// again in the meantime is checked once.
package struct LanguageServer {
    private enum State: Equatable {
        case waiting, running, shutDown, ended(code: Int32)
    }

    private var state = State.waiting
    var documents: [String: TextDocument] = [:]
    /// Checked files by their addresses, until they change.
    var checked: [String: CheckedFile] = [:]
    /// Addresses of files whose problems have to be sent, in the order of their changes.
    private var due: [String] = []
    /// Folders of the editor.
    private(set) var folders: [String] = []
    let version: String

    /// - Parameter version: the version of the program.
    package init(version: String) { self.version = version }

    /// The code to exit with, when the editor has said so; nil before.
    package var exitCode: Int32? {
        if case .ended(let code) = state { code } else { nil }
    }

    /// Whether a file has to be checked.
    package var isDue: Bool { !due.isEmpty }

    /// Takes a message; returns the answers.
    ///
    /// - Parameter isCancelled: whether the editor no longer wants the answer to this request.
    package mutating func handle(
        _ message: JSONValue, isCancelled: Bool = false
    ) -> [JSONValue] {
        guard let method = message["method"]?.text else { return [] }
        let parameters = message["params"] ?? [:]
        guard let id = message["id"] else {
            note(method, parameters)
            return []
        }
        guard !isCancelled else { return [Self.failure(id, .cancelled, "cancelled")] }
        switch state {
        case .waiting where method != "initialize":
            return [Self.failure(id, .notInitialized, "`initialize` comes first")]
        case .shutDown, .ended:
            return [Self.failure(id, .invalidRequest, "the server was shut down")]
        case .waiting, .running: break
        }
        do throws(RequestError) {
            return [
                ["jsonrpc": "2.0", "id": id, "result": try answer(method, parameters)]
            ]
        } catch {
            return [Self.failure(id, error.code, error.text)]
        }
    }

    /// The answer to a message that is not JSON.
    package static func unreadable(_ cause: String) -> JSONValue {
        failure(.null, .parseError, "the message is not JSON: \(cause)")
    }

    /// A request that has no result.
    struct RequestError: Error {
        enum Code: Int64 {
            case parseError = -32_700
            case invalidRequest = -32_600
            case unknownMethod = -32_601
            case invalidParameters = -32_602
            case notInitialized = -32_002
            case failed = -32_803
            case cancelled = -32_800
        }

        var code: Code
        var text: String
    }

    private static func failure(
        _ id: JSONValue, _ code: RequestError.Code, _ text: String
    ) -> JSONValue {
        [
            "jsonrpc": "2.0", "id": id,
            "error": ["code": .integer(code.rawValue), "message": .string(text)],
        ]
    }

    private mutating func answer(
        _ method: String, _ parameters: JSONValue
    ) throws(RequestError) -> JSONValue {
        switch method {
        case "initialize":
            state = .running
            folders = Self.folders(parameters)
            return capabilities
        case "shutdown":
            state = .shutDown
            return .null
        case "textDocument/completion": return try completion(parameters)
        case "textDocument/hover": return try hover(parameters)
        case "textDocument/definition": return try definition(parameters)
        case "textDocument/references": return try references(parameters)
        case "textDocument/prepareRename": return try prepareRename(parameters)
        case "textDocument/rename": return try rename(parameters)
        case "textDocument/codeAction": return try codeActions(parameters)
        case "textDocument/documentSymbol": return try symbols(parameters)
        case "textDocument/foldingRange": return try folds(parameters)
        default:
            throw RequestError(
                code: .unknownMethod, text: "there is no method `\(quoted(method))`")
        }
    }

    private var capabilities: JSONValue {
        [
            "capabilities": [
                "positionEncoding": "utf-16",
                "textDocumentSync": ["openClose": true, "change": .integer(2)],
                "completionProvider": ["triggerCharacters": [" ", "{", "["]],
                "hoverProvider": true, "definitionProvider": true, "referencesProvider": true,
                "renameProvider": ["prepareProvider": true],
                "codeActionProvider": ["codeActionKinds": ["quickfix"]],
                "documentSymbolProvider": true, "foldingRangeProvider": true,
            ],
            "serverInfo": ["name": "detent", "version": .string(version)],
        ]
    }

    private static func folders(_ parameters: JSONValue) -> [String] {
        let several = (parameters["workspaceFolders"]?.items ?? []).compactMap { $0["uri"]?.text }
        let all = several.isEmpty ? [parameters["rootUri"]?.text].compactMap(\.self) : several
        return all.compactMap(FileAddress.path)
    }

    // MARK: Notes of the editor

    private mutating func note(_ method: String, _ parameters: JSONValue) {
        if method == "exit" {
            state = .ended(code: state == .shutDown ? 0 : 1)
            return
        }
        guard state == .running, let uri = parameters["textDocument"]?["uri"]?.text else { return }
        switch method {
        case "textDocument/didOpen": open(uri, parameters["textDocument"] ?? [:])
        case "textDocument/didChange": change(uri, parameters)
        case "textDocument/didClose":
            documents[uri] = nil
            checked[uri] = nil
            touch(uri)
        default: break
        }
    }

    private mutating func open(_ uri: String, _ parameters: JSONValue) {
        guard let text = parameters["text"]?.text, documents.count < LanguageLimits.documents,
            hasRoom(for: text.utf8.count)
        else { return }
        documents[uri] = TextDocument(
            uri: uri, version: parameters["version"]?.whole ?? 0, text: text)
        touch(uri)
    }

    private func hasRoom(for bytes: Int) -> Bool {
        documents.values.reduce(bytes) { $0 + $1.bytes.count } <= LanguageLimits.documentBytes
    }

    private mutating func change(_ uri: String, _ parameters: JSONValue) {
        guard var document = documents.removeValue(forKey: uri) else { return }
        for change in parameters["contentChanges"]?.items ?? [] {
            guard let text = change["text"]?.text, hasRoom(for: text.utf8.count) else { continue }
            var range: (TextDocument.Position, TextDocument.Position)?
            if let json = change["range"] {
                guard let from = Self.position(json["start"]), let to = Self.position(json["end"])
                else { continue }
                range = (from, to)
            }
            document.replace(range, with: text)
        }
        document.version = parameters["textDocument"]?["version"]?.whole ?? document.version
        documents[uri] = document
        touch(uri)
    }

    /// A file has changed: it and the open scenarios that may be of it are due.
    private mutating func touch(_ uri: String) {
        let scenarios = checked.filter { $0.value.kind == .scenario && $0.key != uri }.map(\.key)
        for other in [uri] + scenarios.sorted() {
            checked[other] = nil
            due.removeAll { $0 == other }
            due.append(other)
        }
    }

    /// Checks one file that is due, and returns the message with its problems; nil if none is due.
    package mutating func publish() -> JSONValue? {
        guard !due.isEmpty else { return nil }
        let uri = due.removeFirst()
        var parameters: [(String, JSONValue)] = [("uri", .string(uri))]
        if let document = documents[uri] {
            parameters.append(("version", .integer(Int64(document.version))))
            parameters.append(("diagnostics", .array(diagnostics(of: document))))
        } else {
            parameters.append(("diagnostics", []))
        }
        return [
            "jsonrpc": "2.0", "method": "textDocument/publishDiagnostics",
            "params": .object(parameters),
        ]
    }

    /// A file as its reader sees it.
    mutating func file(_ document: TextDocument) -> CheckedFile {
        if let file = checked[document.uri] { return file }
        let file = CheckedFile(document.source, panels: panels)
        checked[document.uri] = file
        return file
    }

    /// Reads the panels of scenarios: open ones as the editor has them.
    var panels: CheckedFile.Panels {
        let documents = documents
        var known: [String: PanelReader.Reading] = [:]
        return { path in
            let path = FileAddress.normal(path)
            if let reading = known[path] { return reading }
            let open = documents.values.first { $0.path == path }
            let reading = open.map { PanelReader.read($0.source) } ?? PanelReader.read(file: path)
            known[path] = reading
            return reading
        }
    }
}
