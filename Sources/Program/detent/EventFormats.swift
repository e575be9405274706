import DetentCommand
import DetentPanel
import DetentRuntime
import DetentTypes
import Synchronization

/// How the events of panels that follow each other are printed, and where.
final class EventFormats: Sendable {
    /// Writes the line of an event; may block.
    let write: TextWriter.Write
    private let make: (@Sendable (PanelPlan) -> EventFormat)?
    /// By the number of the panel; empty if events are not printed.
    private let formats: Mutex<[EventFormat]>

    /// - Parameters:
    ///   - make: makes the format of a panel; nil if events are not printed.
    ///   - write: writes the line of an event; may block.
    init(
        _ plan: PanelPlan, _ make: (@Sendable (PanelPlan) -> EventFormat)?,
        write: @escaping TextWriter.Write = { StandardOutput.write($0) }
    ) {
        self.make = make
        self.write = write
        formats = Mutex(make.map { [$0(plan)] } ?? [])
    }

    /// Prints the events of a simulation, whose time begins at 0.
    convenience init(_ plan: PanelPlan, isText: Bool) {
        self.init(plan) { EventFormat($0, isText: isText, start: .zero) }
    }

    /// Whether events are printed.
    var isOn: Bool { make != nil }

    /// Another panel follows: call it before its first event.
    func replacePlan(_ plan: PanelPlan) {
        guard let make else { return }
        formats.withLock { $0.append(make(plan)) }
    }

    /// One event, with its line feed; nil if events are not printed.
    func line(_ timed: TimedReport) -> String? {
        let format = formats.withLock { formats in
            Int(timed.panel) < formats.count ? formats[Int(timed.panel)] : nil
        }
        return format?.line(timed.report, at: timed.at)
    }
}
