import DetentRuntime
import DetentTypes
import Synchronization
import TestSupport
import Testing

@Suite struct ConfirmTokensTests {
    private let erase = ControlID(3)
    private let start = Instant(nanoseconds: 5_000_000_000)

    @Test func aTokenPassesOnceAndOnlyWhatItWasIssuedFor() {
        let tokens = ConfirmTokens()
        let token = tokens.issue(erase, .on, at: start)
        #expect(!tokens.redeem(token, for: ControlID(4), .on, at: start))
        #expect(!tokens.redeem(token, for: erase, Value(2), at: start))
        #expect(!tokens.redeem(String(token.dropLast()), for: erase, .on, at: start))
        #expect(!tokens.redeem("", for: erase, .on, at: start))
        #expect(tokens.redeem(token, for: erase, .on, at: start))
        #expect(!tokens.redeem(token, for: erase, .on, at: start))
    }

    @Test func aTokenEndsWithItsTime() {
        let tokens = ConfirmTokens()
        let early = tokens.issue(erase, .on, at: start)
        let late = tokens.issue(erase, .on, at: start)
        let end = start + RuntimeLimits.confirmTime
        #expect(
            tokens.redeem(early, for: erase, .on, at: Instant(nanoseconds: end.nanoseconds - 1)))
        #expect(!tokens.redeem(late, for: erase, .on, at: end))
    }

    @Test func theOldestIsForgottenWhenTooManyWait() {
        let tokens = ConfirmTokens()
        let issued = (0...RuntimeLimits.confirmTokens).map { _ in
            tokens.issue(erase, .on, at: start)
        }
        #expect(!tokens.redeem(issued[0], for: erase, .on, at: start))
        #expect(tokens.redeem(issued[1], for: erase, .on, at: start))
        #expect(tokens.redeem(issued[RuntimeLimits.confirmTokens], for: erase, .on, at: start))
    }

    /// Who asks one control again and again takes no token of another away.
    @Test func tokensOfOneControlPushOutNoOthers() {
        let tokens = ConfirmTokens()
        let kept = tokens.issue(erase, .on, at: start)
        for _ in 0..<1_000 { _ = tokens.issue(ControlID(4), .on, at: start) }
        #expect(tokens.redeem(kept, for: erase, .on, at: start))
    }

    @Test func tokensAreLongAndDiffer() {
        let tokens = (0..<1_000).map { _ in ConfirmTokens.unguessable() }
        expectEqual(Set(tokens).count, 1_000)
        #expect(tokens.allSatisfy { $0.count == 32 && $0.allSatisfy(\.isHexDigit) })
    }

    /// The controls of another panel may be others.
    @Test func theyEndWithThePanel() {
        let tokens = ConfirmTokens()
        let token = tokens.issue(ControlID(1), .on, at: .zero)
        tokens.end()
        #expect(!tokens.redeem(token, for: ControlID(1), .on, at: .zero))
    }

    @Test func onlyWhatLooksLikeATokenIsRead() {
        let token = ConfirmTokens.unguessable()
        expectEqual(ConfirmTokens.token(Array(token.utf8)[...]), token)
        for other in [
            "", "0", token + "0", String(token.dropLast()) + "G", token.uppercased() + "-",
        ] {
            expectEqual(ConfirmTokens.token(Array(other.utf8)[...]), nil, "\(other)")
        }
    }
}
