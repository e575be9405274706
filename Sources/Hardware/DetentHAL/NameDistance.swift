internal import DetentTypes

/// Finds the names most similar to a misspelt one.
package enum NameDistance {
    /// Ignores case.
    private static func edits(_ left: String, _ right: String) -> Int {
        EditDistance.between(Array(left.lowercased().utf8), Array(right.lowercased().utf8))
    }

    /// The three names most similar to any of the wanted ones, best first, each once.
    ///
    /// The cost of each name is the product of two lengths; intended for the hundreds of lines of a
    /// machine.
    package static func nearest(to wanted: [String], in names: [String]) -> [String] {
        var seen = Set<String>()
        let ranked = names.filter { seen.insert($0).inserted }.map { name in
            (name: name, distance: wanted.map { edits($0, name) }.min() ?? .max)
        }
        return ranked.sorted { ($0.distance, $0.name) < ($1.distance, $1.name) }
            .prefix(3).map(\.name)
    }
}
