import DetentCore
import DetentPanel
import DetentPlatform
import DetentRuntime
import DetentSimulator
import DetentTypes
import DetentWorld
import Glibc

/// The hand of `detent sim`: lines of standard input become gestures.
struct SimConsole: Sendable {
    let plan: PanelPlan
    let panel: DeskPanel
    /// Takes messages, so that a terminal that takes none does not hold gestures up.
    let log: TextWriter
    let playsActions: Bool
    /// A page shows the panel, so that it can be used without the console.
    let isServed: Bool
    /// Tells the tour in lines; nil where events are printed meanwhile.
    let story: TourStory?
    /// Pages count from 0.
    private static let holder = HolderID(.max)

    /// Takes lines until `quit`, which ends the panel, or the end of the input.
    ///
    /// The end of the input ends the panel when what was asked for is done. An input that never
    /// held a line and is no terminal ends nothing while a page is served: nobody is at it.
    func run() {
        var input = LineInput()
        var hasBegun = !isServed || isatty(STDIN_FILENO) != 0
        while true {
            let next = input.next()
            if next == .end, !hasBegun { return }
            hasBegun = true
            switch next {
            case .line("quit"): return panel.stop()
            case .line(let line): take(line)
            case .tooLong:
                refuse(
                    "a line of more than \(LineInput.longest) bytes is no gesture",
                    "one gesture a line, such as `press CONTROL`")
            case .end:
                log.add("detent: the input has ended; the panel ends when it is at rest\n")
                return panel.stopAtRest()
            }
        }
    }

    private func take(_ line: String) {
        let words = line.split(separator: " ").map(String.init)
        switch words.first {
        case nil:
            return
        case "help":
            let forms = GestureWords.forms + ["fail", "takes TIME", "wait TIME", "quit"]
            log.add(forms.map { "  " + $0 }.joined(separator: "\n") + "\n")
        case "fail": tell(panel.failNext())
        case "takes":
            guard words.count == 2, let span = words.last.flatMap(Self.time) else {
                return refuse("`takes` needs a time", "such as `takes 2s`")
            }
            tell(panel.setTakes(span))
        case "wait":
            guard words.count == 2, let span = words.last.flatMap(Self.time) else {
                return refuse("`wait` needs a time", "such as `wait 500ms`")
            }
            guard span <= WorldLimits.longest else {
                return refuse("`wait` takes no more than a day", "use a shorter time")
            }
            pause(span)
        case .some:
            gesture(line)
        }
    }

    private static func time(_ word: String) -> TimeSpan? { try? DurationText.parse(word) }

    private func gesture(_ line: String) {
        do throws(GestureWords.Problem) {
            switch try GestureWords(plan).request(line) {
            case .gesture(let gesture): tell(panel.make(gesture, by: Self.holder))
            case .tell(let event): _ = panel.send(event)
            }
        } catch {
            log.add(ErrorText.lines(error))
        }
    }

    private func tell(_ refusal: SimulationError?) {
        if let refusal { log.add(ErrorText.lines(refusal)) }
    }

    private func refuse(_ cause: String, _ remedy: String) {
        log.add(ErrorText.lines(Failure(code: .usage, cause: cause, remedy: remedy)))
    }

    /// A short tour: each control is touched once, one action is slow and one fails.
    ///
    /// - Parameter start: how much later it begins.
    func tour(after start: TimeSpan) {
        // What is told to devices at the start ends first; some controls wait for it.
        pause(start)
        for (place, step) in TourPlan(plan).steps.enumerated() {
            story?.begin(step.control)
            if story == nil { log.add("# tour \(place + 1): \(step.says) (\(step.words))\n") }
            if playsActions { step.device.forEach(take) }
            take(step.words)
            pause(step.pause)
            guard let story else { continue }
            let told = story.told()
            let outcome = told.isEmpty ? "" : "  →  \(told)"
            log.add("\(place < 9 ? " " : "")\(place + 1)  \(step.says)\(outcome)\n")
        }
        pause(.seconds(1))
        story?.end()
        log.add("The tour has ended. The panel is yours: `help` lists the gestures.\n")
    }

    private func pause(_ span: TimeSpan) {
        var time = timespec(
            tv_sec: Int(span.nanoseconds / 1_000_000_000),
            tv_nsec: Int(span.nanoseconds % 1_000_000_000))
        // Nothing interrupts it: worker threads take no signals.
        _ = nanosleep(&time, nil)
    }
}
