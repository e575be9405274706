import DetentPanel
import DetentTypes
import Glibc
import TestSupport
import Testing

@testable import DetentRuntime

/// The file of the values and that of the guardian, where a step fails; and the folder itself.
@Suite struct StateFileTests {
    private let folder = FaultyFolder()
    private let log = MessageLog()
    private let plan: PanelPlan

    init() throws {
        let text = """
            panel: P
            board: none
            history: off
            controls:
              a: {kind: toggle-button, label: A, input: A}
              b: {kind: dial, label: B, encoder: {a: B, b: C}, range: {min: 0, max: 99}}
            """
        plan = try #require(PanelReader.read(SourceText(file: "p.yaml", text: text)).plan)
    }

    private var file: StateFile { StateFile(plan, folder, "/state") { [log] in log.add($0) } }

    private func value(_ control: UInt16, _ raw: Int32) -> SavedValue {
        SavedValue(control: ControlID(control), value: Value(raw))
    }

    private func putValues(_ values: [Value?]) throws {
        try folder.real.write(SavedFile.bytes(values, of: plan), to: "P.state")
    }

    /// What the guardian writes when the panel is killed.
    private func putKept(_ saved: [SavedValue]) throws {
        var words = [UInt64](repeating: 0, count: plan.controls.count)
        let identity = words.withUnsafeMutableBufferPointer { words in
            KeptValues(plan, in: words, saved: saved).identity
        }
        var bytes = Array("detentk1".utf8)
        for word in [identity, UInt64(words.count)] + words {
            withUnsafeBytes(of: word) { bytes += $0 }
        }
        try folder.real.write(bytes, to: "P.state.crash")
    }

    /// What the panel no longer has is said with the file that has it.
    @Test func aValueThatIsNoneAnyMoreIsSaid() throws {
        let text =
            "panel: P\nboard: none\ncontrols: {b: {kind: dial, label: B, "
            + "encoder: {a: B, b: C}, range: {min: 0, max: 9}}}"
        let next = try #require(PanelReader.read(SourceText(file: "p.yaml", text: text)).plan)
        try putValues([.on, Value(42)])
        let file = StateFile(next, folder, "/state") { [log] in log.add($0) }
        expectEqual(file.load(), [value(0, 9)])
        expectEqual(
            log.all,
            [
                "detent: /state/P.state: `42` is no longer a value of `b`: it starts with `9`\n"
            ])
    }

    @Test func withoutFilesThereAreNoValues() {
        expectEqual(file.loadAll(), [])
        expectEqual(log.all, [])
    }

    @Test func theLatestValuesAreSavedBeforeTheirFileGoes() throws {
        try putValues([.on, Value(1)])
        try putKept([value(1, 7)])
        expectEqual(file.loadAll(), [value(0, 1), value(1, 7)])
        expectEqual(
            folder.steps.filter { !$0.hasPrefix("read") },
            [
                "write P.state.new", "sync P.state.new", "rename P.state.new", "syncNames",
                "remove P.state.crash", "syncNames",
            ])
        expectEqual(folder.names, ["P.state"])
        expectEqual(file.load(), [value(0, 1), value(1, 7)])
        expectEqual(log.all, [])
    }

    @Test func theGuardiansFileOfAnotherPanelGoes() throws {
        try putValues([.on, nil])
        try folder.put("theirs", "P.state.crash")
        expectEqual(file.loadAll(), [value(0, 1)])
        expectEqual(folder.names, ["P.state"])
        expectEqual(
            log.all,
            ["detent: /state/P.state.crash belongs to another panel file and was removed\n"])
    }

    /// Where they cannot be saved, they stay for the next start, and it is said.
    @Test(arguments: [("write", "written"), ("sync", "synced"), ("rename", "renamed")])
    func whatCannotBeSavedStays(step: String, word: String) throws {
        try putValues([.on, Value(1)])
        try putKept([value(1, 7)])
        folder.fail(step, EROFS)
        expectEqual(file.loadAll(), [value(0, 1), value(1, 1)])
        expectEqual(
            log.all,
            [
                "detent: /state/P.state.crash cannot be \(word): Read-only file system; the latest "
                    + "values before the crash are not used\n"
                    + "help: make the folder writable for the user of detent\n"
            ])
        folder.repair()
        expectEqual(file.loadAll(), [value(0, 1), value(1, 7)])
    }

    @Test func aFileThatCannotBeReadIsPutAside() throws {
        try putValues([.on, Value(1)])
        folder.fail("read", EIO)
        expectEqual(file.load(), [])
        expectEqual(folder.names, ["P.state.aside-1"])
        expectEqual(
            log.all,
            [
                "detent: /state/P.state cannot be read: Input/output error; controls start at "
                    + "their defaults\nhelp: it was renamed to P.state.aside-1; delete it if you "
                    + "do not need it\n"
            ])
    }

    @Test func whatCannotBePutAsideIsRefused() throws {
        try folder.put("mine", "P.state")
        folder.fail("rename", EROFS)
        #expect(file.load() == nil)
        #expect(file.loadAll() == nil)
        let text =
            "detent: /state/P.state does not end with a checksum, and it cannot be renamed: "
            + "Read-only file system; controls start at their defaults and values are not saved\n"
            + "help: move the file, or use a folder that only detent uses with --state-dir\n"
        expectEqual(log.all, [text, text])
        folder.repair()
        for number in 1...StateFile.asides { try folder.put("", "P.state.aside-\(number)") }
        #expect(file.load() == nil)
        #expect(log.all[2].contains("100 such files have already been renamed"), "\(log.all)")
        try folder.real.remove("P.state.aside-100")
        expectEqual(file.load(), [])
        expectEqual(try folder.text("P.state.aside-100"), "mine")
    }

    @Test(arguments: [0, 1]) func aFileIsReadUpToItsLimit(more: Int) throws {
        let blank = SavedFile.bytes([.on, nil], of: plan).count
        // A line of a control that the panel does not have is left out.
        let lines = "detent-state 1\npanel: P\na: on\n"
        let room = SavedFile.byteLimit - blank - "x: \n".utf8.count + more
        let text = lines + "x: " + String(repeating: "x", count: room) + "\n"
        let sum = String(FNV1a.sum(text.utf8), radix: 16)
        let zeros = String(repeating: "0", count: 16 - sum.count)
        try folder.put(text + "sum: \(zeros)\(sum)\n", "P.state")
        expectEqual(try folder.real.read("P.state")?.count, SavedFile.byteLimit + more)
        expectEqual(file.load(), more == 0 ? [value(0, 1)] : [])
        expectEqual(log.all.count, more)
        #expect(log.all.allSatisfy { $0.contains("is too large for a state file") })
    }

    // MARK: The folder

    @Test func aFolderKnowsItsFiles() throws {
        let real = folder.real
        expectEqual(real.identity(of: "a"), nil)
        #expect(real.isPlain("a") && !real.contains("a"))
        try folder.put("x", "a")
        try folder.put("x", "b")
        let first = try #require(real.identity(of: "a"))
        #expect(real.isPlain("a") && real.contains("a"))
        #expect(real.identity(of: "b") != first)
        try real.rename("b", to: "a")
        #expect(real.identity(of: "a") != first)
        try #require(symlink(folder.path + "/a", folder.path + "/link") == 0)
        #expect(!real.isPlain("link") && real.contains("link"))
        #expect(real.identity(of: "link") != real.identity(of: "a"), "links are not followed")
        #expect(throws: StateFolderError(step: "read", errno: 0)) { _ = try real.read("link") }
        try real.remove("nothing")
        #expect(throws: StateFolderError(step: "renamed", errno: ENOENT)) {
            try real.rename("nothing", to: "c")
        }
        #expect(throws: StateFolderError(step: "synced", errno: ENOENT)) {
            try real.sync("nothing")
        }
    }

    @Test func aFileIsMadeForItsOwnerAlone() throws {
        let real = folder.real
        func mode(_ name: String) -> mode_t? {
            var status = stat()
            return stat(folder.path + "/" + name, &status) == 0 ? status.st_mode & 0o777 : nil
        }
        #expect(!real.makePrivate("a", isMade: false))
        expectEqual(mode("a"), nil)
        #expect(real.makePrivate("a", isMade: true))
        expectEqual(mode("a"), 0o600)
        expectEqual(chmod(folder.path + "/a", 0o666), 0)
        try #require(symlink(folder.path + "/a", folder.path + "/link") == 0)
        #expect(!real.makePrivate("link", isMade: true))
        expectEqual(mode("a"), 0o666)
        #expect(!real.makePrivate("a", isMade: true), "it was there")
        expectEqual(mode("a"), 0o600)
    }

    @Test func aFolderThatGoesIsMadeAgain() throws {
        let real = SystemStateFolder(folder.path + "/inner")
        defer { rmdir(real.path) }
        var made = stat()
        expectEqual(stat(real.path, &made), 0)
        expectEqual(made.st_mode & 0o777, 0o700)
        #expect(!real.makeAgain())
        expectEqual(
            real.databasePath,
            realpath(folder.path, nil).map { path in
                defer { free(path) }
                return String(cString: path) + "/inner"
            })
        expectEqual(rmdir(real.path), 0)
        expectEqual(real.databasePath, nil)
        #expect(throws: StateFolderError(step: "synced", errno: ENOENT)) { try real.syncNames() }
        #expect(real.makeAgain())
        var status = stat()
        expectEqual(stat(real.path, &status), 0)
        expectEqual(status.st_mode & 0o777, 0o700)
    }

    /// Where no number of a process is in it, another process has it all the same.
    @Test(arguments: [("", nil), ("12\nrest\n", 12), ("1234567890123456789", nil)])
    func aClaimOfAnotherHasItsNumber(text: String, process: pid_t?) throws {
        defer { unlink(folder.path + "/.P.state.lock") }
        let claim = try folder.real.claim("P.state", for: 77)
        guard case .mine(let lock) = claim else {
            Issue.record("it is free")
            return
        }
        expectEqual(try folder.text(".P.state.lock"), "77\n")
        let file = open(folder.path + "/.P.state.lock", O_WRONLY | O_TRUNC)
        expectEqual(write(file, text, text.utf8.count), text.utf8.count)
        close(file)
        guard case .held(let found) = try folder.real.claim("P.state") else {
            Issue.record("it is held")
            return
        }
        expectEqual(found, process)
        withExtendedLifetime(lock) {}
    }

    /// A panel runs for years: no call leaves a file open.
    @Test func noFileStaysOpen() throws {
        let real = folder.real
        try folder.put("x", "a")
        _ = try real.read("a")
        try real.sync("a")
        try real.syncNames()
        _ = real.makePrivate("a", isMade: true)
        _ = real.makePrivate("b", isMade: true)
        try #require(mkfifo(folder.path + "/pipe", 0o600) == 0)
        #expect(throws: StateFolderError.self) { _ = try real.read("pipe") }
        expectEqual(folder.open, [])
        guard case .mine(let lock) = try real.claim("P.state") else {
            Issue.record("it is free")
            return
        }
        expectEqual(folder.open, [".P.state.lock"])
        guard case .held = try real.claim("P.state") else {
            Issue.record("it is held")
            return
        }
        expectEqual(folder.open, [".P.state.lock"])
        withExtendedLifetime(lock) {}
        unlink(folder.path + "/.P.state.lock")
    }

    /// A folder that is not of this machine has what a real one needs as it is.
    @Test func anotherFolderHasNoDatabase() throws {
        let other = try FragileFolder()
        #expect(other.isPlain("a") && !other.makeAgain() && !other.makePrivate("a", isMade: true))
        #expect(other.identity(of: "a") == nil && other.databasePath == nil)
    }

    @Test func causesAreForPeople() {
        expectEqual(StateFolderError(step: "read", errno: 0).cause, "it is not a regular file")
        expectEqual(StateFolderError(step: "read", errno: EIO).cause, "Input/output error")
    }
}
