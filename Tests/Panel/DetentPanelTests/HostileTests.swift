import Glibc
import TestSupport
import Testing

@testable import DetentPanel

/// Files that nobody writes by accident; none may trap, hang or take much memory.
@Suite struct HostileTests {
    private func rules(_ bytes: [UInt8]) -> [String] {
        let reading = PanelReader.read(SourceText(file: "panel.yaml", bytes: bytes))
        #expect(reading.plan == nil)
        return reading.problems.map(\.rule.name)
    }

    private func rules(_ text: String) -> [String] { rules(Array(text.utf8)) }

    @Test func nothing() {
        expectEqual(rules(""), ["empty-file"])
        expectEqual(rules("\n\n# nothing\n"), ["empty-file"])
        expectEqual(rules("~"), ["wrong-type"])
        expectEqual(rules("panel"), ["wrong-type"])
        expectEqual(rules("[]"), ["wrong-type"])
        expectEqual(rules("{}"), ["missing-key", "missing-key", "board-not-detected"])
    }

    @Test func binary() {
        expectEqual(rules([0x7F, 0x45, 0x4C, 0x46, 0, 1, 2, 3]), ["yaml-syntax"])
        expectEqual(rules((0...255).map { UInt8($0) }), ["yaml-syntax"])
        expectEqual(rules([0xFF, 0xFE, 0x70, 0x00]), ["yaml-syntax"])
    }

    @Test func largeInMemory() {
        let large = [UInt8](repeating: UInt8(ascii: "a"), count: 10_000_000)
        expectEqual(rules(large), ["file-too-large"])
    }

    @Test func largeOnDisk() throws {
        let folder = Folder.temporary()
        let path = folder + "/large.yaml"
        let descriptor = open(path, O_WRONLY | O_CREAT, 0o600)
        expectEqual(ftruncate(descriptor, 10_000_000), 0)
        close(descriptor)
        let reading = PanelReader.read(file: path)
        #expect(reading.plan == nil)
        expectEqual(reading.problems.map(\.rule), [.fileTooLarge])
        #expect(reading.problems[0].text.contains("10000000"))
        unlink(path)
        rmdir(folder)
    }

    @Test func endless() {
        for path in ["/dev/zero", "/dev/tty", "/dev/ptmx"] {
            expectEqual(PanelReader.read(file: path).problems.map(\.rule), [.unreadableFile])
        }
    }

    /// A pipe of that name that nobody writes would hold its reader for ever.
    @Test func aNamedPipeIsNoFile() throws {
        var template = Array("/tmp/detent-pipe-XXXXXX".utf8CString)
        try #require(mkdtemp(&template) != nil)
        let folder = String(
            decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let path = folder + "/panel.yaml"
        try #require(mkfifo(path, 0o600) == 0)
        let reading = PanelReader.read(file: path)
        expectEqual(reading.problems.map(\.rule), [.unreadableFile])
        #expect(reading.problems[0].text.contains("a pipe or a device"))
        unlink(path)
        rmdir(folder)
    }

    /// The kernel calls it a regular file, and it waits as a pipe does.
    @Test func aFileThatWaitsIsRefused() throws {
        let path = "/proc/kmsg"
        // Only root may open it, and not everywhere.
        let file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard file >= 0 else { return }
        // A reading would take what waits there from others.
        var entry = pollfd(fd: file, events: Int16(POLLIN), revents: 0)
        let isEmpty = poll(&entry, 1, 0) == 0
        close(file)
        guard isEmpty else { return }
        let reading = PanelReader.read(file: path)
        expectEqual(reading.problems.map(\.rule), [.unreadableFile])
        #expect(reading.problems[0].text.contains("waits for something"))
    }

    /// A pipe that the caller has opened is read to its end, up to the limit.
    @Test func anOpenPipeIsRead() throws {
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        let text = Array("panel: X\n".utf8)
        expectEqual(write(ends[1], text, text.count), text.count)
        close(ends[1])
        expectEqual(try SourceText.read(file: "/dev/fd/\(ends[0])").bytes, text)
        close(ends[0])
        #expect(throws: SourceText.Unreadable.self) {
            _ = try SourceText.read(file: "/dev/fd/\(ends[0])")
        }
        let zeros = open("/dev/zero", O_RDONLY | O_CLOEXEC)
        expectEqual(
            PanelReader.read(file: "/dev/fd/\(zeros)").problems.map(\.rule), [.fileTooLarge])
        close(zeros)
    }

    @Test(arguments: ["/nonexistent/panel.yaml", "/tmp", ""])
    func unreadable(_ path: String) {
        let reading = PanelReader.read(file: path)
        #expect(reading.plan == nil)
        expectEqual(reading.problems.map(\.rule), [.unreadableFile])
        #expect(ProblemRenderer.text(reading.problems).hasPrefix("\(path):1:1: error: "))
    }

    @Test(arguments: [33, 100, 5_000, 100_000]) func deepNesting(_ depth: Int) {
        let brackets = String(repeating: "[", count: depth)
        expectEqual(rules("panel: " + brackets), ["yaml-too-deep"])
        let maps = (0..<min(depth, 700)).map { String(repeating: " ", count: $0) + "a:\n" }.joined()
        expectEqual(rules(maps), ["yaml-too-deep"])
    }

    @Test func manyNodes() {
        #expect(
            rules("panel: [" + String(repeating: "a,", count: 110_000) + "]")
                .contains("yaml-too-many-values"))
    }

    @Test func aliasBomb() {
        var text = "a: &a [x, x, x, x, x, x, x, x, x]\n"
        for (this, last) in zip("bcdefghi", "abcdefgh") {
            let items = Array(repeating: "*\(last)", count: 9).joined(separator: ", ")
            text += "\(this): &\(this) [\(items)]\n"
        }
        let found = rules(text)
        expectEqual(Set(found), ["yaml-feature"])
        #expect(found.count <= Limits.problems + 1)
    }

    @Test func manyProblems() {
        let keys = (0..<1_500).map { "key\($0): x\n" }.joined()
        let reading = PanelReader.read(SourceText(file: "p", text: keys))
        expectEqual(reading.problems.count, Limits.problems + 1)
        expectEqual(reading.problems.last?.rule, .tooManyProblems)
    }

    @Test func manyDuplicateKeys() {
        let keys = String(repeating: "a: x\n", count: TestLength.size(short: 4_000, long: 40_000))
        expectEqual(rules(keys).count, Limits.problems + 1)
    }

    @Test func longWords() {
        let word = String(repeating: "x", count: 500_000)
        let reading = PanelReader.read(
            SourceText(file: "p", text: "panel: P\nboard: \(word)\n\(word.prefix(900)): y\n"))
        let text = ProblemRenderer.text(reading.problems)
        #expect(text.split(separator: "\n").allSatisfy { $0.count < 250 })
    }

    /// Nothing of a file reaches the terminal that could move its cursor or colour it.
    @Test func escapeSequences() {
        let text = "panel: \"\\e[31mred\\e[0m\"\n\"\\e]0;title\\a\": x\n\"a\\nb\": \"\\u202Ex\"\n"
        let reading = PanelReader.read(SourceText(file: "p", text: text))
        let out = ProblemRenderer.text(reading.problems) + ProblemRenderer.json(reading.problems)
        let controls = out.unicodeScalars.filter {
            ($0.value < 0x20 && $0 != "\n") || $0.value == 0x7F || $0.value == 0x202E
        }
        #expect(controls.isEmpty)
    }

    @Test func tooManyControls() {
        let controls = (0..<1_001).map {
            "  c\($0): {kind: button, label: L\($0), input: A\($0)}\n"
        }
        expectEqual(
            rules("panel: P\nboard: none\ncontrols:\n" + controls.joined()), ["too-many-controls"])
    }

    /// Work grows with the file, not with its square.
    @Test func longLists() {
        let fewer = (0..<20_000).map { "x\($0)" }.joined(separator: ",")
        let list = "kind: radio-group, label: L, selector: [\(fewer)], options: [\(fewer)]"
        let bounded = rules(
            "panel: P\nboard: raspberry-pi-5\ncontrols: {c: {\(list), indicator: [\(fewer)]}}")
        expectEqual(bounded.filter { $0 == "out-of-range" }.count, 3)
        #expect(bounded.count < 100)
    }

    @Test(arguments: [
        "panel: {}", "board: []", "controls: x", "controls: [a]", "controls: {a: {kind: []}}",
        "controls: {a: {kind: {}}}", "controls: {a: {kind: switch, input: {line: []}}}",
        "controls: {a: {kind: dial, encoder: x, range: y}}",
        "controls: {a: {kind: dial, encoder: {a: A, b: B}, range: {min: 1e9, max: {}}}}",
        "controls: {a: {kind: radio-group, selector: {}, options: {}}}",
        "controls: {a: {kind: radio-group, selector: [], options: []}}",
        "controls: {a: {kind: radio-group, selector: [[A]], options: [[x]]}}",
        "controls: {a: {kind: three-way, lever: [A, B]}}",
        "controls: {a: {kind: switch, latch: []}}",
        "controls: {a: {kind: switch, indicator: []}}", "controls: {a: {kind: switch, action: []}}",
        "controls: {a: {kind: switch, action: {on: x}}}",
        "controls: {a: {kind: switch, action: {}}}",
        "controls: {{a: b}: c}", "? [a]\n: b", "controls: {a: {kind: switch, debounce: [1]}}",
        "controls: {'': {kind: switch}}", "controls: {a: {kind: button, repeat: {after: {}}}}",
        "controls: {a: {kind: switch, action: {run: [\"\\0\"], timeout: 1s}}}",
    ])
    func wrongTypes(_ text: String) {
        #expect(!rules(text).isEmpty)
    }
}
