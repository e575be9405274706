import ArgumentParser
import DetentBench
import DetentCommand
import DetentHAL
import DetentPanel
import DetentPlatform
import DetentTrace
import DetentTypes
import Glibc

/// `detent record`: lines of this machine into a capture.
struct RecordCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "record", abstract: "Record lines of this machine into a capture.",
        discussion: """
            Examples:  detent record panel.yaml -o session.csv
                       detent record gpiochip0 17 27 -o session.sr --for 10s
                       detent replay panel.yaml session.csv

            The extension selects the format: .csv, .vcd or .sr (sigrok, 1 MHz, no analog
            inputs). The contacts of a panel keep their names, so `replay` needs no --map. The
            panel must not be running.
            Ctrl-C ends the recording. The file is whole at any moment, also on a full disk.
            Exit codes: 0 ended by a signal or --for, 1 the file could not be written to the end,
            or edges may be missing, 2 wrong usage, 3 a line could not be requested.
            """)

    @Argument(help: "A panel file, or the label or device of a GPIO chip.")
    var source: String

    @Argument(help: "Lines: names, or offsets on the chip (default: all contacts of the panel).")
    var lines: [String] = []

    @Option(
        name: [.short, .long],
        help: ArgumentHelp("The capture to write: .csv, .vcd or .sr.", valueName: "file"))
    var output: String?

    @Option(
        name: .customLong("for"),
        help: ArgumentHelp("End after this time (default: on Ctrl-C).", valueName: "time"))
    var duration: String?

    @Option(help: "The resistor inside the chip: pull-up, pull-down, disabled or as-is.")
    var bias = BiasOption.asIs

    /// Checked here, so that an unknown option is told first.
    private func checkedOutput() throws -> String {
        guard let output, CaptureFormat(path: output) != nil else {
            throw Failure(
                code: .usage,
                cause: output.map { "`\($0)` does not have the extension of a capture" }
                    ?? "there is no capture to write to",
                remedy: "give one with -o, such as -o session.csv; also .vcd and .sr")
        }
        if !LineSource.isPanel(source), lines.isEmpty {
            throw Failure(
                code: .usage, cause: "no line of the chip is named",
                remedy: "name the lines to record, such as `detent record \(source) 17 27`")
        }
        return output
    }

    func run() throws {
        let output = try checkedOutput()
        let span = try duration.map { try DurationOption.span($0) }
        let settings =
            LineSource.isPanel(source)
            ? try LineSource.contacts(PanelFile.plan(source), wanted: lines)
            : try LineSource.lines(chip: source, lines, bias: bias.bias)
        // A limit of the file size is then an error of the write, as a full disk is.
        signal(SIGXFSZ, SIG_IGN)
        let signals = try SignalInbox(say: { StandardError.write($0) })
        let live = LiveLines(settings)
        try LineSource.open(live, from: source)
        defer { live.close() }
        let start = MonotonicClock.now
        let recorder: any CaptureRecorder
        do {
            recorder = try Capture.recorder(
                path: output, lines: live.names,
                initialLevels: zip(settings, live.levels).map { line, level in
                    line.isAnalog ? nil : level == true
                })
        } catch {
            throw Failure(.usage, error)
        }
        var progress = Progress(start: start, lines: settings.count, file: output)
        do {
            try record(live, signals, recorder, start, span.map { start + $0 } ?? .never, &progress)
        } catch let error as TraceError {
            progress.end(at: MonotonicClock.now)
            throw Failure(
                code: .failed,
                cause: "\(error.cause); the file has the first \(progress.savedText)",
                remedy: error.remedy)
        }
        progress.end(at: MonotonicClock.now)
        if let loss = live.loss {
            throw Failure(
                code: .failed, cause: loss,
                remedy: "record fewer lines, or less noise; the other edges are in the file")
        }
    }

    private func record(
        _ live: LiveLines, _ signals: SignalInbox, _ recorder: any CaptureRecorder,
        _ start: Instant, _ end: Instant, _ progress: inout Progress
    ) throws {
        var next = start + .seconds(1)
        var shown = progress
        var failure: TraceError?
        let addSample = { (line: Int, sample: Int32, at: Instant) in
            shown.samples += 1
            guard failure == nil else { return }
            do throws(TraceError) {
                try recorder.add(Capture.Edge(at: at, line: UInt16(line), sample: sample))
            } catch {
                failure = error
            }
        }
        for (line, sample) in live.samples.enumerated() {
            if let sample { addSample(line, sample, .zero) }
        }
        live.takeSample = { addSample($0, $1, Instant(nanoseconds: ($2 - start).nanoseconds)) }
        _ = try live.watch(
            signals,
            take: { edge in
                shown.edges += 1
                try recorder.add(
                    Capture.Edge(
                        at: Instant(nanoseconds: (edge.at - start).nanoseconds),
                        line: UInt16(edge.line), isHigh: edge.isHigh))
            },
            wake: { now in
                defer { progress = shown }
                if let failure { throw failure }
                if now >= next {
                    try recorder.save(at: Instant(nanoseconds: (now - start).nanoseconds))
                    shown.saved = now - start
                    shown.show(at: now)
                    next = now + .seconds(1)
                }
                return now >= end ? nil : min(next, end)
            })
        let now = MonotonicClock.now
        try recorder.save(at: Instant(nanoseconds: (now - start).nanoseconds))
        shown.saved = now - start
        progress = shown
    }

    /// Says how far the recording is: once a second on a terminal, and at the end.
    private struct Progress {
        let start: Instant
        let lines: Int
        let file: String
        var edges = 0
        var samples = 0
        var saved = TimeSpan.zero
        private let isTerminal = isatty(STDERR_FILENO) != 0

        init(start: Instant, lines: Int, file: String) {
            self.start = start
            self.lines = lines
            self.file = file
            StandardError.write(
                "detent: recording \(counted(lines, "line")) to \(file); Ctrl-C ends it\n")
        }

        var savedText: String { Self.text(saved) }

        func show(at now: Instant) {
            guard isTerminal else { return }
            StandardStream.raw("\r\(Self.text(now - start)), \(count) ")
        }

        func end(at now: Instant) {
            if isTerminal { StandardStream.raw("\r") }
            StandardError.write("detent: \(Self.text(now - start)), \(count) in \(file)\n")
        }

        private var count: String { "\(edges) edges" + (samples > 0 ? ", \(samples) samples" : "") }

        private static func text(_ span: TimeSpan) -> String {
            let tenths = span.nanoseconds / 100_000_000
            return "\(tenths / 10).\(tenths % 10) s"
        }
    }
}
