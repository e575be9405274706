import ArgumentParser
import DetentCore
import DetentPanel
import DetentTypes
import Glibc

/// The format of printed events: JSON lines for programs, aligned text for people, entries for the
/// journal of systemd.
enum EventFormat: Sendable {
    case json(PanelPlan)
    case text(PanelPlan, EventText)
    case journal(PanelPlan)

    init(_ plan: PanelPlan, isText: Bool, start: Instant) {
        self = isText ? .text(plan, EventText(plan: plan, start: start)) : .json(plan)
    }

    /// One event, with its line feed.
    func line(_ report: Report, at instant: Instant) -> String {
        switch self {
        case .json(let plan): EventLine.text(report, plan: plan, at: instant) + "\n"
        case .text(let plan, let text):
            text.line(EventLine.members(report, plan: plan, at: instant)) + "\n"
        case .journal(let plan): JournalEntry.text(report, plan: plan, at: instant)
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
