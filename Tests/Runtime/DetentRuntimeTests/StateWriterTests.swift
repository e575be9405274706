import DetentCore
import DetentHistory
import DetentPanel
import DetentTypes
import Glibc
import TestSupport
import Testing

@testable import DetentRuntime

/// Values and events where a step of the folder fails: nothing is lost, and it is said.
@Suite struct StateWriterTests {
    private let folder = FaultyFolder()
    private let log = MessageLog()
    private let plan: PanelPlan
    private let off: PanelPlan

    init() throws {
        plan = try SavedPlan.make()
        off = try SavedPlan.make("history: off")
    }

    private func writer() -> StateWriter {
        StateWriter(folder, "/state") { [log] in log.add($0) }
    }

    private func value(_ control: UInt16, _ raw: Int32) -> SavedValue {
        SavedValue(control: ControlID(control), value: Value(raw))
    }

    private func row(_ number: Int) -> HistoryRow {
        HistoryRow(milliseconds: Int64(number), control: "a", event: "changed", line: "{}")
    }

    /// The values that a start finds now, with nothing that fails.
    private func found(_ plan: PanelPlan? = nil) -> [SavedValue]? {
        folder.repair()
        let next = writer()
        defer { next.close() }
        return next.load(plan ?? self.plan)
    }

    private func events(_ name: String = "P.history") throws -> [Int64] {
        var found: [Int64] = []
        try HistoryQuery().read(folder.path + "/" + name) { found.append($0.milliseconds) }
        return found
    }

    /// Values in a database, which has no log beside it.
    private func makeDatabase(_ values: [Value?], of plan: PanelPlan? = nil) {
        let plan = plan ?? self.plan
        let writer = writer()
        expectEqual(writer.load(plan)?.count, 0)
        expectEqual(writer.write(plan, values, [row(1)], survives: true), nil)
        writer.close()
    }

    private func putFile(_ values: [Value?]) throws {
        try folder.real.write(SavedFile.bytes(values, of: plan), to: "P.state")
    }

    // MARK: The file is newer

    /// A file that stays would replace newer values at the next start, so it is the one that is
    /// written from then on.
    @Test(arguments: [("remove", "removed"), ("syncNames", "synced")])
    func aFileThatCannotBeRemovedIsUsed(step: String, word: String) throws {
        makeDatabase([.off, Value(1)])
        try putFile([.on, Value(7)])
        folder.fail(step, EACCES)
        let writer = writer()
        expectEqual(writer.load(plan), [value(0, 1), value(1, 7)])
        #expect(!writer.keepsEvents)
        expectEqual(
            log.all,
            [
                "detent: /state/P.state cannot be \(word): Permission denied\n",
                "detent: events are not kept, and values are kept in a file\n",
            ])
        folder.repair()
        expectEqual(writer.write(plan, [.on, Value(8)], [row(2)], survives: false), nil)
        expectEqual(try folder.text("P.state").map { $0.contains("b: 8") } ?? false, false)
        expectEqual(writer.write(plan, [.on, Value(9)], [row(2)], survives: true), nil)
        expectEqual(found(), [value(0, 1), value(1, 9)])
        expectEqual(try events(), [1])
    }

    /// Values of the file count more than those of the database, and what it lacks stays.
    @Test func theNewerFileWinsAndGoes() throws {
        makeDatabase([.on, Value(1)])
        try putFile([nil, Value(7)])
        let writer = writer()
        expectEqual(writer.load(plan), [value(0, 1), value(1, 7)])
        #expect(writer.keepsEvents && !folder.contains("P.state"))
        writer.close()
        expectEqual(found(), [value(0, 1), value(1, 7)])
        expectEqual(log.all, [])
    }

    /// A file that can neither be read nor renamed: nothing is written over it.
    @Test func aFileThatCannotBeReadIsLeft() throws {
        makeDatabase([.on, Value(1)])
        try putFile([nil, Value(7)])
        folder.fail("read")
        folder.fail("rename")
        #expect(writer().load(plan) == nil)
        expectEqual(found(), [value(0, 1), value(1, 7)])
    }

    /// A reload brings the history back, and with it an older file.
    @Test(arguments: [true, false]) func theFileOfTheFormerSettingGoes(canGo: Bool) throws {
        let writer = writer()
        expectEqual(writer.load(off), [])
        expectEqual(writer.write(off, [.off, Value(3)], [], survives: true), nil)
        #expect(folder.contains("P.state") && !writer.keepsEvents)
        if !canGo { folder.fail("remove") }
        expectEqual(writer.write(plan, [.on, Value(4)], [row(1)], survives: true), nil)
        expectEqual(writer.keepsEvents, canGo)
        expectEqual(folder.contains("P.state"), !canGo)
        expectEqual(log.all.count, canGo ? 0 : 2, "\(log.all)")
        writer.close()
        expectEqual(found(), [value(0, 1), value(1, 4)])
    }

    // MARK: A database that cannot be used

    /// No more files are renamed than the limit; what is there stays, and the values have a file.
    @Test(arguments: [true, false]) func whatCannotBePutAsideStays(isFull: Bool) throws {
        let junk = String(repeating: "mine\n", count: 1_000)
        try folder.put(junk, "P.history")
        if isFull {
            for number in 1...StateFile.asides { try folder.put("", "P.history.aside-\(number)") }
        } else {
            folder.fail("rename")
        }
        let writer = writer()
        expectEqual(writer.load(plan), [])
        #expect(!writer.keepsEvents)
        expectEqual(log.all.count, 1)
        #expect(
            log.all[0].hasPrefix("detent: /state/P.history cannot be ")
                && log.all[0].contains("; events are not kept, and values are kept in a file\n"),
            "\(log.all)")
        expectEqual(try folder.text("P.history"), junk)
        folder.repair()
        expectEqual(writer.write(plan, [.on, nil], [row(1)], survives: true), nil)
        #expect(folder.contains("P.state"))
    }

    @Test func theLastFreeNameIsUsed() throws {
        try folder.put("mine", "P.history")
        for number in 1..<StateFile.asides { try folder.put("", "P.history.aside-\(number)") }
        let writer = writer()
        expectEqual(writer.load(plan), [])
        #expect(writer.keepsEvents)
        writer.close()
        expectEqual(try folder.text("P.history.aside-\(StateFile.asides)"), "mine")
    }

    /// Its log goes with it, and before it; what is shared between connections is of no use.
    @Test func theLogIsPutAsideWithItsDatabase() throws {
        try #require(mkfifo(folder.path + "/P.history", 0o600) == 0)
        try folder.put("log", "P.history-wal")
        try folder.put("shared", "P.history-shm")
        let writer = writer()
        expectEqual(writer.load(plan), [])
        writer.close()
        expectEqual(
            folder.steps.filter { !$0.hasPrefix("read") },
            [
                "rename P.history-wal", "remove P.history-shm", "rename P.history", "syncNames",
            ])
        expectEqual(try folder.text("P.history.aside-1-wal"), "log")
        #expect(folder.names.contains("P.history.aside-1"), "\(folder.names)")
        expectEqual(try events(), [])
    }

    /// A pipe in the place of what is beside a database is not opened.
    @Test(arguments: ["", "-wal", "-shm", "-journal"])
    func whatIsNoFileIsNotOpened(part: String) throws {
        if part != "" { makeDatabase([.on, Value(1)]) }
        try #require(mkfifo(folder.path + "/P.history" + part, 0o600) == 0)
        let writer = writer()
        expectEqual(writer.load(plan), [])
        writer.close()
        expectEqual(log.all.count, 1, "\(log.all)")
        #expect(log.all[0].contains("it is not a regular file"), "\(log.all)")
    }

    /// One that was made for nothing would look like a damaged one.
    @Test func aDatabaseThatCannotBeMadeLeavesNoFile() {
        folder.moveDatabases("/proc/detent/none")
        let writer = writer()
        expectEqual(writer.load(plan), [])
        #expect(!writer.keepsEvents)
        expectEqual(folder.names, [])
        expectEqual(log.all.count, 1)
    }

    @Test func aDatabaseThatCannotBeOpenedStays() throws {
        makeDatabase([.on, Value(1)])
        let path = folder.databasePath
        folder.moveDatabases("/proc/detent/none")
        let writer = writer()
        expectEqual(writer.load(plan), [])
        folder.moveDatabases(path)
        expectEqual(found(), [value(0, 1), value(1, 1)])
    }

    // MARK: A database that goes while the panel runs

    @Test func whetherTheFileIsGoneIsKnown() throws {
        let writer = writer()
        #expect(!writer.isGone(plan), "nothing was opened")
        expectEqual(writer.load(plan), [])
        #expect(!writer.isGone(plan) && !writer.isGone(off))
        try folder.real.remove("P.history")
        #expect(writer.isGone(plan))
        let other = try SavedPlan.make(name: "Q")
        #expect(!writer.isGone(off) && !writer.isGone(other))
        expectEqual(writer.write(off, [.on, nil], [], survives: true), nil)
        #expect(!writer.isGone(off) && !writer.isGone(plan))
        try folder.real.remove("P.state")
        #expect(writer.isGone(off))
        expectEqual(writer.write(off, [.on, nil], [], survives: true), nil)
        #expect(!writer.isGone(off))
        expectEqual(
            log.all,
            [
                "detent: /state/P.state was removed or replaced while the panel ran; a new one was "
                    + "made, with the present values\n"
                    + "help: stop the panel before you remove or restore its files\n"
            ])
    }

    /// A panel without a file has none that can go.
    @Test func whatWasNeverThereIsNotGone() throws {
        let writer = writer()
        expectEqual(writer.load(off), [])
        #expect(!writer.isGone(off))
        expectEqual(writer.write(off, [.on, nil], [], survives: false), nil)
        #expect(!writer.isGone(off) && folder.names == [])
    }

    /// Another file has the name now: it is kept, with what is left of the former one.
    @Test func anotherFileIsPutAsideAndANewOneMade() throws {
        makeDatabase([.on, Value(1)])
        let writer = writer()
        expectEqual(writer.load(plan)?.count, 2)
        try folder.put("theirs", "P.history")
        expectEqual(writer.write(plan, [.on, Value(2)], [row(5)], survives: false), nil)
        expectEqual(try folder.text("P.history.aside-1"), "theirs")
        expectEqual(log.all.count, 1)
        #expect(log.all[0].hasPrefix("detent: /state/P.history was removed or replaced while the"))
        #expect(!writer.isGone(plan) && writer.keepsEvents)
        expectEqual(writer.write(plan, [.on, Value(3)], [row(6)], survives: true), nil)
        writer.close()
        expectEqual(found(), [value(0, 1), value(1, 3)])
        expectEqual(try events(), [5, 6])
        expectEqual(log.all.count, 1, "it is said once")
    }

    @Test func oneThatCannotBeMadeAgainIsAFailure() throws {
        makeDatabase([.on, Value(1)])
        let path = folder.databasePath
        let writer = writer()
        expectEqual(writer.load(plan)?.count, 2)
        try folder.real.remove("P.history")
        folder.moveDatabases("/proc/detent/none")
        let failure = writer.write(plan, [.on, Value(2)], [], survives: true)
        expectEqual(failure?.name, "P.history")
        expectEqual(failure?.step, "opened")
        expectEqual(log.all, [])
        #expect(!writer.keepsEvents)
        // Without a folder for databases the values have a file.
        folder.moveDatabases(nil)
        expectEqual(writer.write(plan, [.on, Value(3)], [], survives: true), nil)
        #expect(try folder.text("P.state")?.contains("b: 3") == true)
        folder.moveDatabases(path)
        expectEqual(found(), [value(0, 1), value(1, 3)])
    }

    @Test func withoutAPlaceForADatabaseTheFileIsWritten() throws {
        let writer = writer()
        expectEqual(writer.load(plan), [])
        try folder.real.remove("P.history")
        folder.moveDatabases(nil)
        expectEqual(writer.write(plan, [.on, Value(2)], [row(1)], survives: true), nil)
        #expect(try folder.text("P.state")?.contains("b: 2") == true, "\(folder.names)")
    }

    /// Where neither a database nor a file can be written, the caller hears of the file.
    @Test func aFileThatCannotBeWrittenIsAFailure() throws {
        let writer = writer()
        expectEqual(writer.load(plan), [])
        try folder.real.remove("P.history")
        folder.moveDatabases(nil)
        folder.fail("write", ENOSPC)
        let wanted = StateFailure(
            name: "P.state", step: "written", cause: "No space left on device")
        expectEqual(writer.write(plan, [.on, nil], [], survives: true), wanted)
        expectEqual(writer.write(off, [.on, nil], [], survives: true), wanted)
        expectEqual(writer.write(off, [.on, nil], [], survives: false), nil)
        folder.repair()
        folder.fail("rename", EROFS)
        expectEqual(
            writer.write(off, [.on, nil], [], survives: true),
            StateFailure(name: "P.state", step: "renamed", cause: "Read-only file system"))
    }

    /// A database that is damaged beneath an open one, with more pages than are read at the start.
    private func damage() throws -> (StateWriter, [HistoryRow]) {
        let plan = try SavedPlan.make("history: {rows: 1000}")
        let writer = writer()
        expectEqual(writer.load(plan), [])
        let line = String(repeating: "x", count: 400)
        let rows = (0..<1_000).map {
            HistoryRow(milliseconds: Int64($0), control: "a", event: "changed", line: line)
        }
        expectEqual(writer.write(plan, [.on, Value(3)], rows, survives: true), nil)
        writer.close()
        expectEqual(writer.load(plan)?.count, 2)
        let path = folder.path + "/P.history"
        var status = stat()
        try #require(stat(path, &status) == 0)
        let file = try #require(fopen(path, "r+"))
        for page in 1..<Int(status.st_size) / 4_096 {
            fseek(file, page * 4_096, SEEK_SET)
            fputs(String(repeating: "damage!", count: 580), file)
        }
        fclose(file)
        return (writer, rows)
    }

    /// The damaged one stays where it cannot be renamed, and what failed first is said.
    @Test(arguments: ["rename", "nowhere", "asides"])
    func damageThatCannotBePutAsideIsAFailure(what: String) throws {
        let (writer, rows) = try damage()
        switch what {
        case "rename": folder.fail("rename")
        case "nowhere": folder.moveDatabases(nil)
        default:
            for number in 1...StateFile.asides { try folder.put("", "P.history.aside-\(number)") }
        }
        let plan = try SavedPlan.make("history: {rows: 1000}")
        let failure = writer.write(plan, [.on, Value(4)], rows, survives: true)
        expectEqual(failure?.name, "P.history")
        expectEqual(failure?.step, "written")
        #expect(!writer.keepsEvents && !folder.contains("P.state"))
        expectEqual(folder.open, [], "it is closed")
        expectEqual(log.all, [])
    }

    /// Nor is anything lost where the new one cannot be made: the next write has all values.
    @Test func aNewOneThatCannotBeMadeIsAFailure() throws {
        let (writer, rows) = try damage()
        let path = folder.databasePath
        folder.moveDatabases("/proc/detent/none")
        let plan = try SavedPlan.make("history: {rows: 1000}")
        let failure = writer.write(plan, [.on, Value(4)], rows, survives: true)
        expectEqual(failure?.name, "P.history")
        expectEqual(failure?.step, "opened")
        expectEqual(folder.open, [])
        #expect(folder.contains("P.history.aside-1") && !folder.contains("P.history"))
        expectEqual(log.all, [])
        folder.moveDatabases(path)
        expectEqual(writer.write(plan, [.on, Value(5)], [], survives: true), nil)
        expectEqual(found(), [value(0, 1), value(1, 5)])
    }

    // MARK: Other settings

    /// What `history: off` leaves as it is has the values of the first start without it.
    @Test func theFormerDatabaseIsReadOnceAndLeft() throws {
        makeDatabase([.on, Value(5)])
        let writer = writer()
        expectEqual(writer.load(off), [value(0, 1), value(1, 5)])
        #expect(!writer.keepsEvents)
        expectEqual(writer.write(off, [.on, Value(6)], [row(2)], survives: true), nil)
        expectEqual(found(off), [value(0, 1), value(1, 6)], "the file is newer")
        expectEqual(try events(), [1])
        expectEqual(log.all, [])
    }

    @Test(arguments: ["junk", "pipe", "none", "nowhere"])
    func aFormerDatabaseThatCannotBeReadIsLeft(what: String) throws {
        switch what {
        case "junk": try folder.put(String(repeating: "mine\n", count: 1_000), "P.history")
        case "pipe": try #require(mkfifo(folder.path + "/P.history", 0o600) == 0)
        case "nowhere":
            makeDatabase([.on, Value(5)])
            folder.moveDatabases(nil)
        default: break
        }
        let names = folder.names
        expectEqual(writer().load(off), [])
        expectEqual(folder.names, names)
        expectEqual(log.all, [])
    }

    /// A reload can change the bound alone: the database stays open.
    @Test func anotherBoundCountsAtOnce() throws {
        let writer = writer()
        expectEqual(writer.load(try SavedPlan.make("history: {rows: 2000}")), [])
        let rows = (1...1_500).map(row)
        let wide = try SavedPlan.make("history: {rows: 2000}")
        expectEqual(writer.write(wide, [nil, nil], rows, survives: true), nil)
        let narrow = try SavedPlan.make("history: {rows: 1000}")
        expectEqual(writer.write(narrow, [nil, nil], [row(1_501)], survives: true), nil)
        writer.close()
        let events = try events()
        #expect(events.last == 1_501 && events.count >= 1_000 && events.count < 1_200)
    }

    /// A value that the panel no longer has is said, with the file.
    @Test func aValueThatIsNoneAnyMoreIsSaid() throws {
        makeDatabase([.on, Value(50)])
        let narrow = try #require(
            PanelReader.read(
                SourceText(
                    file: "p.yaml",
                    text: """
                        panel: P
                        board: none
                        controls:
                          b: {kind: dial, label: B, encoder: {a: B, b: C}, range: {min: 0, max: 9}}
                        """)
            ).plan)
        let writer = writer()
        expectEqual(writer.load(narrow), [value(0, 9)])
        writer.close()
        expectEqual(log.all.count, 1)
        #expect(log.all[0].hasPrefix("detent: /state/P.history: `50` is no longer a value of `b`"))
    }
}
