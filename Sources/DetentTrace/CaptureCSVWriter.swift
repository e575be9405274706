import DetentTypes

/// Writes a capture as `t_ns,line,value`, edge by edge, in bounded memory.
///
/// Rows must come in order of time. Call `finish` at the end: what is gathered is lost without it.
public struct CaptureCSVWriter<Output: TraceOutput & ~Copyable>: ~Copyable {
    private var output: BufferedOutput<Output>
    // Not `let`: Swift 6.2 lets an initialiser call no mutating method of a noncopyable value then.
    private var lines: [String]

    /// Writes the header and the levels at 0; lines without a level get no row.
    ///
    /// - Throws: also for a name that the format cannot hold: empty, or with a comma, a quotation
    ///   mark or a control character.
    public init(
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
                    cause: "CSV cannot hold the line name `\(line)`",
                    remedy: "write VCD, or name it without commas and quotation marks")
            }
        }
        try self.output.write("t_ns,line,value\n")
        for (line, level) in zip(lines.indices, initialLevels) {
            if let level { try row(0, line, level) }
        }
    }

    /// Writes an edge. One at 0 stands at 1 ns, as rows at 0 are initial levels.
    public mutating func write(_ edge: Capture.Edge) throws(TraceError) {
        guard Int(edge.line) < lines.count else {
            throw TraceError(
                cause: "line \(edge.line) is none of the \(lines.count) lines",
                remedy: "name it at the start")
        }
        try row(max(1, edge.at.nanoseconds), Int(edge.line), edge.isHigh)
    }

    /// Writes what is gathered and gives the output back.
    public consuming func finish() throws(TraceError) -> Output {
        try output.flush()
        return output.finished()
    }

    /// Writes what is gathered, for a reader that follows.
    public mutating func flush() throws(TraceError) { try output.flush() }

    private mutating func row(_ time: UInt64, _ line: Int, _ isHigh: Bool) throws(TraceError) {
        try output.write(time)
        try output.write(",")
        try output.write(lines[line])
        try output.write(isHigh ? ",1\n" : ",0\n")
    }
}
