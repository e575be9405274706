import Glibc
import Processes
import TestSupport
import Testing

/// What the kernel's other inputs and outputs cost a panel that has none: nothing.
@Suite struct SourceCostTests {
    /// What a running panel holds: the names of its threads, and its open files by kind.
    private struct Held {
        var threads: [String]
        var files: [String: Int]

        init(_ process: pid_t) {
            let folder = "/proc/\(process)"
            threads = Self.names("\(folder)/task")
                .map { Self.line("\(folder)/task/\($0)/comm") }.sorted()
            let links = Self.names("\(folder)/fd").compactMap { Self.link("\(folder)/fd/\($0)") }
            // Streams and pipes are those of the test, too.
            let own = links.filter { $0.hasPrefix("anon_inode:") || $0.hasPrefix("/sys/") }
            files = Dictionary(grouping: own) { $0.hasPrefix("/") ? "file" : $0 }
                .mapValues(\.count)
        }

        private static func names(_ path: String) -> [String] {
            guard let folder = opendir(path) else { return [] }
            defer { closedir(folder) }
            var names: [String] = []
            while let entry = readdir(folder) {
                let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                    pointer.withMemoryRebound(to: CChar.self, capacity: 256) {
                        String(cString: $0)
                    }
                }
                if !name.hasPrefix(".") { names.append(name) }
            }
            return names
        }

        private static func line(_ path: String) -> String {
            guard let file = fopen(path, "r") else { return "" }
            defer { fclose(file) }
            var bytes = [UInt8](repeating: 0, count: 64)
            let count = fread(&bytes, 1, bytes.count, file)
            return String(decoding: bytes[..<count].prefix { $0 != 10 }, as: UTF8.self)
        }

        private static func link(_ path: String) -> String? {
            var bytes = [UInt8](repeating: 0, count: 256)
            let count = readlink(path, &bytes, bytes.count)
            return count < 0 ? nil : String(decoding: bytes[..<count], as: UTF8.self)
        }
    }

    /// Runs a panel with a switch without a contact, and more controls, on a machine that has one
    /// converter, one lamp and no other bus.
    private static func held(by more: String = "") throws -> Held {
        let file = TemporaryFile(
            "panel.yaml",
            "panel: Cost\nboard: none\ncontrols:\n"
                + "  lever: {kind: switch, label: Lever, part: none}\n" + more)
        let device = "/sys/bus/iio/devices/iio:device0"
        let script =
            "mount -t tmpfs none /sys/bus && mkdir -p \(device) && echo c0 > \(device)/name "
            + "&& echo 10000 > \(device)/in_voltage0_raw "
            + "&& mount -t tmpfs none /sys/class && mkdir -p /sys/class/leds/l0 "
            + "&& touch /sys/class/leds/l0/brightness"
        let session = Session(
            ["run", file.path, "--listen", "off"],
            shell: Program.seeing(script))
        defer { session.send(SIGTERM) }
        #expect(session.waitForErrors("detent: Cost runs with"), "\(session.errorText)")
        return Held(try #require(ProcessTree.children(of: session.process).first))
    }

    /// The threads and files of every panel. One that is new here is paid by all panels.
    private static let threads = [
        "detent", "detent-actions", "detent-log", "detent-programs", "detent-recorder",
        "detent-reload",
    ]
    private static let files = [
        "anon_inode:[eventfd]": 12, "anon_inode:[eventpoll]": 1, "anon_inode:[signalfd]": 1,
        "anon_inode:inotify": 1,
    ]

    @Test(.enabled(if: Program.canHideFiles, "this user cannot make a mount namespace"))
    func panelWithoutOtherSourcesPaysNothing() throws {
        let plain = try Self.held()
        expectEqual(plain.threads, Self.threads)
        expectEqual(plain.files, Self.files)
    }

    @Test(.enabled(if: Program.canHideFiles, "this user cannot make a mount namespace"))
    func analogDialHasOneThreadMore() throws {
        let dial = try Self.held(
            by: "  dial: {kind: dial, label: Dial, range: {min: 0, max: 100}, "
                + "analog: {device: c0, channel: 0, ends: [100, 26000]}}\n")
        expectEqual(dial.threads, (Self.threads + ["detent-analog"]).sorted())
        // Bells of samples, of the pause between them, and of a search; and the channel.
        var files = Self.files
        files["anon_inode:[eventfd]", default: 0] += 3
        files["file"] = 1
        expectEqual(dial.files, files)
    }

    @Test(.enabled(if: Program.canHideFiles, "this user cannot make a mount namespace"))
    func lampWithLevelsHasNoThread() throws {
        let lamp = try Self.held(
            by: "  lamp: {kind: indicator, label: Lamp, show: lever is on, indicator: {led: l0}}\n")
        expectEqual(lamp.threads, Self.threads)
        var files = Self.files
        files["anon_inode:[eventfd]", default: 0] += 2
        files["file"] = 1
        expectEqual(lamp.files, files)
    }
}
