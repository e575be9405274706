import DetentHAL
import DetentHALTesting
import DetentTypes
import Testing

/// The suite on a world in memory, bare and wrapped in decorators that must not change anything.
@Suite struct BackendContractTests {
    @Test(arguments: BackendContract.checks)
    func holdsInMemory(check: ContractCheck) throws {
        try check.run(on: MemoryWorld())
    }

    @Test(arguments: BackendContract.checks)
    func recordingChangesNothing(check: ContractCheck) throws {
        let world = MemoryWorld()
        world.wrap = { RecordingBackend($0) }
        try check.run(on: world)
    }

    @Test(arguments: BackendContract.checks)
    func injectingNoFaultsChangesNothing(check: ContractCheck) throws {
        let world = MemoryWorld()
        world.wrap = { FaultInjectingBackend($0, faults: InjectedFaults(), seed: 1) }
        try check.run(on: world)
    }

    @Test func namesAreUnique() {
        let names = BackendContract.checks.map(\.name)
        #expect(Set(names).count == names.count)
    }

    /// A suite that cannot fail proves nothing: each of these faults must be noticed.
    @Test(arguments: ["loses", "reorders", "refuses", "delays"])
    func noticesFaults(kind: String) {
        var faults = InjectedFaults()
        switch kind {
        case "loses": faults.mergesOneEdgeIn = 2
        case "reorders": faults.reordersOneIn = 2
        case "refuses": faults.refusesOneLineIn = 2
        default:
            faults.delaysOneIn = 1
            faults.longestDelay = .seconds(60)
        }
        let failures = BackendContract.checks.filter { check in
            let world = MemoryWorld()
            world.wrap = { FaultInjectingBackend($0, faults: faults, seed: 7) }
            do {
                try check.run(on: world)
                return false
            } catch {
                return true
            }
        }
        #expect(!failures.isEmpty)
    }
}
