import DetentTypes

/// Writes problems as SARIF 2.1.0, which code hosts and editors read.
public enum SARIFLog {
    /// The problems of one run as a document; the same bytes for equal problems.
    ///
    /// Columns count Unicode characters. Rules contain their text instead of an address, because
    /// the program may be installed without its documents.
    /// - Parameter version: the version of the program.
    public static func text(_ problems: [Problem], version: String) -> String {
        let driver: JSONValue = [
            "name": "detent", "version": .string(version),
            "rules": .array(Rule.all.map(descriptor)),
        ]
        let run: JSONValue = [
            "tool": ["driver": driver], "columnKind": "unicodeCodePoints",
            "results": .array(problems.map(result)),
        ]
        let log: JSONValue = ["$schema": .string(schema), "version": "2.1.0", "runs": [run]]
        return log.pretty
    }

    private static let schema =
        "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

    private static func descriptor(_ rule: Rule) -> JSONValue {
        [
            "id": .string(rule.name), "shortDescription": message(rule.summary),
            "fullDescription": message(rule.explanation),
            "help": message("\(rule.explanation) Examples: `detent check --explain \(rule.name)`."),
            "defaultConfiguration": ["level": .string(rule.severity.rawValue)],
        ]
    }

    /// A message with doubled braces, because single braces mean arguments in SARIF.
    private static func message(_ text: String) -> JSONValue {
        let escaped = text.replacing("{", with: "{{").replacing("}", with: "}}")
        return ["text": .string(escaped)]
    }

    private static func result(_ problem: Problem) -> JSONValue {
        let help = problem.help.isEmpty ? "" : "\nhelp: \(problem.help)"
        return [
            "ruleId": .string(problem.rule.name),
            "ruleIndex": Rule.all.firstIndex(of: problem.rule).map { .whole($0) },
            "level": .string(problem.severity.rawValue),
            "message": message(problem.text + help),
            "locations": problem.file.isEmpty ? nil : [location(problem)],
        ]
    }

    private static func location(_ problem: Problem) -> JSONValue {
        let place = problem.place
        let region: JSONValue = [
            "startLine": .whole(place.line),
            "startColumn": .whole(place.column),
            "endColumn": .whole(place.column + place.length),
        ]
        // A file that could not be read has no lines.
        let hasLines = problem.rule != .unreadableFile && problem.rule != .fileTooLarge
        let physical: JSONValue = [
            "artifactLocation": ["uri": .string(uri(problem.file))],
            "region": hasLines ? region : nil,
        ]
        return ["physicalLocation": physical]
    }

    /// A path as a reference: a relative path unchanged, an absolute path with `file:`.
    static func uri(_ path: String) -> String {
        (path.hasPrefix("/") ? "file://" : "") + path.percentEncoded(except: "-._~/")
    }
}
