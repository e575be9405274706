/// Reads numbers from a message. What is missing is nil; nothing traps.
///
/// Inlined in other modules: a generic call that is not specialised takes a microsecond.
package struct MessageBytes {
    @usableFromInline package var rest: ArraySlice<UInt8>

    /// Reads from the beginning.
    @inlinable package init(_ bytes: ArraySlice<UInt8>) {
        rest = bytes
    }

    /// Whether all was read.
    @inlinable package var isEmpty: Bool { rest.isEmpty }

    /// The next number, low byte first.
    @inlinable package mutating func number<Number: FixedWidthInteger>(_: Number.Type) -> Number? {
        let size = Number.bitWidth / 8
        guard rest.count >= size else { return nil }
        var number: Number = 0
        for byte in rest.prefix(size).reversed() {
            number = (number << 8) | Number(truncatingIfNeeded: byte)
        }
        rest = rest.dropFirst(size)
        return number
    }

    /// The next truth: 0 or 1, and nothing else.
    @inlinable package mutating func truth() -> Bool? {
        switch number(UInt8.self) {
        case 0: false
        case 1: true
        case _: nil
        }
    }

    /// The next bytes.
    @inlinable package mutating func bytes(_ count: Int) -> ArraySlice<UInt8>? {
        guard count >= 0, rest.count >= count else { return nil }
        let found = rest.prefix(count)
        rest = rest.dropFirst(count)
        return found
    }

    /// The next bytes after their count; for what is read once, such as settings.
    package mutating func field() -> ArraySlice<UInt8>? {
        number(UInt32.self).flatMap { bytes(Int($0)) }
    }

    /// The next text after its count.
    package mutating func text() -> String? {
        field().map { String(decoding: $0, as: UTF8.self) }
    }

    /// Adds bytes after their count.
    package static func add(field: some Collection<UInt8>, to bytes: inout [UInt8]) {
        add(UInt32(clamping: field.count), to: &bytes)
        bytes += field
    }

    /// Adds a number, low byte first.
    @inlinable package static func add<Number: FixedWidthInteger>(
        _ number: Number, to bytes: inout [UInt8]
    ) {
        withUnsafeBytes(of: number.littleEndian) { bytes += $0 }
    }
}
