/// The last bytes of a stream, in bounded memory.
struct ByteTail: Equatable, Sendable {
    private var bytes: [UInt8] = []
    private var next = 0
    private let capacity: Int

    /// Makes an empty tail of at most `capacity` bytes.
    init(capacity: Int) {
        self.capacity = capacity
    }

    mutating func append(_ chunk: UnsafeRawBufferPointer) {
        for byte in chunk.suffix(capacity) {
            if bytes.count < capacity {
                bytes.append(byte)
            } else {
                bytes[next] = byte
                next = next + 1 == capacity ? 0 : next + 1
            }
        }
    }

    /// The bytes as text; bytes that are not UTF-8 are replaced. If the start was dropped, the rest
    /// of a character that was cut is dropped too.
    var text: String {
        let isCut = bytes.count == capacity
        let ordered = bytes[next...] + bytes[..<next]
        let start =
            isCut
            ? ordered.prefix(3).prefix { $0 & 0xC0 == 0x80 }.count : 0
        return String(decoding: ordered.dropFirst(start), as: UTF8.self)
    }
}
