import DetentTypes
import TestSupport
import Testing

@testable import DetentWorld

/// The numbers that scenarios use for failures.
@Suite struct FailureCodeTests {
    @Test(
        arguments: [
            (-1, ActionFailure.notStarted), (0, .exit(0)), (3, .exit(3)), (255, .exit(255)),
            (256, .http(status: 256)), (404, .http(status: 404)), (599, .http(status: 599)),
        ] as [(Int32, ActionFailure)])
    func aNumberStandsForAFailure(code: Int32, failure: ActionFailure) {
        expectEqual(ActionFailure(code: code), failure)
    }
}
