public import DetentPanel

/// Runs scenario files as `detent test` does.
public enum ScenarioFile {
    /// A result, or the problems that kept the scenario from running.
    public enum Outcome: Equatable, Sendable {
        case ran(ScenarioResult)
        case unreadable([Problem])
    }

    /// Reads and runs a file; with `NAME.expected` beside `NAME.yaml`, its events are compared.
    ///
    /// - Parameters:
    ///   - isTraced: the result's record also holds what only a trace shows.
    ///   - isCompared: false leaves the expected trace out.
    public static func run(
        _ file: String, isTraced: Bool = false, isCompared: Bool = true
    ) -> Outcome {
        let reading = ScenarioReader.read(file: file)
        guard let scenario = reading.scenario else { return .unreadable(reading.problems) }
        let trace = isCompared ? try? SourceText.read(file: expectedTrace(of: file)) : nil
        return .ran(
            VirtualPlayer.run(scenario, expectedTrace: trace, isTraced: isTraced))
    }

    /// Where the expected trace of a scenario is.
    public static func expectedTrace(of file: String) -> String {
        let stem = file.hasSuffix(".yaml") ? String(file.dropLast(5)) : file
        return stem + ".expected"
    }
}
