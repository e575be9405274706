import ArgumentParser
import DetentCore
import DetentPanel
import DetentTypes
import Glibc

/// The format of printed events: JSON lines for programs, aligned text for people, entries for the
/// journal of systemd.
struct EventFormat: Sendable {
    private enum Style: Sendable {
        case json
        case text(EventText)
        case journal
    }

    private let plan: PanelPlan
    private let style: Style
    /// Made when it is needed.
    private var lines: EventLineWriter?

    private init(_ plan: PanelPlan, _ style: Style) {
        self.plan = plan
        self.style = style
    }

    init(_ plan: PanelPlan, isText: Bool, start: Instant) {
        self.init(plan, isText ? .text(EventText(plan: plan, start: start)) : .json)
    }

    /// Entries for the journal.
    static func journal(_ plan: PanelPlan) -> EventFormat { EventFormat(plan, .journal) }

    /// One event, with its line feed.
    func line(_ report: Report, at instant: Instant) -> String {
        switch style {
        case .json: EventLine.text(report, plan: plan, at: instant) + "\n"
        case .text(let text):
            text.line(EventLine.members(report, plan: plan, at: instant)) + "\n"
        case .journal: JournalEntry.text(report, plan: plan, at: instant)
        }
    }

    /// Adds the same to a text.
    mutating func write(_ report: Report, at instant: Instant, to text: inout [UInt8]) {
        switch style {
        case .json:
            if lines == nil { lines = EventLineWriter(plan: plan) }
            lines?.write(report, at: instant, to: &text)
        case .text, .journal: text += line(report, at: instant).utf8
        }
    }
}

/// The option that chooses the format of events.
struct EventOptions: ParsableArguments {
    @ArgumentParser.Flag(help: "Print events as JSON lines even in a terminal.")
    var json = false

    /// Text if standard output is a terminal, else JSON.
    ///
    /// - Parameter start: the moment that text shows as 0.
    func format(_ plan: PanelPlan, start: Instant = .zero) -> EventFormat {
        EventFormat(plan, isText: isText, start: start)
    }

    /// Whether standard output is a terminal.
    var isText: Bool { !json && isatty(STDOUT_FILENO) != 0 }
}
