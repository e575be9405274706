/// A capture that is read twice: once to find its lines and problems, then edge by edge.
///
/// A CSV or VCD of any length needs little memory. The edges of a sigrok session are in memory, up
/// to `TraceLimits.edges`.
///
/// Synchronization: none; one thread at a time.
public final class CaptureStream {
    /// The lines, initial levels and notes of the capture; its `edges` are empty.
    public let head: Capture
    private var reader: (any CaptureReader)?
    private var stored: ArraySlice<Capture.Edge> = []

    /// Opens a capture file; its extension selects the format.
    ///
    /// - Throws: `CaptureError` with all problems, as far as reading can continue after one.
    public convenience init(path: String) throws(CaptureError) {
        let format = try CaptureFormat(named: path)
        try self.init(ByteSource(path: path), format: format)
    }

    /// Reads a capture from memory.
    public convenience init(_ bytes: [UInt8], format: CaptureFormat) throws(CaptureError) {
        try self.init(ByteSource(bytes), format: format)
    }

    private init(_ source: ByteSource, format: CaptureFormat) throws(CaptureError) {
        switch format {
        case .csv:
            head = try Self.head(of: CSVCaptureReader(source))
            reader = try CSVCaptureReader(source)
        case .vcd:
            head = try Self.head(of: VCDCaptureReader(source))
            reader = try VCDCaptureReader(source)
        case .sigrok:
            var capture = try SigrokCaptureReader.read(source)
            stored = capture.edges[...]
            capture.edges = []
            head = capture
        }
    }

    private static func head(
        of reader: consuming some CaptureReader
    ) throws(CaptureError) -> Capture {
        var reader = reader
        while try reader.next() != nil {}
        return try reader.finished()
    }

    /// The next edge, in order of time; nil at the end.
    ///
    /// - Throws: `CaptureError` if the file has changed since it was opened, or cannot be read.
    public func next() throws(CaptureError) -> Capture.Edge? {
        if let edge = stored.popFirst() { return edge }
        if let edge = try reader?.next() {
            guard Int(edge.line) < head.lines.count else {
                throw CaptureError(
                    "it changed while it was read", "start the replay again when it is complete")
            }
            return edge
        }
        _ = try reader?.finished()
        return nil
    }
}
