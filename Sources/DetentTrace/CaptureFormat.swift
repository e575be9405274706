/// The sorts of capture files.
public enum CaptureFormat: Equatable, Sendable, CaseIterable {
    /// Rows of `t_ns,line,value`.
    case csv
    /// Value change dump, IEEE 1364.
    case vcd
    /// Session of sigrok, version 2.
    case sigrok

    /// The format that a path's ending names, in either case of letters; nil for another ending.
    public init?(path: String) {
        guard let dot = path.lastIndex(of: ".") else { return nil }
        switch path[path.index(after: dot)...].lowercased() {
        case "csv": self = .csv
        case "vcd": self = .vcd
        case "sr": self = .sigrok
        default: return nil
        }
    }
}

extension Capture {
    /// Reads a capture file; the format is that of its ending.
    ///
    /// - Throws: all problems at once, as far as reading can go on after one.
    public init(path: String) throws(CaptureError) {
        guard let format = CaptureFormat(path: path) else {
            throw CaptureError(
                "`\(path)` has no ending of a capture", "name it .csv, .vcd or .sr")
        }
        try self.init(ByteSource(path: path), format: format)
    }

    /// Reads a capture from memory.
    public init(_ bytes: [UInt8], format: CaptureFormat) throws(CaptureError) {
        try self.init(ByteSource(bytes), format: format)
    }

    private init(_ source: ByteSource, format: CaptureFormat) throws(CaptureError) {
        switch format {
        case .csv: self = try CSVCaptureReader.read(source)
        case .vcd: self = try VCDCaptureReader.read(source)
        case .sigrok: self = try SigrokCaptureReader.read(source)
        }
    }
}
