import DetentActions

/// What the connection to a broker tells its panel.
///
/// It names attempts and sources by numbers, and the panel knows what they are.
package enum MQTTNote: Equatable, Sendable {
    /// How a publication ended.
    package enum Ending: Equatable, Sendable {
        /// The broker has acknowledged it; with quality 0, it was sent.
        case taken
        /// It was not sent.
        case away
        /// It was sent, and the connection broke before the broker acknowledged it.
        case broken
        /// The broker has refused it, with this code.
        case refused(UInt8)

        fileprivate var code: Int32 {
            switch self {
            case .taken: -1
            case .away: -2
            case .broken: -3
            case .refused(let code): Int32(code)
            }
        }

        fileprivate init?(code: Int32) {
            switch code {
            case -1: self = .taken
            case -2: self = .away
            case -3: self = .broken
            case _:
                guard let code = UInt8(exactly: code) else { return nil }
                self = .refused(code)
            }
        }
    }

    /// Why nothing is heard of a source.
    package enum Loss: UInt8, Sendable {
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
    case figures(MQTTFigures)

    /// The message.
    package var bytes: [UInt8] {
        switch self {
        case .heard(_, _, let report): row.bytes + report
        case .figures(let figures): row.bytes + figures.body
        case .up, .down, .ended, .lost: row.bytes
        }
    }

    /// The beginning of the message.
    var row: MessageRow {
        switch self {
        case .up: MessageRow(.up)
        case .down: MessageRow(.down)
        case .ended(let number, let ending):
            MessageRow(.ended, value: ending.code, request: number)
        case .heard(let source, let skipped, _):
            MessageRow(.heard, control: source, value: Int32(skipped))
        case .lost(let source, let loss):
            MessageRow(.lost, control: source, value: Int32(loss.rawValue))
        case .figures(let figures): figures.row
        }
    }

    /// Reads a note; nil if it is wrong. Fields that it does not use are not looked at.
    init?(_ row: MessageRow, _ body: ArraySlice<UInt8>) {
        switch row.tag {
        case .up: self = .up
        case .down: self = .down
        case .ended:
            guard let ending = Ending(code: row.value) else { return nil }
            self = .ended(row.request, ending)
        case .heard:
            guard let skipped = UInt16(exactly: row.value), body.count <= ActionLimits.reportLine
            else { return nil }
            self = .heard(row.control, skipped: skipped, Array(body))
        case .lost:
            guard let loss = UInt8(exactly: row.value).flatMap(Loss.init) else { return nil }
            self = .lost(row.control, loss)
        case .figures:
            guard let figures = MQTTFigures(row, body) else { return nil }
            self = .figures(figures)
        case .begin, .watch, .snapshot, .trace, .intent, .change, .fire, .resync, .lampTest, .close,
            .reload,
            .updates, .dropped, .served, .reloaded, .publish, .cancel, .ping, .alive, .token:
            return nil
        }
    }
}
