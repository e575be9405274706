import DetentHAL
import DetentHALTesting
import DetentTypes
import DetentWorld
import SimulatedLines
import TestSupport
import Testing

/// The contract of all backends, on the simulated one; nothing in it is not applicable there.
@Suite("The backend contract on the simulated backend")
struct BackendContractTests {
    @Test(arguments: BackendContract.checks)
    func holds(check: ContractCheck) throws {
        try check.run(on: SimulatedDriver())
    }

    /// The suite skips what a driver says it cannot do: this driver can do all of it.
    @Test func nothingIsSkipped() {
        let driver = SimulatedDriver()
        #expect(driver.countsEdges && driver.hasBias)
        #expect(driver.hold(line: 0) != nil)
        let output = LineSettings(
            line: LineID(1), name: "output", location: driver.locations[1], isActiveLow: false,
            direction: .output(initial: .active, onRelease: nil))
        #expect(driver.backend.open([output]).isEmpty)
        driver.backend.close()
        expectEqual(driver.wasHighWhenReleased(line: 1), true)
        #expect(driver.unplug())
    }
}
