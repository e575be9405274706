import DetentTypes

/// Writes problems as SARIF 2.1.0, which code hosts and editors read.
public enum SARIFLog {
    /// The problems of one run as a document; the same bytes for equal problems.
    ///
    /// Columns count Unicode characters. Rules contain their text instead of an address, because
    /// the program may be installed without its documents.
    /// - Parameter version: the version of the program.
    public static func text(_ problems: [Problem], version: String) -> String {
        let driver: [(String, JSONValue)] = [
            ("name", .string("detent")),
            ("version", .string(version)),
            ("rules", .array(Rule.all.map(descriptor))),
        ]
        let run: [(String, JSONValue)] = [
            ("tool", .object([("driver", .object(driver))])),
            ("columnKind", .string("unicodeCodePoints")),
            ("results", .array(problems.map(result))),
        ]
        return JSONValue.object([
            ("$schema", .string(schema)),
            ("version", .string("2.1.0")),
            ("runs", .array([.object(run)])),
        ]).pretty
    }

    private static let schema =
        "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

    private static func descriptor(_ rule: Rule) -> JSONValue {
        .object([
            ("id", .string(rule.name)),
            ("shortDescription", message(rule.summary)),
            ("fullDescription", message(rule.explanation)),
            ("help", message("\(rule.explanation) Examples: docs/lint.md, \(rule.name).")),
            (
                "defaultConfiguration",
                .object([("level", .string(rule.severity.rawValue))])
            ),
        ])
    }

    /// A message with doubled braces, because single braces mean arguments in SARIF.
    private static func message(_ text: String) -> JSONValue {
        let escaped = text.replacing("{", with: "{{").replacing("}", with: "}}")
        return .object([("text", .string(escaped))])
    }

    private static func result(_ problem: Problem) -> JSONValue {
        var members: [(String, JSONValue)] = [("ruleId", .string(problem.rule.name))]
        if let index = Rule.all.firstIndex(of: problem.rule) {
            members.append(("ruleIndex", .integer(Int64(index))))
        }
        let help = problem.help.isEmpty ? "" : "\nhelp: \(problem.help)"
        members.append(("level", .string(problem.severity.rawValue)))
        members.append(("message", message(problem.text + help)))
        if !problem.file.isEmpty { members.append(("locations", .array([location(problem)]))) }
        return .object(members)
    }

    private static func location(_ problem: Problem) -> JSONValue {
        var physical: [(String, JSONValue)] = [
            ("artifactLocation", .object([("uri", .string(uri(problem.file)))]))
        ]
        // A file that could not be read has no lines.
        if problem.rule != .unreadableFile, problem.rule != .fileTooLarge {
            let place = problem.place
            physical.append(
                (
                    "region",
                    .object([
                        ("startLine", .integer(Int64(place.line))),
                        ("startColumn", .integer(Int64(place.column))),
                        ("endColumn", .integer(Int64(place.column + place.length))),
                    ])
                ))
        }
        return .object([("physicalLocation", .object(physical))])
    }

    /// A path as a reference: a relative path unchanged, an absolute path with `file:`.
    static func uri(_ path: String) -> String {
        (path.hasPrefix("/") ? "file://" : "") + path.percentEncoded(except: "-._~/")
    }
}
