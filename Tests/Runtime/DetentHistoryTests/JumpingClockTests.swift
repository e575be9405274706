import TestSupport
import Testing

@testable import DetentHistory

/// A clock of the day that is set while events are written: an hour back, and a year forward.
@Suite struct JumpingClockTests {
    private let folder = HistoryFolder()

    private static let hour: Int64 = 3_600_000
    private static let year: Int64 = 365 * 24 * hour
    /// 2026-11-25, in milliseconds since 1970.
    private static let noon: Int64 = 1_795_608_000_000

    /// Ten events a second apart by each clock: right, an hour late, and a year early.
    private static var times: [Int64] {
        [noon, noon - hour, noon + year].flatMap { start in (0..<10).map { start + $0 * 1_000 } }
    }

    private static func rows(_ times: [Int64]) -> [HistoryRow] {
        times.enumerated().map { place, time in
            HistoryRow(
                milliseconds: time, control: "a", event: "changed",
                line: "{\"place\": \(place)}")
        }
    }

    private func numbers(_ change: (inout HistoryQuery) -> Void) throws -> [Int64] {
        var query = HistoryQuery()
        change(&query)
        return try folder.rows(query).map(\.number)
    }

    /// The order is that in which the events came, and none is missing.
    @Test func theOrderIsThatOfTheEvents() throws {
        let database = try HistoryDatabase(folder.file, panel: "P", rows: 1_000)
        for row in Self.rows(Self.times) {
            try database.write(values: nil, rows: [row], survives: false)
        }
        let all = try folder.rows()
        expectEqual(all.map(\.number), Array(1...30))
        expectEqual(all.map(\.milliseconds), Self.times)
        expectEqual(try numbers { $0.limit = 5 }, [26, 27, 28, 29, 30])
    }

    /// Times are compared as they were written: an hour that came twice is found twice.
    @Test func filtersCompareTheTimesThatWereWritten() throws {
        let database = try HistoryDatabase(folder.file, panel: "P", rows: 1_000)
        try database.write(values: nil, rows: Self.rows(Self.times), survives: true)
        let (noon, hour, year) = (Self.noon, Self.hour, Self.year)
        expectEqual(try numbers { $0.since = noon }, Array(1...10) + Array(21...30))
        expectEqual(try numbers { $0.since = noon + 5_000 }, Array(6...10) + Array(21...30))
        expectEqual(try numbers { $0.until = noon - hour + 2_000 }, [11, 12, 13])
        expectEqual(
            try numbers { ($0.since, $0.until) = (noon - hour, noon) }, [1] + Array(11...20))
        expectEqual(try numbers { $0.since = noon + year + 9_000 }, [30])
        expectEqual(try numbers { $0.since = noon + year + 9_001 }, [])
        expectEqual(try numbers { ($0.since, $0.limit) = (noon, 12) }, [9, 10] + Array(21...30))
    }

    /// The bound counts events, and time has no part in it: what came first goes first.
    @Test func theBoundDeletesWhatCameFirst() throws {
        let database = try HistoryDatabase(folder.file, panel: "P", rows: 20)
        for row in Self.rows(Self.times) {
            try database.write(values: nil, rows: [row], survives: false)
        }
        let kept = try folder.rows()
        #expect(kept.count <= 20 && kept.count >= 18, "\(kept.count)")
        expectEqual(kept.map(\.number), Array((31 - Int64(kept.count))...30))
        database.close()
        // After a restart the numbers go on.
        let next = try HistoryDatabase(folder.file, panel: "P", rows: 20)
        try next.write(values: nil, rows: Self.rows([Self.noon - Self.year]), survives: false)
        expectEqual(try folder.rows().last?.number, 31)
        expectEqual(try numbers { $0.until = Self.noon - Self.year }, [31])
    }
}
