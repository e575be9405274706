import DetentTypes

@testable import DetentCore

/// What the laws of debounce need of a filter; a broken one can stand in for the real one.
protocol ContactFiltering {
    var deadline: Instant { get }
    mutating func edge(at now: Instant) -> Level?
    mutating func deadlineReached(at now: Instant) -> Level?
}

extension ContactFilter: ContactFiltering {}

/// Drives a filter over a line, and says which law it breaks, if any.
enum FilterRun {
    struct Report: Equatable {
        var at: Instant
        var level: Level
    }

    /// All reports, the line resting at its last level for a minute after the end.
    static func reports(
        of raw: [Level], through filter: inout any ContactFiltering, probing: Bool = false
    ) -> [Report] {
        var reports: [Report] = []
        var before = Level.inactive
        for (millisecond, level) in raw.enumerated() {
            let now = Instant(millisecond: millisecond)
            fire(&filter, until: now, probing, &reports)
            guard level != before else { continue }
            before = level
            if let told = filter.edge(at: now) { reports.append(Report(at: now, level: told)) }
        }
        fire(&filter, until: Instant(millisecond: raw.count + 60_000), probing, &reports)
        return reports
    }

    private static func fire(
        _ filter: inout any ContactFiltering, until end: Instant, _ probing: Bool,
        _ reports: inout [Report]
    ) {
        var turns = 0
        while filter.deadline <= end, turns < 10_000 {
            let due = filter.deadline
            if probing, due.nanoseconds > 0 {
                probe(&filter, at: Instant(nanoseconds: due.nanoseconds - 1), &reports)
            }
            if let told = filter.deadlineReached(at: due) {
                reports.append(Report(at: due, level: told))
            }
            turns += 1
        }
        if probing { probe(&filter, at: end, &reports) }
    }

    /// A call before anything is due, which must change nothing.
    private static func probe(
        _ filter: inout any ContactFiltering, at now: Instant, _ reports: inout [Report]
    ) {
        guard filter.deadline > now else { return }
        if let told = filter.deadlineReached(at: now) {
            reports.append(Report(at: now, level: told))
        }
    }

    /// The law that a run over `raw` breaks; nil if all hold.
    static func brokenLaw(
        _ raw: [Level], _ make: () -> any ContactFiltering
    ) -> String? {
        var filter = make()
        let told = reports(of: raw, through: &filter)
        var level = Level.inactive
        var last = Instant.zero
        for report in told {
            if report.level == level { return "reports alternate" }
            if report.at < last { return "reports are in order" }
            level = report.level
            last = report.at
        }
        if level != raw.last ?? .inactive { return "the final level is reported" }
        if filter.deadline != .never { return "a quiet minute is silent" }
        if last > Instant(millisecond: raw.count + 1_000) { return "a quiet minute is silent" }
        var probed = make()
        if reports(of: raw, through: &probed, probing: true) != told {
            return "early calls change nothing"
        }
        return nil
    }
}
