import Glibc

/// Finds the index of a line by the bytes of its name, without making a `String`.
///
/// Synchronization: none. Exclusive access is not checked: each row of a capture looks here.
final class NameTable {
    /// The bytes of all names, one after another.
    @exclusivity(unchecked) private var letters: [UInt8] = []
    /// Where each name begins in `letters`, and where the last one ends.
    @exclusivity(unchecked) private var starts = [0]
    @exclusivity(unchecked) private var places: [UInt16] = []
    /// Index in `places` plus 1; 0 if free. A power of two, at most half of it in use.
    @exclusivity(unchecked) private var slots: [UInt16] = Array(repeating: 0, count: 64)

    /// The name that was found last, and its index: most rows have the line of the row before.
    private let latest = UnsafeMutablePointer<UInt8>.allocate(capacity: TraceLimits.wordLength)
    @exclusivity(unchecked) private var latestCount = 0
    @exclusivity(unchecked) private var latestPlace: UInt16 = 0

    deinit { latest.deallocate() }

    /// The index of a name; nil if it was not inserted.
    func index(of name: UnsafeBufferPointer<UInt8>) -> UInt16? {
        guard let first = name.baseAddress, name.count > 0 else { return nil }
        if name.count == latestCount, memcmp(latest, first, name.count) == 0 { return latestPlace }
        let slot = Int(slots[slot(of: name)])
        guard slot > 0 else { return nil }
        latestPlace = places[slot - 1]
        latestCount = name.count <= TraceLimits.wordLength ? name.count : 0
        latest.update(from: first, count: latestCount)
        return latestPlace
    }

    /// Adds a name; at most `TraceLimits.lines`, because each is a line.
    func insert(_ name: ArraySlice<UInt8>, _ place: UInt16) {
        guard name.withUnsafeBufferPointer(self.index(of:)) == nil else { return }
        letters += name
        starts.append(letters.count)
        places.append(place)
        guard places.count * 2 > slots.count else { return fill(places.count - 1) }
        slots = Array(repeating: 0, count: slots.count * 2)
        for index in places.indices { fill(index) }
    }

    private func fill(_ index: Int) {
        let name = letters[starts[index]..<starts[index + 1]]
        slots[name.withUnsafeBufferPointer(slot(of:))] = UInt16(index + 1)
    }

    /// The slot of a name, or the free slot where it belongs.
    private func slot(of name: UnsafeBufferPointer<UInt8>) -> Int {
        var slot = Self.hash(name) & (slots.count - 1)
        while slots[slot] != 0, !isName(Int(slots[slot]) - 1, name) {
            slot = (slot + 1) & (slots.count - 1)
        }
        return slot
    }

    private func isName(_ index: Int, _ name: UnsafeBufferPointer<UInt8>) -> Bool {
        let start = starts[index]
        guard starts[index + 1] - start == name.count, let first = name.baseAddress else {
            return false
        }
        return letters.withUnsafeBytes { memcmp($0.baseAddress! + start, first, name.count) == 0 }
    }

    /// FNV-1a.
    private static func hash(_ name: UnsafeBufferPointer<UInt8>) -> Int {
        var hash: UInt32 = 2_166_136_261
        for byte in name { hash = (hash ^ UInt32(byte)) &* 16_777_619 }
        return Int(hash)
    }
}
