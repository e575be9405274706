import DetentServer
import Testing

@Suite struct ServerLimitsTests {
    @Test func boundsArePositive() {
        #expect(ServerLimits.connections > 0)
    }
}
