import DetentCore
import DetentHistory
import DetentPanel
import DetentTypes

/// Writes the values of a panel, with its events: into its database, or the values alone into its
/// file.
///
/// If the file exists, it is newer than the database: it was written while the panel had
/// `history: off`, or while the database could not be used. The database then takes its values, and
/// the file is removed.
///
/// Synchronization: none; one thread at a time.
final class StateWriter {
    private let folder: any StateFolder
    private let place: String
    private let log: @Sendable (String) -> Void
    private var database: HistoryDatabase?
    /// For which panel and setting the database was opened, or could not be opened.
    private var opened: Opened?
    /// The file of the database when it was opened.
    private var identity: FileIdentity?
    /// The name of the text file that has values; nil before there is one.
    private var fileName: String?

    fileprivate struct Opened: Equatable {
        var name: String
        var keepsEvents: Bool
    }

    init(
        _ folder: any StateFolder, _ place: String, _ log: @escaping @Sendable (String) -> Void
    ) {
        self.folder = folder
        self.place = place
        self.log = log
    }

    /// Whether events are written.
    var keepsEvents: Bool { database != nil }

    /// The saved values of a panel, which is written from now on.
    ///
    /// - Returns: nil if a file can neither be read nor renamed; this was logged.
    func load(_ plan: PanelPlan) -> [SavedValue]? {
        open(plan)
        // What cannot be used is renamed in between.
        let name = SavedFile.name(of: plan)
        defer { fileName = folder.contains(name) ? name : nil }
        let file = StateFile(plan, folder, place, log)
        let isNewer =
            folder.contains(SavedFile.name(of: plan)) || folder.contains(KeptValues.name(of: plan))
        guard let database else {
            if !isNewer, plan.historyRows == nil, let old = formerValues(plan) { return old }
            return file.loadAll()
        }
        var values: [Value?] = plan.controls.map { _ in nil }
        for entry in adopt(database.values, of: plan) {
            values[Int(entry.control.index)] = entry.value
        }
        if isNewer {
            guard let newer = file.loadAll() else { return nil }
            for entry in newer { values[Int(entry.control.index)] = entry.value }
            if !replaceFile(of: plan, values, database) { stopUsingDatabase() }
        }
        return plan.allControls.compactMap { control in
            values[Int(control.index)].map { SavedValue(control: control, value: $0) }
        }
    }

    /// Writes values and events.
    ///
    /// - Parameter survives: whether they must survive a power cut; values always do in a file.
    func write(
        _ plan: PanelPlan, _ values: [Value?], _ rows: [HistoryRow], survives: Bool
    ) -> StateFailure? {
        var isFirst = false
        if opened != Opened(plan) {
            open(plan)
            isFirst = true
        }
        guard let database else { return survives ? writeFile(plan, values) : nil }
        if isDatabaseGone(plan) { return writeAgain(plan, values, rows) }
        database.rows = plan.historyRows ?? database.rows
        do throws(HistoryError) {
            try database.write(
                values: words(values, of: plan), rows: rows, survives: survives || isFirst)
        } catch {
            guard error.isDamage else { return failure(plan, error) }
            return writeAnew(plan, values, rows, error)
        }
        // After a reload, the file of the former setting is older.
        if isFirst, folder.contains(SavedFile.name(of: plan)),
            !replaceFile(of: plan, values, database)
        {
            stopUsingDatabase()
            return writeFile(plan, values)
        }
        return nil
    }

    /// Whether the file with the values has gone since it was opened or written.
    func isGone(_ plan: PanelPlan) -> Bool {
        guard opened == Opened(plan) else { return false }
        if database != nil { return isDatabaseGone(plan) }
        return fileName.map { $0 == SavedFile.name(of: plan) && !folder.contains($0) } ?? false
    }

    private func isDatabaseGone(_ plan: PanelPlan) -> Bool {
        identity != nil && folder.identity(of: Self.name(of: plan)) != identity
    }

    /// Closes the database.
    func close() {
        database?.close()
        database = nil
    }

    /// The name of a panel's database, in the folder of the values.
    static func name(of plan: PanelPlan) -> String {
        HistoryFile.name(of: plan)
    }

    // MARK: The database

    private func open(_ plan: PanelPlan) {
        close()
        opened = Opened(plan)
        guard let rows = plan.historyRows, let path = folder.databasePath else { return }
        let name = Self.name(of: plan)
        do throws(HistoryError) {
            database = try openOrRename(plan, path + "/" + name, rows)
            identity = folder.identity(of: name)
        } catch {
            log(
                "detent: \(place)/\(name) cannot be \(error.step): \(error.cause); "
                    + "events are not kept, and values are kept in a file\n"
                    + "help: \(error.remedy)\n")
        }
    }

    private func openOrRename(
        _ plan: PanelPlan, _ path: String, _ rows: Int
    ) throws(HistoryError) -> HistoryDatabase {
        let error: HistoryError
        do throws(HistoryError) {
            guard Self.parts(plan).allSatisfy(folder.isPlain) else {
                throw HistoryError.irregular
            }
            return try make(plan, path, rows)
        } catch let cause {
            guard cause.isDamage else { throw cause }
            error = cause
        }
        guard let aside = putAside(plan) else { throw error }
        log(
            "detent: \(place)/\(Self.name(of: plan)) cannot be \(error.step): \(error.cause); "
                + "a new one was made, and controls start at their defaults\n"
                + "help: it was renamed to \(aside); delete it if you do not need it\n")
        return try make(plan, path, rows)
    }

    /// Opens the database of a panel, which only its owner can read, and makes it if there is none.
    private func make(
        _ plan: PanelPlan, _ path: String, _ rows: Int
    ) throws(HistoryError) -> HistoryDatabase {
        let name = Self.name(of: plan)
        let isMade = folder.makePrivate(name, isMade: true)
        for part in Self.parts(plan).dropFirst() { _ = folder.makePrivate(part, isMade: false) }
        do throws(HistoryError) {
            return try HistoryDatabase(path, panel: plan.name, rows: rows)
        } catch {
            if isMade { try? folder.remove(name) }
            throw error
        }
    }

    /// The database was removed while the panel ran: all values are known, so a new one has them.
    private func writeAgain(
        _ plan: PanelPlan, _ values: [Value?], _ rows: [HistoryRow]
    ) -> StateFailure? {
        close()
        let name = Self.name(of: plan)
        let isFolderMade = folder.makeAgain()
        // Another file that has the name now, or what is left of the removed one.
        if Self.parts(plan).contains(where: folder.contains) { _ = putAside(plan) }
        guard let rowLimit = plan.historyRows, let path = folder.databasePath else {
            return writeFile(plan, values)
        }
        do throws(HistoryError) {
            let next = try make(plan, path + "/" + name, rowLimit)
            try next.write(values: words(values, of: plan), rows: rows, survives: true)
            database = next
            identity = folder.identity(of: name)
        } catch {
            return failure(plan, error)
        }
        tellAgain("\(place)/\(name)", isFolderMade: isFolderMade)
        return nil
    }

    private func tellAgain(_ file: String, isFolderMade: Bool) {
        log(
            "detent: \(isFolderMade ? "the folder \(place)" : file) was removed or replaced while "
                + "the panel ran; a new one was made, with the present values\n"
                + "help: stop the panel before you remove or restore its files\n")
    }

    /// The database was damaged while the panel ran: all values are known, so a new one has them.
    private func writeAnew(
        _ plan: PanelPlan, _ values: [Value?], _ rows: [HistoryRow], _ error: HistoryError
    ) -> StateFailure? {
        close()
        guard let rowLimit = plan.historyRows, let path = folder.databasePath,
            let aside = putAside(plan)
        else { return failure(plan, error) }
        do throws(HistoryError) {
            let next = try make(plan, path + "/" + Self.name(of: plan), rowLimit)
            try next.write(values: words(values, of: plan), rows: rows, survives: true)
            database = next
            identity = folder.identity(of: Self.name(of: plan))
        } catch {
            return failure(plan, error)
        }
        log(
            "detent: \(place)/\(Self.name(of: plan)) cannot be \(error.step): \(error.cause); "
                + "a new one was made, with the present values\n"
                + "help: it was renamed to \(aside); delete it if you do not need it\n")
        return nil
    }

    /// Renames the database and its log; nil if that is impossible.
    private func putAside(_ plan: PanelPlan) -> String? {
        let name = Self.name(of: plan)
        let names = (1...StateFile.asides).map { "\(name).aside-\($0)" }
        guard let aside = names.first(where: { !folder.contains($0) }) else { return nil }
        do throws(StateFolderError) {
            // The log first: alone it is nothing, but with a new database it would be damage.
            if folder.contains(name + "-wal") {
                try folder.rename(name + "-wal", to: aside + "-wal")
            }
            if folder.contains(name + "-shm") { try folder.remove(name + "-shm") }
            if folder.contains(name) { try folder.rename(name, to: aside) }
            try folder.syncNames()
        } catch {
            return nil
        }
        return aside
    }

    private func stopUsingDatabase() {
        close()
        log("detent: events are not kept, and values are kept in a file\n")
    }

    private static func parts(_ plan: PanelPlan) -> [String] {
        ["", "-wal", "-shm", "-journal"].map { name(of: plan) + $0 }
    }

    // MARK: The file

    /// The values of a database that `history: off` leaves as it is; nil if there is none.
    private func formerValues(_ plan: PanelPlan) -> [SavedValue]? {
        guard let path = folder.databasePath, folder.contains(Self.name(of: plan)),
            Self.parts(plan).allSatisfy(folder.isPlain),
            let former = try? HistoryDatabase(
                path + "/" + Self.name(of: plan), panel: plan.name, rows: .max)
        else { return nil }
        defer { former.close() }
        return adopt(former.values, of: plan)
    }

    /// The database takes the values of the file, which then goes.
    ///
    /// - Returns: false if the file remains: it would replace newer values at the next start.
    private func replaceFile(
        of plan: PanelPlan, _ values: [Value?], _ database: HistoryDatabase
    ) -> Bool {
        let name = SavedFile.name(of: plan)
        do throws(HistoryError) {
            try database.write(values: words(values, of: plan), survives: true)
        } catch {
            log("detent: \(place)/\(Self.name(of: plan)) cannot be written: \(error.cause)\n")
            return false
        }
        do throws(StateFolderError) {
            try folder.remove(name)
            try folder.syncNames()
        } catch {
            log("detent: \(place)/\(name) cannot be \(error.step): \(error.cause)\n")
            return false
        }
        return true
    }

    private func writeFile(_ plan: PanelPlan, _ values: [Value?]) -> StateFailure? {
        let name = SavedFile.name(of: plan)
        let isFolderMade = folder.makeAgain()
        let isGone = fileName == name && !folder.contains(name)
        do throws(StateFolderError) {
            try StateFile.replace(name, by: SavedFile.bytes(values, of: plan), in: folder)
            fileName = name
            if isFolderMade || isGone { tellAgain("\(place)/\(name)", isFolderMade: isFolderMade) }
            return nil
        } catch {
            return StateFailure(name: name, step: error.step, cause: error.cause)
        }
    }

    // MARK: Words

    private func words(_ values: [Value?], of plan: PanelPlan) -> [HistoryDatabase.Value] {
        SavedFile.words(values, of: plan).map {
            HistoryDatabase.Value(control: $0.id, word: $0.word)
        }
    }

    private func adopt(
        _ values: [HistoryDatabase.Value], of plan: PanelPlan
    ) -> [SavedValue] {
        var reading = SavedFile.Reading()
        for entry in values { reading.add(entry.control, entry.word, of: plan) }
        for note in reading.notes { log("detent: \(place)/\(Self.name(of: plan)): \(note)\n") }
        return reading.values
    }

    private func failure(_ plan: PanelPlan, _ error: HistoryError) -> StateFailure {
        StateFailure(name: Self.name(of: plan), step: error.step, cause: error.cause)
    }
}

extension StateWriter.Opened {
    fileprivate init(_ plan: PanelPlan) {
        self.init(name: plan.name, keepsEvents: plan.historyRows != nil)
    }
}

/// Why values could not be written.
struct StateFailure: Equatable {
    /// The file.
    var name: String
    /// What failed, as a participle.
    var step: String
    /// The cause, for people.
    var cause: String
}
