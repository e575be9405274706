import DetentTypes
import FragileDisk
import Glibc
import TestSupport
import Testing

@testable import DetentHistory

/// A disk that forgets what was not synced, cut at any moment, through the real library.
@Suite(.serialized) struct CutTests {
    /// What was written, and at which operation of the disk each write had returned.
    private struct Story {
        var returned: [(operations: Int, survives: Bool)] = []
    }

    private static let rows = 50
    private static let isThere = fragile_disk_register()

    private static func open() throws(HistoryError) -> HistoryDatabase {
        try HistoryDatabase("/p.history", panel: "P", rows: rows, disk: "fragile")
    }

    /// Writes numbers, one after the other: each is a value and an event of one transaction.
    private static func write(_ count: Int, forgets: Bool = false) throws -> Story {
        fragile_disk_clear(forgets)
        var story = Story()
        let database = try open()
        for number in 1...count {
            let survives = number % 3 == 0
            try database.write(
                values: [.init(control: "c", word: "\(number)")], rows: [row(number)],
                survives: survives)
            story.returned.append((fragile_disk_operations(), survives))
        }
        return story
    }

    private static func row(_ number: Int) -> HistoryRow {
        // Longer than a sector now and then, so that writes are torn inside of a row.
        let line = String(repeating: "x", count: number * 37 % 900) + " \(number)"
        return HistoryRow(
            milliseconds: Int64(number), control: "c", event: "changed", line: line)
    }

    /// What a cut leaves: the value, and the events with their numbers; nil without tables.
    private static func found() throws -> (value: Int, rows: [HistoryRow]) {
        let database = try open()
        let value = database.values.first.flatMap { Int($0.word) } ?? 0
        var rows: [HistoryRow] = []
        try database.readAll { rows.append($0) }
        database.close()
        return (value, rows)
    }

    /// Whether a cut lost a value that had to survive, or invented one.
    private static func isWrong(_ story: Story, cut: Int, seed: UInt64) throws -> Bool {
        fragile_disk_cut(cut, seed)
        let least = story.returned.lastIndex { $0.survives && $0.operations <= cut }.map { $0 + 1 }
        // The write that was under way may have reached the disk.
        let most = (story.returned.lastIndex { $0.operations <= cut }.map { $0 + 1 } ?? 0) + 1
        let found: (value: Int, rows: [HistoryRow])
        do {
            found = try Self.found()
        } catch {
            return true
        }
        guard ((least ?? 0)...most).contains(found.value) else { return true }
        // The event of a value is there with it, and no event is missing or changed.
        guard found.rows.last.map({ Int($0.number) }) ?? 0 == found.value else { return true }
        guard found.rows.count >= min(found.value, rows - rows / 10) else { return true }
        guard found.rows.count <= rows else { return true }
        for (place, it) in found.rows.enumerated() {
            var expected = row(Int(it.number))
            expected.number = it.number
            if it != expected { return true }
            if place > 0, it.number != found.rows[place - 1].number + 1 { return true }
        }
        return false
    }

    /// 500 moments, spread over the whole story; `DETENT_CUTS` makes more.
    @Test func aPowerCutLosesNothingThatSurvivesAndInventsNothing() throws {
        try #require(Self.isThere, "install libsqlite3-0")
        let cuts = getenv("DETENT_CUTS").flatMap { Int(String(cString: $0)) } ?? 500
        let story = try Self.write(160)
        let all = fragile_disk_operations()
        #expect(all > 500, "each write is several operations: \(all)")
        for number in 0...cuts {
            let cut = all * number / cuts
            let isWrong = try Self.isWrong(story, cut: cut, seed: UInt64(number))
            #expect(!isWrong, "cut behind operation \(cut) of \(all), seed \(number)")
        }
    }

    /// A disk that ignores syncs loses what should survive, and this test sees it.
    @Test func aDiskThatIgnoresSyncsIsNoticed() throws {
        try #require(Self.isThere, "install libsqlite3-0")
        let story = try Self.write(60, forgets: true)
        let all = fragile_disk_operations()
        let wrong = try (0...100).filter { number in
            try Self.isWrong(story, cut: all * number / 100, seed: UInt64(number))
        }
        #expect(wrong.count > 10, "\(wrong.count) of 101")
    }

    /// SQLite says that the disk is full, or that it cannot write: nothing of the write remains.
    @Test(arguments: [(13, "No space left on device"), (8, "attempt to write a readonly database")])
    func aRefusedWriteLeavesWhatWasThere(code: Int32, cause: String) throws {
        try #require(Self.isThere, "install libsqlite3-0")
        fragile_disk_clear(false)
        let database = try Self.open()
        try database.write(
            values: [.init(control: "c", word: "1")], rows: [Self.row(1)], survives: true)
        fragile_disk_fail(code)
        #expect(throws: HistoryError(step: "written", cause: cause, isDamage: false)) {
            try database.write(
                values: [.init(control: "c", word: "2")], rows: [Self.row(2)], survives: true)
        }
        expectEqual(database.values, [.init(control: "c", word: "1")])
        fragile_disk_fail(0)
        try database.write(
            values: [.init(control: "c", word: "3")], rows: [Self.row(2)], survives: true)
        database.close()
        let found = try Self.found()
        #expect(found.value == 3 && found.rows.map(\.number) == [1, 2])
    }
}
