import DetentTypes

/// Events of a control without state that wait until the one in flight has ended.
///
/// Each runs once more, in the order in which it first came, however often it came. An event is a
/// value from 0 to 31; eight different ones may wait.
struct WaitingEvents: Equatable, BitwiseCopyable {
    /// A byte each, the first in the lowest; the value plus one, 0 where nothing waits.
    private var bytes: UInt64 = 0

    var isEmpty: Bool { bytes == 0 }

    /// Adds an event; false where too many others wait already.
    mutating func append(_ value: Value) -> Bool {
        guard value.raw >= 0, value.raw < 32 else { return false }
        let byte = UInt64(truncatingIfNeeded: value.raw) &+ 1
        var place: UInt64 = 0
        while place < 64 {
            let present = (bytes >> place) & 0xFF
            if present == byte { return true }
            if present == 0 {
                bytes |= byte << place
                return true
            }
            place &+= 8
        }
        return false
    }

    mutating func removeFirst() -> Value? {
        guard bytes != 0 else { return nil }
        let byte = bytes & 0xFF
        bytes >>= 8
        return Value(Int32(truncatingIfNeeded: byte) &- 1)
    }
}
