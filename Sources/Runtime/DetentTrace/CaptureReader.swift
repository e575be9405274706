/// Reads a capture edge by edge, in memory that does not grow with it.
protocol CaptureReader {
    /// The lines, levels, notes and problems so far.
    var builder: CaptureBuilder { get set }
    /// The position of the last edge.
    var place: (line: Int, column: Int) { get }

    /// The next edge, in order of time; nil at the end.
    ///
    /// A problem that affects one edge is collected, and reading goes on after it.
    mutating func next() throws(CaptureError) -> Capture.Edge?
    /// Adds the next edges to `edges`, up to its capacity; none at the end.
    ///
    /// - Throws: after it has added the edges before the problem.
    mutating func read(into edges: inout [Capture.Edge]) throws(CaptureError)
    /// The capture without its edges, after the last of them; throws all problems.
    mutating func finished() throws(CaptureError) -> Capture
}

extension CaptureReader {
    mutating func read(into edges: inout [Capture.Edge]) throws(CaptureError) {
        while edges.count < edges.capacity, let edge = try next() { edges.append(edge) }
    }
}

extension Capture {
    /// Reads all edges into memory.
    init(reading reader: consuming some CaptureReader) throws(CaptureError) {
        var reader = reader
        while let edge = try reader.next() {
            try reader.builder.add(edge, line: reader.place.line, column: reader.place.column)
        }
        self = try reader.finished()
    }
}
