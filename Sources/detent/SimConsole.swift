import DetentCore
import DetentPanel
import DetentPlatform
import DetentRuntime
import DetentTypes
import DetentWorld
import Glibc

/// The hand of `detent sim`: lines of standard input become gestures.
struct SimConsole: Sendable {
    let plan: PanelPlan
    let hand: InteractiveBackend.Hand
    let inbox: Inbox
    let recorder: Recorder
    let player: SimulatedRunner?

    /// Takes lines until `quit`, which ends the panel, or the end of the input, which ends it when
    /// what was asked for is done.
    func run() {
        var input = LineInput()
        while true {
            switch input.next() {
            case .line("quit"): return inbox.stop()
            case .line(let line): take(line)
            case .tooLong:
                refuse(
                    "a line of more than \(LineInput.longest) bytes is no gesture",
                    "one gesture a line, such as `press CONTROL`")
            case .end:
                waitForRest()
                return inbox.stop()
            }
        }
    }

    /// Sleeps until nothing but lamps has changed for as long as any contact or gesture needs.
    private func waitForRest() {
        let rest = plan.restTime
        var seen = MonotonicClock.now
        while true {
            let now = MonotonicClock.now
            seen = max(seen, hand.isAtRest ? recorder.atRestSince ?? now : now)
            if seen + rest <= now { return }
            pause(seen + rest - now)
        }
    }

    private func take(_ line: String) {
        let words = line.split(separator: " ").map(String.init)
        switch words.first {
        case nil:
            return
        case "help":
            let forms = GestureWords.forms + ["fail", "takes TIME", "wait TIME", "quit"]
            StandardError.write(forms.map { "  " + $0 }.joined(separator: "\n") + "\n")
        case "fail":
            guard let player else { return refuseToPlay() }
            player.setNextOutcome(.failed(code: 1))
        case "takes":
            guard let player else { return refuseToPlay() }
            guard words.count == 2, let span = try? DurationText.parse(words[1]) else {
                return refuse("`takes` needs a time", "such as `takes 2s`")
            }
            player.setTakes(span)
        case "wait":
            guard words.count == 2, let span = try? DurationText.parse(words[1]) else {
                return refuse("`wait` needs a time", "such as `wait 500ms`")
            }
            pause(span)
        case .some:
            gesture(line)
        }
    }

    private func gesture(_ line: String) {
        do throws(GestureWords.Problem) {
            switch try GestureWords(plan).request(line) {
            case .gesture(let gesture):
                if !hand.make(gesture) { refuse("too many gestures wait", "wait a moment") }
            case .tell(let event):
                if !inbox.send(event) { refuse("too many requests wait", "wait a moment") }
            }
        } catch {
            refuse(error.cause, error.remedy)
        }
    }

    private func refuseToPlay() {
        refuse(
            "actions are really run, so they cannot be told how to end",
            "start without --run-actions")
    }

    private func refuse(_ cause: String, _ remedy: String) {
        StandardError.write("detent: \(cause)\nhelp: \(remedy)\n")
    }

    /// A short tour: each control is touched once, one action is slow and one fails.
    func tour() {
        // What is told to devices at the start ends first; some controls wait for it.
        pause(.seconds(1))
        for (place, step) in TourPlan(plan).steps.enumerated() {
            StandardError.write("\n# tour \(place + 1): \(step.says)\n# > \(step.words)\n")
            if let played = step.player { player.map(played) }
            take(step.words)
            pause(step.pause)
        }
        pause(.seconds(1))
        StandardError.write("\n# end of the tour; the panel is yours: `help` lists the gestures\n")
    }

    private func pause(_ span: TimeSpan) {
        var time = timespec(
            tv_sec: Int(span.nanoseconds / 1_000_000_000),
            tv_nsec: Int(span.nanoseconds % 1_000_000_000))
        // Nothing interrupts it: worker threads take no signals.
        _ = nanosleep(&time, nil)
    }
}
