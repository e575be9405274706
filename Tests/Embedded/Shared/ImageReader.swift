import DetentCore
import DetentTypes

/// Reads the bytes of a compiled panel or script, first to last.
///
/// Numbers are written seven bits a byte, the lowest first, and the highest bit of a byte says that
/// another follows. Damaged bytes give a wrong panel at worst: nothing is read past the end, and
/// `isDamaged` tells.
struct ImageReader {
    private let bytes: UnsafeRawBufferPointer
    private var place = 0
    /// Whether something was read that no writer has written.
    private(set) var isDamaged = false

    init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
    }

    /// Whether all bytes have been read.
    var isAtEnd: Bool { place >= bytes.count }

    /// An unknown word of a set was read; the first one is taken for it.
    mutating func reject() { isDamaged = true }

    mutating func byte() -> UInt8 {
        guard place < bytes.count else {
            isDamaged = true
            return 0
        }
        defer { place &+= 1 }
        return bytes[place]
    }

    mutating func number() -> UInt64 {
        var result: UInt64 = 0
        var shift: UInt64 = 0
        while shift < 64 {
            let next = byte()
            result |= UInt64(next & 0x7F) << shift
            if next & 0x80 == 0 { return result }
            shift &+= 7
        }
        isDamaged = true
        return 0
    }

    mutating func number16() -> UInt16 { UInt16(truncatingIfNeeded: number()) }

    mutating func number32() -> UInt32 { UInt32(truncatingIfNeeded: number()) }

    /// A number with a sign: 0, -1, 1, -2, 2 and so on, so that small ones are short.
    mutating func signed() -> Int64 {
        let raw = number()
        return Int64(bitPattern: raw >> 1) ^ (0 &- Int64(bitPattern: raw & 1))
    }

    mutating func flag() -> Bool { byte() != 0 }

    mutating func span() -> TimeSpan { TimeSpan(nanoseconds: number()) }

    mutating func value() -> Value { Value(Int32(truncatingIfNeeded: signed())) }

    mutating func control() -> ControlID { ControlID(number16()) }

    mutating func line() -> LineID { LineID(number16()) }

    mutating func level() -> Level { Level(flag()) }

    mutating func action() -> ActionID { ActionID(number16()) }

    mutating func range() -> PlanRange {
        let first = number16()
        return PlanRange(first: first, count: number16())
    }

    mutating func optionalControl() -> ControlID? { flag() ? control() : nil }
}
