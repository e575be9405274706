import DetentPanel

/// The places of LSP, and the documents that requests name.
extension LanguageServer {
    /// The file of a request.
    func document(_ parameters: JSONValue) throws(RequestError) -> TextDocument {
        guard let uri = parameters["textDocument"]?["uri"]?.text else {
            throw RequestError(code: .invalidParameters, text: "`textDocument` has no `uri`")
        }
        guard let document = documents[uri] else {
            throw RequestError(code: .invalidParameters, text: "the file is not open")
        }
        return document
    }

    /// The bytes before the place of a request.
    func offset(
        _ parameters: JSONValue, in document: TextDocument
    ) throws(RequestError) -> Int {
        guard let position = Self.position(parameters["position"]) else {
            throw RequestError(code: .invalidParameters, text: "there is no `position`")
        }
        return document.offset(of: position)
    }

    static func position(_ json: JSONValue?) -> TextDocument.Position? {
        guard let line = json?["line"]?.whole, let character = json?["character"]?.whole,
            line >= 0, character >= 0
        else { return nil }
        return TextDocument.Position(line: line, character: character)
    }

    static func json(_ position: TextDocument.Position) -> JSONValue {
        [
            "line": .integer(Int64(position.line)),
            "character": .integer(Int64(position.character)),
        ]
    }

    static func range(_ bytes: Range<Int>, in document: TextDocument) -> JSONValue {
        [
            "start": json(document.position(of: bytes.lowerBound)),
            "end": json(document.position(of: bytes.upperBound)),
        ]
    }

    /// The problems of a file.
    mutating func diagnostics(of document: TextDocument) -> [JSONValue] {
        let file = file(document)
        return file.problems.prefix(LanguageLimits.problems).map { problem in
            let bytes = document.bytes(of: problem.place, in: file.source)
            let related = problem.related.map { place -> JSONValue in
                let range = Self.range(document.bytes(of: place, in: file.source), in: document)
                return [
                    [
                        "location": ["uri": .string(document.uri), "range": range],
                        "message": "the first one",
                    ]
                ]
            }
            return [
                "range": Self.range(bytes, in: document),
                "severity": .integer(problem.severity == .error ? 1 : 2),
                "code": .string(problem.rule.name), "source": "detent",
                "message": .string(
                    problem.text + (problem.help.isEmpty ? "" : "\nhelp: \(problem.help)")),
                "relatedInformation": related,
            ]
        }
    }
}
