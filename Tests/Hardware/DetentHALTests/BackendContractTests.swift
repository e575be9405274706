import DetentHAL
import DetentHALTesting
import DetentTypes
import SimulatedLines
import TestSupport
import Testing

/// The suite on decorators that must not change anything, and on faults that it must notice.
@Suite struct BackendContractTests {
    @Test(arguments: BackendContract.checks)
    func recordingChangesNothing(check: ContractCheck) throws {
        try check.run(on: SimulatedDriver { RecordingBackend($0) })
    }

    @Test(arguments: BackendContract.checks)
    func injectingNoFaultsChangesNothing(check: ContractCheck) throws {
        try check.run(
            on: SimulatedDriver {
                FaultInjectingBackend($0, faults: InjectedFaults(), seed: 1)
            })
    }

    /// A member that takes every line, behind one that takes none.
    @Test(arguments: BackendContract.checks)
    func joiningChangesNothing(check: ContractCheck) throws {
        try check.run(
            on: SimulatedDriver {
                let idle = ScriptedBackend()
                idle.descriptors = []
                idle.deadline = .never
                return JoinedBackend([
                    JoinedBackend.Member(idle) { _ in false },
                    JoinedBackend.Member($0) { _ in true },
                ])
            })
    }

    @Test func namesAreUnique() {
        let names = BackendContract.checks.map(\.name)
        expectEqual(Set(names).count, names.count)
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
            do {
                try check.run(
                    on: SimulatedDriver { FaultInjectingBackend($0, faults: faults, seed: 7) })
                return false
            } catch {
                return true
            }
        }
        #expect(!failures.isEmpty)
    }
}
