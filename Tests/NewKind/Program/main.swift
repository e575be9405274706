// Simulates a panel with counters, and serves its page, until a signal:
//
//     new-kind-panel sim PANEL --listen ADDRESS …
//
// The tests of the page start it as they start `detent`.

import CounterKind
import DetentPanel
import DetentPlatform
import DetentRuntime
import DetentServer
import DetentSimulator
import DetentTypes
import DetentWorld
import Glibc

@Sendable func say(_ text: String) {
    var text = text
    text.withUTF8 { _ = write(2, $0.baseAddress, $0.count) }
}

let arguments = CommandLine.arguments
guard arguments.count > 2, let word = arguments.firstIndex(of: "--listen"),
    arguments.indices.contains(word + 1)
else { exit(2) }
let source = try SourceText.read(file: arguments[2])
let reading = CounterPanel.read(String(decoding: source.bytes, as: UTF8.self))
guard let plan = reading.plan else {
    say(ProblemRenderer.text(reading.problems))
    exit(1)
}
let signals = try SignalInbox(say: say)
let panel = try SimulatedPanel(
    SimulationOptions(plan: plan, bounce: .named("none"), takes: .zero),
    reports: ReportStream(), isWatched: true, say: say)
let server = try PanelServer(
    port: panel, simulation: panel, options: ServerOptions(listen: arguments[word + 1]))
say("the panel is at \(try server.start())\n")
_ = panel.run(signals: signals)
server.stop()
