import DetentTypes
import Testing

@testable import DetentCore

/// The patterns written another way: as pictures, a character for 50 ms, `#` where the lamp is away
/// from its value. `fill` is a sum.
enum PatternModel {
    static func picture(_ pattern: Pattern) -> String {
        func row(_ dips: String, _ count: Int) -> String {
            dips + String(repeating: ".", count: count - dips.count)
        }
        return switch pattern {
        case .off, .steady, .fill: "."
        case .blink: row("###", 10)
        case .wink: row("##", 20)
        case .doubleWink: row("##.....##", 30)
        case .tripleWink: row("##.....##.....##", 40)
        case .slowWink: row("####", 80)
        case .flashBurst: row("####....####....####....####", 48)
        case .breathe: row("##############", 40)
        }
    }

    /// The level so many milliseconds after the pattern began.
    static func level(_ pattern: Pattern, isLit: Bool, tenths: Int, after: Int) -> Level {
        switch pattern {
        case .off: return .inactive
        case .fill:
            return Level(
                isLit ? after % 400 >= 400 - 36 * tenths : after % 800 < 72 * tenths)
        case .steady, .blink, .wink, .doubleWink, .tripleWink, .slowWink, .flashBurst, .breathe:
            let row = Array(picture(pattern))
            return Level((row[after / 50 % row.count] == "#") != isLit)
        }
    }
}

/// A pattern over a value, and of `fill` so many tenths.
struct Look: CustomTestStringConvertible, Equatable {
    var pattern: Pattern
    var isLit: Bool
    var tenths = 5

    var testDescription: String {
        "\(pattern)\(pattern == .fill ? " \(tenths)" : "") over \(isLit ? "on" : "off")"
    }

    func lamp(at now: Instant) -> LampState {
        pattern.lamp(isLit: isLit, since: .zero, at: now, tenths: UInt8(tenths))
    }

    static let all: [Look] = Pattern.allCases.flatMap { pattern in
        switch pattern {
        case .off, .steady: [Look(pattern: pattern, isLit: pattern == .steady)]
        case .blink, .wink, .doubleWink, .tripleWink, .slowWink, .flashBurst, .breathe:
            [true, false].map { Look(pattern: pattern, isLit: $0) }
        case .fill:
            (1...10).flatMap { tenths in
                [true, false].map { Look(pattern: pattern, isLit: $0, tenths: tenths) }
            }
        }
    }
}
