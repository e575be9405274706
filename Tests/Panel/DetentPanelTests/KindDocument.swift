import TestSupport

@testable import DetentPanel

/// The parts of docs/kinds that are made from the table of keys, and the blocks that are run.
enum KindDocument {
    static let folder = "docs/kinds"
    static let index = "\(folder)/README.md"
    static func page(_ kind: Kind) -> String { "\(folder)/\(kind.word).md" }

    /// What every page has, in this order.
    static let headings = [
        "Wiring", "Keys", "Values and events", "States and lamp", "Start", "From outside",
        "Recipe",
    ]

    private static let beginning = "<!-- keys: made from the table of keys -->\n"
    private static let end = "<!-- end of keys -->\n"

    static func read(_ path: String) throws -> String {
        let bytes = try SourceText.read(file: Repository.path(path)).bytes
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Keys that every kind takes.
    static let commonKeys = Kind.all.dropFirst().reduce(
        into: Schema.builtIn.keys(of: Kind.all[0])
    ) { keys, kind in
        keys.removeAll { !Schema.builtIn.keys(of: kind).contains($0) }
    }

    static let commonSection = table(commonKeys)

    /// The keys of a kind; those of every kind stand in the index.
    static func section(_ kind: Kind) -> String {
        let common = commonKeys.filter { $0 != "kind" }.map { "`\($0)`" }
        return table(Schema.builtIn.keys(of: kind).filter { !commonKeys.contains($0) })
            + "\nAnd, as in [every kind](README.md#keys-of-every-kind): "
            + "\(common.joined(separator: ", ")).\n"
    }

    private static func table(_ keys: [String]) -> String {
        PanelReference.table(keys.compactMap { Schema.builtIn.key($0, in: .control) })
            .replacing("](#", with: "](../reference/panel-file.md#")
    }

    /// The page with its marked section made anew; nil where the marks are missing.
    static func renewed(_ text: String, _ section: String) -> String? {
        guard let first = text.firstRange(of: beginning)?.upperBound,
            let last = text[first...].firstRange(of: end)?.lowerBound
        else { return nil }
        return text[..<first] + "\n" + section + "\n" + text[last...]
    }

    /// The blocks of YAML of a page.
    static func blocks(_ text: String) -> [String] {
        text.split(separator: "```yaml\n", omittingEmptySubsequences: false).dropFirst()
            .compactMap { rest in
                rest.firstRange(of: "```\n").map { String(rest[..<$0.lowerBound]) }
            }
    }
}
