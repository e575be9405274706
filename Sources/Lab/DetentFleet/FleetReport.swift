public import DetentPanel
public import DetentTypes

/// The figures of a fleet.
public struct FleetReport: Equatable, Sendable {
    /// Panels of the fleet.
    public var panels = 0
    /// Panels that the listener has seen go online, and not offline since.
    public var online = 0
    /// How long it took until all were online; nil if they never were.
    public var untilOnline: TimeSpan?
    /// Connections that the broker has accepted.
    public var connects = 0
    /// Connections that ended without being asked to.
    public var breaks = 0
    /// Attempts to connect that failed.
    public var refusals = 0
    /// How long users have operated the panels.
    public var duration = TimeSpan.zero
    /// What users have done.
    public var operations = 0
    /// Changes of states that were handed to the broker.
    public var changes = 0
    /// Changes that the listener heard.
    public var received = 0
    /// Changes that it did not hear.
    public var lost = 0
    /// Changes that were handed over while the listener itself had no connection.
    public var unheard = 0
    /// Messages that the listener heard once too often.
    public var duplicates = 0
    /// Events that were handed to the broker.
    public var events = 0
    /// Events that the listener heard.
    public var eventsReceived = 0
    /// From the change until the listener heard it.
    public var latencies = LatencyHistogram()
    /// For each time that the listener had lost the broker and found it again: how long it took
    /// until all panels were online again; nil if they never were.
    public var returns: [TimeSpan?] = []
    /// What was wrong with connections, each text once.
    public var problems: [String] = []
    /// What the program used of a processor, while users operated the panels.
    public var processorTime = TimeSpan.zero

    /// Nothing yet.
    public init() {}

    /// Whether all panels are online and every change was heard.
    public var isWhole: Bool {
        online == panels && untilOnline != nil && lost == 0 && unheard == 0 && duplicates == 0
            && events == eventsReceived
    }

    /// Changes that the listener heard in a second, in tenths.
    public var rateTenths: UInt64 {
        let milliseconds = max(1, duration.nanoseconds / 1_000_000)
        return UInt64(received) * 10_000 / milliseconds
    }

    /// The figures as a table, with a line feed at the end.
    public var table: String {
        var rows: [(String, String)] = [
            ("panels", "\(panels), \(online) online"),
            ("all online after", untilOnline.map(Self.seconds) ?? "never"),
            ("connects", "\(connects), \(breaks) broken, \(refusals) refused"),
            ("operations", "\(operations) in \(Self.seconds(duration))"),
            ("changes", "\(changes)"),
            ("received", "\(received), \(rateTenths / 10).\(rateTenths % 10) a second"),
            ("lost", "\(lost)"),
            ("unheard", "\(unheard)"),
            ("duplicates", "\(duplicates)"),
            ("events", "\(events), \(eventsReceived) received"),
        ]
        for (name, share) in Self.shares {
            rows.append((name, Self.milliseconds(latencies.span(perMille: share))))
        }
        rows.append(("max", Self.milliseconds(latencies.longest)))
        rows.append(("processor", "\(processorPerMille / 10).\(processorPerMille % 10) %"))
        for back in returns {
            rows.append(("online again after", back.map(Self.seconds) ?? "never"))
        }
        for problem in problems { rows.append(("problem", problem)) }
        let width = rows.map(\.0.count).max() ?? 0
        return rows.map { name, text in
            name + String(repeating: " ", count: width - name.count + 2) + text + "\n"
        }.joined()
    }

    /// The share of one processor.
    private var processorPerMille: UInt64 {
        processorTime.nanoseconds / max(1, duration.nanoseconds / 1_000)
    }

    private static let shares: [(String, UInt64)] = [("p50", 500), ("p99", 990), ("p99.9", 999)]

    /// The figures as one JSON object. Times are in seconds, latencies in milliseconds.
    public var json: JSONValue {
        func count(_ number: Int) -> JSONValue { .integer(Int64(number)) }
        func seconds(_ span: TimeSpan?) -> JSONValue {
            span.map { .number(Self.decimal($0.nanoseconds, unit: 1_000_000_000)) } ?? .null
        }
        func milliseconds(_ span: TimeSpan) -> JSONValue {
            .number(Self.decimal(span.nanoseconds, unit: 1_000_000))
        }
        return .object([
            ("panels", count(panels)), ("online", count(online)),
            ("until-online", seconds(untilOnline)), ("connects", count(connects)),
            ("breaks", count(breaks)), ("refusals", count(refusals)),
            ("duration", seconds(duration)), ("operations", count(operations)),
            ("changes", count(changes)), ("received", count(received)), ("lost", count(lost)),
            ("unheard", count(unheard)), ("duplicates", count(duplicates)),
            ("events", count(events)), ("events-received", count(eventsReceived)),
            ("rate", .number("\(rateTenths / 10).\(rateTenths % 10)")),
            ("p50", milliseconds(latencies.span(perMille: 500))),
            ("p99", milliseconds(latencies.span(perMille: 990))),
            ("p99.9", milliseconds(latencies.span(perMille: 999))),
            ("max", milliseconds(latencies.longest)),
            ("processor", .number(Self.decimal(processorPerMille, unit: 1_000))),
            ("returns", .array(returns.map(seconds))),
            ("problems", .array(problems.map(JSONValue.string))),
        ])
    }

    /// `1.25 s`.
    static func seconds(_ span: TimeSpan) -> String {
        decimal(span.nanoseconds, unit: 1_000_000_000, digits: 2) + " s"
    }

    /// `0.417 ms`.
    static func milliseconds(_ span: TimeSpan) -> String {
        decimal(span.nanoseconds, unit: 1_000_000) + " ms"
    }

    private static func decimal(_ number: UInt64, unit: UInt64, digits: Int = 3) -> String {
        var scale: UInt64 = 1
        for _ in 0..<digits { scale *= 10 }
        let part = number % unit * scale / unit
        let text = String(part)
        return "\(number / unit)." + String(repeating: "0", count: digits - text.count) + text
    }
}
