import DetentCore
import DetentScenario
import DetentTypes
import DetentWorld

@testable import DetentPanel

/// Panel files: what is accepted makes an engine.
struct PanelTarget: FuzzTarget {
    let words =
        numbers + [
            "kind: ", "switch", "dial", "button", "radio-group", "segmented", "form", "three-way",
            "debounce: ", "none", "auto", "20ms", "584y", "range: ", "options: ", "latch: ",
            "members: ", "{min: -2147483648, max: 2147483647, step: 1}", "enabled-when: ",
            "action: ", "run: ", "on-exit: ", "feedback: ", "mqtt: ", "displays: ", "&a", "*a",
            "<<: ", "!!x", "- ", "? ", "|", ">", "[", "]", "{", "}", ": ", "#", "---",
        ]

    mutating func read(_ bytes: [UInt8]) throws(BrokenPromise) -> Bool {
        let source = SourceText(file: "fuzz.yaml", bytes: bytes)
        let reading = PanelReader.read(source, deviceTree: "/nonexistent")
        try BrokenPromise.unless(
            (reading.plan == nil) == reading.problems.hasErrors, "neither a plan nor an error")
        try BrokenPromise.unless(
            reading.problems.count <= Limits.problems + 1, "\(reading.problems.count) problems")
        try BrokenPromise.check(reading.problems)
        guard let plan = reading.plan else { return false }
        do {
            let storage = EngineStorage(for: plan.capacity)
            _ = try plan.makeEngine(in: storage)
        } catch {
            throw BrokenPromise(text: "an accepted panel makes no engine: \(error)")
        }
        return true
    }
}

/// Board files.
struct BoardTarget: FuzzTarget {
    let words =
        numbers + [
            "id: ", "name: ", "compatible: ", "models: ", "header", "pins: ", "chip: ", "line: ",
            "chips: ", "label", "[", "]", "{", "}", ": ", "- ", "&a", "*a", "|",
        ]

    mutating func read(_ bytes: [UInt8]) throws(BrokenPromise) -> Bool {
        let source = SourceText(file: "boards/fuzz.yaml", bytes: bytes)
        let reading = BoardCatalogue(sources: [source]).board(named: "fuzz")
        try BrokenPromise.check(reading.problems)
        try BrokenPromise.unless(
            reading.board == nil || !reading.problems.hasErrors, "a board with errors is used")
        // The name is never that of the file, so read it without the name as well.
        let log = ProblemLog(source)
        return BoardParser.parse(source, log: log) != nil && !log.hasErrors
    }
}

/// Scenarios, on a panel that has no damage.
struct ScenarioTarget: FuzzTarget {
    let panels: [String: PanelReader.Reading]

    let words =
        numbers + [
            "panel: ", "bounce: ", "seed: ", "time: ", "actions: ", "steps: ", "- ", "press: ",
            "hold: ", "turn: ", "wait: ", "expect: ", "click: ", "flip: ", "glitch: ", "stick: ",
            "cut: ", "at: ", "within: ", "20ms", "584y", "typical", "closes: ", "closing: ",
            "takes: ", "then: ", "fail", "[", "]", "{", "}", ": ", "&a", "*a",
        ]

    mutating func read(_ bytes: [UInt8]) throws(BrokenPromise) -> Bool {
        // Only panels that are there already: a damaged path must not open a device.
        let panels = panels
        let source = SourceText(file: "fuzz.yaml", bytes: bytes)
        let reading = ScenarioReader.read(source) { path in
            if let known = panels[path] { return known }
            let log = ProblemLog(SourceText(file: path, bytes: []))
            log.error(.unreadableFile, at: SourcePlace(line: 1, column: 1), "there is none")
            return (nil, log.problems)
        }
        try BrokenPromise.unless(
            (reading.scenario == nil) == reading.problems.hasErrors,
            "neither a scenario nor an error")
        try BrokenPromise.check(reading.problems)
        return reading.scenario != nil
    }
}

/// Bounce profiles: what is accepted plays, and ends at its level.
struct BounceTarget: FuzzTarget {
    private var random = SplitMix64(seed: 1)

    let words =
        numbers + [
            "id: ", "closes: ", "opens: ", "longest: ", "tail: ", "clean-closes: ", "closing: ",
            "opening: ", "share: ", "lengths: ", "pulses: ", "widths: ", "[]", "[", "]", "{", "}",
            "1ns", "1s", "0ms", "100", ": ", ", ", "- ",
        ]

    mutating func read(_ bytes: [UInt8]) throws(BrokenPromise) -> Bool {
        let log = ProblemLog(SourceText(file: "fuzz.yaml", bytes: bytes))
        let node = YAMLReader.read(SourceText(file: "fuzz.yaml", bytes: bytes), log: log)
        let profile = node.flatMap { BounceReader.profile($0, log) }
        try BrokenPromise.check(log.problems)
        guard let profile, !log.hasErrors else { return false }
        for round in 0..<6 {
            let edges = profile.edges(closing: round % 2 == 0, &random)
            try BrokenPromise.unless(edges.count % 2 == 0, "it ends at the wrong level")
            try BrokenPromise.unless(
                edges.count <= 2 * WorldLimits.pulses, "\(edges.count) edges")
            try BrokenPromise.unless(edges == edges.sorted(), "edges are not in order")
        }
        return true
    }
}
