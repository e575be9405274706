import DetentTypes
import Glibc
import TestSupport
import Testing

@testable import DetentHistory

/// One database in a real folder.
@Suite struct HistoryDatabaseTests {
    private let folder = HistoryFolder()

    private func open(
        rows: Int = 1_000, panel: String = "P"
    ) throws(HistoryError) -> HistoryDatabase {
        try HistoryDatabase(folder.file, panel: panel, rows: rows)
    }

    private static func row(
        _ number: Int, control: String = "a", event: String = "changed"
    ) -> HistoryRow {
        HistoryRow(
            milliseconds: Int64(number) * 1_000, control: control, event: event,
            line: "{\"number\": \(number)}")
    }

    private static func value(_ control: String, _ word: String) -> HistoryDatabase.Value {
        HistoryDatabase.Value(control: control, word: word)
    }

    @Test func valuesAndEventsComeBack() throws {
        let first = try open()
        try first.write(
            values: [Self.value("a", "on"), Self.value("b", "42")], rows: [Self.row(1)],
            survives: true)
        try first.write(
            values: [Self.value("b", "7"), Self.value("c", "ö'\"\u{0}")], rows: [Self.row(2)],
            survives: false)
        first.close()
        let second = try open()
        expectEqual(second.values, [Self.value("b", "7"), Self.value("c", "ö'\"\u{0}")])
        try second.write(values: nil, rows: [Self.row(3)], survives: false)
        expectEqual(second.values.count, 2, "nil leaves the values as they are")
        let rows = try folder.rows()
        #expect(rows.map(\.number) == [1, 2, 3] && rows[2].line == "{\"number\": 3}")
    }

    @Test func theOldestEventsAreDeleted() throws {
        let database = try open(rows: 100)
        for number in 1...250 {
            try database.write(values: nil, rows: [Self.row(number)], survives: false)
            let count = try #require(try folder.rows().count as Int?)
            #expect(count <= 100 && count >= min(number, 90), "\(number): \(count)")
        }
        expectEqual(try folder.rows().last?.number, 250)
        database.close()
        // Many at once, and after a restart with fewer.
        let next = try open(rows: 10)
        try next.write(values: nil, rows: (251...300).map { Self.row($0) }, survives: false)
        expectEqual(try folder.rows().map(\.number), Array(291...300))
    }

    @Test func aQueryFindsByControlEventTimeAndNumber() throws {
        let database = try open()
        let rows = (1...20).map {
            Self.row(
                $0, control: $0 % 2 == 0 ? "a" : "b", event: $0 % 5 == 0 ? "failed" : "changed")
        }
        try database.write(values: nil, rows: rows, survives: false)
        func numbers(_ change: (inout HistoryQuery) -> Void) throws -> [Int64] {
            var query = HistoryQuery()
            change(&query)
            return try folder.rows(query).map(\.number)
        }
        // The writer has it open meanwhile.
        expectEqual(try numbers { $0.control = "a" }, [2, 4, 6, 8, 10, 12, 14, 16, 18, 20])
        expectEqual(try numbers { $0.event = "failed" }, [5, 10, 15, 20])
        expectEqual(try numbers { ($0.control, $0.event) = ("b", "failed") }, [5, 15])
        expectEqual(try numbers { ($0.since, $0.until) = (4_000, 6_000) }, [4, 5, 6])
        expectEqual(try numbers { $0.limit = 3 }, [18, 19, 20])
        expectEqual(try numbers { ($0.control, $0.limit) = ("b", 2) }, [17, 19])
        expectEqual(try numbers { $0.control = "a' OR 1" }, [])
        try database.write(values: nil, rows: [Self.row(21)], survives: false)
        expectEqual(try numbers { $0.since = 21_000 }, [21])
    }

    @Test func whatIsNotOursIsRefusedInWords() throws {
        func refusal(panel: String = "P") throws -> String {
            do throws(HistoryError) {
                try open(panel: panel).close()
                return ""
            } catch {
                #expect(error.isDamage)
                return error.cause
            }
        }
        let database = try open()
        try database.write(values: nil, rows: [Self.row(1)], survives: true)
        database.close()
        expectEqual(try refusal(), "")
        expectEqual(try refusal(panel: "Q"), "it belongs to a panel other than `Q`")
        try change("PRAGMA user_version = 2")
        expectEqual(try refusal(), "a newer detent made it")
        #expect(throws: HistoryError.self) { try folder.rows() }
        try change("PRAGMA user_version = 1; PRAGMA application_id = 7")
        expectEqual(try refusal(), "another program made it")
        try change("PRAGMA application_id = \(HistoryDatabase.application); DROP TABLE value")
        #expect(throws: HistoryError.self) { try open() }
        let file = try #require(fopen(folder.file, "w"))
        fputs(String(repeating: "mine, not yours\n", count: 300), file)
        fclose(file)
        expectEqual(try refusal(), "it is not a database")
    }

    /// A page in the middle is overwritten: it is said, and nothing traps.
    @Test func aDamagedPageIsSaid() throws {
        let database = try open()
        try database.write(
            values: nil, rows: (1...500).map { Self.row($0) }, survives: true)
        database.close()
        let file = try #require(fopen(folder.file, "r+"))
        var status = stat()
        try #require(stat(folder.file, &status) == 0)
        for page in 2..<Int(status.st_size) / 4_096 {
            fseek(file, page * 4_096, SEEK_SET)
            fputs(String(repeating: "damage!", count: 500), file)
        }
        fclose(file)
        do throws(HistoryError) {
            let again = try open()
            try again.write(values: nil, rows: [Self.row(501)], survives: true)
            Issue.record("nothing was noticed")
        } catch {
            #expect(error.isDamage && error.cause == "it is damaged", "\(error)")
        }
    }

    @Test func aLockOfAnotherProgramIsSaid() throws {
        let database = try open()
        let other = try Database(folder.file, .write)
        try other.run("BEGIN IMMEDIATE")
        #expect(
            throws: HistoryError(
                step: "written", cause: "another program has it open", isDamage: false)
        ) { try database.write(values: nil, rows: [Self.row(1)], survives: false) }
        try other.run("ROLLBACK")
        try database.write(values: nil, rows: [Self.row(1)], survives: false)
        expectEqual(try folder.rows().map(\.number), [1])
    }

    @Test func aLinkIsNotFollowed() throws {
        try #require(symlink(folder.path + "/target", folder.file) == 0)
        #expect(throws: HistoryError.self) { try open() }
        #expect(access(folder.path + "/target", F_OK) != 0)
    }

    private func change(_ text: String) throws {
        let database = try Database(folder.file, .write)
        try database.run(text)
        database.close()
    }
}
