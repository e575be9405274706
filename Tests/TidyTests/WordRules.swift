/// Words that only mean something on one machine, or to who was there.
enum WordRules {
    /// Folders of one machine's owner.
    static let folders = ["root", "home", "Users", "work"].map { "/\($0)/" }
    /// Where packages are fetched from is the business of the machine that fetches them.
    static let registries = [
        "docker.io", "ghcr.io", "quay.io", "crates.io", "npmjs.org", "npmjs.com", "pypi.org",
        "pythonhosted.org", "deb.debian.org", "rubygems.org",
    ]

    /// What of these stands in a text file.
    static func violations(_ file: SourceFile, root: String) -> [String] {
        guard !file.path.hasPrefix("Tests/TidyTests/") else { return [] }
        var found: [String] = []
        for word in folders + [root + "/"] where file.contains(word) {
            for (index, line) in file.lines.enumerated() where line.contains(word) {
                found.append("\(file.place(index)): `\(word)` is a folder of one machine")
            }
        }
        for word in registries where file.contains(word) {
            found.append("\(file.path): `\(word)` is a package registry")
        }
        let words = [
            "issue", "Issue", "ISSUE", "closes", "Closes", "fixes", "Fixes", "pull", "Pull",
        ]
        guard words.contains(where: file.contains) else { return found }
        for (index, line) in file.lines.enumerated() {
            // Most lines have none of the words, and a look at each letter is slow.
            guard words.contains(where: { line.contains($0) }), namesIssue(line.lowercased())
            else { continue }
            found.append("\(file.place(index)): the number of an issue; say what it was about")
        }
        return found
    }

    /// Whether a text names an issue or a pull request by its number.
    static func namesIssue(_ text: String) -> Bool {
        for word in ["issue", "/issues/", "closes", "fixes", "pull request", "/pull/"] {
            var rest = text[...]
            while let place = rest.firstRange(of: word) {
                rest = rest[place.upperBound...]
                var number = rest.drop { $0 == " " || $0 == "s" }
                let hasSign = number.first == "#"
                if hasSign { number = number.dropFirst() }
                guard number.first?.isNumber == true else { continue }
                if hasSign || !word.hasSuffix("es") { return true }
            }
        }
        return false
    }
}
