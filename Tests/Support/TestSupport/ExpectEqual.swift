import Testing

/// Records an issue unless two values are equal.
///
/// It tells both values, as `#expect(actual == expected)` does. The compiler expands that macro,
/// parses it once more and checks its types twice: 30 ms for each, against 1 ms for a call. A test
/// target has hundreds of them. Conditions of another form use `#expect`.
///
/// - Parameter comment: said beside the values. It is made only if they differ.
public func expectEqual<Value: Equatable>(
    _ actual: Value, _ expected: Value, _ comment: @autoclosure () -> Comment? = nil,
    fileID: String = #fileID, filePath: String = #filePath, line: Int = #line,
    column: Int = #column
) {
    guard actual != expected else { return }
    let values = "got \(String(reflecting: actual)), expected \(String(reflecting: expected))"
    Issue.record(
        comment().map { "\($0.rawValue): \(values)" } ?? "\(values)",
        sourceLocation: SourceLocation(
            fileID: fileID, filePath: filePath, line: line, column: column))
}
