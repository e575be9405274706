import TestSupport
import Testing

@Suite struct ErrorTests {
    /// One protocol for errors with a cause and a remedy: the command line prints all of them the
    /// same way.
    @Test func errorsWithARemedyAreDescribed() {
        var count = 0
        for file in SourceTree.swift where file.path.hasPrefix("Sources/") {
            for name in Self.errors(file.text) {
                count += 1
                #expect(name.isDescribed, "\(file.path): \(name.name)")
            }
        }
        #expect(count >= 10)
    }

    @Test func anErrorOfItsOwnIsFound() {
        let text = """
            public struct A: Error {
                var cause: String
                var remedy: String
            }
            struct B: DescribedError {
                let cause = ""
                var remedy: String { "" }
            }
            """
        expectEqual(Self.errors(text).map(\.isDescribed), [false, true])
    }

    /// The types with a member `remedy`, by their declarations.
    private static func errors(_ text: String) -> [(name: String, isDescribed: Bool)] {
        // The last declaration of a type at each indentation.
        var declarations: [Int: String] = [:]
        var found: [(name: String, isDescribed: Bool)] = []
        for line in text.split(separator: "\n") {
            let indentation = line.prefix { $0 == " " }.count
            let words = line.split(separator: " ").drop { $0 == "public" }
            switch words.first {
            case "struct", "enum", "extension", "protocol":
                declarations[indentation] = String(line)
            case "var", "let":
                guard words.dropFirst().first?.prefix(while: \.isLetter) == "remedy",
                    let type = declarations[indentation - 4],
                    type.contains("struct ") || type.contains("enum ")
                else { continue }
                found.append((type, type.contains("DescribedError")))
            case .none, .some:
                continue
            }
        }
        return found
    }
}
