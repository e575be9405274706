import DetentCore
import DetentPanel

/// Writes the lamp patterns as a page is told them: the core's own table, so that a lamp on the
/// page moves as the real one.
enum PatternWords {
    private static let tenths: ClosedRange<UInt8> = 1...10

    /// What each pattern is called, and its shape if it moves, by its word.
    static var json: JSONValue {
        .object(
            Pattern.allCases.map { pattern in
                let name: [(String, JSONValue)] = [("text", .string(pattern.spoken))]
                // It has a shape for each tenth of a confirmation, and for either value.
                guard pattern == .fill else {
                    let shape = pattern.shape(isLit: true, tenths: 1)
                    return (pattern.word, .object(name + (shape.map(members) ?? [])))
                }
                return (
                    pattern.word,
                    .object(name + [("lit", fill(true)), ("dark", fill(false))])
                )
            })
    }

    /// The shape of each tenth of a confirmation.
    private static func fill(_ isLit: Bool) -> JSONValue {
        .array(
            tenths.compactMap { Pattern.fill.shape(isLit: isLit, tenths: $0) }.map {
                .object(members($0))
            })
    }

    private static func members(_ shape: Pattern.Shape) -> [(String, JSONValue)] {
        [
            ("period", .whole(shape.periodMilliseconds)),
            ("dips", .whole(shape.dips)),
            ("dip", .whole(shape.dipMilliseconds)),
            ("distance", .whole(shape.distanceMilliseconds)),
        ]
    }
}
