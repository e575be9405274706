public import DetentTypes

/// What the answer of a device looks like: a text with at most one `{value}`.
///
/// It may stand anywhere in a line. The value has at least one letter and ends with the line, or
/// where the text after it begins.
public struct WireExpectation: Equatable, Sendable {
    let before: [UInt8]
    /// What follows the value; nil without a value.
    let after: [UInt8]?

    /// The first line that is not blank, whatever it says.
    static let anyLine = WireExpectation(before: [], after: [])

    init(before: [UInt8], after: [UInt8]?) {
        self.before = before
        self.after = after
    }

    /// Reads the key `expect` of an action or of a source; nil if there is none.
    public init?(_ fields: [ActionField]) {
        guard case .texts(let pieces)? = fields["expect"], let first = pieces.first else {
            return nil
        }
        before = Array(first.utf8)
        after = pieces.count > 1 ? Array(pieces[1].utf8) : nil
    }

    /// The text of the file that a field has as an expectation; nil for other fields.
    public static func text(_ field: ActionField) -> String? {
        guard field.name == "expect", case .texts(let pieces) = field.content else { return nil }
        return pieces.joined(separator: "{value}")
    }

    /// Whether it has a value.
    public var hasValue: Bool { after != nil }

    /// Where a line fits; nil if it does not.
    ///
    /// - Parameter isWhole: whether the line has ended.
    /// - Returns: the place of the value, which is empty without one.
    public func match(_ line: ArraySlice<UInt8>, isWhole: Bool) -> Range<Int>? {
        if !isWhole, after?.isEmpty == true { return nil }
        guard let begin = Self.find(before, in: line) else { return nil }
        let rest = line[(begin + before.count)...]
        guard let after else { return rest.startIndex..<rest.startIndex }
        let end = after.isEmpty ? rest.endIndex : Self.find(after, in: rest)
        guard let end, rest[..<end].contains(where: { $0 > 0x20 }) else { return nil }
        return rest.startIndex..<end
    }

    /// Whether a line of a text of a device fits.
    public func fits(_ text: [UInt8]) -> Bool {
        text.split(whereSeparator: Self.endsLine).contains { match($0, isWhole: true) != nil }
    }

    private static func endsLine(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }

    /// The value in a text of a device; nil if no line of it fits.
    public func value(in text: [UInt8]) -> [UInt8]? {
        for line in text.split(whereSeparator: Self.endsLine) {
            if let place = match(line, isWhole: true) { return Array(line[place]) }
        }
        return nil
    }

    private static func find(_ part: [UInt8], in line: ArraySlice<UInt8>) -> Int? {
        guard let first = part.first else { return line.startIndex }
        guard line.count >= part.count else { return nil }
        return (line.startIndex...(line.endIndex - part.count)).first {
            line[$0] == first && line[$0...].starts(with: part)
        }
    }
}
