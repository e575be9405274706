public import DetentPanel
public import DetentTypes

/// How a scenario went.
public struct ScenarioResult: Equatable, Sendable {
    /// A step that did not go as the file says.
    public struct Failure: Equatable, Sendable {
        /// The place of the step in the file.
        public var place: SourcePlace
        /// Expected, found, at which time, and the last events; several lines.
        public var text: String

        /// Makes a failure.
        package init(place: SourcePlace, text: String) {
            self.place = place
            self.text = text
        }
    }

    /// The scenario, as it was named.
    public var file: String
    /// The panel; nil where the scenario did not come to run.
    public var plan: PanelPlan?
    /// The seed that it ran with.
    public var seed: UInt64
    /// How many steps were done.
    public var steps: Int
    /// What was not as expected; empty if it passed.
    public var failures: [Failure]
    /// Time at the end, since the start.
    public var duration: TimeSpan
    /// Event lines, each ended by a line feed.
    public var events: [String]
    /// All that happened, as values; empty for a run on real lines.
    public var record = VirtualRecord()
    /// It took real time, on a kernel's lines.
    public var isReal = false

    /// Makes a result.
    package init(
        file: String, plan: PanelPlan? = nil, seed: UInt64, steps: Int, failures: [Failure],
        duration: TimeSpan, events: [String], record: VirtualRecord = VirtualRecord(),
        isReal: Bool = false
    ) {
        self.file = file
        self.plan = plan
        self.seed = seed
        self.steps = steps
        self.failures = failures
        self.duration = duration
        self.events = events
        self.record = record
        self.isReal = isReal
    }

    /// Whether every step went as the file says.
    public var isPassed: Bool { failures.isEmpty }

    /// The result for people: one line, and the failures beneath.
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
    /// The time in milliseconds, as far as a person wants to know: `1221.955 ms`.
    package var milliseconds: String {
        let micro = nanoseconds / 1_000
        var text = "\(micro / 1_000)"
        if micro % 1_000 != 0 {
            let digits = String(micro % 1_000)
            text += "." + String(repeating: "0", count: 3 - digits.count) + digits
        }
        return text + " ms"
    }
}
