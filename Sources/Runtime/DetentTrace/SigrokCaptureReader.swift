import DetentTypes

/// Reads a session file of sigrok, version 2: a ZIP with `version`, `metadata` and `logic-1-N`.
///
/// Each logic channel is a line. Its first sample is its initial level, and sample n is at n /
/// sample rate, rounded down to whole nanoseconds, but not to 0. Analog channels are ignored.
struct SigrokCaptureReader {
    private var builder = CaptureBuilder()
    private let metadata: SigrokMetadata
    private let lines: [(bit: Int, line: UInt16)]
    private var previous: [UInt8] = []
    /// The first bytes of a sample that is divided between two pieces.
    private var rest: [UInt8] = []
    private var sampleCount: UInt64 = 0

    static func read(_ source: ByteSource) throws(CaptureError) -> Capture {
        let archive = try ZIPArchive(source)
        let version = try text(of: "version", in: archive)
        if version.prefix(while: { !$0.isWhitespace }) != "2" {
            throw CaptureError(
                "a session of version `\(version.prefix(8))`",
                "save it again with sigrok 0.2 or later (version 2)")
        }
        let metadata = try SigrokMetadata(text(of: "metadata", in: archive))
        var reader = try SigrokCaptureReader(metadata)
        let pieces = try reader.pieces(in: archive)
        for piece in pieces {
            try archive.read(piece) { bytes throws(CaptureError) in try reader.receive(bytes) }
        }
        if !reader.rest.isEmpty {
            reader.builder.note("the last sample is truncated and was ignored")
        }
        return try reader.builder.finished()
    }

    private init(_ metadata: SigrokMetadata) throws(CaptureError) {
        self.metadata = metadata
        var lines: [(bit: Int, line: UInt16)] = []
        for (bit, name) in metadata.channels.sorted(by: { $0.key < $1.key }) {
            lines.append((bit, try builder.line(named: name, line: 0, column: 0)))
        }
        self.lines = lines
        if builder.capture.lines.count != lines.count {
            try builder.end("two channels have one name", "name each channel differently")
        }
    }

    private static func text(
        of name: String, in archive: ZIPArchive
    ) throws(CaptureError) -> String {
        guard let entry = archive.entries[name] else {
            throw CaptureError(
                "no `\(name)` in the archive", "use a sigrok session file, version 2 (.sr)")
        }
        if entry.size > TraceLimits.metadataSize {
            throw ZIPArchive.damaged("`\(name)` has \(entry.size) bytes")
        }
        var bytes: [UInt8] = []
        try archive.read(entry) { piece in bytes += piece }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// `logic-1`, or `logic-1-1`, `logic-1-2` … in order.
    private func pieces(in archive: ZIPArchive) throws(CaptureError) -> [ZIPArchive.Entry] {
        var result: [ZIPArchive.Entry] = []
        if let whole = archive.entries[metadata.captureFile] { result.append(whole) }
        while let piece = archive.entries["\(metadata.captureFile)-\(result.count + 1)"] {
            result.append(piece)
        }
        if result.isEmpty {
            throw CaptureError(
                "no samples (`\(metadata.captureFile.prefix(40))-1`) in the archive",
                "record the capture again")
        }
        let size = result.reduce(0 as UInt64) { $0 &+ $1.size }
        if size > TraceLimits.sampleBytes {
            throw CaptureError("\(size) bytes of samples", "split the capture into several files")
        }
        return result
    }

    private mutating func receive(_ piece: UnsafeRawBufferPointer) throws(CaptureError) {
        var piece = piece[...]
        let unit = metadata.unitSize
        if !rest.isEmpty {
            let missing = min(unit - rest.count, piece.count)
            rest += piece.prefix(missing)
            piece = piece.dropFirst(missing)
            if rest.count < unit { return }
            let sample = rest
            rest = []
            let taken = sample.withUnsafeBytes { bytes in
                Result { () throws(CaptureError) in try takeSample(bytes) }
            }
            try taken.get()
        }
        while piece.count >= unit {
            try takeSample(UnsafeRawBufferPointer(rebasing: piece.prefix(unit)))
            piece = piece.dropFirst(unit)
        }
        rest += piece
    }

    private mutating func takeSample(_ sample: UnsafeRawBufferPointer) throws(CaptureError) {
        defer { sampleCount += 1 }
        if sampleCount == 0 {
            previous = Array(sample)
            for (bit, line) in lines { builder.setInitial(line, sample.isHigh(bit)) }
            return
        }
        if previous.elementsEqual(sample) { return }
        let at = try time(ofSample: sampleCount)
        for (bit, line) in lines {
            let isHigh = sample.isHigh(bit)
            if isHigh != previous.isHigh(bit) {
                let edge = Capture.Edge(at: at, line: line, isHigh: isHigh)
                try builder.add(edge, line: 0, column: 0)
            }
        }
        for index in previous.indices { previous[index] = sample[index] }
    }

    private func time(ofSample number: UInt64) throws(CaptureError) -> Instant {
        let product = number.multipliedFullWidth(by: 1_000_000_000)
        if product.high >= metadata.sampleRate {
            try builder.end("times exceed 584 years", "check the sample rate")
        }
        // Above 1 GHz the second sample would be at the time of the first.
        return Instant(
            nanoseconds: max(1, metadata.sampleRate.dividingFullWidth(product).quotient))
    }
}

extension Collection<UInt8> where Index == Int {
    /// The level of a channel in the sample.
    fileprivate func isHigh(_ bit: Int) -> Bool {
        self[bit / 8] >> (bit % 8) & 1 != 0
    }
}
