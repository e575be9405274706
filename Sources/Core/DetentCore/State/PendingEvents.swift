import DetentTypes

/// Events of a control without state that wait until the one in flight has ended.
///
/// Each runs once more, in the order in which it first came, however often it came, for the origin
/// that asked first. An event is a value from 0 to 31; eight different ones may wait.
struct PendingEvents: Equatable, BitwiseCopyable {
    /// A byte each, the first in the lowest: its value, and above it the place of who asked, plus
    /// one. 0 where nothing waits.
    private var bytes: UInt64 = 0

    var isEmpty: Bool { bytes == 0 }

    /// Adds an event; false where too many others wait already.
    mutating func append(_ value: Value, _ origin: Origin) -> Bool {
        guard value.optionBit != 0 else { return false }
        let event = UInt64(truncatingIfNeeded: value.raw)
        let byte = (UInt64(origin.place.rawValue) &+ 1) << 5 | event
        var place: UInt64 = 0
        while place < 64 {
            let present = (bytes >> place) & 0xFF
            if present != 0, present & 31 == event { return true }
            if present == 0 {
                bytes |= byte << place
                return true
            }
            place &+= 8
        }
        return false
    }

    mutating func removeFirst() -> (value: Value, origin: Origin)? {
        guard bytes != 0 else { return nil }
        let byte = UInt8(truncatingIfNeeded: bytes)
        bytes >>= 8
        return (Value(Int32(byte & 31)), Origin(rawValue: (byte >> 5) &- 1) ?? .panel)
    }
}
