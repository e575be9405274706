import DetentTypes

/// Builds a capture, collects problems, and enforces the limits.
struct CaptureBuilder {
    private(set) var capture = Capture()
    private var problems: [CaptureProblem] = []
    private var places: [String: UInt16] = [:]

    /// Adds a problem; reading ends when there are too many.
    mutating func report(_ problem: CaptureProblem) throws(CaptureError) {
        problems.append(problem)
        if problems.count >= TraceLimits.problems { throw CaptureError(problems: problems) }
    }

    mutating func note(_ text: String) {
        if capture.notes.count < TraceLimits.problems { capture.notes.append(text) }
    }

    /// The index of a line; adds the line if the name is new.
    mutating func line(named name: String, line: Int, column: Int) throws(CaptureError) -> UInt16 {
        if let place = places[name] { return place }
        if capture.lines.count >= TraceLimits.lines {
            try end(
                "more than \(TraceLimits.lines) lines", "remove lines that the panel does not have",
                line, column)
        }
        let place = UInt16(capture.lines.count)
        places[name] = place
        capture.lines.append(name)
        capture.initialLevels.append(nil)
        return place
    }

    mutating func setInitial(_ line: UInt16, _ isHigh: Bool?) {
        capture.initialLevels[Int(line)] = isHigh
    }

    mutating func add(_ edge: Capture.Edge, line: Int, column: Int) throws(CaptureError) {
        if capture.edges.count >= TraceLimits.edges {
            try end(
                "more than \(TraceLimits.edges) edges", "split the capture into several files",
                line, column)
        }
        capture.edges.append(edge)
    }

    /// The capture, if there were no problems.
    func finished() throws(CaptureError) -> Capture {
        if !problems.isEmpty { throw CaptureError(problems: problems) }
        return capture
    }

    /// Throws the problems so far and this one.
    func end(
        _ cause: String, _ remedy: String, _ line: Int = 0, _ column: Int = 0
    ) throws(CaptureError) -> Never {
        let last = CaptureProblem(line: line, column: column, cause: cause, remedy: remedy)
        throw CaptureError(problems: problems + [last])
    }
}
