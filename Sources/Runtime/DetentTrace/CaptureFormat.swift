/// The formats of capture files.
public enum CaptureFormat: Equatable, Sendable, CaseIterable {
    /// Rows of `t_ns,line,value`, or a table with a column for each channel.
    case csv
    /// Value change dump, IEEE 1364.
    case vcd
    /// A sigrok session, version 2.
    case sigrok

    /// The format for the extension of a path, or an error for the user.
    init(named path: String) throws(CaptureError) {
        guard let format = CaptureFormat(path: path) else {
            throw CaptureError(
                "`\(path)` does not have the extension of a capture",
                "rename it to .csv, .vcd or .sr")
        }
        self = format
    }

    /// The format for the extension of a path, in upper or lower case; nil for other extensions.
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
    /// Reads a capture file; its extension selects the format.
    ///
    /// - Throws: `CaptureError` with all problems, as far as reading can continue after one.
    public init(path: String) throws(CaptureError) {
        let format = try CaptureFormat(named: path)
        try self.init(ByteSource(path: path), format: format)
    }

    /// Reads a capture from memory.
    public init(_ bytes: [UInt8], format: CaptureFormat) throws(CaptureError) {
        try self.init(ByteSource(bytes), format: format)
    }

    private init(_ source: ByteSource, format: CaptureFormat) throws(CaptureError) {
        switch format {
        case .csv where try TableCaptureReader.canRead(source):
            self = try Capture(reading: TableCaptureReader(source))
        case .csv: self = try Capture(reading: CSVCaptureReader(source))
        case .vcd: self = try Capture(reading: VCDCaptureReader(source))
        case .sigrok: self = try SigrokCaptureReader.read(source)
        }
    }
}
