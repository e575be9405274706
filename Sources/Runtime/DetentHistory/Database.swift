import CSQLite

/// A connection to a database of SQLite.
///
/// Synchronization: none; one thread at a time.
final class Database {
    /// How a database is opened.
    enum Mode {
        /// To read and write; the file is created if it does not exist.
        case write
        /// To read what another process may be writing.
        case read
    }

    private let library: UnsafePointer<detent_sqlite>
    private var connection: UnsafeMutableRawPointer?

    /// Opens a database. The path must not contain a link.
    ///
    /// - Parameter disk: the name of another way to reach files, for tests; nil for the system's.
    init(_ path: String, _ mode: Mode, disk: String? = nil) throws(DatabaseError) {
        var cause: UnsafePointer<CChar>?
        guard let library = detent_sqlite_load(&cause) else {
            throw .missing(cause.map { String(cString: $0) } ?? "libsqlite3.so.0 cannot be used")
        }
        self.library = library
        let noFollow: Int32 = 0x0100_0000
        let noMutex: Int32 = 0x8000
        let access: Int32 =
            switch mode {
            case .read: 1
            case .write: 2 | 4
            }
        let code = library.pointee.open(path, &connection, access | noFollow | noMutex, disk)
        guard code == 0 else {
            let error = failure(code)
            close()
            throw error
        }
        _ = library.pointee.busy_timeout(connection, HistoryLimits.lockMilliseconds)
    }

    deinit { close() }

    /// Ends the connection; later calls fail.
    func close() {
        if let connection { _ = library.pointee.close(connection) }
        connection = nil
    }

    /// Runs statements that return nothing.
    func run(_ text: String) throws(DatabaseError) {
        guard let connection else { throw .closed }
        let code = library.pointee.exec(connection, text, nil, nil, nil)
        guard code == 0 else { throw failure(code) }
    }

    /// The first number of the first row; nil without a row.
    func number(_ text: String) throws(DatabaseError) -> Int64? {
        let statement = try statement(text)
        return try statement.next() ? statement.number(0) : nil
    }

    /// Prepares one statement.
    func statement(_ text: String) throws(DatabaseError) -> Statement {
        guard let connection else { throw .closed }
        var prepared: UnsafeMutableRawPointer?
        let code = library.pointee.prepare(connection, text, -1, &prepared, nil)
        guard code == 0, let prepared else { throw failure(code) }
        return Statement(self, library, prepared)
    }

    fileprivate func failure(_ code: Int32) -> DatabaseError {
        guard let connection else { return .closed }
        let text = library.pointee.errstr(code & 0xff).map { String(cString: $0) } ?? "error"
        return .refused(
            code: code & 0xff, errno: library.pointee.system_errno(connection), text: text)
    }
}

/// A prepared statement, which keeps its database open.
final class Statement {
    private let database: Database
    private let library: UnsafePointer<detent_sqlite>
    private let statement: UnsafeMutableRawPointer

    fileprivate init(
        _ database: Database, _ library: UnsafePointer<detent_sqlite>,
        _ statement: UnsafeMutableRawPointer
    ) {
        self.database = database
        self.library = library
        self.statement = statement
    }

    deinit { _ = library.pointee.finalize(statement) }

    /// Sets a parameter, counted from 1.
    func bind(_ place: Int32, _ number: Int64) throws(DatabaseError) {
        try check(library.pointee.bind_int64(statement, place, number))
    }

    /// Sets a parameter, counted from 1.
    func bind(_ place: Int32, _ text: String) throws(DatabaseError) {
        let count = Int32(clamping: text.utf8.count)
        let code = text.withCString {
            detent_sqlite_bind(library, statement, place, $0, count)
        }
        try check(code)
    }

    /// Takes the next row; false after the last one.
    func next() throws(DatabaseError) -> Bool {
        switch library.pointee.step(statement) {
        case 100: return true
        case 101: return false
        case let code: throw database.failure(code)
        }
    }

    /// Runs a statement that returns no row, and makes it ready for the next parameters.
    func run() throws(DatabaseError) {
        let code = library.pointee.step(statement)
        let error = code == 101 ? nil : database.failure(code)
        _ = library.pointee.reset(statement)
        if let error { throw error }
    }

    /// A column of the row, counted from 0.
    func number(_ place: Int32) -> Int64 { library.pointee.column_int64(statement, place) }

    /// A column of the row, counted from 0. Bytes that are not UTF-8 are replaced.
    func text(_ place: Int32) -> String {
        guard let bytes = library.pointee.column_text(statement, place) else { return "" }
        let count = Int(library.pointee.column_bytes(statement, place))
        return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
    }

    private func check(_ code: Int32) throws(DatabaseError) {
        if code != 0 { throw database.failure(code) }
    }
}
