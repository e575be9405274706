/// The values and the events of one panel, in one database of SQLite.
///
/// Both are written in one transaction, so they agree after a power cut. A write that `survives` is
/// on the disk when it returns, with everything that was written before it.
///
/// Synchronization: none; one thread at a time.
public final class HistoryDatabase {
    /// The value of one control, in words.
    public struct Value: Equatable, Sendable {
        /// The id of the control.
        public var control: String
        /// The name of its value.
        public var word: String

        /// Makes a value.
        public init(control: String, word: String) {
            self.control = control
            self.word = word
        }
    }

    /// Marks the file as one of Detent: `DTNT`.
    static let application: Int64 = 0x4454_4E54
    /// The version of the tables.
    static let version: Int64 = 1

    /// The values in the database, in the order of the ids.
    public var values: [Value] {
        written.sorted { $0.key < $1.key }.map { Value(control: $0.key, word: $0.value) }
    }

    /// Events that are kept; the oldest are deleted when there are more.
    public var rows: Int

    private let database: Database
    private var written: [String: String] = [:]
    private var numbers: (first: Int64, last: Int64) = (1, 0)
    private var survives: Bool?

    /// Opens the database of a panel, and makes it if there is none.
    ///
    /// - Parameters:
    ///   - path: its file, without links in the path.
    ///   - panel: the name of the panel.
    ///   - rows: events that are kept.
    public convenience init(
        _ path: String, panel: String, rows: Int
    ) throws(HistoryError) {
        try self.init(path, panel: panel, rows: rows, disk: nil)
    }

    /// - Parameter disk: another way to reach files; only one connection can then use the database.
    init(
        _ path: String, panel: String, rows: Int, disk: String?
    ) throws(HistoryError) {
        self.rows = rows
        do throws(DatabaseError) {
            database = try Database(path, .write, disk: disk)
        } catch {
            throw HistoryError("opened", error)
        }
        let fault: HistoryError?
        do throws(DatabaseError) {
            if disk != nil { try database.run("PRAGMA locking_mode = EXCLUSIVE") }
            let isNew = try Self.isNew(database)
            fault = isNew ? nil : try Self.fault(of: database, panel)
            if fault == nil {
                try Self.configure(database)
                if isNew { try Self.makeTables(database, panel) }
                try read()
            }
        } catch {
            throw HistoryError("read", error)
        }
        if let fault { throw fault }
    }

    /// Closes the file; later writes fail.
    public func close() { database.close() }

    /// Writes values and events in one transaction: all of it, or nothing.
    ///
    /// - Parameters:
    ///   - values: those of all controls; nil to write only events.
    ///   - rows: events, whose numbers are ignored.
    ///   - survives: whether the write must survive a power cut once it has returned. Otherwise it
    ///     survives the death of the process only.
    public func write(
        values: [Value]?, rows: [HistoryRow] = [], survives: Bool
    ) throws(HistoryError) {
        do throws(DatabaseError) {
            if self.survives != survives {
                try database.run("PRAGMA synchronous = \(survives ? "FULL" : "NORMAL")")
                self.survives = survives
            }
            try database.run("BEGIN IMMEDIATE")
        } catch {
            throw HistoryError("written", error)
        }
        do throws(DatabaseError) {
            let next = try values.map { values throws(DatabaseError) in try replace(values) }
            var numbers = numbers
            try add(rows, &numbers)
            try deleteOldest(&numbers)
            try database.run("COMMIT")
            self.numbers = numbers
            if let next { written = next }
        } catch {
            // After most errors SQLite has done so itself.
            try? database.run("ROLLBACK")
            throw HistoryError("written", error)
        }
    }

    /// Reads all events, oldest first.
    func readAll(_ body: (HistoryRow) throws -> Void) throws {
        try HistoryQuery().select(database, body)
    }

    // MARK: Opening

    private static func isNew(_ database: Database) throws(DatabaseError) -> Bool {
        let tables = try database.number("SELECT count(*) FROM sqlite_master")
        let owner = try database.number("PRAGMA application_id")
        return tables == 0 && owner == 0
    }

    /// Why a database cannot be used: another program, another panel or a newer version made it.
    ///
    /// - Parameter panel: the name of the panel; nil for any.
    static func fault(
        of database: Database, _ panel: String?
    ) throws(DatabaseError) -> HistoryError? {
        guard try database.number("PRAGMA application_id") == application else {
            return HistoryError(step: "used", cause: "another program made it", isDamage: true)
        }
        guard let found = try database.number("PRAGMA user_version"), found <= version else {
            return HistoryError(step: "used", cause: "a newer detent made it", isDamage: true)
        }
        guard let panel else { return nil }
        let statement = try database.statement("SELECT name FROM panel")
        guard try statement.next(), statement.text(0) == panel else {
            return HistoryError(
                step: "used", cause: "it belongs to a panel other than `\(panel)`", isDamage: true)
        }
        return nil
    }

    private static func configure(_ database: Database) throws(DatabaseError) {
        // A log of 64 pages that is kept: memory cards wear out by new blocks.
        try database.run(
            """
            PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 64;
            PRAGMA journal_size_limit = 262144; PRAGMA cache_size = -256;
            PRAGMA mmap_size = 0; PRAGMA temp_store = MEMORY; PRAGMA foreign_keys = OFF;
            PRAGMA trusted_schema = OFF
            """)
    }

    private static func makeTables(
        _ database: Database, _ panel: String
    ) throws(DatabaseError) {
        try database.run(
            """
            PRAGMA synchronous = FULL;
            BEGIN IMMEDIATE;
            CREATE TABLE panel (name TEXT NOT NULL);
            CREATE TABLE value (control TEXT PRIMARY KEY, word TEXT NOT NULL) WITHOUT ROWID;
            CREATE TABLE event (
                number INTEGER PRIMARY KEY, milliseconds INTEGER NOT NULL,
                control TEXT NOT NULL, event TEXT NOT NULL, line TEXT NOT NULL);
            PRAGMA application_id = \(application);
            PRAGMA user_version = \(version)
            """)
        let statement = try database.statement("INSERT INTO panel VALUES (?1)")
        try statement.bind(1, panel)
        try statement.run()
        try database.run("COMMIT")
    }

    private func read() throws(DatabaseError) {
        let values = try database.statement("SELECT control, word FROM value")
        while try values.next() { written[values.text(0)] = values.text(1) }
        let ends = try database.statement(
            "SELECT coalesce(min(number), 1), coalesce(max(number), 0) FROM event")
        if try ends.next() { numbers = (ends.number(0), ends.number(1)) }
    }

    // MARK: Writing

    /// Writes the values that differ; returns what the table then contains.
    private func replace(_ values: [Value]) throws(DatabaseError) -> [String: String] {
        var next: [String: String] = [:]
        let put = try database.statement("INSERT OR REPLACE INTO value VALUES (?1, ?2)")
        for value in values {
            next[value.control] = value.word
            guard written[value.control] != value.word else { continue }
            try put.bind(1, value.control)
            try put.bind(2, value.word)
            try put.run()
        }
        let remove = try database.statement("DELETE FROM value WHERE control = ?1")
        for control in written.keys where next[control] == nil {
            try remove.bind(1, control)
            try remove.run()
        }
        return next
    }

    private func add(
        _ rows: [HistoryRow], _ numbers: inout (first: Int64, last: Int64)
    ) throws(DatabaseError) {
        guard !rows.isEmpty else { return }
        let put = try database.statement("INSERT INTO event VALUES (?1, ?2, ?3, ?4, ?5)")
        for row in rows {
            numbers.last += 1
            try put.bind(1, numbers.last)
            try put.bind(2, row.milliseconds)
            try put.bind(3, row.control)
            try put.bind(4, row.event)
            try put.bind(5, row.line)
            try put.run()
        }
    }

    private func deleteOldest(
        _ numbers: inout (first: Int64, last: Int64)
    ) throws(DatabaseError) {
        let excess = numbers.last - numbers.first + 1 - Int64(rows)
        guard excess > 0 else { return }
        // More than one at a time, so that most writes delete nothing; but few of a short history.
        let room = min(HistoryLimits.rowsPerDeletion, rows / 10)
        numbers.first += max(excess, Int64(room))
        try database.run("DELETE FROM event WHERE number < \(numbers.first)")
    }
}
