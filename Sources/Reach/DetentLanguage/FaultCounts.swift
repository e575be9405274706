import DetentPanel

/// Errors of a tree, without their places, and how many there are of each.
struct FaultCounts {
    struct Fault: Hashable {
        var rule: String
        var text: String
    }

    private var counts: [Fault: Int] = [:]
    private var places: [Fault: SourcePlace] = [:]

    init(_ problems: [Problem]) {
        for problem in problems {
            let fault = Fault(rule: problem.rule.name, text: problem.text)
            counts[fault, default: 0] += 1
            places[fault] = problem.place
        }
    }

    var isEmpty: Bool { counts.isEmpty }

    /// Whether there is no error that the others do not have.
    func isNoMore(than others: FaultCounts) -> Bool {
        counts.allSatisfy { fault, count in count <= others.counts[fault] ?? 0 }
    }

    /// The errors that are not at a place.
    func elsewhere(_ place: SourcePlace) -> Set<Fault> {
        Set(places.filter { $0.value != place }.map(\.key))
    }

    /// The same without some errors.
    func without(_ faults: Set<Fault>) -> FaultCounts {
        var rest = self
        for fault in faults { rest.counts[fault] = nil }
        return rest
    }
}
