internal import DetentTypes
internal import Glibc
internal import KernelSupport

/// The commands of an owner's first hour: `record`, `measure`, `identify`.
extension EndToEndChecks {
    static let firstHour: [(name: String, run: @Sendable () throws -> Void)] = [
        ("record: replay reads what the lines did, in each format", recordEachFormat),
        ("record: a full disk leaves a readable file and is told", recordOnFullDisk),
        ("record: a running panel is told, and exit code 3", recordWhileRunning),
        ("measure: presses are counted, and the profile plays", measureLine),
        ("identify: a button, a lever and a knob; a line in use is said", identifyParts),
        ("identify: a chip that goes away ends nothing", identifyUnplugged),
    ]

    /// Presses a contact to ground, with a bounce.
    static func press(_ chip: SimChip, _ line: Int, milliseconds: UInt32 = 100) {
        _ = move(chip, line, through: [false, true, false], pause: 300)
        usleep(milliseconds * 1_000)
        _ = move(chip, line, through: [true, false, true], pause: 300)
        usleep(100_000)
    }

    private static let file = "/tmp/first-hour.yaml"

    private static func recordEachFormat() throws {
        let chip = try makeChip()
        defer { chip.remove() }
        try writeFile(panel(quick, more: button), to: file)
        for format in ["csv", "vcd", "sr"] {
            try undelayed { try recordBounces(of: chip, to: "/tmp/first-hour.\(format)") }
        }
    }

    /// Whether nothing delayed the bounces: a longer pause would end the debounce of 5 ms.
    private static func recordBounces(of chip: SimChip, to capture: String) throws -> Bool {
        let recording = try Background(["record", file, "-o", capture])
        try recording.prints("recording 2 lines")
        usleep(50_000)
        let down = move(chip, 0, through: [true, false, true], pause: 400)
        usleep(200_000)
        let press = move(chip, 2, through: [true, false, true], pause: 400)
        usleep(200_000)
        _ = move(chip, 2, through: [false], pause: 400)
        _ = move(chip, 0, through: [false], pause: 400)
        usleep(200_000)
        let status = try recording.stop()
        try expect(status == 0, "exit code \(status): \(recording.text)")
        try expect(recording.text.contains("8 edges in"), recording.text)
        let replay = try Program.run("replay", file, capture)
        unlink(capture)
        try expect(replay.status == 0, "\(capture): \(replay.text)")
        guard max(down, press) < .milliseconds(3) else { return false }
        let events = replay.text.split(separator: "\n").filter { $0.contains("\"panel\"") }
        for word in ["\"on\"", "\"off\""] {
            try expect(
                events.contains {
                    $0.contains("\"power\"") && $0.contains("\"changed\"") && $0.contains(word)
                }, "\(capture): \(replay.text)")
        }
        let presses = replay.text.split(separator: "\n").count { $0.contains("\"pressed\"") }
        try expect(presses == 1, "\(capture): \(presses) presses: \(replay.text)")
        return true
    }

    private static func recordOnFullDisk() throws {
        let chip = try makeChip()
        defer { chip.remove() }
        try writeFile(panel(quick, more: button), to: file)
        let disk = "/tmp/first-hour-disk"
        mkdir(disk, 0o755)
        for (format, size) in [("csv", 32), ("vcd", 32), ("sr", 16)] {
            guard mount("none", disk, "tmpfs", 0, "size=\(size)k") == 0 else {
                throw Failure(description: "no tmpfs: errno \(errno)")
            }
            defer { umount(disk) }
            let capture = "\(disk)/full.\(format)"
            let recording = try Background(["record", file, "-o", capture])
            try recording.prints("recording 2 lines")
            press(chip, 2)
            // What follows may be more than the disk holds before the next save.
            let isSaved = eventually {
                (try? Program.run("replay", file, capture).text.contains("\"pressed\"")) == true
            }
            try expect(isSaved, "\(format): the press is not saved: \(recording.text)")
            for _ in 0..<1000 {
                _ = move(chip, 2, through: (1...200).map { $0 % 3 != 0 }, pause: 37)
                if recording.text.contains("No space left") { break }
                usleep(60_000)
            }
            let status = try recording.end()
            try expect(status == 1, "\(format): exit code \(status): \(recording.text)")
            try expect(recording.text.contains("No space left"), recording.text)
            try expect(recording.text.contains("the file has the first"), recording.text)
            let replay = try Program.run("replay", file, capture)
            try expect(replay.status == 0, "\(format): \(replay.text)")
            try expect(replay.text.contains("\"pressed\""), "\(format): \(replay.text)")
        }
        rmdir(disk)
    }

    private static func recordWhileRunning() throws {
        let chip = try makeChip()
        defer { chip.remove() }
        let daemon = try Daemon(panel: panel(quick))
        try daemon.event("power", "\"confirmed\"")
        let result = try Program.run(
            "record", "detent-end", "SWITCH", "-o", "/tmp/first-hour.csv")
        try expect(result.status == 3, "exit code \(result.status): \(result.text)")
        try expect(result.text.contains("SWITCH: error"), result.text)
        try expect(result.text.contains("help: "), result.text)
    }

    private static func measureLine() throws {
        let chip = try makeChip()
        defer { chip.remove() }
        let profile = "/tmp/first-hour-profile.yaml"
        let meter = try Background([
            "measure", "detent-end", "BUTTON", "--presses", "5", "--profile", profile,
        ])
        try meter.prints("measuring BUTTON")
        for _ in 0..<5 { press(chip, 2) }
        let status = try meter.end()
        try expect(status == 0, "exit code \(status): \(meter.text)")
        try expect(meter.text.contains("BUTTON: 5 closings, 5 openings"), meter.text)
        try expect(meter.text.contains("at most 3 edges"), meter.text)
        try expect(meter.text.contains("\ndebounce: "), meter.text)
        let scenario = try Program.run(
            "sim", "\(project)/panels/lab-supply/panel.yaml", "--listen", "off", "--bounce",
            profile)
        try expect(scenario.status == 0, "exit code \(scenario.status): \(scenario.text)")
    }

    private static func identifyParts() throws {
        try undelayed { try identifyEachPart() }
    }

    /// Whether nothing delayed the knob: it looks like two buttons if it rests between detents.
    private static func identifyEachPart() throws -> Bool {
        let chip = try makeChip()
        defer { chip.remove() }
        let daemon = try Daemon(panel: panel(quick))
        try daemon.event("power", "\"confirmed\"")
        let made = "/tmp/first-hour-new.yaml"
        unlink(made)
        let search = try Background(["identify", "detent-end", "--write", made])
        try search.prints("watching 4 lines")
        for name in ["SWITCH: line 0", "LAMP: line 1"] {
            try search.prints("note: \(name) of detent-end is held by \"detent\"")
        }
        press(chip, 2)
        try search.prints("push button on BUTTON (detent-end, offset 2)")
        try search.prints("a closed contact is low\n")
        _ = move(chip, 3, through: [false, true, false], pause: 300)
        try search.prints("switch on LAMP2 (detent-end, offset 3)")
        guard turn(chip) < .milliseconds(20) else {
            _ = try search.stop()
            return false
        }
        try search.prints("encoder: a RELAY (detent-end, offset 4), b MOTOR")
        try search.prints("added knob-1")
        let status = try search.stop()
        try expect(status == 0, "exit code \(status): \(search.text)")
        let check = try Program.run("check", "--strict", made)
        try expect(check.status == 0, "\(check.text)\n\((try? KernelFile.text(made)) ?? "")")
        let text = try KernelFile.text(made)
        for id in ["button-1:", "switch-1:", "knob-1:"] {
            try expect(text.contains("  \(id)"), text)
        }
        // The file runs on the same lines.
        kill(daemon.process, SIGTERM)
        try expect(daemon.end() == 0, "the daemon does not end")
        let again = try Daemon(panel: text)
        // A request overwrites a pull, so the contact closes until the panel has seen it.
        var isSeen = false
        for _ in 0..<20 where !isSeen {
            press(chip, 2)
            again.look()
            isSeen = again.events.contains { $0.contains("\"button-1\"") && $0.contains("press") }
        }
        try expect(isSeen, "no press: \(again.events)")
        return true
    }

    /// Turns a knob four detents clockwise: A changes first. The longest pause between two edges
    /// of a detent.
    private static func turn(_ chip: SimChip) -> Duration {
        var longest = Duration.zero
        for _ in 0..<4 {
            var last: Duration?
            for (line, high) in [(4, false), (5, false), (4, true), (5, true)] {
                chip.pull(line, high: high)
                let now = monotonicTime()
                if let last { longest = max(longest, now - last) }
                last = now
                usleep(3_000)
            }
            usleep(100_000)
        }
        return longest
    }

    private static func identifyUnplugged() throws {
        let chip = try makeChip()
        defer { chip.remove() }
        let search = try Background(["identify", "detent-end"])
        try search.prints("watching 6 lines")
        try chip.unplug()
        usleep(200_000)
        try chip.plug()
        // The lines are requested again within a second or two.
        usleep(2_500_000)
        press(chip, 2)
        try search.prints("push button on BUTTON")
        let status = try search.stop()
        try expect(status == 0, "exit code \(status): \(search.text)")
    }
}
