import DetentTypes

/// Records a session of sigrok, version 2, in pieces; each piece leaves a whole archive.
///
/// Times are rounded down to microseconds. Two edges of one line in the same microsecond are
/// written one sample apart, so that none is lost.
final class SigrokRecorder: CaptureRecorder {
    /// A file of the archive, for its directory.
    private struct Entry {
        var name: String
        var checksum: UInt32
        var packedSize: Int
        var size: UInt64
        var offset: Int
    }

    private var file: RecordingFile
    private var packer = Packer()
    private var entries: [Entry] = []
    /// Where the directory begins, which the next piece replaces.
    private var end: Int = 0
    /// The samples that were given to a packer.
    private var samples: UInt64 = 0
    private var level: [UInt8]
    private var lastEdges: [UInt64?]
    private var run: [UInt8] = []
    private var totalBytes: UInt64 = 0

    init(path: String, lines: [String], initialLevels: [Bool]) throws(TraceError) {
        file = try RecordingFile(path: path)
        level = [UInt8](repeating: 0, count: max(1, (lines.count + 7) / 8))
        lastEdges = Array(repeating: nil, count: lines.count)
        for (line, isHigh) in initialLevels.enumerated() where isHigh { flip(line) }
        var head: [UInt8] = []
        add("version", Array("2".utf8), to: &head)
        add("metadata", Array(Self.metadata(lines, unit: level.count).utf8), to: &head)
        try write(head)
        // An archive without samples cannot be read: a disk that fills before the first save would
        // leave one.
        try extend(to: 1)
        try endPiece()
    }

    func add(_ edge: Capture.Edge) throws(TraceError) {
        let line = Int(edge.line)
        try extend(to: edge.at.nanoseconds / Self.nanoseconds)
        if lastEdges[line] == samples { try extend(to: samples + 1) }
        let isHigh = level[line / 8] & 1 << UInt8(line % 8) != 0
        guard isHigh != edge.isHigh else { return }
        lastEdges[line] = samples
        flip(line)
    }

    func save(at now: Instant) throws(TraceError) {
        // A sample after the last edge, so that it is in the file.
        try extend(to: max(samples + 1, now.nanoseconds / Self.nanoseconds))
        try endPiece()
    }

    /// Nanoseconds of one sample.
    private static let nanoseconds = 1_000_000_000 / TraceLimits.sampleRate

    private func flip(_ line: Int) { level[line / 8] ^= 1 << UInt8(line % 8) }

    /// Adds samples of the present levels, up to this number of samples.
    private func extend(to count: UInt64) throws(TraceError) {
        guard count > samples else { return }
        let unit = level.count
        let perRun = max(1, min(UInt64(TraceLimits.writeBuffer / unit), count - samples))
        run.removeAll(keepingCapacity: true)
        run += level
        // By doubling: an edge costs little, also after a long silence.
        while run.count < Int(perRun) * unit { run += run }
        while samples < count {
            let next = min(perRun, count - samples)
            let bytes = UInt64(unit) * next
            guard totalBytes + bytes <= TraceLimits.sampleBytes else {
                throw TraceError(
                    cause: "the session is full: it has \(totalBytes) bytes of samples",
                    remedy: "record fewer lines or for a shorter time, or write CSV")
            }
            packer.add(run[..<Int(bytes)])
            samples += next
            totalBytes += bytes
            if packer.count >= TraceLimits.pieceBytes { try endPiece() }
        }
    }

    private func endPiece() throws(TraceError) {
        guard packer.count > 0 else { return }
        guard entries.count < TraceLimits.archiveEntries else {
            throw TraceError(
                cause: "the session is full: it has \(entries.count) pieces",
                remedy: "record for a shorter time, or write CSV")
        }
        packer.finish()
        let piece = entries.count - 1
        let entry = Entry(
            name: "logic-1-\(piece)", checksum: packer.checksum, packedSize: packer.packed.count,
            size: packer.count, offset: end)
        var bytes = header(entry, signature: 0x0403_4B50)
        bytes += packer.packed
        entries.append(entry)
        packer = Packer()
        do throws(TraceError) {
            try write(bytes)
        } catch {
            // The archive has the earlier pieces.
            entries.removeLast()
            throw error
        }
    }

    // MARK: The archive

    private func add(_ name: String, _ content: [UInt8], to bytes: inout [UInt8]) {
        var packer = Packer()
        packer.add(content[...])
        packer.finish()
        let entry = Entry(
            name: name, checksum: packer.checksum, packedSize: packer.packed.count,
            size: packer.count, offset: end + Int(bytes.count))
        bytes += header(entry, signature: 0x0403_4B50) + packer.packed
        entries.append(entry)
    }

    /// Writes new entries over the old directory, and a new directory after them.
    private func write(_ bytes: [UInt8]) throws(TraceError) {
        let start = end + Int(bytes.count)
        guard start < 0xFFFF_0000 else {
            throw TraceError(
                cause: "the session is full: it has \(start) bytes",
                remedy: "record for a shorter time, or write CSV")
        }
        var directory: [UInt8] = []
        for entry in entries { directory += header(entry, signature: 0x0201_4B50) }
        let count = UInt64(entries.count)
        let tail = Self.bytes([
            (0x0605_4B50, 4), (0, 4), (count, 2), (count, 2), (UInt64(directory.count), 4),
            (UInt64(start), 4), (0, 2),
        ])
        try file.replaceEnd(from: end, with: bytes + directory + tail)
        end = start
    }

    /// The header of an entry, before its data or in the directory.
    private func header(_ entry: Entry, signature: UInt64) -> [UInt8] {
        let isDirectory = signature == 0x0201_4B50
        var fields: [Field] = [(signature, 4)] + (isDirectory ? [(20, 2)] : [])
        // No time of day: equal recordings are equal files. 1980-01-01.
        fields += [
            (20, 2), (0, 2), (8, 2), (0, 2), (0x21, 2), (UInt64(entry.checksum), 4),
            (UInt64(entry.packedSize), 4), (entry.size, 4), (UInt64(entry.name.utf8.count), 2),
            (0, 2),
        ]
        if isDirectory { fields += [(0, 10), (UInt64(entry.offset), 4)] }
        return Self.bytes(fields) + entry.name.utf8
    }

    private typealias Field = (number: UInt64, bytes: Int)

    /// The numbers one after the other, each in little-endian order.
    private static func bytes(_ fields: [Field]) -> [UInt8] {
        fields.flatMap { number, count in
            (0..<count).map { $0 < 8 ? UInt8(truncatingIfNeeded: number >> UInt64(8 * $0)) : 0 }
        }
    }

    private static func metadata(_ lines: [String], unit: Int) -> String {
        let probes = lines.enumerated().map { place, name in
            let plain = name.unicodeScalars.map { $0.value < 0x20 ? " " : Character($0) }
            return "probe\(place + 1)=" + String(plain) + "\n"
        }
        return """
            [global]
            sigrok version=0.5.2

            [device 1]
            capturefile=logic-1
            total probes=\(lines.count)
            samplerate=\(TraceLimits.sampleRate / 1_000_000) MHz
            total analog=0
            \(probes.joined())unitsize=\(unit)

            """
    }
}
