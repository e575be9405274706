import DetentActions

/// Cuts the output of the listener for messages into its lines, in bounded memory.
///
/// A line is the number of a source, a space, and a report.
struct NumberedLines: Equatable {
    // The number and the space come on top of the report.
    private var lines = ReportLines(longest: ActionLimits.reportLine + 8)

    /// Takes the next bytes.
    ///
    /// - Returns: the reports and their sources. Lines without a number below `count` are left out.
    mutating func take(
        _ bytes: UnsafeRawBufferPointer, count: Int
    ) -> [(source: Int, report: [UInt8])] {
        lines.take(bytes).compactMap { line in
            guard let space = line.firstIndex(of: UInt8(ascii: " ")),
                let source = Int(String(decoding: line[..<space], as: UTF8.self)),
                (0..<count).contains(source)
            else { return nil }
            return (source, Array(line[(space + 1)...].prefix(ActionLimits.reportLine)))
        }
    }
}
