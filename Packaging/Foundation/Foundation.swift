/// What the library of commands uses of Foundation, for programs that are installed.
///
/// It asks an error for the description that `LocalizedError` gives, and writes the hidden
/// `--experimental-dump-help` with `JSONEncoder`. Detent has neither such errors nor a use for that
/// text, and Foundation would be a fifth of the program.
public protocol LocalizedError: Error {
    /// The description of the error; nil if it has none.
    var errorDescription: String? { get }
}

/// Encodes nothing.
public final class JSONEncoder {
    /// How the text would look.
    public struct OutputFormatting: OptionSet, Sendable {
        /// The set as bits.
        public var rawValue: UInt

        /// Makes a set of its bits.
        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// In several lines.
        public static let prettyPrinted = OutputFormatting(rawValue: 1)
        /// With the members of objects in order.
        public static let sortedKeys = OutputFormatting(rawValue: 2)
    }

    /// Why there is no text.
    public struct Unsupported: Error {}

    /// How the text would look.
    public var outputFormatting: OutputFormatting = []

    /// Makes an encoder.
    public init() {}

    /// Throws `Unsupported`, and the library writes no text.
    public func encode(_ value: some Encodable) throws -> Data { throw Unsupported() }
}

/// Bytes.
public struct Data: Sendable {}

extension String {
    /// An encoding of text.
    public enum Encoding: Sendable {
        /// UTF-8.
        case utf8
    }

    /// No text.
    public init?(data: Data, encoding: Encoding) { return nil }
}
