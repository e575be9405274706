import DetentCore
import DetentPanel

/// Writes the lamp patterns as a page is told them: the core's own table, so that a lamp on the
/// page moves as the real one.
enum PatternWords {
    private static let tenths: ClosedRange<UInt8> = 1...10

    /// The shapes by the word of their pattern; patterns that do not move are not listed.
    static var json: JSONValue {
        .object(
            Pattern.allCases.compactMap { pattern in
                guard let shape = pattern.shape(isLit: true, tenths: 1) else { return nil }
                // It has a shape for each tenth of a confirmation, and for either value.
                guard pattern == .fill else { return (pattern.word, json(shape)) }
                return (pattern.word, .object([("lit", fill(true)), ("dark", fill(false))]))
            })
    }

    /// The shape of each tenth of a confirmation.
    private static func fill(_ isLit: Bool) -> JSONValue {
        .array(
            tenths.compactMap { Pattern.fill.shape(isLit: isLit, tenths: $0).map(json) })
    }

    private static func json(_ shape: Pattern.Shape) -> JSONValue {
        .object([
            ("period", .integer(Int64(shape.periodMilliseconds))),
            ("dips", .integer(Int64(shape.dips))),
            ("dip", .integer(Int64(shape.dipMilliseconds))),
            ("distance", .integer(Int64(shape.distanceMilliseconds))),
        ])
    }
}
