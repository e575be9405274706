import DetentTypes

/// Writes a capture as `t_ns,line,value`, edge by edge, in bounded memory.
///
/// Rows must be in order of time. Call `finish` at the end; otherwise buffered rows are lost.
struct CaptureCSVWriter<Output: TraceOutput & ~Copyable>: ~Copyable {
    private var output: BufferedOutput<Output>
    // Not `let`: otherwise Swift 6.2 does not allow the initializer to call a mutating method of a
    // noncopyable value.
    private var lines: [String]

    /// Writes the header and the levels at 0; lines without a level have no row.
    ///
    /// - Throws: `TraceError`, also for a name that the format does not support: an empty name, or
    ///   one with a comma, a quotation mark or a control character.
    init(
        _ output: consuming Output, lines: [String], initialLevels: [Bool?]
    ) throws(TraceError) {
        self.output = BufferedOutput(output)
        self.lines = lines
        for line in lines {
            let isPlain = line.utf8.allSatisfy {
                $0 >= 0x20 && $0 != 0x7F && $0 != UInt8(ascii: ",") && $0 != UInt8(ascii: "\"")
            }
            if line.isEmpty || !isPlain {
                throw TraceError(
                    cause: "CSV does not support the line name `\(line)`",
                    remedy: "write VCD, or use a line name without commas and quotation marks")
            }
        }
        try self.output.write("t_ns,line,value\n")
        for (line, level) in zip(lines.indices, initialLevels) {
            if let level { try row(0, line, level ? "1" : "0") }
        }
    }

    /// Writes an edge. An edge at 0 is written at 1 ns, because rows at 0 are initial levels; a
    /// sample at 0 is the first one of its line.
    mutating func write(_ edge: Capture.Edge) throws(TraceError) {
        guard Int(edge.line) < lines.count else {
            throw TraceError(
                cause: "line \(edge.line) is not one of the \(lines.count) lines",
                remedy: "declare it at the start")
        }
        if let sample = edge.sample {
            return try row(edge.at.nanoseconds, Int(edge.line), String(sample))
        }
        try row(max(1, edge.at.nanoseconds), Int(edge.line), edge.isHigh ? "1" : "0")
    }

    /// Writes the buffered rows and returns the output.
    consuming func finish() throws(TraceError) -> Output {
        try output.flush()
        return output.finished()
    }

    /// Writes the buffered rows, for a reader that follows the file.
    mutating func flush() throws(TraceError) { try output.flush() }

    private mutating func row(_ time: UInt64, _ line: Int, _ value: String) throws(TraceError) {
        try output.write(time)
        try output.write(",")
        try output.write(lines[line])
        try output.write(",")
        try output.write(value)
        try output.write("\n")
    }
}
