import DetentPanel
import DetentTypes

/// What the editor asks about a whole file: fixes, symbols and folding.
extension LanguageServer {
    mutating func codeActions(_ parameters: JSONValue) throws(RequestError) -> JSONValue {
        let document = try document(parameters)
        guard let from = Self.position(parameters["range"]?["start"]),
            let to = Self.position(parameters["range"]?["end"])
        else { throw RequestError(code: .invalidParameters, text: "there is no `range`") }
        let file = file(document)
        let panels = panels
        let asked =
            document.offset(
                of: from)...max(
                document.offset(of: from), document.offset(of: to))
        let lines =
            document.position(of: asked.lowerBound)
            .line...document.position(
                of: asked.upperBound
            ).line
        var found: [JSONValue] = []
        let here = file.problems.filter { problem in
            let bytes = document.bytes(of: problem.place, in: file.source)
            return lines.contains(document.position(of: bytes.lowerBound).line)
        }
        for problem in here {
            let fixes = Self.fixes(of: problem, file) { text in
                let source = SourceText(file: document.path, text: text)
                return CheckedFile(source, panels: panels).problems
            }
            for fix in fixes where found.count < LanguageLimits.fixes {
                found.append(Self.action(fix, problem, file, document))
            }
        }
        return .array(found)
    }

    /// The fixes of a problem; texts end their lines with line feeds.
    package static func fixes(
        of problem: Problem, _ file: CheckedFile, check: (String) -> [Problem]
    ) -> [QuickFix] {
        guard problem.rule.name != "yaml-syntax" else { return [] }
        let lines = file.board().map { PinWords(board: $0, plan: file.plan).free } ?? []
        return QuickFix.fixes(
            of: problem, in: LineEnds.asLineFeeds(file.source), before: file.problems,
            lines: lines, check: check)
    }

    private static func action(
        _ fix: QuickFix, _ problem: Problem, _ file: CheckedFile, _ document: TextDocument
    ) -> JSONValue {
        let mark = document.bytes.count - file.source.bytes.count
        let new = LineEnds(file.source).restored(fix.text)
        let (bytes, text) = difference(file.source.bytes, Array(new.utf8))
        let edit: JSONValue = [
            "range": range(bytes.lowerBound + mark..<bytes.upperBound + mark, in: document),
            "newText": .string(text),
        ]
        return [
            "title": .string(fix.title), "kind": "quickfix",
            "diagnostics": [
                [
                    "range": range(
                        document.bytes(of: problem.place, in: file.source), in: document),
                    "code": .string(problem.rule.name), "source": "detent",
                    "message": .string(problem.text),
                ]
            ],
            "edit": ["changes": .object([(document.uri, .array([edit]))])],
        ]
    }

    /// The bytes in which two texts differ, in whole characters, and what replaces them.
    package static func difference(_ old: [UInt8], _ new: [UInt8]) -> (Range<Int>, String) {
        let shorter = min(old.count, new.count)
        var head = 0
        while head < shorter, old[head] == new[head] { head += 1 }
        while head > 0, head < old.count, old[head] & 0xC0 == 0x80 { head -= 1 }
        while head > 0, head < new.count, new[head] & 0xC0 == 0x80 { head -= 1 }
        var tail = 0
        while tail < shorter - head, old[old.count - 1 - tail] == new[new.count - 1 - tail] {
            tail += 1
        }
        while tail > 0, old[old.count - tail] & 0xC0 == 0x80 { tail -= 1 }
        return (
            head..<old.count - tail, String(decoding: new[head..<new.count - tail], as: UTF8.self)
        )
    }

    mutating func symbols(_ parameters: JSONValue) throws(RequestError) -> JSONValue {
        let document = try document(parameters)
        let file = file(document)
        guard let root = file.root ?? CursorProbe.tree(file.source.bytes, keeping: nil) else {
            return []
        }
        let found = Outline.symbols(root, file.kind)
        return Self.json(found, until: document.bytes.count, file, document)
    }

    /// Each symbol goes on to the beginning of the next one.
    private static func json(
        _ symbols: [Outline.Symbol], until end: Int, _ file: CheckedFile, _ document: TextDocument
    ) -> JSONValue {
        let names = symbols.map { document.bytes(of: $0.key, in: file.source) }
        return .array(
            symbols.indices.map { place in
                let symbol = symbols[place]
                let own = names[place]
                let next = place + 1 < names.count ? names[place + 1].lowerBound : end
                let whole = own.lowerBound..<max(own.upperBound, next)
                return [
                    "name": .string(symbol.name.isEmpty ? "-" : symbol.name),
                    "detail": symbol.detail.isEmpty ? nil : .string(symbol.detail),
                    "kind": .integer(symbol.kind), "range": range(whole, in: document),
                    "selectionRange": range(own, in: document),
                    "children": symbol.children.isEmpty
                        ? nil : json(symbol.children, until: whole.upperBound, file, document),
                ]
            })
    }

    mutating func folds(_ parameters: JSONValue) throws(RequestError) -> JSONValue {
        let document = try document(parameters)
        let text = LineEnds.asLineFeeds(document.source)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        return .array(
            Outline.folds(lines).map {
                ["startLine": .integer(Int64($0.first)), "endLine": .integer(Int64($0.last))]
            })
    }
}

/// How the lines of a file end.
struct LineEnds {
    private let end: String

    init(_ source: SourceText) {
        guard let place = source.bytes.firstIndex(where: { $0 == 0x0A || $0 == 0x0D }) else {
            end = "\n"
            return
        }
        let isPair = source.bytes[place...].starts(with: [0x0D, 0x0A])
        end = isPair ? "\r\n" : source.bytes[place] == 0x0D ? "\r" : "\n"
    }

    /// The text of a file with line feeds.
    static func asLineFeeds(_ source: SourceText) -> String {
        String(decoding: source.bytes, as: UTF8.self)
            .replacing("\r\n", with: "\n").replacing("\r", with: "\n")
    }

    /// A text with line feeds as the file writes its lines.
    func restored(_ text: String) -> String {
        end == "\n" ? text : text.replacing("\n", with: end)
    }
}
