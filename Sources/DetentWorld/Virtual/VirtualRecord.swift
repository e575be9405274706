public import DetentCore
public import DetentPanel
public import DetentTypes

/// What a panel did in virtual time.
public struct VirtualRecord: Equatable, Sendable {
    /// A report with its moment.
    public struct Entry: Equatable, Sendable {
        public var report: Report
        public var at: Instant
    }

    /// A level that was written to a lamp or an output.
    public struct Write: Equatable, Sendable {
        public var line: LineID
        public var level: Level
        public var at: Instant
    }

    public private(set) var entries: [Entry] = []
    public private(set) var writes: [Write] = []
    /// When something last happened that is neither a repeat nor part of a pattern.
    private(set) var lastTurn = Instant.zero
    /// Entries and writes at that moment's end; what follows only repeats and blinks.
    private var turnEntries = 0

    /// Whether the record holds all it can; the run ends there.
    public var isFull: Bool { entries.count + writes.count >= WorldLimits.records }

    /// The reports as event lines, each ended by a line feed.
    public func eventLines(_ plan: PanelPlan) -> [String] {
        entries.map { EventLine.text($0.report, plan: plan, at: $0.at) + "\n" }
    }

    mutating func turn(at moment: Instant) {
        lastTurn = max(lastTurn, moment)
        turnEntries = entries.count
    }

    mutating func add(_ entry: Entry) {
        entries.append(entry)
        if entry.report.kind != .repeated { turn(at: entry.at) }
    }

    mutating func add(_ write: Write) {
        writes.append(write)
    }

    /// Forgets repeats and pattern steps behind the last thing that mattered.
    mutating func endAtLastTurn() {
        entries.removeSubrange(turnEntries...)
        let end = lastTurn
        writes.removeAll { $0.at > end }
    }
}
