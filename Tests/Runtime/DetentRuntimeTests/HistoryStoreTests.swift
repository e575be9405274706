import DetentCore
import DetentHistory
import DetentPanel
import DetentPlatform
import DetentTypes
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import DetentRuntime

/// Values and events over a restart, in a database of a real folder.
@Suite struct HistoryStoreTests {
    /// A folder that is removed with all that is in it.
    private final class Place {
        let path: String
        init() {
            var template = Array("/tmp/detent-store-XXXXXX".utf8CString)
            _ = mkdtemp(&template)
            path = String(
                decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }
        deinit {
            for name in names { remove(path + "/" + name) }
            rmdir(path)
        }
        var names: [String] { SystemFolder.names(in: path) }
        /// The names without what a reader leaves beside a database.
        var lasting: [String] {
            names.filter { !["P.history-wal", "P.history-shm"].contains($0) }
        }
    }

    private let log = MessageLog()
    private let place = Place()
    private var folder: SystemStateFolder { SystemStateFolder(place.path) }

    private func open(_ plan: PanelPlan) throws -> StateStore {
        let store = try StateStore.open(plan, in: folder, place: "/state") { [log] in log.add($0) }
        return try #require(store)
    }

    private static func report(_ control: UInt16, _ kind: Report.Kind) -> TimedReport {
        TimedReport(
            report: Report(control: ControlID(control), kind: kind), at: MonotonicClock.now)
    }

    private static func change(_ control: UInt16, _ raw: Int32) -> TimedReport {
        report(control, .changed(Value(raw), .panel))
    }

    private static func value(_ control: UInt16, _ raw: Int32) -> SavedValue {
        SavedValue(control: ControlID(control), value: Value(raw))
    }

    private func events(_ name: String = "P.history") throws -> [String] {
        var found: [String] = []
        try HistoryQuery().read(place.path + "/" + name) {
            found.append("\($0.number) \($0.control) \($0.event)")
        }
        return found
    }

    /// Whatever the user's mask is, nobody else reads what happens in a house.
    @Test func onlyTheOwnerCanReadIt() throws {
        let plan = try SavedPlan.make()
        let first = try open(plan)
        first.note(Self.change(0, 1))
        func modes() -> [mode_t] {
            ["P.history", "P.history-wal", "P.history-shm"].compactMap { name in
                var status = stat()
                return stat(place.path + "/" + name, &status) == 0 ? status.st_mode & 0o777 : nil
            }
        }
        expectEqual(modes(), [0o600, 0o600, 0o600])
        #expect(first.stop(within: .seconds(60)))
        expectEqual(chmod(place.path + "/P.history", 0o644), 0)
        let second = try open(plan)
        #expect(modes().allSatisfy { $0 == 0o600 })
        expectEqual(second.saved, [Self.value(0, 1)])
        #expect(second.stop(within: .seconds(60)))
    }

    /// Its file, with or without its folder, while the panel runs or just before its end.
    @Test(arguments: [false, true], [false, true])
    func aDatabaseThatIsRemovedIsMadeAnew(withFolder: Bool, isLate: Bool) throws {
        let plan = try SavedPlan.make()
        let first = try open(plan)
        first.note(Self.change(0, 1))
        first.note(Self.report(0, .confirmed(.on)))
        #expect(waitForWrites(of: first, 1))
        for name in place.names { remove(place.path + "/" + name) }
        if withFolder { expectEqual(rmdir(place.path), 0) }
        if !isLate {
            first.note(Self.change(1, 42))
            first.note(Self.report(1, .confirmed(Value(42))))
            #expect(waitForWrites(of: first, 2))
        }
        #expect(first.stop(within: .seconds(60)))
        expectEqual(log.all.count, 1, "\(log.all)")
        let what = withFolder ? "the folder /state" : "/state/P.history"
        expectEqual(log.all.first?.hasPrefix("detent: \(what) was removed"), true, "\(log.all)")
        let second = try open(plan)
        let saved = [Self.value(0, 1)] + (isLate ? [] : [Self.value(1, 42)])
        expectEqual(second.saved, saved)
        #expect(second.stop(within: .seconds(60)))
    }

    private func waitForWrites(of store: StateStore, _ count: Int) -> Bool {
        let end = MonotonicClock.now + .seconds(60)
        while store.writeCount < count, MonotonicClock.now < end { poll(nil, 0, 5) }
        return store.writeCount >= count
    }

    @Test func valuesAndEventsComeBack() throws {
        let plan = try SavedPlan.make()
        let first = try open(plan)
        #expect(first.saved == [] && first.keepsEvents)
        first.note(Self.report(0, .pressed))
        first.note(Self.change(0, 1))
        first.note(Self.report(0, .confirmed(.on)))
        first.note(Self.change(1, 42))
        #expect(first.stop(within: .seconds(60)))
        let second = try open(plan)
        expectEqual(second.saved, [Self.value(0, 1), Self.value(1, 42)])
        second.note(Self.report(0, .released))
        #expect(second.stop(within: .seconds(60)))
        expectEqual(
            try events(),
            [
                "1 a pressed", "2 a changed", "3 a confirmed", "4 b changed", "5 a released",
            ])
        #expect(log.all == [] && place.lasting == ["P.history"], "\(place.names)")
    }

    /// How far the clock of the day was set.
    private final class Jump: Sendable {
        let offset = Atomic<Int64>(0)
    }

    /// The clock of the day is set back an hour, then forward a year: nothing is lost or reordered,
    /// and what is due is written when it is due.
    @Test func aClockThatJumpsLosesNothing() throws {
        let noon: Int64 = 1_795_608_000_000
        let jump = Jump()
        let opened = try StateStore.open(
            SavedPlan.make(), in: folder, place: "/state",
            wallClock: { _ in noon + jump.offset.load(ordering: .relaxed) },
            log: { [log] in log.add($0) })
        let store = try #require(opened)
        let (hour, year): (Int64, Int64) = (3_600_000, 31_536_000_000)
        for (offset, value) in [(0, 1), (-hour, 2), (year, 3)] as [(Int64, Int32)] {
            jump.offset.store(offset, ordering: .relaxed)
            let before = store.writeCount
            store.note(Self.change(1, value))
            store.note(Self.report(1, .confirmed(Value(value))))
            let deadline = MonotonicClock.now + .seconds(30)
            while store.writeCount == before, MonotonicClock.now < deadline { sched_yield() }
            #expect(store.writeCount > before, "\(offset)")
        }
        #expect(store.stop(within: .seconds(60)))
        let all = (1...3).flatMap { ["\(2 * $0 - 1) b changed", "\(2 * $0) b confirmed"] }
        expectEqual(try events(), all)
        var times: [Int64] = []
        var query = HistoryQuery()
        try query.read(place.path + "/P.history") { times.append($0.milliseconds - noon) }
        expectEqual(times, [0, 0, -hour, -hour, year, year])
        query.since = noon
        var later: [Int64] = []
        try query.read(place.path + "/P.history") { later.append($0.number) }
        expectEqual(later, [1, 2, 5, 6])
        // The values are those that came last, whatever the clock said.
        #expect(try open(SavedPlan.make()).saved.contains(Self.value(1, 3)))
        expectEqual(log.all, [])
    }

    /// A confirmed value is written while the panel runs, with all events before it.
    @Test func aConfirmedValueIsWrittenAtOnce() throws {
        let store = try open(try SavedPlan.make())
        store.note(Self.report(0, .pressed))
        store.note(Self.report(0, .confirmed(.on)))
        let deadline = MonotonicClock.now + .seconds(30)
        while store.writeCount == 0, MonotonicClock.now < deadline { sched_yield() }
        expectEqual(try events(), ["1 a pressed", "2 a confirmed"])
        #expect(store.stop(within: .seconds(60)))
    }

    @Test func theTextFileIsTakenOver() throws {
        let plan = try SavedPlan.make()
        let first = try open(plan)
        first.note(Self.change(0, 0))
        first.note(Self.change(1, 1))
        #expect(first.stop(within: .seconds(60)))
        // Off: the values are taken from the database, and the file is then the newer one.
        let off = try open(try SavedPlan.make("history: off"))
        #expect(off.saved == [Self.value(0, 0), Self.value(1, 1)] && !off.keepsEvents)
        off.note(Self.change(1, 7))
        off.note(Self.report(0, .pressed))
        #expect(off.stop(within: .seconds(60)))
        #expect(place.names.contains("P.state"))
        let on = try open(plan)
        expectEqual(on.saved, [Self.value(0, 0), Self.value(1, 7)])
        on.note(Self.change(1, 8))
        #expect(on.stop(within: .seconds(60)))
        expectEqual(place.names, ["P.history"])
        #expect(try open(plan).stop(within: .seconds(60)))
        expectEqual(try events(), ["1 a changed", "2 b changed", "3 b changed"])
        expectEqual(log.all, [])
    }

    /// What the guardian of a killed panel wrote is newer than the database.
    @Test func theFileOfTheGuardianIsTakenOver() throws {
        let plan = try SavedPlan.make()
        let first = try open(plan)
        first.note(Self.change(1, 1))
        #expect(first.stop(within: .seconds(60)))
        var words = [UInt64](repeating: 0, count: plan.controls.count)
        let identity = words.withUnsafeMutableBufferPointer { words in
            KeptValues(plan, in: words, saved: [Self.value(1, 9)]).identity
        }
        let head = [UInt64](
            [0, identity, UInt64(words.count)])
        var bytes = (head + words).flatMap { word in withUnsafeBytes(of: word) { Array($0) } }
        bytes.replaceSubrange(0..<8, with: "detentk1".utf8)
        try folder.write(bytes, to: KeptValues.name(of: plan))
        let second = try open(plan)
        expectEqual(second.saved, [Self.value(1, 9)], "\(log.all)")
        #expect(second.stop(within: .seconds(60)))
        expectEqual(place.names, ["P.history"])
        let third = try open(plan)
        expectEqual(third.saved, [Self.value(1, 9)])
        #expect(third.stop(within: .seconds(60)))
    }

    @Test(arguments: ["nonsense", "pipe", "folder", "log"])
    func aDatabaseThatCannotBeUsedIsKeptAsideAndSaid(what: String) throws {
        let plan = try SavedPlan.make()
        let file = place.path + "/P.history"
        switch what {
        case "nonsense":
            try folder.write(
                Array(String(repeating: "mine\n", count: 1_000).utf8), to: "P.history")
        case "pipe": try #require(mkfifo(file, 0o600) == 0)
        case "folder": try #require(mkdir(file, 0o700) == 0)
        default: try #require(mkfifo(file + "-wal", 0o600) == 0)
        }
        let store = try open(plan)
        #expect(store.saved == [] && store.keepsEvents)
        store.note(Self.change(1, 42))
        #expect(store.stop(within: .seconds(60)))
        expectEqual(log.all.count, 1, "\(log.all)")
        #expect(log.all[0].hasPrefix("detent: /state/P.history cannot be "), "\(log.all)")
        #expect(log.all[0].contains("help: it was renamed to P.history.aside-1"))
        let aside = what == "log" ? "P.history.aside-1-wal" : "P.history.aside-1"
        expectEqual(place.names, ["P.history", aside], "\(place.names)")
        let next = try open(plan)
        expectEqual(next.saved, [Self.value(1, 42)])
        #expect(next.stop(within: .seconds(60)))
    }

    /// It becomes useless while the panel runs: a new one has the present values.
    @Test func damageWhileThePanelRunsLosesNoValue() throws {
        let plan = try SavedPlan.make("history: {rows: 1000}")
        let writer = StateWriter(folder, "/state") { [log] in log.add($0) }
        expectEqual(writer.load(plan), [])
        // More pages than are read at the start: the next write reads those that it deletes.
        let line = String(repeating: "x", count: 400)
        let rows = (0..<1_000).map {
            HistoryRow(milliseconds: Int64($0), control: "a", event: "changed", line: line)
        }
        #expect(writer.write(plan, [.on, Value(3)], rows, survives: true) == nil)
        writer.close()
        expectEqual(writer.load(plan)?.count, 2)
        var status = stat()
        let path = place.path + "/P.history"
        try #require(stat(path, &status) == 0)
        let file = try #require(fopen(path, "r+"))
        for page in 1..<Int(status.st_size) / 4_096 {
            fseek(file, page * 4_096, SEEK_SET)
            fputs(String(repeating: "damage!", count: 580), file)
        }
        fclose(file)
        #expect(writer.write(plan, [.on, Value(4)], rows, survives: true) == nil)
        #expect(log.all.count == 1 && log.all[0].contains("with the present values"), "\(log.all)")
        #expect(!writer.isGone(plan), "it is the new one")
        writer.close()
        let next = try open(plan)
        expectEqual(next.saved, [Self.value(0, 1), Self.value(1, 4)])
        #expect(next.stop(within: .seconds(60)))
    }

    /// A folder that is not there: the panel works, and it is said.
    @Test func withoutAFolderThePanelWorks() throws {
        let lost = SystemStateFolder("/proc/detent/none")
        let plan = try SavedPlan.make()
        let opened = try StateStore.open(plan, in: lost, place: "/state") { [log] in log.add($0) }
        let store = try #require(opened)
        #expect(store.saved == [] && !store.keepsEvents)
        store.note(Self.change(1, 42))
        #expect(!store.stop(within: .seconds(60)))
        #expect(log.all.contains { $0.contains("values are not saved") }, "\(log.all)")
    }

    /// The last events of the former panel have its names; what is older or unknown has none.
    @Test func lateEventsHaveTheNamesOfTheirPanel() throws {
        func plan(_ id: String) throws -> PanelPlan {
            let text =
                "panel: P\nboard: none\ncontrols: {\(id): {kind: button, label: A, input: A}}"
            return try #require(PanelReader.read(SourceText(file: "p.yaml", text: text)).plan)
        }
        func pressed(_ panel: UInt32) -> TimedReport {
            var report = Self.report(0, .pressed)
            report.panel = panel
            return report
        }
        let store = try open(try plan("a"))
        store.note(pressed(0))
        store.replacePlan(try plan("b"), [], lock: nil)
        for panel: UInt32 in [0, 1, 2] { store.note(pressed(panel)) }
        store.replacePlan(try plan("c"), [], lock: nil)
        for panel: UInt32 in [0, 1, 2] { store.note(pressed(panel)) }
        #expect(store.stop(within: .seconds(60)))
        expectEqual(
            try events(),
            ["1 a pressed", "2 a pressed", "3 b pressed", "4 b pressed", "5 c pressed"])
        expectEqual(log.all, [])
    }

    /// A reload changes the name, the bound, and whether there is a history.
    @Test func aReloadIsFollowed() throws {
        let store = try open(try SavedPlan.make())
        store.note(Self.change(1, 1))
        let values = [Self.value(0, 1), Self.value(1, 2)]
        store.replacePlan(try SavedPlan.make(name: "Q"), values, lock: nil)
        // A report of the former panel that comes late has its name.
        store.note(Self.report(0, .pressed))
        let deadline = MonotonicClock.now + .seconds(30)
        while !place.names.contains("Q.history"), MonotonicClock.now < deadline { sched_yield() }
        store.replacePlan(try SavedPlan.make("history: off", name: "Q"), values, lock: nil)
        while !place.names.contains("Q.state"), MonotonicClock.now < deadline { sched_yield() }
        #expect(store.stop(within: .seconds(60)))
        let off = try open(try SavedPlan.make("history: off", name: "Q"))
        expectEqual(off.saved, values)
        #expect(off.stop(within: .seconds(60)))
        expectEqual(place.names, ["P.history", "Q.history", "Q.state"], "\(place.names)")
        expectEqual(log.all, [])
    }

    /// Also the values and what the guardian keeps: two panels can share a folder.
    @Test func panelsThatDifferHaveFilesThatDiffer() {
        let long = String(repeating: "ä", count: 90)
        let names = [
            "厨房", "Гараж", "lab_supply", "lab-supply", "lab supply", "Lab Supply", "+48V", "48V",
            "a/b", "a%2fb", "..", ".", "a.state", "a", "a.crash", long, long + "1", long + "2",
        ]
        let files = names.flatMap { name in
            let plan = PanelPlan(name: name)
            return [
                HistoryFile.name(of: plan), SavedFile.name(of: plan), KeptValues.name(of: plan),
            ]
        }
        expectEqual(Set(files).count, 3 * names.count, "\(files)")
        #expect(files.allSatisfy { !$0.contains("/") && !$0.hasPrefix(".") && $0.utf8.count < 200 })
    }
}
