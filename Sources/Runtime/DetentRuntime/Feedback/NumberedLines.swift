import DetentActions

/// Cuts the output of the listener for messages into its lines, in bounded memory.
///
/// A line is the number of a source, a space, and a report.
struct NumberedLines: Equatable {
    // The number and the space come on top of the report.
    private var lines = ReportLines(longest: ActionLimits.reportLine + 8, most: .max)

    /// Takes the next bytes.
    ///
    /// - Returns: the reports and their sources, of each the newest `RuntimeLimits.waitingReports`.
    ///   Lines without a number below `count` are left out.
    mutating func take(
        _ bytes: UnsafeRawBufferPointer, count: Int
    ) -> [(source: Int, report: [UInt8])] {
        let all = reports(bytes, count: count)
        var left = [Int](repeating: RuntimeLimits.waitingReports, count: count)
        let newest = all.reversed().filter { it in
            left[it.source] -= 1
            return left[it.source] >= 0
        }
        return newest.reversed()
    }

    private mutating func reports(
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
