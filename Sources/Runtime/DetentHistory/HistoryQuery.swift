/// Which events of a history are wanted.
public struct HistoryQuery: Equatable, Sendable {
    /// Only events of this control; nil for all.
    public var control: String?
    /// Only events with this word; nil for all.
    public var event: String?
    /// Only events at this time or later, in milliseconds since 1970.
    public var since: Int64?
    /// Only events at this time or earlier, in milliseconds since 1970.
    public var until: Int64?
    /// The most events; the newest are returned. Nil for all.
    public var limit: Int?

    /// Asks for all events.
    public init() {}

    /// Reads the history in a file, oldest first, while the panel may run.
    ///
    /// - Parameter path: the file, without links in its path.
    public func read(
        _ path: String, _ body: (HistoryRow) throws -> Void
    ) throws {
        let database: Database
        do throws(DatabaseError) {
            database = try Database(path, .read)
        } catch {
            throw HistoryError("opened", error)
        }
        do {
            if let fault = try HistoryDatabase.fault(of: database, nil) { throw fault }
            try select(database, body)
        } catch let error as DatabaseError {
            throw HistoryError("read", error)
        }
    }

    func select(_ database: Database, _ body: (HistoryRow) throws -> Void) throws {
        var conditions: [String] = []
        if control != nil { conditions.append("control = ?1") }
        if event != nil { conditions.append("event = ?2") }
        if let since { conditions.append("milliseconds >= \(since)") }
        if let until { conditions.append("milliseconds <= \(until)") }
        var text = "SELECT number, milliseconds, control, event, line FROM event"
        if !conditions.isEmpty { text += " WHERE " + conditions.joined(separator: " AND ") }
        if let limit { text = "SELECT * FROM (\(text) ORDER BY number DESC LIMIT \(limit))" }
        let statement = try database.statement(text + " ORDER BY number")
        if let control { try statement.bind(1, control) }
        if let event { try statement.bind(2, event) }
        while try statement.next() {
            try body(
                HistoryRow(
                    number: statement.number(0), milliseconds: statement.number(1),
                    control: statement.text(2), event: statement.text(3), line: statement.text(4)))
        }
    }
}
