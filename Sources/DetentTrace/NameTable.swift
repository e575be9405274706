/// Finds the index of a line by the bytes of its name, without making a `String`.
struct NameTable {
    private var names: [[UInt8]] = []
    private var places: [UInt16] = []
    /// Index in `names` plus 1; 0 if free. A power of two, at most half of it in use.
    private var slots: [UInt16] = Array(repeating: 0, count: 64)

    /// The index of a name; nil if it was not inserted.
    func place(of name: ArraySlice<UInt8>) -> UInt16? {
        var slot = Self.hash(name) & (slots.count - 1)
        while slots[slot] != 0 {
            let index = Int(slots[slot]) - 1
            if names[index].elementsEqual(name) { return places[index] }
            slot = (slot + 1) & (slots.count - 1)
        }
        return nil
    }

    /// Adds a name; at most `TraceLimits.lines`, because each is a line.
    mutating func insert(_ name: ArraySlice<UInt8>, _ place: UInt16) {
        guard self.place(of: name) == nil else { return }
        names.append(Array(name))
        places.append(place)
        guard names.count * 2 > slots.count else { return fill(name, names.count - 1) }
        slots = Array(repeating: 0, count: slots.count * 2)
        for (index, name) in names.enumerated() { fill(name[...], index) }
    }

    private mutating func fill(_ name: ArraySlice<UInt8>, _ index: Int) {
        var slot = Self.hash(name) & (slots.count - 1)
        while slots[slot] != 0, slots[slot] != UInt16(index + 1) {
            slot = (slot + 1) & (slots.count - 1)
        }
        slots[slot] = UInt16(index + 1)
    }

    /// FNV-1a.
    private static func hash(_ name: ArraySlice<UInt8>) -> Int {
        var hash: UInt32 = 2_166_136_261
        for byte in name { hash = (hash ^ UInt32(byte)) &* 16_777_619 }
        return Int(hash)
    }
}
