/// One thing that every backend must do.
public struct ContractCheck: Sendable, CustomStringConvertible {
    /// A sentence in the present tense, unique in the suite.
    public let name: String
    let body: @Sendable (ContractBench) throws -> Void

    init(
        _ name: String,
        _ body: @escaping @Sendable (ContractBench) throws -> Void
    ) {
        self.name = name
        self.body = body
    }

    /// Runs the check with a fresh backend and closes it in any case.
    ///
    /// - Throws: `ContractFailure` with what was expected and what was found.
    public func run(on driver: any LineDriver) throws {
        let bench = ContractBench(driver: driver)
        defer { bench.close() }
        do {
            try body(bench)
        } catch is MissingCapability {
            // Nothing to check here.
        }
    }

    /// The name, for the list of a test run.
    public var description: String { name }
}

/// The lines of a driver cannot be what a check needs.
struct MissingCapability: Error {}

/// What a backend did that it must not do, or did not do that it must.
public struct ContractFailure: Error, Sendable, CustomStringConvertible {
    /// What was expected and what was found.
    public let description: String

    init(_ description: String) {
        self.description = description
    }
}

/// What every backend must do. Run each check separately, on a driver whose lines are all low.
public enum BackendContract {
    /// All checks in a fixed order.
    public static let checks: [ContractCheck] =
        levelChecks + edgeChecks + lossChecks + outputChecks + refusalChecks + absenceChecks
}
