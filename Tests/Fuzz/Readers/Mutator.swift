import DetentTypes

/// Damages inputs; equal seeds give equal damage.
struct Mutator {
    private var random: SplitMix64
    private let corpus: [[UInt8]]
    private let words: [[UInt8]]
    /// No input is longer.
    private static let most = 64 << 10

    init(seed: UInt64, corpus: [[UInt8]], words: [String]) {
        random = SplitMix64(seed: seed)
        self.corpus = corpus
        self.words = words.map { Array($0.utf8) }
    }

    /// The next input.
    mutating func next() -> [UInt8] {
        var bytes = corpus[pick(corpus.count)]
        for _ in 0...pick(6) { damage(&bytes) }
        if bytes.count > Self.most { bytes.removeLast(bytes.count - Self.most) }
        return bytes
    }

    private mutating func pick(_ count: Int) -> Int { Int(random.below(UInt64(count))) }

    private mutating func damage(_ bytes: inout [UInt8]) {
        let place = pick(bytes.count + 1)
        let end = min(bytes.count, place + pick(24))
        switch pick(9) {
        case 0: if place < bytes.count { bytes[place] = UInt8(pick(256)) }
        case 1: if place < bytes.count { bytes[place] ^= 1 << UInt8(pick(8)) }
        case 2: bytes.removeSubrange(place..<end)
        case 3: bytes.insert(contentsOf: Array(bytes[place..<end]), at: place)
        case 4: splice(&bytes, at: place)
        case 5: replaceNumber(&bytes, from: place)
        case 6: if random.chance(percent: 20) { bytes.removeSubrange(place...) }
        case 7: bytes.insert(contentsOf: words[pick(words.count)], at: place)
        case _: bytes.replaceSubrange(place..<end, with: words[pick(words.count)])
        }
    }

    /// A piece of another input, up to a few lines.
    private mutating func splice(_ bytes: inout [UInt8], at place: Int) {
        let other = corpus[pick(corpus.count)]
        let start = pick(other.count + 1)
        let count = pick(200)
        bytes.insert(contentsOf: other[start..<min(other.count, start + count)], at: place)
    }

    /// Another number instead of the next one.
    private mutating func replaceNumber(_ bytes: inout [UInt8], from place: Int) {
        func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")) ~= byte }
        guard let start = bytes[place...].firstIndex(where: isDigit) else { return }
        let end = bytes[start...].firstIndex { !isDigit($0) } ?? bytes.count
        let shift = UInt64(pick(64))
        bytes.replaceSubrange(start..<end, with: "\(random.next() >> shift)".utf8)
    }
}
