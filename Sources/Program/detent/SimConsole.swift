import DetentCommand
import DetentPanel
import DetentRuntime
import DetentSimulator
import DetentTypes
import DetentWorld
import Glibc

/// The console of `detent sim`: reads gestures from standard input.
struct SimConsole: Sendable {
    let panel: SimulatedPanel
    /// Prints messages on its own thread, so that a blocked terminal does not delay gestures.
    let log: TextWriter
    let playsActions: Bool
    /// Whether a page is served, so that the panel can be used without the console.
    let isServed: Bool
    /// Describes the tour; nil if events are printed during the tour.
    let story: TourStory?
    /// Pages count from 0.
    private static let source = InputSourceID(.max)

    /// Reads lines until `quit`, which ends the panel, or the end of the input.
    ///
    /// At the end of the input, the panel ends when its work is complete. An empty input that is
    /// not a terminal does not end the panel while a page is served.
    func run() {
        var input = LineInput()
        var hasBegun = !isServed || isatty(STDIN_FILENO) != 0
        while true {
            let next = input.next()
            if next == .end, !hasBegun { return }
            hasBegun = true
            switch next {
            case .line("quit"): return panel.stop()
            case .line(let line): perform(line)
            case .tooLong:
                refuse(
                    "a gesture has at most \(LineInput.longest) bytes",
                    "write one gesture per line, such as `press CONTROL`")
            case .end:
                log.add("detent: end of input; the panel ends when it is at rest\n")
                return panel.stopAtRest()
            }
        }
    }

    private func perform(_ line: String) {
        let words = line.split(separator: " ").map(String.init)
        switch words.first {
        case nil:
            return
        case "help":
            let forms = GestureTextReader.forms + ["fail", "takes TIME", "wait TIME", "quit"]
            log.add(forms.map { "  " + $0 }.joined(separator: "\n") + "\n")
        case "fail": report(panel.failNext())
        case "takes":
            guard words.count == 2, let span = words.last.flatMap(Self.time) else {
                return refuse("`takes` needs a time", "such as `takes 2s`")
            }
            report(panel.setTakes(span))
        case "wait":
            guard words.count == 2, let span = words.last.flatMap(Self.time) else {
                return refuse("`wait` needs a time", "such as `wait 500ms`")
            }
            guard span <= WorldLimits.longest else {
                return refuse("`wait` takes at most a day", "use a shorter time")
            }
            pause(span)
        case .some:
            gesture(line)
        }
    }

    private static func time(_ word: String) -> TimeSpan? { try? DurationText.parse(word) }

    private func gesture(_ line: String) {
        do throws(GestureTextReader.Problem) {
            switch try GestureTextReader(panel.present).request(line) {
            case .gesture(let gesture): report(panel.make(gesture, by: Self.source))
            case .tell(let event): _ = panel.send(event)
            }
        } catch {
            log.add(ErrorText.lines(error))
        }
    }

    private func report(_ refusal: SimulationError?) {
        if let refusal { log.add(ErrorText.lines(refusal)) }
    }

    private func refuse(_ cause: String, _ remedy: String) {
        log.add(ErrorText.lines(Failure(code: .usage, cause: cause, remedy: remedy)))
    }

    /// A short tour: it uses each control once; one action is slow and one fails.
    ///
    /// - Parameter start: the delay before it begins.
    func tour(after start: TimeSpan) {
        // The queries at the start end first, because some controls wait for them.
        pause(start)
        for (place, step) in TourPlan(panel.present).steps.enumerated() {
            story?.begin(step.control)
            if story == nil { log.add("# tour \(place + 1): \(step.says) (\(step.words))\n") }
            if playsActions { step.device.forEach(perform) }
            perform(step.words)
            pause(step.pause)
            guard let story else { continue }
            let told = story.told()
            let outcome = told.isEmpty ? "" : "  →  \(told)"
            log.add("\(place < 9 ? " " : "")\(place + 1)  \(step.says)\(outcome)\n")
        }
        pause(.seconds(1))
        story?.end()
        log.add("End of the tour. Try the panel now; `help` lists the gestures.\n")
    }

    private func pause(_ span: TimeSpan) {
        var time = timespec(
            tv_sec: Int(span.nanoseconds / 1_000_000_000),
            tv_nsec: Int(span.nanoseconds % 1_000_000_000))
        // It is not interrupted: worker threads block signals.
        _ = nanosleep(&time, nil)
    }
}
