import DetentCore
import DetentTypes

/// Writes what `ImageReader` reads.
struct ImageWriter {
    private(set) var bytes: [UInt8] = []

    mutating func byte(_ byte: UInt8) { bytes.append(byte) }

    mutating func number(_ value: some FixedWidthInteger & UnsignedInteger) {
        var rest = UInt64(value)
        while rest > 0x7F {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    mutating func signed(_ value: Int64) {
        number(UInt64(bitPattern: value << 1 ^ value >> 63))
    }

    mutating func flag(_ flag: Bool) { byte(flag ? 1 : 0) }

    mutating func span(_ span: TimeSpan) { number(span.nanoseconds) }

    mutating func value(_ value: Value) { signed(Int64(value.raw)) }

    mutating func control(_ control: ControlID) { number(control.index) }

    mutating func line(_ line: LineID) { number(line.index) }

    mutating func level(_ level: Level) { flag(level == .active) }

    mutating func action(_ action: ActionID) { number(action.index) }

    mutating func range(_ range: PlanRange) {
        number(range.first)
        number(range.count)
    }

    /// A word whether there is one, and then it.
    mutating func optional<Wrapped>(
        _ value: Wrapped?, _ write: (inout ImageWriter, Wrapped) -> Void
    ) {
        flag(value != nil)
        if let value { write(&self, value) }
    }
}
