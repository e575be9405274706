import DetentTypes

/// Events of a control without state that wait until the one in flight has ended.
///
/// Each runs once more, in the order in which it first came, however often it came, for the origin
/// that asked first. An event is a value from 0 to 31; eight different ones may wait.
///
/// Presses and releases stay in their order and alternate, so that none is left without its
/// release. The latest two that find no room are left out together.
struct PendingEvents: Equatable, BitwiseCopyable {
    /// A byte each, the first in the lowest: its value, and above it the place of who asked, plus
    /// one. 1 and 2 are a press and a release, which only the panel has. 0 where nothing waits.
    private var bytes: UInt64 = 0

    var isEmpty: Bool { bytes == 0 }

    /// Adds an event; false where too many others wait already.
    mutating func append(_ value: Value, _ origin: Origin) -> Bool {
        if value == .pressed || value == .released {
            appendHalf(value == .pressed ? 1 : 2)
            return true
        }
        guard value.optionBit != 0 else { return false }
        let event = UInt64(truncatingIfNeeded: value.raw)
        let byte = (UInt64(origin.place.rawValue) &+ 1) << 5 | event
        var place: UInt64 = 0
        while place < 64 {
            let present = (bytes >> place) & 0xFF
            if present > 31, present & 31 == event { return true }
            if present == 0 {
                bytes |= byte << place
                return true
            }
            place &+= 8
        }
        return false
    }

    /// Adds a press or a release.
    private mutating func appendHalf(_ byte: UInt64) {
        var latest: UInt64?
        var place: UInt64 = 0
        while place < 64, (bytes >> place) & 0xFF != 0 {
            if (bytes >> place) & 0xFF < 32 { latest = place }
            place &+= 8
        }
        if let latest, (bytes >> latest) & 0xFF == byte { return }
        if place < 64 {
            bytes |= byte << place
        } else if let latest {
            let later = (bytes >> latest) >> 8
            bytes = (bytes & ((1 << latest) &- 1)) | (later << latest)
        }
    }

    mutating func removeFirst() -> (value: Value, origin: Origin)? {
        guard bytes != 0 else { return nil }
        let byte = UInt8(truncatingIfNeeded: bytes)
        bytes >>= 8
        if byte < 32 { return (byte == 1 ? .pressed : .released, .panel) }
        return (Value(Int32(byte & 31)), Origin(rawValue: (byte >> 5) &- 1) ?? .panel)
    }
}
