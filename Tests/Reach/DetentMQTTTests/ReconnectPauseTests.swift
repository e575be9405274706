import DetentTypes
import Testing

@testable import DetentMQTT

@Suite struct ReconnectPauseTests {
    @Test(arguments: [1, 2, 3] as [UInt64])
    func pausesDoubleUpToSixSecondsAndVaryByHalf(seed: UInt64) {
        var pause = ReconnectPause(seed: seed)
        for middle in [1, 2, 4, 6, 6, 6] as [UInt64] {
            let span = pause.advance()
            #expect(span >= .milliseconds(middle * 500))
            #expect(span <= .milliseconds(middle * 1_500))
        }
        pause.reset()
        #expect(pause.advance() <= .milliseconds(1_500))
    }

    @Test func panelsThatStartTogetherDoNotConnectTogether() {
        var one = ReconnectPause(seed: 1)
        var other = ReconnectPause(seed: 2)
        #expect(one.advance() != other.advance())
    }
}
