public import DetentTypes

/// Writes a capture while it happens, in bounded memory. The file is whole after each `save`.
///
/// Times count from the start of the recording. After an error, the file has what was saved, and
/// nothing more can be added.
///
/// Synchronization: none; one thread.
public protocol CaptureRecorder: AnyObject {
    /// Adds an edge. Edges must be in order of time, and their lines must exist.
    func add(_ edge: Capture.Edge) throws(TraceError)

    /// Writes what was added; the recording reaches to `now`.
    func save(at now: Instant) throws(TraceError)
}

extension Capture {
    /// Begins a recording in a file; its extension selects the format.
    ///
    /// - Parameter initialLevels: nil for an analog line, whose samples are added.
    /// - Throws: `TraceError` if the file cannot be created, has another extension, or if the
    ///   format does not support a name or an analog line.
    public static func recorder(
        path: String, lines: [String], initialLevels: [Bool?]
    ) throws(TraceError) -> any CaptureRecorder {
        guard lines.count <= TraceLimits.lines else {
            throw TraceError(
                cause: "\(lines.count) lines, more than \(TraceLimits.lines)",
                remedy: "record fewer lines")
        }
        switch CaptureFormat(path: path) {
        case .csv: return try CSVRecorder(path: path, lines: lines, initialLevels: initialLevels)
        case .vcd: return try VCDRecorder(path: path, lines: lines, initialLevels: initialLevels)
        case .sigrok:
            for (line, level) in zip(lines, initialLevels) where level == nil {
                throw TraceError(
                    cause: "a sigrok session has levels, and `\(line)` is analog",
                    remedy: "name the file .csv or .vcd, or record other lines")
            }
            return try SigrokRecorder(
                path: path, lines: lines, initialLevels: initialLevels.map { $0 == true })
        case nil:
            throw TraceError(
                cause: "`\(path)` does not have the extension of a capture",
                remedy: "name it .csv, .vcd or .sr")
        }
    }
}

/// Records rows of `t_ns,line,value`.
final class CSVRecorder: CaptureRecorder {
    private var writer: CaptureCSVWriter<RecordingFile>

    init(path: String, lines: [String], initialLevels: [Bool?]) throws(TraceError) {
        writer = try CaptureCSVWriter(
            RecordingFile(path: path), lines: lines, initialLevels: initialLevels)
        try writer.flush()
    }

    func add(_ edge: Capture.Edge) throws(TraceError) { try writer.write(edge) }

    func save(at now: Instant) throws(TraceError) { try writer.flush() }
}

/// Records a value change dump.
final class VCDRecorder: CaptureRecorder {
    private var writer: VCDWriter<RecordingFile>

    init(path: String, lines: [String], initialLevels: [Bool?]) throws(TraceError) {
        writer = try VCDWriter(
            RecordingFile(path: path),
            signals: zip(lines, initialLevels).map { name, level in
                VCDSignal(scope: "lines", name: name, kind: level == nil ? .number : .wire)
            })
        for (line, level) in initialLevels.enumerated() {
            if let level { try writer.write(line, .bit(level), at: .zero) }
        }
        try writer.flush()
    }

    func add(_ edge: Capture.Edge) throws(TraceError) {
        if let sample = edge.sample {
            return try writer.write(Int(edge.line), .number(Double(sample)), at: edge.at)
        }
        // Time 0 holds the initial levels.
        let at = max(edge.at, Instant(nanoseconds: 1))
        try writer.write(Int(edge.line), .bit(edge.isHigh), at: at)
    }

    func save(at now: Instant) throws(TraceError) {
        try writer.advance(to: now)
        try writer.flush()
    }
}
