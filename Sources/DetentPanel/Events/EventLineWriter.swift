public import DetentCore
public import DetentTypes

/// Writes the event lines of a panel, one after another.
///
/// The same few events of a control return again and again, and several at one moment. So the text
/// after the moment is kept, for at most `Limits.eventTexts` events, and that of the last moment.
public struct EventLineWriter: Sendable {
    private struct Kept: Sendable {
        var report: Report
        /// What follows the moment; empty where nothing is kept.
        var text: [UInt8] = []
    }

    private let plan: PanelPlan
    /// A ring for each group of controls, one after another.
    private var kept: [Kept]
    /// The place in each ring after the last event: events often follow each other as before.
    private var next: [Int]
    /// How an event line begins, and the moment that ends this.
    private var head: [UInt8] = []
    private var moment: Instant?

    /// Makes the writer of a panel's events.
    public init(plan: PanelPlan) {
        self.plan = plan
        let none = Kept(report: Report(control: ControlID(0), kind: .invalid))
        kept = Array(repeating: none, count: Self.groups * Self.places)
        next = Array(repeating: 0, count: Self.groups)
    }

    /// Adds what `EventLine.text` gives for an event, and a line feed.
    public mutating func write(_ report: Report, at instant: Instant, to text: inout [UInt8]) {
        if instant != moment {
            moment = instant
            head.removeAll(keepingCapacity: true)
            head += Self.start.utf8
            head.append(decimal: instant.nanoseconds)
        }
        text += head
        let group = Int(report.control.index) % Self.groups
        let place = find(report, in: group) ?? keep(report, in: group)
        text += kept[group * Self.places + place].text
        next[group] = (place + 1) % Self.places
    }

    private func find(_ report: Report, in group: Int) -> Int? {
        for offset in 0..<Self.places {
            let place = (next[group] + offset) % Self.places
            let entry = group * Self.places + place
            if kept[entry].report == report, !kept[entry].text.isEmpty { return place }
        }
        return nil
    }

    private mutating func keep(_ report: Report, in group: Int) -> Int {
        let place = next[group]
        kept[group * Self.places + place] = Kept(report: report, text: text(of: report))
        return place
    }

    /// What follows the moment of an event.
    private func text(of report: Report) -> [UInt8] {
        var text: [UInt8] = []
        EventLine.write(report, plan: plan, at: .zero, to: &text)
        text.removeFirst(Self.start.utf8.count + 1)
        text.append(UInt8(ascii: "\n"))
        return text
    }

    private static let start = "{\"at\": "
    /// Controls share groups if there are more of them.
    private static let groups = 64
    private static let places = Limits.eventTexts / groups
}
