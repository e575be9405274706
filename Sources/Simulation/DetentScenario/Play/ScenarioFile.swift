public import DetentPanel

/// Runs scenario files as `detent test` does.
public enum ScenarioFile {
    /// A result, or the problems that prevented the run.
    public enum Outcome: Equatable, Sendable {
        case ran(ScenarioResult)
        case unreadable([Problem])
    }

    /// Reads and runs a file; if `NAME.expected` exists for `NAME.yaml`, its events are compared.
    ///
    /// - Parameters:
    ///   - isTraced: whether the record also contains what only a trace shows.
    ///   - isCompared: whether the events are compared with the expected trace.
    public static func run(
        _ file: String, isTraced: Bool = false, isCompared: Bool = true
    ) -> Outcome {
        let reading = ScenarioReader.read(file: file)
        guard let scenario = reading.scenario else { return .unreadable(reading.problems) }
        let trace = isCompared ? try? SourceText.read(file: expectedTrace(of: file)) : nil
        return .ran(
            VirtualPlayer.run(scenario, expectedTrace: trace, isTraced: isTraced))
    }

    /// The path of a scenario's expected trace.
    public static func expectedTrace(of file: String) -> String {
        let stem = file.hasSuffix(".yaml") ? String(file.dropLast(5)) : file
        return stem + ".expected"
    }
}
