/// Buffers text and writes it in large pieces; limited to `TraceLimits.writeBuffer` and one piece.
struct BufferedOutput<Output: TraceOutput & ~Copyable>: ~Copyable {
    private(set) var output: Output
    private var buffer: [UInt8] = []

    init(_ output: consuming Output) {
        self.output = output
        buffer.reserveCapacity(TraceLimits.writeBuffer)
    }

    mutating func write(_ text: String) throws(TraceError) {
        buffer += text.utf8
        if buffer.count >= TraceLimits.writeBuffer { try flush() }
    }

    mutating func write(_ number: UInt64) throws(TraceError) {
        let start = buffer.count
        var rest = number
        repeat {
            buffer.append(UInt8(ascii: "0") + UInt8(rest % 10))
            rest /= 10
        } while rest > 0
        buffer[start...].reverse()
        if buffer.count >= TraceLimits.writeBuffer { try flush() }
    }

    /// Writes the buffered text.
    mutating func flush() throws(TraceError) {
        if buffer.isEmpty { return }
        // The buffer is cleared even if the write fails, so that memory stays bounded.
        let piece = buffer
        buffer.removeAll(keepingCapacity: true)
        try output.write(piece)
    }

    consuming func finished() -> Output { output }
}
