import CZlib

@testable import DetentTrace

/// Makes small ZIP archives, as sigrok saves its sessions.
struct ArchiveBuilder {
    private var body: [UInt8] = []
    private var table: [UInt8] = []
    private var count = 0

    /// A whole session with these samples in pieces.
    static func session(
        metadata: String, pieces: [[UInt8]], version: String = "2", isDeflated: Bool = true
    ) -> [UInt8] {
        var builder = ArchiveBuilder()
        builder.add("version", Array(version.utf8), isDeflated: false)
        builder.add("metadata", Array(metadata.utf8), isDeflated: isDeflated)
        for (index, piece) in pieces.enumerated() {
            builder.add("logic-1-\(index + 1)", piece, isDeflated: isDeflated)
        }
        return builder.finished()
    }

    mutating func add(_ name: String, _ bytes: [UInt8], isDeflated: Bool) {
        let packed = isDeflated ? Self.deflated(bytes) : bytes
        let checksum = UInt64(crc32(0, bytes, uInt(bytes.count)))
        let common =
            Self.little(20, 2) + Self.little(0, 2) + Self.little(isDeflated ? 8 : 0, 2)
            + Self.little(0, 4) + Self.little(checksum, 4)
            + Self.little(UInt64(packed.count), 4) + Self.little(UInt64(bytes.count), 4)
            + Self.little(UInt64(name.utf8.count), 2) + Self.little(0, 2)
        table +=
            Self.little(0x0201_4B50, 4) + Self.little(20, 2) + common + Self.little(0, 2)
            + Self.little(0, 2) + Self.little(0, 2) + Self.little(0, 4)
            + Self.little(UInt64(body.count), 4) + Array(name.utf8)
        body += Self.little(0x0403_4B50, 4) + common + Array(name.utf8) + packed
        count += 1
    }

    /// The archive; `entryCount` and `tableSize` replace the numbers that are true.
    func finished(entryCount: Int? = nil, tableSize: UInt64? = nil) -> [UInt8] {
        let entryCount = UInt64(entryCount ?? count)
        return body + table + Self.little(0x0605_4B50, 4) + Self.little(0, 2) + Self.little(0, 2)
            + Self.little(entryCount, 2) + Self.little(entryCount, 2)
            + Self.little(tableSize ?? UInt64(table.count), 4) + Self.little(UInt64(body.count), 4)
            + Self.little(0, 2)
    }

    /// Writes a number over the entry at a place of the table.
    mutating func changeTable(entry: Int, field: Int, bytes: Int, to number: UInt64) {
        var start = 0
        for _ in 0..<entry {
            start +=
                46 + [28, 30, 32].reduce(0) { $0 + Int(table.number(at: start + $1, bytes: 2)) }
        }
        let place = start + field
        table.replaceSubrange(place..<(place + bytes), with: Self.little(number, bytes))
    }

    static func little(_ number: UInt64, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * UInt64($0))) }
    }

    /// Raw deflate data.
    private static func deflated(_ bytes: [UInt8]) -> [UInt8] {
        var stream = z_stream()
        deflateInit2_(
            &stream, 6, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
            Int32(MemoryLayout<z_stream>.size))
        var input = bytes
        var output = [UInt8](repeating: 0, count: Int(deflateBound(&stream, uLong(bytes.count))))
        let made = input.withUnsafeMutableBufferPointer { source in
            output.withUnsafeMutableBufferPointer { target in
                stream.next_in = source.baseAddress
                stream.avail_in = uInt(source.count)
                stream.next_out = target.baseAddress
                stream.avail_out = uInt(target.count)
                deflate(&stream, Z_FINISH)
                return Int(stream.total_out)
            }
        }
        deflateEnd(&stream)
        return Array(output[..<made])
    }
}
