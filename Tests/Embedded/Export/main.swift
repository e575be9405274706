// Compiles panels for machines that read no YAML, and records runs for them to repeat:
//
//     detent-embed panel PANEL OUT              OUT.panel
//     detent-embed scenario SCENARIO OUT        OUT.panel, OUT.script, OUT.log
//     detent-embed wires PANEL                  which line is what, as JSON, for the gallery
//
// OUT.panel is what `PanelImage` reads, OUT.script what `ScriptImage` reads. OUT.log is what the
// engine of the run gave, in the form of `EffectBytes`. Exits 1 if a file cannot be read or a
// scenario fails.

import DetentCore
import DetentPanel
import DetentScenario
import DetentTypes
import Glibc

func fail(_ text: String) -> Never {
    print("detent-embed: \(text)")
    exit(1)
}

func write(_ bytes: [UInt8], to path: String) {
    guard let file = fopen(path, "w") else { fail("\(path) cannot be written") }
    let isWhole = fwrite(bytes, 1, bytes.count, file) == bytes.count
    guard fclose(file) == 0, isWhole else { fail("\(path) cannot be written") }
}

func plan(of path: String) -> PanelPlan {
    let reading = PanelReader.read(file: path)
    guard let plan = reading.plan else {
        fail("\(path): \(reading.problems.first.map { "\($0)" } ?? "no panel")")
    }
    return plan
}

/// Compiles a panel; its own reader must take the bytes.
func compiled(_ plan: PanelPlan) -> [UInt8] {
    let image = ImageWriter.panel(plan)
    let storage = EngineStorage(for: plan.capacity)
    var engine = Engine(capacity: plan.capacity, storage: storage.bytes)
    let isRead = image.withUnsafeBytes {
        PanelImage.capacity(of: $0) == plan.capacity && PanelImage.fill(&engine, from: $0)
    }
    guard isRead else { fail("the compiled panel `\(plan.name)` cannot be read back") }
    return image
}

func record(_ file: String, to out: String) {
    let reading = ScenarioReader.read(file: file)
    guard let scenario = reading.scenario else {
        fail("\(file): \(reading.problems.first.map { "\($0)" } ?? "no scenario")")
    }
    let tape = EngineTape()
    let result = VirtualPlayer.run(scenario, tape: tape)
    guard result.isPassed else { fail(result.text) }
    // Deadlines are no inputs; the last moment is, so that all of them are played.
    var inputs: [(event: Event?, at: Instant)] = []
    for input in tape.inputs where input.event != .tick {
        if input.event == nil { inputs.append((.tick, input.at)) }
        inputs.append(input)
    }
    inputs.append((.tick, Instant.zero + result.duration))
    var log: [UInt8] = []
    for (effect, at) in tape.effects { EffectBytes.write(effect, at) { log.append($0) } }
    write(compiled(scenario.plan), to: out + ".panel")
    write(ImageWriter.script(inputs), to: out + ".script")
    write(log, to: out + ".log")
}

let arguments = CommandLine.arguments
switch (arguments.dropFirst().first, arguments.count) {
case ("panel", 4): write(compiled(plan(of: arguments[2])), to: arguments[3] + ".panel")
case ("scenario", 4): record(arguments[2], to: arguments[3])
case ("wires", 3): print(Wires(plan(of: arguments[2])).json.line)
default: fail("usage: detent-embed panel PANEL OUT | scenario SCENARIO OUT | wires PANEL")
}
