import DetentTypes

extension JSONValue {
    /// The value at a place, as RFC 6901 writes places: `/state/0/power`; nil if there is none. An
    /// empty pointer is the value itself.
    public func value(at pointer: String) -> JSONValue? {
        guard !pointer.isEmpty else { return self }
        guard pointer.hasPrefix("/") else { return nil }
        var found = self
        for part in pointer.dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
            guard let next = found.member(Self.unescaped(part)) else { return nil }
            found = next
        }
        return found
    }

    /// A text or a number as it is written, `on` for true and `off` for false; nil for the rest.
    public var word: String? {
        switch self {
        case .bool(let flag): flag ? "on" : "off"
        case .integer(let number): String(number)
        case .number(let number): number
        case .string(let string): string
        case .null, .array, .object: nil
        }
    }

    private func member(_ name: String) -> JSONValue? {
        switch self {
        case .object(let members):
            return members.first { $0.0 == name }?.1
        case .array(let items):
            // A leading zero names no item.
            guard let index = Int(name), String(index) == name, items.indices.contains(index) else {
                return nil
            }
            return items[index]
        case .null, .bool, .integer, .number, .string:
            return nil
        }
    }

    /// `~1` is a slash and `~0` a tilde.
    private static func unescaped(_ part: Substring) -> String {
        String(part).replacing("~1", with: "/").replacing("~0", with: "~")
    }
}
