/// Packs the parts of a sigrok session into an archive with correct checksums.
enum PackedSession {
    /// An archive of a text whose parts begin with lines such as `@metadata`.
    static func bytes(of text: [UInt8]) -> [UInt8] {
        var body: [UInt8] = []
        var table: [UInt8] = []
        var count: UInt64 = 0
        for part in text.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: true) {
            let name = Array(part.prefix { $0 != UInt8(ascii: "\n") }.prefix(1_000))
            let content = Array(part.dropFirst(name.count + 1))
            let common =
                little(20, 2) + little(0, 8) + little(UInt64(checksum(content)), 4)
                + little(UInt64(content.count), 4) + little(UInt64(content.count), 4)
                + little(UInt64(name.count), 2) + little(0, 2)
            table += little(0x0201_4B50, 4) + little(20, 2) + common + little(0, 10)
            table += little(UInt64(body.count), 4) + name
            body += little(0x0403_4B50, 4) + common + name + content
            count += 1
        }
        return body + table + little(0x0605_4B50, 4) + little(0, 4) + little(count, 2)
            + little(count, 2) + little(UInt64(table.count), 4) + little(UInt64(body.count), 4)
            + little(0, 2)
    }

    private static func little(_ number: UInt64, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: number >> UInt64(8 * $0)) }
    }

    /// CRC-32 of a ZIP archive, bit by bit.
    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        var sum = UInt32.max
        for byte in bytes {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum >> 1 ^ (sum & 1 == 1 ? 0xEDB8_8320 : 0) }
        }
        return ~sum
    }
}
