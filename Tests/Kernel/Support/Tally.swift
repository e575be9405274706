internal import DetentTypes
internal import Glibc

/// Runs checks by their names, prints their results, and counts.
public struct Tally {
    private let wanted: String
    private let excluded: [String]
    private let isRealTime: Bool
    /// Checks that passed.
    public private(set) var passed = 0
    /// Checks that failed.
    public private(set) var failed = 0

    /// Makes an empty tally.
    ///
    /// - Parameters:
    ///   - wanted: only checks whose names contain it run.
    ///   - excluded: checks whose names contain one of these do not run: this kernel lacks what
    ///     they need.
    ///   - isRealTime: a check that fails is tried a second time, and only that counts: a busy host
    ///     delays what counts milliseconds, and a fault of the program fails both times.
    public init(wanted: String, without excluded: [String] = [], isRealTime: Bool) {
        self.wanted = wanted
        self.excluded = excluded
        self.isRealTime = isRealTime
    }

    /// Runs a check.
    public mutating func run(_ name: String, _ body: () throws -> Void) {
        guard wanted.isEmpty || name.contains(wanted) else { return }
        if excluded.contains(where: { name.contains($0) }) { return }
        defer { fflush(nil) }
        if isRealTime {
            do {
                try body()
                return succeed(name)
            } catch {
                print("again \(name): \(error)")
            }
        }
        do {
            try body()
            succeed(name)
        } catch {
            failed += 1
            print("FAILED \(name): \(error)")
        }
    }

    /// Prints the sums, and returns the exit status.
    public func close() -> Int32 {
        print("\(passed) passed, \(failed) failed")
        return failed == 0 ? 0 : 1
    }

    private mutating func succeed(_ name: String) {
        passed += 1
        print("ok \(name)")
    }
}
