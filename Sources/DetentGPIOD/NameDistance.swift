/// Finds the names that somebody may have meant.
enum NameDistance {
    /// The three names nearest to any of the wanted ones, nearest first, each once.
    ///
    /// Costs a table of two lengths for each name; meant for the hundreds of lines of a machine.
    static func nearest(to wanted: [String], in names: [String]) -> [String] {
        var seen = Set<String>()
        let ranked = names.filter { seen.insert($0).inserted }.map { name in
            (name: name, distance: wanted.map { edits(from: $0, to: name) }.min() ?? .max)
        }
        return ranked.sorted { ($0.distance, $0.name) < ($1.distance, $1.name) }
            .prefix(3).map(\.name)
    }

    /// Insertions, deletions and replacements that turn one name into the other; case does not
    /// count.
    static func edits(from left: String, to right: String) -> Int {
        let left = Array(left.lowercased().utf8)
        let right = Array(right.lowercased().utf8)
        var row = Array(0...right.count)
        for (place, letter) in left.enumerated() {
            var diagonal = row[0]
            row[0] = place + 1
            for column in right.indices {
                let replaced = diagonal + (letter == right[column] ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = min(replaced, diagonal + 1, row[column] + 1)
            }
        }
        return row[right.count]
    }
}
