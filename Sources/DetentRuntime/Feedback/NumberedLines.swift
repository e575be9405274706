import DetentActions

/// Cuts the output of the listener for messages into its lines, in bounded memory.
///
/// A line is the number of a source, a space, and a report.
struct NumberedLines: Equatable {
    private var rest: [UInt8] = []

    /// Takes the next bytes.
    ///
    /// - Returns: the newest report of each source, in the order of the numbers, and how many
    ///   before it came in this piece. Lines without a number below `count` are left out.
    mutating func take(
        _ bytes: UnsafeRawBufferPointer, count: Int
    ) -> [(source: Int, report: [UInt8], skipped: Int)] {
        var newest: [(report: [UInt8], skipped: Int)?] = Array(repeating: nil, count: count)
        for byte in bytes {
            if byte != UInt8(ascii: "\n") {
                // The number and the space come on top of the report.
                if rest.count < ActionLimits.reportLine + 8 { rest.append(byte) }
                continue
            }
            defer { rest = [] }
            guard let space = rest.firstIndex(of: UInt8(ascii: " ")),
                let source = Int(String(decoding: rest[..<space], as: UTF8.self)),
                newest.indices.contains(source)
            else { continue }
            let report = Array(rest[(space + 1)...].prefix(ActionLimits.reportLine))
            newest[source] = (report, newest[source].map { $0.skipped + 1 } ?? 0)
        }
        return newest.enumerated().compactMap { place, it in
            it.map { (place, $0.report, $0.skipped) }
        }
    }
}
