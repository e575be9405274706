/// A range of characters in one line of a source file.
public struct SourcePlace: Equatable, Hashable, Sendable {
    /// The line, from 1.
    public var line: Int
    /// The first character's column, from 1; a tab is one character.
    public var column: Int
    /// How many characters, at least 1; never past the end of the line.
    public var length: Int

    /// Makes a place.
    public init(line: Int, column: Int, length: Int = 1) {
        self.line = line
        self.column = column
        self.length = length
    }
}

extension SourcePlace: Comparable {
    /// Whether `left` begins earlier in the file.
    public static func < (left: SourcePlace, right: SourcePlace) -> Bool {
        (left.line, left.column) < (right.line, right.column)
    }
}
