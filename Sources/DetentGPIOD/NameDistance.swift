internal import DetentTypes

/// Finds the names nearest to a misspelt one.
enum NameDistance {
    /// Case does not count.
    private static func edits(_ left: String, _ right: String) -> Int {
        EditDistance.between(Array(left.lowercased().utf8), Array(right.lowercased().utf8))
    }

    /// The three names nearest to any of the wanted ones, nearest first, each once.
    ///
    /// Costs a table of two lengths for each name; meant for the hundreds of lines of a machine.
    static func nearest(to wanted: [String], in names: [String]) -> [String] {
        var seen = Set<String>()
        let ranked = names.filter { seen.insert($0).inserted }.map { name in
            (name: name, distance: wanted.map { edits($0, name) }.min() ?? .max)
        }
        return ranked.sorted { ($0.distance, $0.name) < ($1.distance, $1.name) }
            .prefix(3).map(\.name)
    }
}
