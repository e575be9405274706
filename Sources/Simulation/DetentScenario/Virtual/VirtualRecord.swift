public import DetentCore
public import DetentPanel
public import DetentTypes

/// A record of a run in virtual time.
public struct VirtualRecord: Equatable, Sendable {
    /// A report with its moment.
    public struct Entry: Equatable, Sendable {
        /// The report.
        public var report: Report
        /// When it happened.
        public var at: Instant
    }

    /// The answer to a request.
    public struct Answered: Equatable, Sendable {
        /// The request.
        public var request: RequestID
        /// The control of the request.
        public var control: ControlID
        /// The answer.
        public var answer: Answer
        /// When it was answered.
        public var at: Instant
    }

    /// A level that was written to a lamp or an output.
    public struct Write: Equatable, Sendable {
        /// The line that was driven.
        public var line: LineID
        /// Its new level.
        public var level: Level
        /// When it happened.
        public var at: Instant
    }

    /// A step of an attempt of an action.
    public struct Attempt: Equatable, Sendable {
        /// What happened to it.
        public enum Step: Equatable, Sendable {
            case started
            case ended(ActionOutcome)
            /// The engine cancelled it.
            case cancelled
        }

        /// The control of the attempt.
        public var control: ControlID
        /// The attempt.
        public var run: RunID
        /// What happened to it.
        public var step: Step
        /// When it happened.
        public var at: Instant
        /// Whether it is a query of the device's value.
        public var isQuery: Bool = false
    }

    /// The reports, in order.
    public private(set) var entries: [Entry] = []
    /// The answers to requests with a number, in order; a scenario has none.
    public private(set) var answers: [Answered] = []
    /// The steps of attempts, in order.
    public private(set) var attempts: [Attempt] = []
    /// The written levels, in order.
    public private(set) var writes: [Write] = []
    /// The changes for a trace, including writes; empty unless requested.
    public private(set) var changes: [VirtualChange] = []
    /// When something last happened other than a repeat or a pattern step.
    private(set) var lastTurn = Instant.zero
    /// The number of entries and writes at the end of that moment; only repeats and pattern steps
    /// follow.
    private var turnEntries = 0

    /// Whether the record is full; the run ends there.
    public var isFull: Bool {
        count >= ScenarioLimits.records
    }

    /// The number of all entries.
    var count: Int {
        entries.count + answers.count + attempts.count + writes.count + changes.count
    }

    /// The reports as event lines, each with a line feed.
    public func eventLines(_ plan: PanelPlan) -> [String] {
        reports.map { EventLine.text($0.report, plan: plan, at: $0.at) + "\n" }
    }

    /// The reports in the order of the contract, within each instant of each control.
    ///
    /// Only in virtual time can an action end at the instant at which it began, so that one instant
    /// has events of two causes. Only the entries of the same control are reordered.
    public var reports: [Entry] { Self.ordered(entries) }

    /// Entries in that order. They must include all entries of an instant.
    package static func ordered(_ entries: [Entry]) -> [Entry] {
        var result = entries
        var first = 0
        while first < entries.count {
            var end = first + 1
            var isOrdered = true
            while end < entries.count, entries[end].at == entries[first].at {
                let kinds = (entries[end - 1].report.kind, entries[end].report.kind)
                isOrdered = isOrdered && kinds.0.word.rank <= kinds.1.word.rank
                end += 1
            }
            if !isOrdered { reorder(entries, first..<end, in: &result) }
            first = end
        }
        return result
    }

    /// Orders the entries of one instant; each control keeps the places that it has.
    private static func reorder(
        _ entries: [Entry], _ instant: Range<Int>, in result: inout [Entry]
    ) {
        // By control, then by order, then by place, which is below `ScenarioLimits.records`.
        withUnsafeTemporaryAllocation(of: UInt64.self, capacity: 2 * instant.count) { keys in
            var places = UnsafeMutableBufferPointer(rebasing: keys[..<instant.count])
            var sources = UnsafeMutableBufferPointer(rebasing: keys[instant.count...])
            for (key, place) in instant.enumerated() {
                let report = entries[place].report
                let control = UInt64(report.control.index) << 48
                places[key] = control | UInt64(place)
                sources[key] = control | UInt64(report.kind.word.rank) << 40 | UInt64(place)
            }
            places.sort()
            sources.sort()
            let place: UInt64 = 1 << 40 - 1
            for key in places.indices {
                result[Int(places[key] & place)] = entries[Int(sources[key] & place)]
            }
        }
    }

    mutating func turn(at moment: Instant) {
        lastTurn = max(lastTurn, moment)
        turnEntries = entries.count
    }

    mutating func add(_ entry: Entry) {
        entries.append(entry)
        if entry.report.kind != .repeated { turn(at: entry.at) }
    }

    mutating func add(_ answered: Answered) {
        answers.append(answered)
    }

    mutating func add(_ attempt: Attempt) {
        attempts.append(attempt)
    }

    mutating func add(_ write: Write) {
        writes.append(write)
    }

    mutating func add(_ change: VirtualChange) {
        changes.append(change)
    }

    /// Removes all entries, and keeps the memory.
    mutating func removeAll() {
        entries.removeAll(keepingCapacity: true)
        answers.removeAll(keepingCapacity: true)
        attempts.removeAll(keepingCapacity: true)
        writes.removeAll(keepingCapacity: true)
        changes.removeAll(keepingCapacity: true)
        turnEntries = 0
    }

    /// Removes and returns the completed part: all but the last instant.
    ///
    /// - Parameter keepsTail: whether repeats and pattern steps after the last other event may be
    ///   removed at the end; they then stay for now.
    mutating func takeSettled(keepsTail: Bool) -> VirtualRecord {
        var cut = keepsTail ? turnEntries : entries.count
        // An instant is never divided, because its entries are ordered together.
        if cut == entries.count, let last = entries.last?.at {
            while cut > 0, entries[cut - 1].at == last { cut -= 1 }
        }
        while cut > 0, cut < entries.count, entries[cut - 1].at == entries[cut].at { cut -= 1 }
        let end = lastTurn
        let changesCut =
            keepsTail ? changes.firstIndex { $0.at > end } ?? changes.count : changes.count
        var part = VirtualRecord()
        part.entries = Array(entries[..<cut])
        part.changes = Array(changes[..<changesCut])
        part.attempts = attempts
        part.writes = writes
        entries.removeFirst(cut)
        changes.removeFirst(changesCut)
        attempts.removeAll(keepingCapacity: true)
        writes.removeAll(keepingCapacity: true)
        turnEntries = max(0, turnEntries - cut)
        return part
    }

    /// Removes repeats and pattern steps after the last other event.
    mutating func endAtLastTurn() {
        entries.removeSubrange(turnEntries...)
        let end = lastTurn
        writes.removeAll { $0.at > end }
        changes.removeAll { $0.at > end }
    }
}
