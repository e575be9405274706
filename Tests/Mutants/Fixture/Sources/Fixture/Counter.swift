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

    /// A number in a comparison has no mutant of its own where it would repeat that of the sign.
    func isLarge(_ number: Int) -> Bool { number >= 10 && 20 > number || number < 1 }

    /// The loop repeats a call after a signal, and the memory is only sized and given back.
    func attempts(_ call: () -> Int, errno: Int = 0) -> Int {
        let EINTR = 4
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 8, alignment: 8)
        defer { memory.deallocate() }
        while call() < 0, errno == EINTR {}
        return memory.count
    }
}
