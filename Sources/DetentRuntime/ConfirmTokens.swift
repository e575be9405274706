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
        var value: Value
        var until: Instant
    }

    /// The tokens of each control, the oldest first. One control takes no place of another.
    private let entries = Mutex<[ControlID: [Entry]]>([:])
    private let makeToken: @Sendable () -> Token

    /// Makes an empty store.
    ///
    /// - Parameter makeToken: what makes a token; tests give their own.
    public init(makeToken: @escaping @Sendable () -> Token = ConfirmTokens.unguessable) {
        self.makeToken = makeToken
    }

    /// A token for an event of a control, good until `now` plus `RuntimeLimits.confirmTime`.
    ///
    /// Of more than `RuntimeLimits.confirmTokens` of this control, the oldest is forgotten.
    public func issue(_ control: ControlID, _ value: Value, at now: Instant) -> Token {
        let token = makeToken()
        entries.withLock { entries in
            var own = entries[control, default: []]
            own.removeAll { $0.until <= now }
            if own.count >= RuntimeLimits.confirmTokens { own.removeFirst() }
            own.append(Entry(token: token, value: value, until: now + RuntimeLimits.confirmTime))
            entries[control] = own
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
            var own = entries[control, default: []]
            own.removeAll { $0.until <= now }
            let found = own.firstIndex { $0.value == value && Self.isSame($0.token, token) }
            if let found { own.remove(at: found) }
            entries[control] = own.isEmpty ? nil : own
            return found != nil
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
