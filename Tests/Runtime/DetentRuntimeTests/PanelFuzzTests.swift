import DetentCore
import DetentHAL
import DetentPanel
import DetentPlatform
import DetentTypes
import DetentWorld
import TestSupport
import Testing

@testable import DetentRuntime

/// Example panels with random damage, run on random events: never a trap, never without an end.
@Suite struct PanelFuzzTests {
    private static let root =
        "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/")

    private static let words = [
        "0", "-1", "2147483647", "584y", "0ms", "1ns", "none", "on", "off", "switch", "button",
        "dial", "radio-group", "three-way", "toggle-button", "{", "}", "[", "]", ": ", "GPIO4",
        "{algorithm: eager, time: 1ns}", "{algorithm: integrator, time: 10s, sample: 1us}",
        "{count: 255, gap: 1ns}", "{after: 0ms, every: 1us}", "{count: 9, backoff: 1ms}", "retry",
    ]

    /// Keys that may stand anywhere in a control, with times and numbers at their ends.
    private static let keys = [
        "debounce: 1ns", "debounce: none", "debounce: 10s", "hold: 1ns", "hold: 10min",
        "debounce: {algorithm: eager, time: 1ns, glitch: 1ns}",
        "debounce: {algorithm: asymmetric, press: 1ns, release: 10s}",
        "debounce: {algorithm: integrator, time: 5ms, sample: 1us}",
        "debounce: {algorithm: defer, time: 1us, lockout: 10s}", "settle: 1ns", "settle: 10s",
        "double-click: 1ns", "repeat: {after: 1ns, every: 1us}", "mismatch: toggle",
        "mismatch: catch-up", "mismatch: detached", "startup: saved", "latch: momentary",
        "auto-off: 1ns", "startup: device", "double-click: 10s",
    ]

    @Test(arguments: TestLength.seeds(1...4))
    func damagedPanelsNeverTrap(_ seed: UInt64) throws {
        var random = SplitMix64(seed: seed, stream: 7)
        let source = try SourceText.read(file: Self.root + "/panels/lab-supply/panel.yaml")
        var accepted = 0
        for _ in 0..<TestLength.size(short: 100, long: 250) {
            var bytes = source.bytes
            for _ in 0...random.below(2) { damage(&bytes, &random) }
            let reading = PanelReader.read(
                SourceText(file: "fuzz.yaml", bytes: bytes), deviceTree: "/nonexistent")
            guard let plan = reading.plan else { continue }
            accepted += 1
            try storm(plan, &random, "seed \(seed)")
            gestures(plan, &random)
        }
        #expect(accepted > 10, "seed \(seed): too few were accepted to say much")
    }

    private func damage(_ bytes: inout [UInt8], _ random: inout SplitMix64) {
        var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        let place = Int(random.below(UInt64(lines.count)))
        switch random.below(8) {
        case 0: lines.remove(at: place)
        case 1: lines.insert(lines[place], at: Int(random.below(UInt64(lines.count))))
        case 2:
            // Another value behind the same key.
            guard let colon = lines[place].firstIndex(of: UInt8(ascii: ":")) else { return }
            let word = Self.words[Int(random.below(UInt64(Self.words.count)))]
            lines[place] = Array(lines[place][...colon] + Array(" \(word)".utf8))[...]
        case 3:
            guard !lines[place].isEmpty else { return }
            var line = Array(lines[place])
            line[Int(random.below(UInt64(line.count)))] = UInt8(random.below(256))
            lines[place] = line[...]
        case 4...6:
            // Between two keys of a control.
            let keys = lines.indices.filter { lines[$0].starts(with: "    label".utf8) }
            guard !keys.isEmpty else { return }
            let key = Self.keys[Int(random.below(UInt64(Self.keys.count)))]
            lines.insert(
                Array("    \(key)".utf8)[...], at: keys[Int(random.below(UInt64(keys.count)))])
        default:
            let word = Self.words[Int(random.below(UInt64(Self.words.count)))]
            lines[place] = Array(Array(lines[place]) + Array(word.utf8))[...]
        }
        bytes = Array(lines.joined(separator: [UInt8(ascii: "\n")]))
    }

    /// A thousand events, most of them possible, the others not.
    private func storm(
        _ plan: PanelPlan, _ random: inout SplitMix64, _ comment: String
    ) throws {
        let storage = EngineStorage(for: plan.capacity)
        var engine = try plan.makeEngine(in: storage)
        var now = Instant.zero
        var effects = 0
        var run: UInt32 = 0
        for _ in 0..<1_000 {
            now = now + TimeSpan(nanoseconds: random.below(50_000_000))
            var stamp = now
            if random.below(50) == 0 { stamp = Instant(nanoseconds: random.below(1 << 20)) }
            let event = event(plan, run, &random)
            engine.handle(event, at: stamp) { effect, at in
                effects += 1
                if case .start(_, let started, _, _, _, _) = effect { run = started.number }
                if case .report(let report) = effect, effects % 64 == 0 {
                    _ = EventLine.text(report, plan: plan, at: at)
                }
            }
        }
        #expect(effects < 10_000_000, "\(comment)")
    }

    private func event(
        _ plan: PanelPlan, _ run: UInt32, _ random: inout SplitMix64
    ) -> Event {
        let line = LineID(UInt16(random.below(UInt64(plan.lines.count) + 2)))
        let control = ControlID(UInt16(random.below(UInt64(plan.controls.count) + 2)))
        let level = Level(random.below(2) == 1)
        let value = Value([0, 1, 2, 3, 100, .max, .min, -1][Int(random.below(8))])
        let sequence = UInt32(random.below(3) == 0 ? 0 : random.below(1_000))
        switch random.below(16) {
        case 0: return .tick
        case 1: return .start
        case 2: return .reading(line, level)
        case 3: return .overflow(line)
        case 4: return .lineFault(line)
        case 5: return .lineRestored(line)
        case 6: return .intent(control, value, .web)
        case 7: return .fire(control, .on, .api, isConfirmed: false)
        case 8: return .actionStarted(control, RunID(run))
        case 9: return .actionFinished(control, RunID(run), .succeeded)
        case 10: return .actionFinished(control, RunID(run), .failed(.exit(1)))
        case 11: return .outputWritten(line, .active)
        case 12: return .resync()
        default: return .edge(line, level, sequence: sequence)
        }
    }

    /// Words as somebody may type them, made by the simulated hand.
    private func gestures(_ plan: PanelPlan, _ random: inout SplitMix64) {
        let backend = SimulatedBackend(
            PhysicalModel(plan, seed: 1, bounce: BounceCatalogue.builtIn.typical))
        _ = backend.open(plan.lineSettings)
        let reader = GestureTextReader(plan)
        let numbers = ["1", "-1", "+1000", "\(Int.max)", "\(Int.min)", "on", "2 V", "1ms", "584y"]
        let events = UnsafeMutableBufferPointer<LineEvent>.allocate(capacity: 64)
        defer { events.deallocate() }
        var now = Instant.zero
        for _ in 0..<100 {
            let form = GestureTextReader.forms[
                Int(random.below(UInt64(GestureTextReader.forms.count)))]
            let verb = form.split(separator: " ")[0]
            let names = plan.controls.map(\.id) + plan.lines.map(\.name) + ["nobody"]
            let name = names[Int(random.below(UInt64(names.count)))]
            let number = numbers[Int(random.below(UInt64(numbers.count)))]
            now = now + .milliseconds(random.below(100))
            if case .gesture(let gesture) = try? reader.request("\(verb) \(name) \(number)") {
                try? backend.apply(gesture, at: now)
            }
            _ = backend.drain(into: events, now: now)
        }
    }
}
