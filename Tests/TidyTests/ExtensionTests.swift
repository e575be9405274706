import TestSupport
import Testing

/// The table of docs/extending.md names every file that an addition touches, and how many they are.
///
/// Each row with a star is followed with an example that the tree has. A place that is new or gone
/// fails until the row is correct again, and a number only falls.
@Suite struct ExtensionTests {
    /// An existing example of an addition.
    struct Example: Sendable, CustomTestStringConvertible {
        /// The first cell of its row.
        let row: String
        /// Replaces the `X`, or the whole name `x`, of files in the row.
        var own = ""
        /// Whole words in Swift code.
        var words: [String] = []
        /// Whole texts between quotes, in Swift code and in the page.
        var texts: [String] = []
        /// Texts in any line, such as the path of a file that another one includes.
        var mentions: [String] = []
        /// If not empty, counts only files of the program that have one of these words, too.
        var near: [String] = []
        /// How many files it has. Lower the number when it falls; never raise it.
        let most: Int

        var testDescription: String { row }

        func isIn(_ file: SourceFile) -> Bool {
            (near.isEmpty || near.contains { file.contains($0) })
                && (mentions.contains { file.path.hasSuffix($0) || file.contains($0) }
                    || words.contains { ExtensionTests.has($0, file) }
                    || texts.contains { ExtensionTests.hasText($0, file) })
        }
    }

    static let examples = [
        Example(
            row: "debounce algorithm", own: "Integrator",
            words: ["integrator", "IntegratorDebouncer", "integratorTime"], texts: ["integrator"],
            most: 9),
        Example(
            row: "control kind", own: "PullDown", words: ["pullDown"], texts: ["pull-down"],
            near: ["Kind(", ": [Kind]"], most: 2),
        Example(
            row: "what a gesture asks for", words: ["pick"], most: 3),
        Example(
            row: "values that a control can have", words: ["subset"], most: 6),
        Example(
            row: "rule on wording or on whole panels", own: "LabelCase",
            words: ["labelTitleCase", "checkLabelCase"], texts: ["label-title-case"], most: 3),
        Example(row: "key of the panel file", texts: ["lockout"], most: 2),
        Example(row: "event word", words: ["doubleClicked"], texts: ["double-clicked"], most: 4),
        Example(
            row: "lamp condition", words: ["stale"], near: ["LampCondition", "ConditionChoice"],
            most: 3),
        Example(
            row: "pattern of a lamp", words: ["tripleWink"], texts: ["triple-wink"], most: 3),
        Example(
            row: "step of a scenario that changes what is beyond the panel", words: ["silence"],
            texts: ["silence"], near: ["Stimulus", "GestureVerb"], most: 6),
        Example(row: "server resource", texts: ["/api/v1/history", "api/v1/history"], most: 3),
        Example(
            row: "gesture that acts", words: ["turnDown"], texts: ["turnDown"], most: 5),
        Example(
            row: "look of a control", own: "Dial", words: ["knob"], texts: ["knob"],
            near: ["enum ControlLook", "Kind(", "const makers", "plan.look"], most: 4),
        Example(
            row: "rule between controls", own: "Audit",
            words: ["auditEvery", "auditAt", "audit"], texts: ["audit"], most: 7),
        Example(
            row: "board", own: "pocketbeagle", mentions: ["/pocketbeagle.yaml"], most: 2),
        Example(
            row: "model of a port expander",
            texts: ["pca9671"], most: 1),
        Example(row: "bounce profile", own: "reed", mentions: ["/reed.yaml"], most: 2),
        Example(
            row: "rule of `detent check` that a reader finds", words: ["severalDocuments"],
            texts: ["several-documents"], most: 2),
        Example(
            row: "action", own: "OSC", words: ["osc", "OSCRunner"],
            near: ["static let osc", "[ActionKind]", "extension ActionRunners"], most: 4),
        Example(
            row: "file of the page", own: "cover", mentions: ["parts/cover.js", "./cover.js"],
            most: 3),
        Example(
            row: "kind of display", own: "Dot", words: ["framebuffer", "DotScreen"],
            texts: ["framebuffer"], most: 6),
        Example(row: "verb of a gesture", words: ["stick"], texts: ["stick"], most: 7),
    ]

    @Test(arguments: examples) func theRowNamesEveryPlace(example: Example) throws {
        let document = try #require(SourceFile.read("docs/extending.md"))
        let row = try #require(document.lines.first { $0.hasPrefix("| \(example.row) |") })
        let named = Self.names(row).map { $0.replacing("X", with: example.own) }
            .map { $0.replacing("/x.", with: "/\(example.own).") }
        let found = SourceTree.files.filter { Self.isSource($0) && example.isIn($0) }.map(\.path)
        for path in found {
            #expect(
                named.contains { "/\(path)".hasSuffix("/\($0)") },
                "\(path) has a place of \(example.own)\(example.texts); name it in the row")
        }
        let cells = row.split(separator: "|").map {
            $0.split(separator: " ").joined(separator: " ")
        }
        expectEqual(cells.dropFirst().first, "\(found.count) *", "\(example)")
        expectEqual(found.count, example.most, "lower the number in the test; it only falls")
        for name in named {
            #expect(
                found.contains { "/\($0)".hasSuffix("/\(name)") },
                "\(name) has no place of \(example.own)\(example.texts); remove it from the row")
        }
    }

    /// Tests/NewKind has a kind of control that no file of the program names.
    @Test func noFileKnowsTheKindOfTheTests() {
        // A metric has a type of this name.
        let files = SourceTree.files.filter {
            Self.isSource($0) && !$0.path.hasSuffix("/HTTPResponse+Metrics.swift")
        }
        #expect(files.count > 700)
        let naming = files.filter { Self.hasText("counter", $0) || Self.has("CounterKind", $0) }
        expectEqual(naming.map(\.path), [])
        #expect(SourceTree.files.contains { Self.hasText("counter", $0) }, "it is looked for")
    }

    private static func isSource(_ file: SourceFile) -> Bool {
        let folders = ["Sources/", "simulator/web/", "simulator/bounce/", "boards/"]
        return folders.contains { file.path.hasPrefix($0) }
    }

    /// Names of source files between backticks.
    static func names(_ row: Substring) -> [String] {
        let pieces = row.split(separator: "`", omittingEmptySubsequences: false)
        return pieces.indices.filter { $0 % 2 == 1 }.map { String(pieces[$0]) }.filter { name in
            [".swift", ".js", ".css", ".c", ".yaml"].contains { name.hasSuffix($0) }
        }
    }

    /// Whether a whole word is in the Swift code of a file.
    static func has(_ word: String, _ file: SourceFile) -> Bool {
        guard file.contains(word) else { return false }
        return file.code.contains { line in
            line.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.contains { $0 == word }
        }
    }

    /// Whether a text literal is in the code of a file.
    static func hasText(_ text: String, _ file: SourceFile) -> Bool {
        let literal = "\"\(text)\""
        guard file.contains(literal) else { return false }
        return file.lines.indices.contains { index in
            let line = file.lines[index]
            guard let place = line.firstRange(of: literal) else { return false }
            if file.code.isEmpty { return !line.drop { $0 == " " }.hasPrefix("//") }
            // Quotes of comments and of longer texts are blanked.
            let offset = line.utf8.distance(from: line.startIndex, to: place.lowerBound)
            return file.code[index].utf8.dropFirst(offset).first == UInt8(ascii: "\"")
        }
    }

    @Test func placesAreInCodeOnly() {
        let swift = SourceFile(
            path: "Sources/A/B.swift",
            text:
                "// \"a\" b\nlet c = \"d e\" // f\nlet bb = \"\"\"\n  \"g\"\n  \"\"\"\n"
                + "let é = \"h\""
        )
        for word in ["c", "bb"] { #expect(Self.has(word, swift), "\(word)") }
        for word in ["a", "b", "d", "f", "g"] { #expect(!Self.has(word, swift), "\(word)") }
        for text in ["d e", "h"] { #expect(Self.hasText(text, swift), "\(text)") }
        for text in ["a", "d", "g"] { #expect(!Self.hasText(text, swift), "\(text)") }
        let page = SourceFile(path: "simulator/web/a.js", text: "  // \"a\"\nlet b = \"c\";")
        #expect(Self.hasText("c", page) && !Self.hasText("a", page))
        expectEqual(Self.names("| `a.swift` | b.js, `C/XD.c`, `e.f` |"), ["a.swift", "C/XD.c"])
    }
}
