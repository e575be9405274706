import Glibc
import TestSupport
import Testing

/// Displays of `detent run` and `detent doctor`, with a FIFO in the place of the device.
@Suite struct DisplayTests {
    private static func panel(_ device: String) -> String {
        """
        panel: Station
        board: none
        controls:
          band:
            kind: pop-up
            label: Band
            encoder: {a: A, b: B, push: P}
            options: [80 m, 40 m, 20 m]
            default: 40 m
            display: \(device)
        """
    }

    /// Reads what has come until a text is there; nil after ten seconds.
    private func wait(for text: String, from descriptor: Int32) -> String? {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4_096)
        for _ in 0..<100 {
            var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&entry, 1, 100) >= 0 else { return nil }
            let count = read(descriptor, &buffer, buffer.count)
            if count > 0 { bytes += buffer[..<count] }
            let found = String(decoding: bytes, as: UTF8.self)
            if found.contains(text) { return found }
        }
        return nil
    }

    @Test func aCharacterDisplayShowsTheValueAndIsCleared() throws {
        let place = TemporaryFile("unused", "")
        let fifo = place.path + "-lcd"
        expectEqual(mkfifo(fifo, 0o600), 0)
        defer { unlink(fifo) }
        // Kept open for writing too, so that it does not end when the daemon does.
        let reader = open(fifo, O_RDWR | O_NONBLOCK | O_CLOEXEC)
        defer { close(reader) }
        let file = TemporaryFile("panel.yaml", Self.panel("{charlcd: \(fifo)}"))
        let session = Session(
            ["run", file.path, "--backend", "sim", "--listen", "127.0.0.1:0"])
        try #require(session.waitForErrors("the panel is at http://127.0.0.1:"))
        try #require(session.waitForErrors("/\n"))
        let first = try #require(wait(for: "40 m", from: reader))
        #expect(first.contains("\u{1B}[Lx0y0;Band            "))
        #expect(first.contains("\u{1B}[Lx0y1;40 m            "))
        let words = session.errorText.split { $0 == " " || $0.isNewline }
        let url = String(try #require(words.last { $0.hasPrefix("http://") }))
        expectEqual(Program.run("set", "band", "20 m", "--url", url).code, 0)
        expectEqual(
            wait(for: "20 m", from: reader), "\u{1B}[Lx0y1;20 m            ",
            "only the row that changed")
        session.send(SIGTERM)
        expectEqual(session.end().code, 0)
        expectEqual(
            wait(for: "[Lx0y1;", from: reader),
            "\u{1B}[Lx0y0;                \u{1B}[Lx0y1;                ")
    }

    /// A panel works without its display, and says what is wrong.
    @Test func aMissingDisplayStopsNothing() throws {
        let file = TemporaryFile("panel.yaml", Self.panel("{charlcd: /nonexistent/lcd}"))
        let session = Session(["run", file.path, "--backend", "sim", "--listen", "off"])
        try #require(session.waitForErrors("detent: display band: `/nonexistent/lcd` cannot be"))
        try #require(session.waitForErrors("help: load the driver of the display"))
        #expect(session.waitForErrors("Station runs with 1 control on"))
        session.send(SIGTERM)
        expectEqual(session.end().code, 0)
    }

    @Test func aProgramIsEndedWithThePanel() throws {
        let output = TemporaryFile("shown", "")
        let file = TemporaryFile(
            "panel.yaml", Self.panel("{run: [sh, -c, \"cat > \(output.path); echo over >&2\"]}"))
        let session = Session(["run", file.path, "--backend", "sim", "--listen", "off"])
        try #require(session.waitForErrors("Station runs"))
        session.send(SIGTERM)
        #expect(session.waitForErrors("over"), "it ended at the end of its input")
        expectEqual(session.end().code, 0)
    }

    @Test func theDoctorLooksAtDisplays() {
        let missing = TemporaryFile("panel.yaml", Self.panel("{charlcd: /nonexistent/lcd}"))
        let result = Program.run("doctor", missing.path)
        #expect(
            result.output.contains(
                "problem  display band: `/nonexistent/lcd` cannot be opened: No such file"))
        let plain = TemporaryFile("panel.yaml", Self.panel("{framebuffer: /dev/null}"))
        #expect(
            Program.run("doctor", plain.path).output.contains("is not a screen of dots"))
        let program = TemporaryFile("panel.yaml", Self.panel("{run: [cat]}"))
        #expect(Program.run("doctor", program.path).output.contains("ok       display band: cat"))
        let none = TemporaryFile("panel.yaml", Self.panel("{run: [no-such-program]}"))
        #expect(
            Program.run("doctor", none.path).output.contains(
                "there is no program `no-such-program`"))
    }
}
