public import DetentTypes
import Synchronization

/// Tokens with which somebody who is not at the panel confirms something destructive.
///
/// The first request is answered with a token; a second one within the time that carries it passes.
/// A token is good for one control, one event and one use. It cannot be guessed: 128 random bits.
///
/// Synchronization: safe from any thread.
public final class ConfirmTokens: Sendable {
    /// A token as it is sent: 32 hexadecimal digits.
    public typealias Token = String

    private struct Entry {
        var token: Token
        var control: ControlID
        var value: Value
        var until: Instant
    }

    private let entries = Mutex<[Entry]>([])
    private let makeToken: @Sendable () -> Token

    /// Makes an empty store.
    ///
    /// - Parameter makeToken: what makes a token; tests give their own.
    public init(makeToken: @escaping @Sendable () -> Token = ConfirmTokens.unguessable) {
        self.makeToken = makeToken
    }

    /// A token for an event of a control, good until `now` plus `RuntimeLimits.confirmTime`.
    ///
    /// Of more than `RuntimeLimits.confirmTokens` that wait, the oldest is forgotten.
    public func issue(_ control: ControlID, _ value: Value, at now: Instant) -> Token {
        let token = makeToken()
        entries.withLock { entries in
            entries.removeAll { $0.until <= now }
            if entries.count >= RuntimeLimits.confirmTokens { entries.removeFirst() }
            entries.append(
                Entry(
                    token: token, control: control, value: value,
                    until: now + RuntimeLimits.confirmTime))
        }
        return token
    }

    /// Whether a token confirms this very event now; it is used up by that.
    ///
    /// The comparison takes the same time however much of the token is right.
    public func redeem(
        _ token: Token, for control: ControlID, _ value: Value, at now: Instant
    ) -> Bool {
        entries.withLock { entries in
            entries.removeAll { $0.until <= now }
            let found = entries.firstIndex { entry in
                entry.control == control && entry.value == value
                    && Self.isSame(entry.token, token)
            }
            guard let found else { return false }
            entries.remove(at: found)
            return true
        }
    }

    private static func isSame(_ one: Token, _ other: Token) -> Bool {
        guard one.utf8.count == other.utf8.count else { return false }
        return zip(one.utf8, other.utf8).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }

    /// 128 bits from the system, as hexadecimal digits.
    public static func unguessable() -> Token {
        var generator = SystemRandomNumberGenerator()
        let digits = Array("0123456789abcdef")
        var token = ""
        for _ in 0..<2 {
            var word = generator.next()
            for _ in 0..<16 {
                token.append(digits[Int(word & 15)])
                word >>= 4
            }
        }
        return token
    }
}
