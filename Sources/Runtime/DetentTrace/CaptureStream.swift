/// A capture that is read twice: once to find its lines and problems, then edge by edge.
///
/// A CSV or VCD of any length needs little memory. The edges of a sigrok session are in memory, up
/// to `TraceLimits.edges`.
///
/// Synchronization: none; one thread at a time. Exclusive access is not checked, because a capture
/// has millions of edges.
public final class CaptureStream {
    /// The lines, initial levels and notes of the capture; its `edges` are empty.
    public let head: Capture
    @exclusivity(unchecked) private var reader: (any CaptureReader)?
    /// Edges in memory: the next ones, or all of a sigrok session.
    @exclusivity(unchecked) private var edges: [Capture.Edge] = []
    /// The place of the next edge in `edges`.
    @exclusivity(unchecked) private var place = 0
    /// Why reading ended after `edges`.
    @exclusivity(unchecked) private var error: CaptureError?

    /// Opens a capture file; its extension selects the format.
    ///
    /// - Parameter analog: the names in the capture of lines that have samples.
    /// - Throws: `CaptureError` with all problems, as far as reading can continue after one.
    public convenience init(path: String, analog: Set<String> = []) throws(CaptureError) {
        let format = try CaptureFormat(named: path)
        try self.init(ByteSource(path: path), format: format, analog)
    }

    /// Reads a capture from memory.
    public convenience init(
        _ bytes: [UInt8], format: CaptureFormat, analog: Set<String> = []
    ) throws(CaptureError) {
        try self.init(ByteSource(bytes), format: format, analog)
    }

    private init(
        _ source: ByteSource, format: CaptureFormat, _ analog: Set<String>
    ) throws(CaptureError) {
        switch format {
        case .csv where try TableCaptureReader.canRead(source):
            head = try Self.head(of: TableCaptureReader(source))
            reader = try TableCaptureReader(source)
        case .csv:
            head = try Self.head(of: CSVCaptureReader(source, analog: analog))
            reader = try CSVCaptureReader(source, analog: analog)
        case .vcd:
            head = try Self.head(of: VCDCaptureReader(source, analog: analog))
            reader = try VCDCaptureReader(source, analog: analog)
        case .sigrok:
            var capture = try SigrokCaptureReader.read(source)
            edges = capture.edges
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
        if place == edges.count { try readAhead() }
        guard place < edges.count else { return nil }
        let edge = edges[place]
        guard Int(edge.line) < head.lines.count else {
            throw CaptureError(
                "it changed while it was read", "start the replay again when it is complete")
        }
        place += 1
        return edge
    }

    /// Reads the next edges into memory; none at the end.
    private func readAhead() throws(CaptureError) {
        if let error { throw error }
        guard reader != nil else { return }
        place = 0
        edges.removeAll(keepingCapacity: true)
        edges.reserveCapacity(TraceLimits.edgesAhead)
        do throws(CaptureError) {
            try reader?.read(into: &edges)
            if edges.isEmpty { _ = try reader?.finished() }
        } catch {
            guard !edges.isEmpty else { throw error }
            self.error = error
        }
    }
}
