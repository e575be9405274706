public import DetentTypes
import Synchronization

/// Tokens with which a remote caller confirms a destructive control.
///
/// The answer to the first request carries a token. A second request with this token is accepted,
/// within a limited time. A token is valid for one control, one event and one use. It has 128
/// random bits, so it cannot be guessed.
///
/// Synchronization: safe from any thread.
public final class ConfirmTokens: Sendable {
    /// A token as it is sent: 32 hexadecimal digits.
    public typealias Token = String

    /// The letters of a token.
    public static var length: Int { 32 }

    /// A token of bytes that were received; nil if it is none that this type makes.
    public static func token(_ bytes: ArraySlice<UInt8>) -> Token? {
        let isOne =
            bytes.count == length
            && bytes.allSatisfy {
                UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0
                    || UInt8(ascii: "a")...UInt8(ascii: "f") ~= $0
            }
        return isOne ? String(decoding: bytes, as: UTF8.self) : nil
    }

    private struct Entry {
        var token: Token
        var value: Value
        var until: Instant
    }

    /// The tokens of each control, oldest first. The tokens of one control never displace those of
    /// another.
    private let entries = Mutex<[ControlID: [Entry]]>([:])
    private let makeToken: @Sendable () -> Token

    /// Makes an empty store.
    ///
    /// - Parameter makeToken: makes a token; tests pass their own.
    public init(makeToken: @escaping @Sendable () -> Token = ConfirmTokens.unguessable) {
        self.makeToken = makeToken
    }

    /// A token for an event of a control, good until `now` plus `RuntimeLimits.confirmTime`.
    ///
    /// If the control has more than `RuntimeLimits.confirmTokens`, the oldest becomes invalid.
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

    /// Whether a token confirms this event now. The call uses the token up.
    ///
    /// The comparison takes constant time.
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

    /// All tokens become invalid, as their controls may be others.
    public func end() { entries.withLock { $0 = [:] } }

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
