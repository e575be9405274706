import ArgumentParser
import DetentCommand
import DetentPanel
import DetentScenario
import DetentTrace
import DetentTypes

/// `detent replay`: plays a capture through the engine, in virtual time.
struct ReplayCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay", abstract: "Send a capture through a panel, in virtual time.",
        discussion: """
            Example:  detent replay panel.yaml capture.csv
                      detent replay panel.yaml session.sr --map D0=GPIO17

            A capture is .vcd, .sr (sigrok), or .csv: t_ns,line,value, or the table that
            Saleae Logic and PulseView export.
            Every action succeeds at once. Prints one event per line, as JSON if standard
            output is not a terminal; equal inputs give equal bytes.
            """)

    @Argument(help: "The panel file.")
    var panel: String

    @Argument(help: "The capture: .csv, .vcd or .sr.")
    var capture: String

    @Option(
        help: ArgumentHelp(
            "Stop at this time (default: when only repeats and patterns remain).",
            valueName: "time"))
    var until: String?

    @Option(
        help: ArgumentHelp(
            "Rename a line of the capture to a line of the panel.", valueName: "D0=GPIO17"))
    var map: [String] = []

    @Option(
        help: ArgumentHelp(
            "Also write lines and controls as VCD, for GTKWave, Surfer or sigrok-cli.",
            valueName: "file.vcd"))
    var trace: String?

    @OptionGroup
    var format: EventOptions

    func run() throws {
        let end = try until.map { try DurationOption.span($0) }
        let plan = try PanelFile.plan(panel)
        var events = format.format(plan)
        let (stream, head) = try openCapture(plan)
        let feed = try CaptureFeed(plan, stream, head, path: capture)
        let backend = CaptureBackend(plan) { feed.next() }
        let runner = try VirtualRunner(plan, backend: backend, isTraced: trace != nil)
        let file = try trace.map { try RunningTrace(plan, to: $0) }
        var text: [UInt8] = []
        let isWhole = try runner.play(until: end.map { .zero + $0 }) { part in
            text.removeAll(keepingCapacity: true)
            for timed in part.reports { events.write(timed.report, at: timed.at, to: &text) }
            try StandardOutput.writeOrFail(text)
            try file?.add(part.changes)
        }
        if let error = feed.error { throw CaptureFile.unusable(error, capture) }
        try file?.finish(at: runner.now)
        guard isWhole else {
            throw Failure(
                code: .failed, cause: "the replay was truncated: it has too many events",
                remedy: "set an earlier end with --until")
        }
    }

    /// Opens the capture; returns it with its head after `--map`.
    private func openCapture(_ plan: PanelPlan) throws -> (stream: CaptureStream, head: Capture) {
        let names = try map.map { pair in
            var parts = pair.split(separator: "=", maxSplits: 1).map(String.init)[...]
            guard let from = parts.popFirst(), let to = parts.popFirst() else {
                throw Failure(
                    code: .usage, cause: "`--map \(pair)` does not name two lines",
                    remedy: "write, for example, --map D0=GPIO17")
            }
            return (from: from, to: to)
        }
        let analog = plan.lines.filter(\.isAnalog).map { line in
            names.first { $0.to == line.name }?.from ?? line.name
        }
        do {
            let stream = try CaptureStream(path: capture, analog: Set(analog))
            CaptureFile.printNotes(stream.head.notes, of: capture)
            return (stream, try stream.head.renamed(names))
        } catch {
            throw CaptureFile.unusable(error, capture)
        }
    }
}

/// The edges of a capture on the lines of a panel, one at a time; exclusive access is not checked.
final class CaptureFeed {
    /// Why reading ended early; nil if it did not.
    @exclusivity(unchecked) private(set) var error: CaptureError?
    private let stream: CaptureStream
    private let places: [LineID?]
    /// The level of each line of the panel while nothing drives it.
    private let isHighWhenOpen: [Bool]
    /// The levels at 0, which come first.
    @exclusivity(unchecked) private var initial: ArraySlice<CaptureEdge>

    init(_ plan: PanelPlan, _ stream: CaptureStream, _ head: Capture, path: String) throws {
        self.stream = stream
        places = head.lines.map { name in
            plan.lines.firstIndex { $0.name == name && $0.isContact }.map { LineID(UInt16($0)) }
        }
        isHighWhenOpen = plan.lines.map(\.isHighWhenOpen)
        initial =
            zip(places, head.initialLevels).compactMap { line, level in
                guard let line, let level else { return nil }
                return CaptureEdge(at: .zero, line: line, isHigh: level)
            }[...]
        try Self.checkNames(plan, head, places, path)
    }

    /// The next edge of a line of the panel; nil at the end, and after an error.
    func next() -> CaptureEdge? {
        if let level = initial.popFirst() { return level }
        do {
            while let edge = try stream.next() {
                guard let line = places[Int(edge.line)] else { continue }
                let isHigh = edge.isOpen ? isHighWhenOpen[Int(line.index)] : edge.isHigh
                return CaptureEdge(at: edge.at, line: line, isHigh: isHigh, sample: edge.sample)
            }
        } catch {
            self.error = error
        }
        return nil
    }

    /// A logic analyser has more channels than a panel has lines, so one match is enough; the
    /// others are listed once.
    private static func checkNames(
        _ plan: PanelPlan, _ capture: Capture, _ places: [LineID?], _ path: String
    ) throws {
        let unknown = zip(capture.lines, places).filter { $0.1 == nil }.map(\.0)
        if unknown.isEmpty, !capture.lines.isEmpty { return }
        let shown = unknown.prefix(Self.namesShown).joined(separator: ", ")
        let more = unknown.count - Self.namesShown
        let names = more > 0 ? "\(shown) and \(more) more" : shown
        guard unknown.count < capture.lines.count else {
            let contacts = plan.lines.filter(\.isContact).map(\.name).joined(separator: ", ")
            guard !capture.lines.isEmpty else {
                throw Failure(
                    code: .failed, cause: "\(path): the capture has no line",
                    remedy: "record digital channels: each wire of one bit is a line")
            }
            throw Failure(
                code: .usage, cause: "\(path): the panel has no input line named \(names)",
                remedy: "use --map NAME=LINE, where LINE is one of: \(contacts)")
        }
        StandardError.write("\(path): note: ignored \(names): the panel has no such input line\n")
    }

    /// Names in a message; further ones are counted.
    private static let namesShown = 32
}
