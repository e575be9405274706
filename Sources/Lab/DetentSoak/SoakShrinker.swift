public import DetentCore
import DetentTypes

/// Finds a short list of steps that breaks the same law.
public struct SoakShrinker {
    private let soak: Soak
    private let invariant: Invariant
    private var best: Soak.Failure
    private var runs = 0

    /// The shortest failure that was found: leaving out any one of its steps breaks no law, unless
    /// `SoakLimits.shrinkRuns` ended the search.
    public static func shrink(
        _ failure: Soak.Failure, of soak: Soak
    ) throws(EngineError) -> Soak.Failure {
        var shrinker = SoakShrinker(
            soak: soak, invariant: failure.violation.invariant, best: failure)
        try shrinker.removePieces()
        try shrinker.shortenPauses()
        try shrinker.removePieces()
        return shrinker.best
    }

    private init(soak: Soak, invariant: Invariant, best: Soak.Failure) {
        self.soak = soak
        self.invariant = invariant
        self.best = best
    }

    /// Leaves out halves, then quarters, and so on to single steps.
    private mutating func removePieces() throws(EngineError) {
        var size = max(1, best.steps.count / 2)
        while true {
            var end = best.steps.count
            var hasRemoved = false
            while end > 0 {
                let start = max(0, end - size)
                if try attempt(without(start..<end)) { hasRemoved = true }
                end = min(start, best.steps.count)
            }
            if size == 1, !hasRemoved { return }
            size = max(1, size / 2)
        }
    }

    /// The steps without some of them; later steps keep their moments.
    private func without(_ range: Range<Int>) -> [SoakStep] {
        var steps = best.steps
        let pause = steps[range].reduce(TimeSpan.zero) { $0 + $1.after }
        steps.removeSubrange(range)
        if range.lowerBound < steps.count {
            let next = steps[range.lowerBound]
            steps[range.lowerBound].after = next.after + pause
        }
        return steps
    }

    /// Replaces each pause by none, or by a round one.
    private mutating func shortenPauses() throws(EngineError) {
        for place in best.steps.indices {
            for pause in [TimeSpan.zero, .milliseconds(10), .milliseconds(100), .seconds(1)] {
                guard place < best.steps.count, best.steps[place].after > pause else { break }
                var steps = best.steps
                steps[place].after = pause
                if try attempt(steps) { break }
            }
        }
    }

    /// Takes steps that break the same law.
    private mutating func attempt(_ steps: [SoakStep]) throws(EngineError) -> Bool {
        guard runs < SoakLimits.shrinkRuns, !steps.isEmpty else { return false }
        runs += 1
        guard let failure = try soak.play(steps).failure,
            failure.violation.invariant == invariant, failure.steps.count <= best.steps.count
        else { return false }
        best = failure
        return true
    }
}
