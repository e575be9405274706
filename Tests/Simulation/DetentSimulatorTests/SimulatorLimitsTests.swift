import DetentSimulator
import Testing

@Suite struct SimulatorLimitsTests {
    @Test func boundsArePositive() {
        #expect(SimulatorLimits.steps > 0)
    }
}
