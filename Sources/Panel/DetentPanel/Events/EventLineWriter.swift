public import DetentCore
public import DetentTypes

/// Writes the event lines of a panel, one after another.
///
/// The same few events of a control return again and again, and several at one moment. So the text
/// after the moment is kept, for at most `Limits.eventTexts` events, and that of the last moment.
public struct EventLineWriter: Sendable {
    private struct Kept: Sendable {
        var report: Report
        /// What follows the moment.
        var text: [UInt8]
    }

    private let plan: PanelPlan
    /// `places` for each group of controls.
    private var kept: [Kept]
    /// How many of them are in use.
    private var counts: [Int]
    /// The place in each group after the last event: events often follow each other as before.
    private var next: [Int]
    /// How an event line begins, and the moment that ends this.
    private var head: [UInt8] = []
    private var moment: Instant?

    /// Makes the writer of a panel's events.
    public init(plan: PanelPlan) {
        self.plan = plan
        let none = Kept(report: Report(control: ControlID(0), kind: .invalid), text: [])
        kept = Array(repeating: none, count: Self.groups * Self.places)
        counts = Array(repeating: 0, count: Self.groups)
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
        let first = group * Self.places
        var place = next[group]
        var left = counts[group]
        while left > 0, kept[first + place].report != report {
            place = place + 1 < counts[group] ? place + 1 : 0
            left -= 1
        }
        if left == 0 { place = keep(report, in: group) }
        text += kept[first + place].text
        next[group] = place + 1 < counts[group] ? place + 1 : 0
    }

    /// Keeps the text of an event, and returns its place.
    private mutating func keep(_ report: Report, in group: Int) -> Int {
        let isFull = counts[group] == Self.places
        let place = isFull ? next[group] : counts[group]
        kept[group * Self.places + place] = Kept(report: report, text: text(of: report))
        if !isFull { counts[group] += 1 }
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
