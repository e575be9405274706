/// A message of Open Sound Control that another machine sent: its address, and its arguments as
/// words.
package struct OSCReport: Equatable {
    /// The address, such as `/ch/01/mix/on`.
    package private(set) var address: String
    /// Texts and numbers as they are, `on` for true and `off` for false. A number with nothing
    /// after its point is a whole one.
    package private(set) var words: [String] = []

    /// Reads a datagram; nil if it is no message. A bundle is none.
    ///
    /// An argument of another type than `i h f d s S T F` is left out, with all that follow.
    package init?(_ datagram: ArraySlice<UInt8>) {
        var rest = datagram
        guard let address = Self.text(&rest), address.hasPrefix("/") else { return nil }
        self.address = address
        // Old senders leave the types out.
        guard let types = Self.text(&rest), types.hasPrefix(",") else { return }
        for type in types.utf8.dropFirst() {
            guard let word = Self.word(type, &rest) else { return }
            words.append(word)
        }
    }

    private static func word(_ type: UInt8, _ rest: inout ArraySlice<UInt8>) -> String? {
        switch Character(UnicodeScalar(type)) {
        case "i": number(&rest, UInt32.self).map { String(Int32(bitPattern: $0)) }
        case "h": number(&rest, UInt64.self).map { String(Int64(bitPattern: $0)) }
        case "f": number(&rest, UInt32.self).map { word(Float(bitPattern: $0)) }
        case "d": number(&rest, UInt64.self).map { word(Double(bitPattern: $0)) }
        case "s", "S": text(&rest)
        case "T": "on"
        case "F": "off"
        case _: nil
        }
    }

    private static func word<Number: BinaryFloatingPoint & LosslessStringConvertible>(
        _ number: Number
    ) -> String {
        Int32(exactly: number).map { String($0) } ?? String(number)
    }

    /// A text up to its NUL, with the bytes that fill it up to four.
    private static func text(_ rest: inout ArraySlice<UInt8>) -> String? {
        guard let end = rest.firstIndex(of: 0) else { return nil }
        let bytes = rest[..<end]
        rest = rest.dropFirst(bytes.count + 4 - bytes.count % 4)
        return String(validating: bytes, as: UTF8.self)
    }

    private static func number<Number: FixedWidthInteger>(
        _ rest: inout ArraySlice<UInt8>, _: Number.Type
    ) -> Number? {
        let size = Number.bitWidth / 8
        guard rest.count >= size else { return nil }
        defer { rest = rest.dropFirst(size) }
        return rest.prefix(size).reduce(0) { $0 << 8 | Number($1) }
    }
}
