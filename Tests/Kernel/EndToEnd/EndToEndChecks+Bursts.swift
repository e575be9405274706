internal import DetentTypes
internal import Glibc
internal import KernelSupport

/// Many lines that move together, and lines that move while their chip goes away.
extension EndToEndChecks {
    static let bursts: [(name: String, run: @Sendable () throws -> Void)] = [
        ("bursts: sixty-four levers end where they stand, and losses are told", sixtyFourLevers),
        ("bursts: a chip goes away and comes back while its lines move", unplugUnderLoad),
    ]

    /// Its first event tells that the lines are requested.
    private static let ready = """
          ready:
            kind: indicator
            label: Ready
            output: READY
            show: not (s0 is on)

        """

    // MARK: Sixty-four levers

    /// The rig's kernel has interrupts for so many lines.
    private static let leverCount = 64
    /// The levers from here on are debounced, and their queues overflow.
    private static let firstFlooded = 31
    /// More edges than the kernel keeps for a line: 16 in its first interface, 1024 in its second.
    private static let flood = 1_025

    private static var levers: String {
        let levers = (0..<leverCount).map { lever in
            """
              s\(lever):
                kind: switch
                label: Lever \(lever)
                input: {line: IN\(lever), active: high, bias: pull-down}
                output: OUT\(lever)
                debounce: \(lever < firstFlooded ? "none" : "20ms")
            """
        }
        let panel = "panel: Levers\nboard: none\ncontrols:\n" + levers.joined(separator: "\n")
        return panel + "\n" + ready
    }

    /// While the panel runs, and while it is stopped; fewer edges than the smallest queue has room
    /// for are never lost.
    private static func sixtyFourLevers() throws {
        let names =
            (0..<leverCount).map { "IN\($0)" } + (0..<leverCount).map { "OUT\($0)" }
            + ["READY"]
        let chip = try SimChip(name: "detent-burst", lines: names)
        defer { chip.remove() }
        let daemon = try Daemon(panel: levers)
        try daemon.event("ready", "\"changed\"")
        var random = SeededRandom(seed: 83)
        var levels = [Bool](repeating: false, count: leverCount)
        for round in 0..<4 {
            let isStopped = round % 2 == 1
            let lengths = (0..<leverCount).map { lever in
                let isFlooded = isStopped && round > 1 && lever >= firstFlooded
                return isFlooded ? flood + random.below(16) : 1 + random.below(15)
            }
            daemon.forget()
            let before = levels
            let panel = try daemon.panel()
            if isStopped { kill(panel, SIGSTOP) }
            for lever in random.interleave(lengths) {
                levels[lever].toggle()
                chip.pull(lever, high: levels[lever])
            }
            if isStopped { kill(panel, SIGCONT) }
            let told = try follow(chip, daemon, levels, lengths, "round \(round)")
            for lever in 0..<leverCount {
                let place = "round \(round), lever \(lever), \(lengths[lever]) edges"
                let told = told["s\(lever)"]
                try expect(told.alternates(from: before[lever]), "\(place): \(told.changes)")
                try expect(
                    isComplete(told, lever, levels[lever], lengths[lever]),
                    "\(place): \(told.changes), \(told.losses) losses are told")
                // A reading that comes just before an edge is told as a loss, too.
                try expect(
                    !isStopped || told.losses == 0 || lengths[lever] >= flood,
                    "\(place): \(told.losses) losses are told")
            }
        }
    }

    /// Whether the events of a lever tell all that they must.
    private static func isComplete(
        _ told: Told.Control, _ lever: Int, _ level: Bool, _ length: Int
    ) -> Bool {
        guard told.changes.last ?? level == level else { return false }
        if length >= flood { return told.losses > 0 }
        return lever >= firstFlooded || told.losses > 0 || told.changes.count == length
    }

    /// Waits until every output has the level of its lever and the events are complete; the outputs
    /// must keep their levels.
    private static func follow(
        _ chip: SimChip, _ daemon: Daemon, _ levels: [Bool], _ lengths: [Int], _ round: String
    ) throws -> Told {
        func wrong() -> [Int] {
            levels.indices.filter { chip.isHigh(leverCount + $0) != levels[$0] }
        }
        let isFollowed = eventually {
            daemon.look()
            return wrong().isEmpty
        }
        try expect(isFollowed, "\(round): the outputs of \(wrong()) differ from the levers")
        _ = eventually(seconds: 5) {
            daemon.look()
            let told = Told(daemon.events)
            return levels.indices.allSatisfy {
                isComplete(told["s\($0)"], $0, levels[$0], lengths[$0])
            }
        }
        usleep(100_000)
        try expect(wrong().isEmpty, "\(round): the outputs of \(wrong()) left the levers")
        daemon.look()
        return Told(daemon.events)
    }

    // MARK: A chip that goes away

    /// A lever on each of two chips; both move all the time, and the first chip is unplugged.
    private static let twoLevers = """
        panel: Two Chips
        board: none
        controls:
          s0:
            kind: switch
            label: Power
            input: {line: SWITCH, active: high, bias: as-is}
            output: LAMP
            debounce: none
          steady:
            kind: switch
            label: Steady
            input: {line: SWITCH2, active: high, bias: pull-down}
            output: LAMP3
            debounce: none

        """ + ready

    private static func unplugUnderLoad() throws {
        let chip = try makeChip()
        defer { chip.remove() }
        let other = try SimChip(name: "detent-other", lines: ["SWITCH2", "LAMP3", "READY"])
        defer { other.remove() }
        let daemon = try Daemon(panel: twoLevers)
        try daemon.event("ready", "\"changed\"")
        daemon.forget()
        var seen = 0
        let load = try LineLoad(other)
        defer { load.stop() }
        load.move(chip.lineFolder(0))
        for _ in 0..<3 {
            try tells(daemon, &seen, "s0", "changed")
            try chip.unplug()
            try tells(daemon, &seen, "s0", "\"fault\"")
            try tells(daemon, &seen, "steady", "changed")
            try chip.plug()
            load.move(chip.lineFolder(0))
            try tells(daemon, &seen, "s0", "\"none\"")
        }
        try tells(daemon, &seen, "s0", "changed")
        load.stop()
        // The lever is moved while the chip is away: no edge tells it, and the line is read.
        let high = chip.isHigh(0)
        try chip.unplug()
        try tells(daemon, &seen, "s0", "\"fault\"")
        try chip.plug()
        chip.pull(0, high: !high)
        try tells(daemon, &seen, "s0", "\"none\"")
        try expect(
            eventually { chip.isHigh(1) == !high && other.isHigh(1) == other.isHigh(0) },
            "an output differs from its lever")
        usleep(100_000)
        daemon.look()
        let told = Told(daemon.events)
        let power = told["s0"]
        try expect(power.alternates(from: false), "power changes twice to the same value")
        try expect(power.changes.last == !high, "power is not where its lever is")
        try expect(chip.isHigh(1) == !high, "the output of power left its lever")
        let steady = told["steady"]
        try expect(steady.alternates(from: false), "steady changes twice to the same value")
        try expect(steady.losses == 0, "steady has lost \(steady.losses) edges")
        let count = steady.changes.count
        try expect(count == load.count, "\(count) of \(load.count) edges of the other chip")
    }

    /// Waits for an event of a control after the `seen` ones, and keeps all events.
    private static func tells(
        _ daemon: Daemon, _ seen: inout Int, _ control: String, _ part: String
    ) throws {
        let isTold = eventually {
            daemon.look()
            while seen < daemon.events.count {
                let event = daemon.events[seen]
                seen += 1
                if event.contains("\"control\": \"\(control)\"") && event.contains(part) {
                    return true
                }
            }
            return false
        }
        try expect(isTold, "no \(part) of \(control); seen: \(daemon.events.suffix(8))")
    }
}
