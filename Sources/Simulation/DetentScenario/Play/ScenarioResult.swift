public import DetentPanel
public import DetentTypes

/// The result of a scenario.
public struct ScenarioResult: Equatable, Sendable {
    /// A step that failed.
    public struct Failure: Equatable, Sendable {
        /// The position of the step in the file.
        public var place: SourcePlace
        /// Expected, found, the time, and the last events; several lines.
        public var text: String
    }

    /// The file, as the user named it.
    public var file: String
    /// The panel; nil if the scenario did not run.
    public var plan: PanelPlan?
    /// The random seed of the run.
    public var seed: UInt64
    /// The number of steps performed.
    public var steps: Int
    /// The failures; empty if it passed.
    public var failures: [Failure]
    /// The time at the end, since the start.
    public var duration: TimeSpan
    /// Event lines, each with a line feed.
    public var events: [String]
    /// The recorded events; empty for a run on real lines.
    public var record = VirtualRecord()
    /// Whether it ran in real time, on a kernel's lines.
    public var isReal = false

    /// Whether every step passed.
    public var isPassed: Bool { failures.isEmpty }

    /// The result for people: one line, followed by the failures.
    public var text: String {
        var text = "\(isPassed ? "passed" : "FAILED") \(file): \(steps) steps, "
        let sort = isReal ? "real" : "virtual"
        text += "\(duration.milliseconds) of \(sort) time, seed \(seed)\n"
        for failure in failures {
            text += "\(file):\(failure.place.line):\(failure.place.column): error: "
            text += failure.text
        }
        return text
    }
}

extension TimeSpan {
    /// The time in milliseconds with up to three decimals: `1221.955 ms`.
    package var milliseconds: String {
        let micro = nanoseconds / 1_000
        let isWhole = micro % 1_000 == 0
        return isWhole
            ? "\(micro / 1_000) ms" : DecimalNumber.text(units: Int64(micro), decimals: 3) + " ms"
    }
}
