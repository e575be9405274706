/// The directory of a ZIP archive: stored and deflated entries, no encryption, no ZIP64.
struct ZIPArchive {
    /// One file of the archive.
    struct Entry: Equatable {
        var name: String
        var isDeflated: Bool
        var checksum: UInt32
        var packedSize: UInt64
        var size: UInt64
        /// The offset of the header before the data.
        var headerOffset: UInt64
    }

    private(set) var entries: [String: Entry] = [:]
    private let source: ByteSource

    /// Reads the directory.
    init(_ source: ByteSource) throws(CaptureError) {
        self.source = source
        let end = try Self.endRecord(of: source)
        let count = end.number(at: 10, bytes: 2)
        let size = end.number(at: 12, bytes: 4)
        let offset = end.number(at: 16, bytes: 4)
        if count > TraceLimits.archiveEntries || size == 0xFFFF_FFFF || offset == 0xFFFF_FFFF {
            throw Self.zip64
        }
        if size > TraceLimits.archiveTable {
            throw CaptureError(
                "the archive's directory has \(size) bytes, more than \(TraceLimits.archiveTable)",
                "save the session with sigrok again")
        }
        guard offset + size <= source.size else {
            throw Self.damaged("its directory is outside the file")
        }
        let table = try source.read(at: offset, count: Int(size))
        var place = 0
        for _ in 0..<count {
            guard place + 46 <= table.count, table.number(at: place, bytes: 4) == 0x0201_4B50 else {
                throw Self.damaged("its directory is damaged")
            }
            let lengths = [28, 30, 32].map { Int(table.number(at: place + $0, bytes: 2)) }
            let next = place + 46 + lengths[0] + lengths[1] + lengths[2]
            guard next <= table.count else { throw Self.damaged("its directory is damaged") }
            try add(table, at: place, nameLength: lengths[0])
            place = next
        }
        // A count that is too small would hide samples.
        guard place == table.count else {
            throw Self.damaged("its directory is longer than it says")
        }
    }

    private mutating func add(
        _ table: [UInt8], at place: Int, nameLength: Int
    ) throws(CaptureError) {
        let name = String(decoding: table[(place + 46)..<(place + 46 + nameLength)], as: UTF8.self)
        let method = table.number(at: place + 10, bytes: 2)
        let isEncrypted = table.number(at: place + 8, bytes: 2) & 1 != 0
        if isEncrypted || (method != 0 && method != 8) {
            throw CaptureError(
                "`\(name.prefix(40))` is encrypted or packed by method \(method)",
                "save the session with sigrok again")
        }
        let entry = Entry(
            name: name, isDeflated: method == 8,
            checksum: UInt32(table.number(at: place + 16, bytes: 4)),
            packedSize: table.number(at: place + 20, bytes: 4),
            size: table.number(at: place + 24, bytes: 4),
            headerOffset: table.number(at: place + 42, bytes: 4))
        if [entry.packedSize, entry.size, entry.headerOffset].contains(0xFFFF_FFFF) {
            throw Self.zip64
        }
        if entries.updateValue(entry, forKey: name) != nil {
            throw Self.damaged("it contains `\(name.prefix(40))` twice")
        }
    }

    /// Passes on an entry's bytes piece by piece, and checks length and checksum at the end.
    func read(
        _ entry: Entry, _ body: (UnsafeRawBufferPointer) throws(CaptureError) -> Void
    ) throws(CaptureError) {
        let header = try source.read(at: entry.headerOffset, count: 30)
        guard header.count == 30, header.number(at: 0, bytes: 4) == 0x0403_4B50 else {
            throw Self.damaged("`\(entry.name.prefix(40))` has no header")
        }
        var place =
            entry.headerOffset + 30 + header.number(at: 26, bytes: 2)
            + header.number(at: 28, bytes: 2)
        guard place + entry.packedSize <= source.size else {
            throw Self.damaged("`\(entry.name.prefix(40))` extends past the end of the file")
        }
        var unpacker = try Unpacker(isDeflated: entry.isDeflated)
        var remaining = entry.packedSize
        while remaining > 0 {
            let piece = try source.read(at: place, count: Int(min(remaining, 65_536)))
            if piece.isEmpty { break }
            place += UInt64(piece.count)
            remaining -= UInt64(piece.count)
            // The size in the archive is not trusted: reading ends when there is more.
            try unpacker.feed(piece, limit: entry.size, body)
        }
        if unpacker.count != entry.size || unpacker.checksum != entry.checksum {
            throw Self.damaged("`\(entry.name.prefix(40))` does not match its checksum")
        }
    }

    static func damaged(_ how: String) -> CaptureError {
        CaptureError("the ZIP archive is damaged: \(how)", "copy the file again")
    }

    /// The value of a field says that the number itself is in a record of ZIP64.
    private static var zip64: CaptureError {
        CaptureError("a ZIP64 archive", "split the capture into several files")
    }

    /// The record at the end; only a comment of at most 65,535 bytes may follow it.
    private static func endRecord(of source: ByteSource) throws(CaptureError) -> [UInt8] {
        let length = min(source.size, 22 + 65_535)
        let tail = try source.read(at: source.size - length, count: Int(length))
        var place = tail.count - 22
        while place >= 0 {
            if tail.number(at: place, bytes: 4) == 0x0605_4B50 { return Array(tail[place...]) }
            place -= 1
        }
        throw CaptureError("not a ZIP archive", "use a sigrok session file, version 2 (.sr)")
    }
}

extension [UInt8] {
    /// A number in little-endian order; the index must be in range.
    func number(at place: Int, bytes count: Int) -> UInt64 {
        var result: UInt64 = 0
        for index in (0..<count).reversed() { result = result << 8 | UInt64(self[place + index]) }
        return result
    }
}
