import ArgumentParser
import DetentBench
import DetentCommand
import DetentDevices
import DetentGPIOD
import DetentHAL
import DetentPanel
import DetentPlatform
import DetentTrace
import DetentTypes

/// `detent identify`: which line a switch or knob is on.
struct IdentifyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "identify", abstract: "Find the lines of a switch, button or knob.",
        discussion: """
            Examples:  detent identify
                       detent identify --write panel.yaml
                       detent identify gpiochip0 17 27 22
                       detent identify session.csv

            Operate one part: press and release a button, move a switch once, turn a knob several
            detents clockwise, or a selector through all positions. Then wait a second.
            Says the lines and pins, the level of a closed contact, and what the part probably is.
            Without a chip it watches the header of this board, except pins that have another
            function or are in use. `detent identify "button box"` watches the keys and axes of an
            input device; on a machine that is no board it watches those of all.
            `detent identify ads1015` watches the channels of a converter: turn a potentiometer from
            one end to the other. Ctrl-C ends.
            Exit codes: 0 done, 1 nothing changed, 2 wrong usage, 3 no line could be requested.
            """)

    @Argument(
        help: "A GPIO chip, an input device, or a capture (default: the header of the board).")
    var source: String?

    @Argument(help: "Lines of the chip: names or offsets (default: all).")
    var lines: [String] = []

    @Option(
        help: ArgumentHelp(
            "Add each part to this panel file; a new file is made.", valueName: "file"))
    var write: String?

    @Option(
        help: ArgumentHelp(
            "The group of that file to which they are added (default: `controls`).",
            valueName: "name"))
    var group: String?

    @Option(help: "The resistor inside the chip: pull-up, pull-down, disabled or as-is.")
    var bias = BiasOption.pullUp

    @Option(help: ArgumentHelp("The board (default: the one it runs on).", valueName: "name"))
    var board: String?

    @Flag(help: "Also watch pins of the header that have another function, such as a bus.")
    var all = false

    @Flag(help: "End after the first part that is clear.")
    var once = false

    /// The lines of a search, in words for people and for the panel file.
    private struct Lines {
        var board: String?
        var settings: [LineSettings] = []
        /// How the panel file names them.
        var names: [String] = []
        /// How people find them.
        var places: [String] = []
        /// Whether an open contact is high.
        var isPulledUp: Bool
    }

    func run() throws {
        if let source, LineSource.isCapture(source) { return try identify(capture: source) }
        let lines = try watched()
        let signals = try SignalInbox(say: { StandardError.write($0) })
        let live = LiveLines(lines.settings)
        // The first samples come with `open`.
        var finder = AnalogFinder(channels: lines.settings.count)
        live.takeSample = { finder.record($1, channel: $0, at: $2) }
        let errors = live.open()
        defer { live.close() }
        for group in LineProblem.grouped(errors) {
            StandardError.write(ErrorText.lines(group, at: "note: \(group.lines)"))
        }
        guard errors.count < lines.settings.count else {
            throw Failure(
                code: .hardware, cause: "no line could be requested",
                remedy: "see the reasons above; stop the panel that uses them")
        }
        StandardError.write(
            "detent: watching \(lines.settings.count - errors.count) lines; operate one part, "
                + "then wait a second; Ctrl-C ends\n")
        var found = 0
        var classifier = classifier(live, lines)
        _ = try live.watch(
            signals, take: { classifier.take($0) },
            wake: { now in
                if let (place, meter) = finder.found(at: now), let ends = meter.ends {
                    let guess = PartGuess.potentiometer(place, first: ends.first, last: ends.last)
                    try report(PartClassifier.Result(guess: guess), lines)
                    found += 1
                    if once { return nil }
                }
                guard let last = classifier.lastEdge else { return finder.deadline }
                let end = last + BenchLimits.gestureEnd
                guard now >= end else { return end }
                let isClear = try report(classifier, lines)
                classifier = self.classifier(live, lines)
                if isClear { found += 1 }
                return isClear && once ? nil : finder.deadline
            })
        // Ctrl-C soon after the last gesture.
        if classifier.lastEdge != nil, try report(classifier, lines) { found += 1 }
        if found == 0 {
            throw Failure(
                code: .failed, cause: "no part was identified",
                remedy: "check that the contact connects its pin to ground; for a contact to the "
                    + "supply, use --bias pull-down")
        }
    }

    private func classifier(_ live: LiveLines, _ lines: Lines) -> PartClassifier {
        PartClassifier(
            levels: live.levels.map { $0 ?? lines.isPulledUp }, isPulledUp: lines.isPulledUp)
    }

    private func identify(capture path: String) throws {
        let capture = try CaptureFile.read(path)
        let lines = Lines(
            names: capture.lines, places: capture.lines, isPulledUp: bias != .pullDown)
        var levels = capture.initialLevels.map { $0 ?? (bias != .pullDown) }
        var classifier = PartClassifier(levels: levels, isPulledUp: bias != .pullDown)
        var found = 0
        for edge in capture.edges {
            if let last = classifier.lastEdge, edge.at >= last + BenchLimits.gestureEnd {
                if try report(classifier, lines) { found += 1 }
                classifier = PartClassifier(levels: levels, isPulledUp: bias != .pullDown)
            }
            levels[Int(edge.line)] = edge.isHigh
            classifier.take(LineEdge(at: edge.at, line: Int(edge.line), isHigh: edge.isHigh))
        }
        if try report(classifier, lines) { found += 1 }
        if found == 0 {
            throw Failure(
                code: .failed, cause: "no part was identified",
                remedy: "record a press, a flip or a turn, with a second of rest after it")
        }
    }

    /// Prints a part, and writes it to the panel file; whether it is clear.
    private func report(_ classifier: PartClassifier, _ lines: Lines) throws -> Bool {
        guard let result = classifier.result() else { return false }
        return try report(result, lines)
    }

    @discardableResult
    private func report(_ result: PartClassifier.Result, _ lines: Lines) throws -> Bool {
        try StandardOutput.writeOrFail(PartText.text(result, places: lines.places))
        if case .unclear = result.guess { return false }
        if let write {
            try PanelFileEntry.add(result, lines.names, board: lines.board, to: write, group: group)
        }
        return true
    }

    // MARK: Lines

    private func watched() throws -> Lines {
        let isBoard = board != nil || BoardCatalogue.builtIn.detect() != nil
        if source != nil || !isBoard {
            let channels = ChannelSource.all.flatMap { $0.channels(source) }
            if !channels.isEmpty {
                return Lines(
                    settings: LineSource.numbered(channels.map(\.settings)),
                    names: channels.map(\.panelText), places: channels.map(\.place),
                    isPulledUp: false)
            }
        }
        guard let source else { return try headerLines() }
        if let output = ChannelSource.all.lazy.compactMap({ $0.output(source) }).first {
            throw Failure(
                code: .usage, cause: "`\(source)` is an output, which no hand operates",
                remedy: "write it into the panel file, such as `indicator: \(output)`")
        }
        return try chipLines(source)
    }

    private func chipLines(_ chip: String) throws -> Lines {
        let settings = try LineSource.lines(chip: chip, self.lines, bias: bias.bias)
        var lines = Lines(board: board, settings: settings, isPulledUp: bias != .pullDown)
        for line in settings {
            let label = line.location.chipLabels.first ?? chip
            let offset = line.location.offset ?? 0
            lines.names.append(line.location.panelText ?? line.name)
            lines.places.append("\(line.name) (\(label), offset \(offset))")
        }
        return lines
    }

    private func headerLines() throws -> Lines {
        let catalogue = BoardCatalogue.builtIn
        guard let found = board.map({ catalogue.board(named: $0).board }) ?? catalogue.detect()
        else {
            throw Failure(
                code: .usage,
                cause: board.map { "there is no board `\($0)`" }
                    ?? "this machine is not a known board",
                remedy: "name a chip, such as `detent identify gpiochip0`, or --board; "
                    + "`detent boards` lists the boards")
        }
        var lines = Lines(board: found.id, isPulledUp: bias != .pullDown)
        for (header, pin) in found.pins where pin.isLine {
            guard let chip = pin.chip.flatMap(found.chip), let offset = pin.offset else { continue }
            guard all || (pin.bus == nil && pin.warning == nil) else { continue }
            let name = FirstPanel.name(pin, on: found)
            lines.names.append(name)
            let place =
                found.headers.count == 1
                ? "pin \(pin.number)"
                : "pin \(header.name).\(pin.number)"
            lines.places.append("\(pin.name) (\(place))")
            lines.settings.append(
                LineSettings(
                    line: LineID(0), name: name,
                    location: LineLocation(
                        lineNames: pin.lineNames, chipLabels: chip.labels,
                        platformDevice: chip.platformDevice, offset: offset),
                    isActiveLow: false,
                    direction: .input(
                        bias: bias.bias, edges: .interrupt, kernelDebounce: nil)))
        }
        lines.settings = LineSource.numbered(lines.settings)
        return lines
    }
}
