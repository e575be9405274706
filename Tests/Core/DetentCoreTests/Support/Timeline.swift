import DetentTypes
import Testing

@testable import DetentCore

/// Levels over time as text: a character is a millisecond, `_` inactive and `#` active.
struct Timeline: CustomTestStringConvertible {
    let name: String
    let raw: [Level]
    let expected: String

    init(_ name: String, raw: String, out: String) {
        self.name = name
        self.raw = raw.compactMap { $0 == " " ? nil : Level($0 == "#") }
        self.expected = out.filter { $0 != " " }
    }

    var testDescription: String { name }

    /// What the filter makes of the line, drawn the same way.
    func drawn(_ settings: DebounceSettings) -> String {
        var filter: any ContactFiltering = ContactFilter(settings, level: .inactive)
        let reports = FilterRun.reports(of: raw, through: &filter)
        var level = Level.inactive
        return String(
            raw.indices.map { millisecond in
                for report in reports where report.at == Instant(millisecond: millisecond) {
                    level = report.level
                }
                return level == .active ? "#" : "_"
            })
    }
}

extension Instant {
    init(millisecond: Int) {
        self = .zero + .milliseconds(UInt64(millisecond))
    }
}
