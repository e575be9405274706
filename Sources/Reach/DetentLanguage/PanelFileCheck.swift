import DetentPanel
import DetentTypes

/// What the page of a simulation says of the text of a panel file: as an editor is told it, in one
/// answer.
///
/// Places count lines from 0, and units of UTF-16 in a line, as JavaScript does. The text ends its
/// lines with line feeds.
package struct PanelFileCheck {
    private let document: TextDocument
    private let file: CheckedFile

    /// - Parameter path: the name of the file, for its problems.
    package init(path: String, text: String) {
        document = TextDocument(uri: path, version: 0, text: text)
        file = Self.checked(document.source)
    }

    /// The problems of the text, and where each control is.
    ///
    /// - Parameter withFixes: also what removes each of the first `LanguageLimits.fixedProblems`.
    package func json(withFixes: Bool) -> JSONValue {
        let problems = file.problems.enumerated().map { number, problem in
            let bytes = document.bytes(of: problem.place, in: file.source)
            return JSONValue.object(
                range(bytes) + [
                    ("severity", .string(problem.severity == .error ? "error" : "warning")),
                    ("rule", .string(problem.rule.name)), ("text", .string(problem.text)),
                    ("help", .string(problem.help)),
                    (
                        "fixes",
                        .array(
                            withFixes && number < LanguageLimits.fixedProblems
                                ? fixes(of: problem) : [])
                    ),
                ])
        }
        return ["problems": .array(problems), "controls": .array(controls)]
    }

    /// Whatever the text says, it is a panel: no words of it lead to another file.
    private static func checked(_ source: SourceText) -> CheckedFile {
        CheckedFile(source, as: .panel, panels: { PanelReader.read(file: $0) })
    }

    private func fixes(of problem: Problem) -> [JSONValue] {
        let found = LanguageServer.fixes(of: problem, file) { text in
            Self.checked(SourceText(file: document.path, text: text)).problems
        }
        return found.prefix(LanguageLimits.fixes).map { fix in
            let (bytes, text) = LanguageServer.difference(file.source.bytes, Array(fix.text.utf8))
            return .object(
                range(bytes) + [("title", .string(fix.title)), ("insert", .string(text))])
        }
    }

    /// The lines of each control: from its id to the next one.
    private var controls: [JSONValue] {
        guard let root = file.root ?? CursorProbe.tree(file.source.bytes, keeping: nil) else {
            return []
        }
        let sections = Outline.symbols(root, .panel)
        return sections.indices.flatMap { place in
            let section = sections[place]
            let next = place + 1 < sections.count ? line(sections[place + 1].key) : nil
            guard ["controls", "groups"].contains(section.name) else { return [] as [JSONValue] }
            return section.children.indices.map { number in
                let control = section.children[number]
                let end =
                    number + 1 < section.children.count
                    ? line(section.children[number + 1].key) : next
                return [
                    "id": .string(control.name), "line": .whole(line(control.key)),
                    "end": end.map { .whole($0) },
                ]
            }
        }
    }

    private func line(_ place: SourcePlace) -> Int {
        document.position(of: document.bytes(of: place, in: file.source).lowerBound).line
    }

    private func range(_ bytes: Range<Int>) -> [(String, JSONValue)] {
        let from = document.position(of: bytes.lowerBound)
        let to = document.position(of: bytes.upperBound)
        return [
            ("line", .whole(from.line)), ("character", .whole(from.character)),
            ("endLine", .whole(to.line)), ("endCharacter", .whole(to.character)),
        ]
    }
}

/// How a file writes its lines, so that a change of its text keeps that.
package struct FileLayout {
    private let ends: LineEnds

    package init(_ source: SourceText) { ends = LineEnds(source) }

    /// The text of a file with line feeds.
    package static func text(_ source: SourceText) -> String { LineEnds.asLineFeeds(source) }

    /// A text with line feeds as the file writes its lines.
    package func restored(_ text: String) -> String { ends.restored(text) }
}
