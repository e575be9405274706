import DetentActions
import DetentTypes
import DetentWall

/// A message that an action sends through the broker, with all placeholders and secrets replaced.
struct BrokerPublication: Equatable, Sendable {
    /// The attempt, which its answer names.
    var number: UInt32
    var topic: String
    var payload: String
    /// The broker keeps it and sends it to those that subscribe later.
    var isRetained = false
    /// It may be lost.
    var isFleeting = false
    /// Seconds until a broker of MQTT 5 drops it if it cannot deliver it; 0 for never.
    var expiry: UInt32 = 0
}

/// What a panel asks its connection to a broker for.
enum BrokerOrder: Equatable, Sendable {
    case publish(BrokerPublication)
    /// The attempt with this number is over: what was not sent yet is dropped.
    case cancel(UInt32)

    private enum Word: UInt8 {
        case publish = 1
        case cancel
    }

    /// The order in bytes.
    var bytes: [UInt8] {
        switch self {
        case .publish(let message):
            var bytes = [
                Word.publish.rawValue, message.isRetained ? 1 : 0, message.isFleeting ? 1 : 0,
            ]
            MessageBytes.add(message.number, to: &bytes)
            MessageBytes.add(message.expiry, to: &bytes)
            MessageBytes.add(UInt16(clamping: message.topic.utf8.count), to: &bytes)
            return bytes + message.topic.utf8.prefix(Int(UInt16.max)) + message.payload.utf8
        case .cancel(let number):
            var bytes = [Word.cancel.rawValue]
            MessageBytes.add(number, to: &bytes)
            return bytes
        }
    }

    /// Reads an order; nil if it is wrong.
    init?(_ bytes: [UInt8]) {
        var rest = MessageBytes(bytes[...])
        switch rest.number(UInt8.self).flatMap(Word.init) {
        case .publish:
            guard let isRetained = rest.truth(), let isFleeting = rest.truth(),
                let number = rest.number(UInt32.self), let expiry = rest.number(UInt32.self),
                let length = rest.number(UInt16.self),
                let topic = rest.bytes(Int(length))
            else { return nil }
            let payload = bytes.suffix(bytes.count - topic.endIndex)
            self = .publish(
                BrokerPublication(
                    number: number, topic: String(decoding: topic, as: UTF8.self),
                    payload: String(decoding: payload, as: UTF8.self), isRetained: isRetained,
                    isFleeting: isFleeting, expiry: expiry))
        case .cancel:
            guard let number = rest.number(UInt32.self), rest.isEmpty else { return nil }
            self = .cancel(number)
        case nil: return nil
        }
    }
}

/// What the connection to a broker tells its panel.
///
/// It reads what strangers send, so it is not trusted: it names attempts and sources by numbers,
/// and the panel knows what they are.
enum BrokerNote: Equatable, Sendable {
    /// How a publication ended.
    enum Ending: Equatable, Sendable {
        /// The broker has acknowledged it; with quality 0, it was sent.
        case taken
        /// It was not sent.
        case away
        /// It was sent, and the connection broke before the broker acknowledged it.
        case broken
        /// The broker has refused it, with this code.
        case refused(UInt8)
    }

    /// Why nothing is heard of a source.
    enum Loss: UInt8, Sendable {
        /// The other panel is away.
        case offline = 1
        /// A message was longer than a report may be.
        case tooLong
        /// The broker does not let the panel subscribe.
        case forbidden
    }

    /// The broker has accepted the connection.
    case up
    /// There is no connection.
    case down
    case ended(UInt32, Ending)
    /// A message of a source of `PanelPlan.brokerSources`; `skipped` counts those before it that
    /// were left out.
    case heard(UInt16, skipped: UInt16, [UInt8])
    case lost(UInt16, Loss)
    case figures(BrokerFigures)

    /// These differ from the words of `PanelRequest`.
    private enum Word: UInt8 {
        case up = 0x41
        case down, taken, away, broken, refused, heard, lost, figures
    }

    /// The message.
    var bytes: [UInt8] {
        switch self {
        case .up: return [Word.up.rawValue]
        case .down: return [Word.down.rawValue]
        case .ended(let number, let ending):
            var bytes: [UInt8]
            switch ending {
            case .taken: bytes = [Word.taken.rawValue]
            case .away: bytes = [Word.away.rawValue]
            case .broken: bytes = [Word.broken.rawValue]
            case .refused(let code): bytes = [Word.refused.rawValue, code]
            }
            MessageBytes.add(number, to: &bytes)
            return bytes
        case .heard(let source, let skipped, let report):
            var bytes = [Word.heard.rawValue]
            MessageBytes.add(source, to: &bytes)
            MessageBytes.add(skipped, to: &bytes)
            return bytes + report
        case .lost(let source, let loss):
            var bytes = [Word.lost.rawValue, loss.rawValue]
            MessageBytes.add(source, to: &bytes)
            return bytes
        case .figures(let figures): return [Word.figures.rawValue] + figures.bytes
        }
    }

    /// Reads a message; nil if it is wrong in any way.
    init?(_ message: ArraySlice<UInt8>) {
        var rest = MessageBytes(message)
        guard let word = rest.number(UInt8.self).flatMap(Word.init) else { return nil }
        if word == .heard {
            guard let source = rest.number(UInt16.self), let skipped = rest.number(UInt16.self),
                message.count - 5 <= ActionLimits.reportLine
            else { return nil }
            self = .heard(source, skipped: skipped, Array(message.dropFirst(5)))
            return
        }
        if word == .figures {
            guard let figures = BrokerFigures(message.dropFirst()) else { return nil }
            self = .figures(figures)
            return
        }
        guard let read = Self.read(word, &rest), rest.isEmpty else { return nil }
        self = read
    }

    private static func read(_ word: Word, _ rest: inout MessageBytes) -> BrokerNote? {
        switch word {
        case .up: return .up
        case .down: return .down
        case .taken: return rest.number(UInt32.self).map { .ended($0, .taken) }
        case .away: return rest.number(UInt32.self).map { .ended($0, .away) }
        case .broken: return rest.number(UInt32.self).map { .ended($0, .broken) }
        case .refused:
            guard let code = rest.number(UInt8.self), let number = rest.number(UInt32.self) else {
                return nil
            }
            return .ended(number, .refused(code))
        case .lost:
            guard let loss = rest.number(UInt8.self).flatMap(Loss.init),
                let source = rest.number(UInt16.self)
            else { return nil }
            return .lost(source, loss)
        case .heard, .figures: return nil
        }
    }
}
