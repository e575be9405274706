import DetentCore
import DetentPanel
import DetentPlatform
import DetentTypes
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import DetentRuntime

/// A folder on a card whose power can be cut between any two steps.
///
/// What was written is safe only when it was synced; a new name only when names were. After the cut
/// everything in between may be there, or in part, or not at all.
final class FragileFolder: StateFolder {
    private struct State {
        var files: [String: [UInt8]] = [:]
        /// What a cut leaves for sure.
        var safeFiles: [String: [UInt8]] = [:]
        var synced: Set<String> = []
        var steps = 0
        var writes = 0
        var failing: Int32?
    }

    private let state = Mutex(State())
    /// The step at which the power goes; later ones do nothing.
    let cutAt: Int
    let changed: WakeUp

    init(cutAt: Int = .max, _ files: [String: [UInt8]] = [:]) throws {
        self.cutAt = cutAt
        changed = try WakeUp()
        state.withLock {
            $0.files = files
            $0.safeFiles = files
            $0.synced = Set(files.keys)
        }
    }

    var files: [String: [UInt8]] { state.withLock { $0.files } }
    var steps: Int { state.withLock { $0.steps } }
    var writes: Int { state.withLock { $0.writes } }

    func fail(_ errno: Int32?) { state.withLock { $0.failing = errno } }

    /// What may be found after the cut: the least, the most, and names that came before contents.
    var afterCut: [[String: [UInt8]]] {
        state.withLock { state in
            var torn = state.files
            for (name, bytes) in torn where !state.synced.contains(name) {
                torn[name] = Array(bytes.prefix(bytes.count / 2))
            }
            return [state.safeFiles, state.files, torn]
        }
    }

    private func step(
        _ what: String, _ body: (inout State) -> Void
    ) throws(StateFolderError) {
        let failing = state.withLock { state -> Int32? in
            if let failing = state.failing { return failing }
            if state.steps < cutAt { body(&state) }
            state.steps += 1
            return nil
        }
        changed.ring()
        if let failing { throw StateFolderError(step: what, errno: failing) }
    }

    func read(_ name: String) throws(StateFolderError) -> [UInt8]? { files[name] }

    func write(_ bytes: [UInt8], to name: String) throws(StateFolderError) {
        try step("written") {
            $0.files[name] = bytes
            $0.synced.remove(name)
            $0.writes += 1
        }
    }

    func sync(_ name: String) throws(StateFolderError) {
        try step("synced") { _ = $0.synced.insert(name) }
    }

    func rename(_ name: String, to other: String) throws(StateFolderError) {
        try step("renamed") { state in
            state.files[other] = state.files.removeValue(forKey: name)
            if state.synced.remove(name) != nil {
                state.synced.insert(other)
            } else {
                state.synced.remove(other)
            }
        }
    }

    func remove(_ name: String) throws(StateFolderError) {
        try step("removed") { state in state.files[name] = nil }
    }

    func syncNames() throws(StateFolderError) { try step("synced") { $0.safeFiles = $0.files } }

    func contains(_ name: String) -> Bool { files[name] != nil }

    /// Waits until so many steps have been taken.
    func wait(forSteps count: Int) -> Bool {
        let deadline = MonotonicClock.now + .seconds(60)
        while steps < count {
            if MonotonicClock.now >= deadline { return false }
            changed.wait(until: deadline)
            changed.clear()
        }
        return true
    }
}

/// Values over a restart, in the file of `history: off`.
@Suite struct StateStoreTests {
    private let plan: PanelPlan
    private let log = MessageLog()
    private let name = "P.state"

    init() throws {
        let reading = PanelReader.read(
            SourceText(
                file: "p.yaml",
                text: """
                    panel: P
                    board: none
                    history: off
                    controls:
                      a: {kind: toggle-button, label: A, input: A}
                      b: {kind: dial, label: B, encoder: {a: B, b: C}, range: {min: 0, max: 99}}
                    """))
        plan = try #require(reading.plan)
    }

    private func open(_ folder: any StateFolder) throws -> StateStore? {
        try StateStore.open(plan, in: folder, place: "/state") { [log] in log.add($0) }
    }

    private func change(_ control: UInt16, _ raw: Int32) -> TimedReport {
        TimedReport(
            report: Report(
                control: ControlID(control), kind: .changed(Value(raw), .panel)),
            at: MonotonicClock.now)
    }

    private func value(_ control: UInt16, _ raw: Int32) -> SavedValue {
        SavedValue(control: ControlID(control), value: Value(raw))
    }

    /// What could not be saved is told to the caller, too.
    @Test func aFailedSaveIsNoSave() throws {
        let folder = try FragileFolder()
        let store = try #require(try open(folder))
        folder.fail(ENOSPC)
        store.record([value(0, 1)])
        #expect(!store.stop(within: .seconds(60)))
        #expect(store.hasFailed)
        #expect(!store.stop(within: .seconds(60)), "nor later")
        #expect(log.all.count == 1 && log.all[0].contains("values are not saved"), "\(log.all)")
    }

    /// Nothing changed since it was removed, and yet it is there at the end.
    @Test func aFileThatIsRemovedIsWrittenAgain() throws {
        let folder = try FragileFolder()
        let store = try #require(try open(folder))
        store.record([value(0, 1)])
        #expect(folder.wait(forSteps: 4))
        let bytes = folder.files[name]
        try folder.remove(name)
        #expect(store.stop(within: .seconds(60)))
        #expect(bytes != nil && folder.files[name] == bytes)
        #expect(log.all.count == 1 && log.all[0].contains("was removed"), "\(log.all)")
    }

    @Test func valuesComeBack() throws {
        let folder = try FragileFolder()
        let first = try #require(try open(folder))
        expectEqual(first.saved, [])
        first.note(change(0, 1))
        first.note(change(1, 42))
        #expect(first.stop(within: .seconds(60)))
        #expect(first.stop(within: .seconds(60)), "it has ended")
        let second = try #require(try open(folder))
        expectEqual(second.saved, [value(0, 1), value(1, 42)])
        #expect(second.stop(within: .seconds(60)))
        #expect(log.all == [] && Set(folder.files.keys) == [name])
    }

    @Test func nothingIsWrittenWhileNothingChanges() throws {
        let old = SavedFile.bytes([.on, Value(42)], of: plan)
        let folder = try FragileFolder([name: old])
        let store = try #require(try open(folder))
        for _ in 0..<100 {
            store.note(change(0, 1))
            store.note(
                TimedReport(
                    report: Report(control: ControlID(0), kind: .confirmed(.off)), at: .zero))
        }
        #expect(store.stop(within: .seconds(60)))
        #expect(folder.steps == 0 && store.writeCount == 0)
    }

    @Test func aBurstIsAtMostTwoWritesInASecond() throws {
        let folder = try FragileFolder()
        let store = try #require(try open(folder))
        let began = MonotonicClock.now
        store.note(change(1, 1))
        #expect(folder.wait(forSteps: 4), "the first is written at once")
        for number: Int32 in 2..<90 { store.note(change(1, number)) }
        #expect(store.stop(within: .seconds(60)))
        let whole = UInt64((MonotonicClock.now - began).nanoseconds / 1_000_000_000)
        #expect(store.writeCount <= 2 + Int(whole), "the first and the one of the end")
        expectEqual(folder.files[name], SavedFile.bytes([nil, Value(89)], of: plan))
    }

    /// The power goes at every step of a write; whatever the card made of it, what is found is the
    /// state before or the one after.
    @Test(arguments: 0...4) func aPowerCutLeavesTheOldOrTheNewState(cutAt: Int) throws {
        let old = SavedFile.bytes([.on, Value(42)], of: plan)
        let folder = try FragileFolder(cutAt: cutAt, [name: old])
        let store = try #require(try open(folder))
        store.note(change(1, 7))
        #expect(store.stop(within: .seconds(60)))
        expectEqual(folder.steps, 4, "write, sync, rename, sync")
        var found: Set<[Int32]> = []
        for files in folder.afterCut {
            let after = try FragileFolder(files)
            let next = try #require(try open(after))
            found.insert(next.saved.map(\.value.raw))
            #expect(next.stop(within: .seconds(60)))
        }
        #expect(found.isSubset(of: [[1, 42], [1, 7]]), "\(found)")
        expectEqual(log.all, [], "no file is damaged")
        if cutAt == 4 { expectEqual(found, [[1, 7]]) }
        if cutAt < 3 { expectEqual(found, [[1, 42]]) }
    }

    /// A writer that forgot to sync would be seen by the test above.
    @Test func aCheckerThatSeesNothingIsNoticed() throws {
        let old = SavedFile.bytes([.on, Value(42)], of: plan)
        let folder = try FragileFolder([name: old])
        try folder.write(SavedFile.bytes([.on, Value(7)], of: plan), to: "x")
        try folder.rename("x", to: name)
        let damaged = try folder.afterCut.contains { files in
            let store = try #require(try open(try FragileFolder(files)))
            defer { store.stop(within: .seconds(60)) }
            return store.saved == []
        }
        #expect(damaged)
    }

    @Test func aForeignFileIsKeptAsideAndSaid() throws {
        let folder = try FragileFolder([
            name: Array("mine\n".utf8), name + ".aside-1": Array("older\n".utf8),
        ])
        let store = try #require(try open(folder))
        expectEqual(store.saved, [])
        store.note(change(0, 1))
        #expect(store.stop(within: .seconds(60)))
        expectEqual(folder.files[name + ".aside-2"], Array("mine\n".utf8))
        expectEqual(folder.files[name + ".aside-1"], Array("older\n".utf8))
        expectEqual(folder.files[name], SavedFile.bytes([.on, nil], of: plan))
        expectEqual(log.all.count, 1)
        #expect(log.all[0].hasPrefix("detent: /state/P.state does not"), "\(log.all)")
        #expect(log.all[0].hasSuffix("aside-2; delete it if you do not need it\n"), "\(log.all)")
    }

    @Test func nothingIsOverwrittenWhereItCannotBePutAside() throws {
        let folder = try FragileFolder([name: Array("mine\n".utf8)])
        folder.fail(EROFS)
        #expect(try open(folder) == nil)
        expectEqual(folder.files, [name: Array("mine\n".utf8)])
        #expect(log.all.count == 1 && log.all[0].contains("Read-only file system"), "\(log.all)")
        let full = (1...100).map { (name + ".aside-\($0)", [UInt8](repeating: 1, count: $0)) }
        let crowded = try FragileFolder(
            Dictionary(uniqueKeysWithValues: full + [(name, Array("mine\n".utf8))]))
        #expect(try open(crowded) == nil && crowded.files.count == 101)
    }

    @Test func aFullCardIsSaidOnceAndWhenItIsOver() throws {
        let folder = try FragileFolder()
        let store = try #require(try open(folder))
        folder.fail(ENOSPC)
        store.note(change(0, 1))
        let deadline = MonotonicClock.now + .seconds(60)
        while log.all.isEmpty, MonotonicClock.now < deadline { sched_yield() }
        folder.fail(nil)
        #expect(store.stop(within: .seconds(60)), "the end tries once more")
        expectEqual(log.all.count, 2, "\(log.all)")
        #expect(log.all[0].contains("/state/P.state cannot be written: No space left on device"))
        expectEqual(log.all[1], "detent: values in /state can be written again\n")
        expectEqual(store.writeCount, 1)
    }

    /// The same on a real folder.
    @Test func aRealFolderKeepsValues() throws {
        var template = Array("/tmp/detent-state-XXXXXX".utf8CString)
        try #require(mkdtemp(&template) != nil)
        let path = String(
            decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let folder = SystemStateFolder(path + "/state")
        defer {
            for name in [name, name + ".aside-1"] { unlink(folder.path + "/" + name) }
            rmdir(folder.path)
            rmdir(path)
        }
        let first = try #require(try open(folder))
        first.note(change(1, 42))
        #expect(first.stop(within: .seconds(60)) && first.writeCount == 1)
        #expect(!folder.contains(name + ".new"))
        let second = try #require(try open(folder))
        expectEqual(second.saved, [value(1, 42)])
        #expect(second.stop(within: .seconds(60)))
        try folder.write(Array("mine\n".utf8), to: name)
        let third = try #require(try open(folder))
        #expect(third.saved == [] && folder.contains(name + ".aside-1"))
        #expect(third.stop(within: .seconds(60)))
    }

    /// A folder of one test with nothing in it.
    private static func temporaryFolder() throws -> String {
        var template = Array("/tmp/detent-state-XXXXXX".utf8CString)
        try #require(mkdtemp(&template) != nil)
        return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    @Test(arguments: ["link", "pipe", "folder"])
    func whatIsPlantedIsNeitherFollowedNorWaitedFor(what: String) throws {
        let path = try Self.temporaryFolder()
        let folder = SystemStateFolder(path)
        let target = path + "/target"
        for name in [name, name + ".new"] {
            switch what {
            case "link": try #require(symlink(target, path + "/" + name) == 0)
            case "pipe": try #require(mkfifo(path + "/" + name, 0o600) == 0)
            default: try #require(mkdir(path + "/" + name, 0o700) == 0)
            }
        }
        try folder.write(Array("theirs\n".utf8), to: "target")
        let store = try #require(try open(folder))
        expectEqual(store.saved, [])
        store.note(change(1, 42))
        store.stop(within: .seconds(60))
        expectEqual(try folder.read("target"), Array("theirs\n".utf8))
        #expect(folder.contains(name + ".aside-1"), "\(log.all)")
        if what == "folder" {
            #expect(log.all.contains { $0.contains("cannot be written") }, "\(log.all)")
        } else {
            #expect(log.all.count == 1 && log.all[0].contains("it is not a regular file"))
            expectEqual(try folder.read(name), SavedFile.bytes([nil, Value(42)], of: plan))
        }
        for name in ["target", name, name + ".new", name + ".aside-1"] {
            remove(path + "/" + name)
        }
        expectEqual(rmdir(path), 0)
    }

    @Test func aFileIsClaimedOnce() throws {
        let path = try Self.temporaryFolder()
        let folder = SystemStateFolder(path)
        do {
            guard case .mine(let lock) = try folder.claim(name) else {
                Issue.record("nobody else has it")
                return
            }
            guard case .held(let process) = try folder.claim(name) else {
                Issue.record("it is held")
                return
            }
            expectEqual(process, getpid())
            guard case .mine = try folder.claim("Q.state") else {
                Issue.record("another panel has a file of its own")
                return
            }
            withExtendedLifetime(lock) {}
        }
        guard case .mine = try folder.claim(name) else {
            Issue.record("it was released")
            return
        }
        for name in [name, "Q.state"] { unlink(path + "/." + name + ".lock") }
        expectEqual(rmdir(path), 0)
    }

    @Test func aPlantedLockIsNotFollowed() throws {
        let path = try Self.temporaryFolder()
        let folder = SystemStateFolder(path)
        try #require(symlink(path + "/target", path + "/." + name + ".lock") == 0)
        #expect(throws: StateFolderError(step: "locked", errno: 0)) {
            _ = try folder.claim(name)
        }
        #expect(!folder.contains("target"))
        unlink(path + "/." + name + ".lock")
        expectEqual(rmdir(path), 0)
    }

    /// What is shown at the end counts, although reports of it were dropped.
    @Test func theLastValuesAreWrittenWhereReportsWereDropped() throws {
        let folder = try FragileFolder()
        let store = try #require(try open(folder))
        store.note(change(1, 41))
        store.record([value(0, 1), value(1, 42)])
        #expect(store.stop(within: .seconds(60)))
        expectEqual(folder.files[name], SavedFile.bytes([.on, Value(42)], of: plan))
    }
}
