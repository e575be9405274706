import DetentActions
import DetentPlatform
import DetentTypes
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import DetentPanel
@testable import DetentRuntime

/// The connection to a display, with a FIFO or a file in the place of the device.
@Suite struct DisplayLinkTests {
    private final class Texts: Sendable {
        private let texts = Mutex<[String]>([])
        func add(_ text: String) { texts.withLock { $0.append(text) } }
        var all: [String] { texts.withLock { $0 } }
    }

    /// A folder that is removed at the end.
    private final class Place {
        let path: String

        init() throws {
            var template = Array("/tmp/detent-display-XXXXXX".utf8CString)
            let made = template.withUnsafeMutableBufferPointer {
                $0.baseAddress.flatMap { mkdtemp($0) }
            }
            path = String(cString: try #require(made))
        }

        deinit {
            unlink(path + "/lcd")
            rmdir(path)
        }

        var device: String { path + "/lcd" }

        func makeFIFO() { expectEqual(mkfifo(device, 0o600), 0) }

        func openReader() -> Int32 { open(device, O_RDONLY | O_NONBLOCK | O_CLOEXEC) }
    }

    init() {
        // As the program does: one that has ended does not take this one along.
        signal(SIGPIPE, SIG_IGN)
    }

    private let place = try? Place()
    private let said = Texts()

    private func link(
        _ device: DisplayPlan.Device, rows: Int = 2, guardian: Guardian? = nil,
        screen: Framebuffer? = nil
    ) -> DisplayLink {
        let display = DisplayPlan(name: "main", device: device, columns: 8, rows: rows)
        return DisplayLink(
            display, guardian: guardian, log: { [said] in said.add($0) }, describe: { _ in screen })
    }

    private func read(_ descriptor: Int32) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 200_000)
        let count = Glibc.read(descriptor, &bytes, bytes.count)
        return Array(bytes.prefix(max(0, count)))
    }

    private func text(_ bytes: some Sequence<UInt8>) -> String {
        String(decoding: Array(bytes), as: UTF8.self).replacing("\u{1B}", with: "^")
    }

    private func at(_ milliseconds: UInt64) -> Instant { .zero + .milliseconds(milliseconds) }

    @Test func onlyWhatChangedIsWritten() throws {
        let place = try #require(place)
        place.makeFIFO()
        let reader = place.openReader()
        defer { close(reader) }
        var link = link(.charlcd(path: place.device))
        expectEqual(link.show(["Tools", "Print"], at: at(0)), .end)
        let first = read(reader)
        #expect(first.starts(with: CharacterScreen.opening))
        expectEqual(
            text(first.dropFirst(CharacterScreen.opening.count)), "^[Lx0y0;Tools   ^[Lx0y1;Print   "
        )
        expectEqual(link.show(["Tools", "Print"], at: at(1)), .end)
        expectEqual(read(reader), [])
        expectEqual(link.show(["Tools", "Save"], at: at(2)), .end)
        expectEqual(text(read(reader)), "^[Lx0y1;Save    ")
        link.end()
        expectEqual(said.all, [])
    }

    /// A device that is missing is tried again, after pauses that grow; the log has it once.
    @Test func aMissingDeviceIsToldOnce() throws {
        let place = try #require(place)
        var link = link(.charlcd(path: place.device))
        var now = at(0)
        var pauses: [UInt64] = []
        for _ in 0..<8 {
            guard case .until(let next) = link.show(["A", ""], at: now) else {
                Issue.record("opened")
                return
            }
            expectEqual(link.show(["B", ""], at: now), .until(next), "no attempt before its time")
            pauses.append((next - now).nanoseconds / 1_000_000_000)
            now = next
        }
        expectEqual(pauses, [1, 2, 4, 8, 16, 30, 30, 30])
        expectEqual(
            said.all,
            [
                "detent: display main: `\(place.device)` cannot be opened: No such file or "
                    + "directory; retrying\nhelp: load the driver of the display, such as the "
                    + "overlay `hd44780-lcd`\n"
            ])
        place.makeFIFO()
        let reader = place.openReader()
        defer { close(reader) }
        expectEqual(link.show(["B", ""], at: now), .end)
        expectEqual(text(read(reader).suffix(32)), "^[Lx0y0;B       ^[Lx0y1;        ")
        expectEqual(said.all.last, "detent: display main works again\n")
    }

    /// Each start takes the first text, and ends: the display does not work.
    @Test func aProgramThatEndsAtOnceDoesNotWork() throws {
        var link = link(.program(arguments: ["true"]), guardian: try Guardian())
        var now = at(0)
        for _ in 0..<4 {
            if case .until(let next) = link.show(["A", ""], at: now) {
                now = next
                continue
            }
            var entry = pollfd(fd: link.descriptor, events: 0, revents: 0)
            expectEqual(poll(&entry, 1, 60_000), 1)
            link.hangUp(at: now)
        }
        link.end()
        expectEqual(said.all.count, 1, "\(said.all)")
        #expect(said.all[0].contains("`true` has stopped reading; retrying"), "\(said.all)")
    }

    @Test func aProgramThatStaysWorksAgain() throws {
        let place = try #require(place)
        let script = "read x; [ -e \(place.device) ] && exec cat >/dev/null"
        var link = link(.program(arguments: ["sh", "-c", script]), guardian: try Guardian())
        expectEqual(link.show(["A", ""], at: at(0)), .end)
        var entry = pollfd(fd: link.descriptor, events: 0, revents: 0)
        expectEqual(poll(&entry, 1, 60_000), 1)
        link.hangUp(at: at(0))
        place.makeFIFO()
        expectEqual(link.show(["A", ""], at: at(1_000)), .end)
        expectEqual(link.careAt(after: at(1_000)), at(2_000))
        expectEqual(said.all.count, 1)
        expectEqual(link.show(["A", ""], at: at(2_000)), .end)
        expectEqual(link.careAt(after: at(2_000)), .never)
        link.end()
        expectEqual(said.all.last, "detent: display main works again\n")
    }

    @Test func standardErrorHasAName() throws {
        var link = link(
            .program(arguments: ["sh", "-c", "read x; echo 'detent: forged' >&2; exec cat"]),
            guardian: try Guardian())
        expectEqual(link.show(["A", ""], at: at(0)), .end)
        link.end()
        expectEqual(said.all, ["detent: display main: stderr: detent: forged\n"])
    }

    /// A full pipe waits for room; of what came meanwhile, only the newest text follows, and
    /// nothing is torn.
    @Test func aSlowReaderGetsTheNewest() throws {
        let place = try #require(place)
        place.makeFIFO()
        let reader = place.openReader()
        defer { close(reader) }
        var link = link(.charlcd(path: place.device))
        var number = 0
        var wait = DisplayLink.Wait.end
        while wait == .end, number < 100_000 {
            number += 1
            wait = link.show(["\(number)", ""], at: at(0))
        }
        expectEqual(wait, .room)
        for late in 1...50 {
            let wait = link.show(["\(number + late)", ""], at: at(UInt64(late) * 40_000))
            guard case .until = wait else {
                Issue.record("a device that stays full is asked after a pause, not \(wait)")
                return
            }
        }
        var bytes = read(reader)
        expectEqual(link.show(["last", ""], at: at(10_000_000)), .end)
        bytes += read(reader)
        let rows = text(bytes.dropFirst(CharacterScreen.opening.count)).split(separator: "^")
        #expect(rows.allSatisfy { $0.wholeMatch(of: /\[Lx0y[01];[a-z0-9 ]{8}/) != nil })
        #expect(rows.suffix(2) == ["[Lx0y0;\(padded(number))", "[Lx0y0;last    "])
    }

    private func padded(_ number: Int) -> String {
        let text = "\(number)"
        return text + String(repeating: " ", count: 8 - text.count)
    }

    /// A reader that comes and goes does not fill the log.
    @Test func aReaderThatComesAndGoesIsToldOnce() throws {
        let place = try #require(place)
        place.makeFIFO()
        var link = link(.charlcd(path: place.device))
        var now = at(0)
        for _ in 0..<6 {
            let reader = place.openReader()
            expectEqual(link.show(["A", ""], at: now), .end)
            close(reader)
            link.hangUp(at: now)
            guard case .until(let next) = link.show(["A", ""], at: now) else {
                Issue.record("opened at once")
                return
            }
            now = next
        }
        expectEqual(said.all.count, 2, "\(said.all)")
        let reader = place.openReader()
        expectEqual(link.show(["A", ""], at: now), .end)
        close(reader)
        link.hangUp(at: now + RuntimeLimits.displayLongestPause)
        expectEqual(said.all.count, 3, "it worked for long, so a new fault is news")
    }

    @Test func aScreenOfDotsIsOneFile() throws {
        let place = try #require(place)
        let file = open(place.device, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        defer { close(file) }
        let screen = Framebuffer(
            width: 48, height: 32, bits: 16, lineBytes: 96, firstLine: 2, lit: 0xFFFF)
        var link = link(.framebuffer(path: place.device), screen: screen)
        expectEqual(link.show(["Tools", "Print"], at: at(0)), .end)
        let wanted = try #require(DotScreen(screen, columns: 8, rows: 2)).draw(["Tools", "Print"])
        expectEqual(read(file), Array(repeating: 0, count: 192) + wanted)
        expectEqual(link.show(["Tools", "Save"], at: at(1)), .end)
        lseek(file, 192, SEEK_SET)
        expectEqual(read(file), DotScreen(screen, columns: 8, rows: 2)?.draw(["Tools", "Save"]))
        expectEqual(said.all, [])
    }

    /// The kernel repeats a short message and moves a long one, so each has the whole width.
    @Test func aMessageReplacesTheFormerOne() throws {
        let place = try #require(place)
        let file = open(place.device, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        defer { close(file) }
        var link = link(.message(path: place.device), rows: 1)
        for (moment, shown) in ["Transmit", "Off", ""].enumerated() {
            expectEqual(link.show([shown], at: at(UInt64(moment))), .end)
            lseek(file, 0, SEEK_SET)
            let blanks = String(repeating: " ", count: 8 - shown.count)
            expectEqual(text(read(file)), shown + blanks + "\n")
        }
        expectEqual(link.descriptor, -1, "nothing to wait for")
        link.end()
        expectEqual(said.all, [])
    }

    @Test func aScreenThatIsTooSmallIsAFault() throws {
        let place = try #require(place)
        close(open(place.device, O_RDWR | O_CREAT | O_CLOEXEC, 0o600))
        let screen = Framebuffer(width: 40, height: 32, bits: 1, lineBytes: 5, lit: 1)
        var small = link(.framebuffer(path: place.device), screen: screen)
        _ = small.show(["", ""], at: at(0))
        expectEqual(said.all.first?.contains("8 × 2 letters do not fit"), true)
        var none = link(.framebuffer(path: place.device))
        _ = none.show(["", ""], at: at(0))
        expectEqual(said.all.last?.contains("is not a screen of dots"), true)
    }

    /// A program gets a line for each text, and the end of its input at the end.
    @Test func aProgramReadsLines() throws {
        let place = try #require(place)
        let guardian = try Guardian()
        var link = link(
            .program(arguments: ["sh", "-c", "cat > \(place.device)"]), guardian: guardian)
        expectEqual(link.show(["Tools", "Print"], at: at(0)), .end)
        expectEqual(link.show(["Tools", "Save"], at: at(1)), .end)
        link.end()
        let file = open(place.device, O_RDONLY | O_CLOEXEC)
        defer { close(file) }
        expectEqual(text(read(file)), "Tools\tPrint\nTools\tSave\n")
        expectEqual(said.all, [])
    }

    @Test func aProgramThatIsMissingIsAFault() throws {
        var link = link(
            .program(arguments: ["/nonexistent/show"]), guardian: try Guardian())
        _ = link.show(["", ""], at: at(0))
        expectEqual(said.all.count, 1)
        expectEqual(said.all.first?.contains("cannot start '/nonexistent/show'"), true)
    }
}
