/// A piece of code with mutants of every fate: see expected.txt.
struct Counter {
    private(set) var count = 0
    private(set) var names: [String] = []

    /// Counts up to a limit, and says whether there was room.
    mutating func add(limit: Int) -> Bool {
        guard count < limit else { return false }
        count += 1
        return true
    }

    /// No test of it reaches the limit exactly.
    func isNear(_ limit: Int) -> Bool { count >= limit }

    /// A counter that is not counted down has no end.
    func steps() -> Int {
        var rest = count
        var steps = 0
        while rest != 0 {
            rest -= 1
            steps += 1
        }
        return steps
    }

    /// The compiler refuses to subtract names.
    mutating func name(_ more: [String]) { names += more }

    /// No test calls it.
    func isUnused() -> Bool { names.isEmpty || count == 0 }
}
