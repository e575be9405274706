import Glibc
import Processes
import TestSupport
import Testing

/// Outputs with levels of a panel that is killed, in a folder in place of the kernel's.
@Suite struct LevelCrashTests {
    /// A panel with an output that a crash switches on, and its lamp.
    private final class Bench {
        let root = Folder()
        let session: Session
        private let file: TemporaryFile

        init(_ options: [String] = []) {
            file = TemporaryFile(
                "panel.yaml",
                "panel: Crash\nboard: none\ncontrols:\n  light: {kind: switch, label: Light, "
                    + "part: none, output: {led: l0}, on-crash: on}\n")
            let script =
                "mkdir -p \(root.path)/leds/l0 && cd \(root.path)/leds/l0 "
                + "&& echo 255 > max_brightness && touch brightness "
                + "&& mount --bind \(root.path) /sys/class && cd /"
            session = Session(
                ["run", file.path, "--listen", "off"] + options,
                shell: Program.seeing(script))
        }

        /// The folder of the lamp.
        var lamp: String { root.path + "/leds/l0" }

        /// Waits until the panel runs for this time, and kills it; the guardian writes the level.
        func crash(time: Int = 1) throws {
            #expect(session.waitForErrors("detent: Crash runs with", times: time))
            kill(try #require(ProcessTree.children(of: session.process).first), SIGKILL)
            #expect(
                session.waitForErrors("1 of 1 outputs have their `on-crash` levels", times: time),
                "\(session.errorText)")
        }

        func text(_ name: String) -> String {
            guard let file = fopen("\(lamp)/\(name)", "r") else { return "" }
            defer { fclose(file) }
            var bytes = [UInt8](repeating: 0, count: 64)
            let count = fread(&bytes, 1, bytes.count, file)
            return String(decoding: bytes[..<count], as: UTF8.self)
        }

        /// Puts another file in place of that of the lamp.
        func replace(by text: String) {
            rename("\(lamp)/brightness", "\(lamp)/former")
            let file = fopen("\(lamp)/brightness", "w")
            fputs(text, file)
            fclose(file)
        }

        deinit {
            session.send(SIGKILL)
            for name in ["brightness", "former", "max_brightness"] { unlink("\(lamp)/\(name)") }
            rmdir(lamp)
            rmdir(root.path + "/leds")
        }
    }

    @Test(.enabled(if: Program.canHideFiles, "this user cannot make a mount namespace"))
    func levelIsWritten() throws {
        let bench = Bench()
        try bench.crash()
        expectEqual(bench.text("brightness"), "255")
    }

    /// The guardian writes into the file that the panel has opened, and opens no path: whoever can
    /// move the path somewhere else gets nothing written there.
    @Test(.enabled(if: Program.canHideFiles, "this user cannot make a mount namespace"))
    func anotherFileAtThePathIsLeftAlone() throws {
        let bench = Bench()
        #expect(bench.session.waitForErrors("detent: Crash runs with"))
        bench.replace(by: "mine")
        try bench.crash()
        expectEqual(bench.text("brightness"), "mine")
        expectEqual(bench.text("former"), "255")
    }

    /// A panel that starts again opens what is there then, and the guardian has that file.
    @Test(.enabled(if: Program.canHideFiles, "this user cannot make a mount namespace"))
    func nextPanelHasAFileOfItsOwn() throws {
        let bench = Bench(["--restart-after", "100ms"])
        #expect(bench.session.waitForErrors("detent: Crash runs with"))
        bench.replace(by: "")
        try bench.crash()
        expectEqual(bench.text("brightness"), "")
        #expect(bench.session.waitForErrors("detent: Crash runs with", times: 2))
        expectEqual(bench.text("brightness"), "0", "the second panel has begun with it")
        try bench.crash(time: 2)
        expectEqual(bench.text("brightness"), "255")
    }
}
