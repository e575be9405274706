import ArgumentParser
import DetentBench
import DetentCommand
import DetentHAL
import DetentPanel
import DetentPlatform
import DetentTrace
import DetentTypes
import Glibc

/// `detent measure`: how a contact bounces.
struct MeasureCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "measure", abstract: "Measure how a contact bounces, or how far a knob turns.",
        discussion: """
            Examples:  detent measure panel.yaml power --presses 50
                       detent measure gpiochip0 17
                       detent measure session.csv GPIO17 --profile my-switch.yaml
                       detent sim panel.yaml --bounce ./my-switch.yaml
                       detent measure panel.yaml volume
                       detent measure ads1015 0

            Press the contact, or flip it, until you have enough; Ctrl-C ends. Prints a histogram
            for closing and for opening, and a debounce time with its reason. --profile fits a
            profile for the simulator to the bounces, plays it, and says how far the two differ.
            The panel must not be running.
            A potentiometer, or another part at a channel of a converter: turn it from its lowest
            value to its highest, let it rest for some seconds, and press Ctrl-C. Prints its ends,
            the noise at rest, and what to write into the panel file.
            Exit codes: 0 measured, 1 nothing was measured or edges may be missing, 2 wrong usage,
            3 the line could not be requested.
            """)

    @Argument(help: "A panel file, the label or device of a GPIO chip, or a capture.")
    var source: String

    @Argument(help: "The contact: a control or line of the panel, or a line.")
    var line: String

    @Option(help: ArgumentHelp("End after this many presses.", valueName: "count"))
    var presses: Int?

    @Option(help: ArgumentHelp("The pause between two changes.", valueName: "time"))
    var quiet = "40ms"

    @Option(
        help: ArgumentHelp(
            "Fit a profile for `sim --bounce` to the bounces.", valueName: "file"))
    var profile: String?

    @Option(help: "The resistor inside the chip: pull-up, pull-down, disabled or as-is.")
    var bias = BiasOption.pullUp

    @Option(help: "The level of a closed contact: low or high (default: by panel or resistor).")
    var active: ActiveLevel?

    enum ActiveLevel: String, ExpressibleByArgument, CaseIterable {
        case low, high
    }

    func validate() throws {
        if let presses, !(1...BenchLimits.changes / 2).contains(presses) {
            throw ValidationError("--presses: give 1 to \(BenchLimits.changes / 2)")
        }
    }

    func run() throws {
        if let channel = try analogChannel() { return try measure(channel) }
        let pause = try DurationOption.span(quiet)
        let (meter, name, loss) =
            LineSource.isCapture(source) ? try replayed(pause) : try measured(pause)
        let report = BounceReport(meter)
        try StandardOutput.writeOrFail(BounceText.text(report, name: name))
        guard let measured = report.profile else { throw ExitStatus.failed }
        if let profile {
            let comparison = BounceComparison(meter, plays: measured)
            try StandardOutput.writeOrFail("\n" + BounceText.fit(comparison))
            let text = BounceText.file(measured, name: name, changes: meter.count)
            try OutputFile.writeArgument(text, to: profile)
        }
        if let loss {
            throw Failure(
                code: .failed, cause: "\(loss); bounces may be missing",
                remedy: "stop other programs and measure again")
        }
    }

    private func isEnough(_ meter: BounceMeter) -> Bool {
        if meter.count >= BenchLimits.changes { return true }
        return presses.map { meter.closings.count >= $0 && meter.openings.count >= $0 } ?? false
    }

    private func replayed(_ pause: TimeSpan) throws -> (BounceMeter, String, String?) {
        let capture = try CaptureFile.read(source)
        guard let place = capture.lines.firstIndex(of: line) else {
            throw Failure(
                code: .usage, cause: "\(source): the capture has no line `\(line)`",
                remedy: "one of: \(capture.lines.prefix(20).joined(separator: ", "))")
        }
        let isActiveLow = active.map { $0 == .low } ?? true
        let edges = capture.edges.filter { Int($0.line) == place }
        let first = capture.initialLevels[place] ?? edges.first.map { !$0.isHigh } ?? isActiveLow
        var meter = BounceMeter(level: Level(first != isActiveLow), quiet: pause)
        for edge in edges {
            meter.take(Level(edge.isHigh != isActiveLow), at: edge.at)
            if isEnough(meter) { break }
        }
        meter.finish()
        return (meter, line, nil)
    }

    private func measured(_ pause: TimeSpan) throws -> (BounceMeter, String, String?) {
        var settings: LineSettings
        var isActiveLow = bias != .pullDown
        if LineSource.isPanel(source) {
            let found = try LineSource.contacts(PanelFile.plan(source), wanted: [line])
            guard found.count == 1, let only = found.first else {
                throw Failure(
                    code: .usage, cause: "`\(line)` has \(found.count) contacts",
                    remedy: "name one line: \(found.map(\.name).joined(separator: ", "))")
            }
            settings = only
            isActiveLow = only.isActiveLow
        } else {
            settings = try LineSource.lines(chip: source, [line], bias: bias.bias)[0]
        }
        if let active { isActiveLow = active == .low }
        // Electrical levels; the meter is told which of them is closed.
        settings.isActiveLow = false
        let signals = try SignalInbox(say: { StandardError.write($0) })
        let live = LiveLines([settings])
        try LineSource.open(live, from: source)
        defer { live.close() }
        StandardError.write(
            "detent: measuring \(settings.name); press it "
                + (presses.map { "\($0) times" } ?? "as often as you like") + "; Ctrl-C ends\n")
        let rest = live.levels[0] ?? isActiveLow
        var meter = BounceMeter(level: Level(rest != isActiveLow), quiet: pause)
        var shown = 0
        let isTerminal = isatty(STDERR_FILENO) != 0
        _ = try live.watch(
            signals,
            take: { meter.take(Level($0.isHigh != isActiveLow), at: $0.at) },
            wake: { now in
                meter.settle(at: now)
                if isTerminal, meter.count != shown {
                    shown = meter.count
                    StandardStream.raw("\r\(shown) changes ")
                }
                return isEnough(meter) ? nil : meter.deadline + .milliseconds(1)
            })
        if isTerminal { StandardStream.raw("\r") }
        meter.finish()
        return (meter, settings.name, live.loss)
    }
}

/// Reads a capture for a command, with its notes and problems on standard error.
enum CaptureFile {
    static func read(_ path: String) throws -> Capture {
        do {
            var capture = try Capture(path: path)
            let open = capture.edges.count(where: \.isOpen)
            if open > 0 {
                capture.notes.append("\(open) changes to z were left out: nothing drove the line")
                capture.edges.removeAll(where: \.isOpen)
            }
            printNotes(capture.notes, of: path)
            return capture
        } catch {
            throw unusable(error, path)
        }
    }

    static func printNotes(_ notes: [String], of path: String) {
        for note in notes { StandardError.write("\(path): note: \(note)\n") }
    }

    /// Writes the problems of a capture, and returns the error that ends the command.
    static func unusable(_ error: CaptureError, _ path: String) -> Failure {
        for problem in error.problems {
            let place = problem.line > 0 ? "\(path):\(problem.line):\(problem.column)" : path
            StandardError.write(ErrorText.lines(problem, at: "\(place): error"))
        }
        return Failure(
            code: .usage, cause: "\(path) cannot be used",
            remedy: "fix the problems listed above")
    }
}
