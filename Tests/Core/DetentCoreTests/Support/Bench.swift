import DetentTypes

@testable import DetentCore

/// An engine on a desk: events in, effects out as text, one a line, each with its millisecond.
final class Bench {
    private var engine: Engine
    private let storage: UnsafeMutableRawBufferPointer
    /// Answers every request to read a level with this line's level, at once.
    var levels: [UInt16: Level] = [:]
    var answersReadings = false

    init(
        lines: [DebounceSettings?] = [], actions: [ActionSettings] = [],
        controls: [ControlSettings], relations: Relations = Relations(),
        panel: PanelSettings = PanelSettings()
    ) {
        let capacity = Capacity(
            lines: lines.count, controls: controls.count, actions: actions.count,
            relations: relations.rules.count, links: relations.links.count,
            conditionSteps: relations.conditionSteps.count,
            sequenceSteps: relations.sequenceSteps.count, items: relations.items.count)
        storage = .allocate(byteCount: Engine.byteCount(for: capacity), alignment: 16)
        engine = Engine(capacity: capacity, storage: storage)
        do throws(EngineError) {
            for line in lines { _ = try engine.addLine(line) }
            for link in relations.links { try engine.addLink(ControlID(link)) }
            for step in relations.conditionSteps { try engine.addConditionStep(step) }
            for step in relations.sequenceSteps { try engine.addSequenceStep(step) }
            for item in relations.items { try engine.addItem(item) }
            for rules in relations.rules { _ = try engine.addRelations(rules) }
            for action in actions { _ = try engine.addAction(action) }
            for control in controls { _ = try engine.addControl(control) }
            try engine.setPanel(panel)
        } catch {
            fatalError("the plan of this test does not fit: \(error)")
        }
    }

    deinit {
        storage.deallocate()
    }

    var counters: EngineCounters { engine.counters }
    var nextDeadline: Instant { engine.nextDeadline }

    func snapshot(_ control: UInt16 = 0) -> ControlSnapshot {
        guard let snapshot = engine.snapshot(of: ControlID(control)) else {
            fatalError("no control \(control)")
        }
        return snapshot
    }

    func style(_ control: UInt16) -> IndicatorSettings.Style {
        engine.settings[ControlIndex(control)].indicator.style
    }

    func kind(_ control: UInt16) -> ControlNature {
        engine.settings[ControlIndex(control)].nature
    }

    func contactLevel(_ line: UInt16) -> Level? { engine.contactLevel(of: LineID(line)) }

    /// A confirmation has come so far, in tenths, or is over.
    func setProgress(_ tenths: UInt8, _ millisecond: Int, control: UInt16 = 0) -> [String] {
        var log = run(millisecond)
        let now = Instant(millisecond: millisecond)
        engine.controls[ControlIndex(control)].progress = tenths
        engine.now = now
        engine.refresh(ControlIndex(control)) { log.append(Words.line($0, $1)) }
        return log
    }

    /// Effects of one event, as they are.
    func raw(_ event: Event, at now: Instant) -> [(Effect, Instant)] {
        var effects: [(Effect, Instant)] = []
        engine.handle(event, at: now) { effects.append(($0, $1)) }
        return effects
    }

    func send(_ event: Event, at now: Instant) -> [String] {
        if case .edge(let line, let level, _) = event { levels[line.index] = level }
        let effects = raw(event, at: now)
        var log = effects.map { Words.line($0.0, $0.1) }
        guard answersReadings else { return log }
        for case (.readLevel(let line), _) in effects {
            log += send(.reading(line, levels[line.index] ?? .inactive), at: now)
        }
        return log
    }

    func send(_ event: Event, _ millisecond: Int) -> [String] {
        send(event, at: Instant(millisecond: millisecond))
    }

    /// Wakes at every deadline up to a moment.
    func run(to end: Instant) -> [String] {
        var log: [String] = []
        var turns = 0
        while nextDeadline <= end, turns < 100_000 {
            log += send(.tick, at: nextDeadline)
            turns += 1
        }
        return log
    }

    func run(_ millisecond: Int) -> [String] { run(to: Instant(millisecond: millisecond)) }

    func edge(_ line: UInt16, _ level: Level, _ millisecond: Int) -> [String] {
        run(millisecond) + send(.edge(LineID(line), level, sequence: 0), millisecond)
    }

    func intent(
        _ value: Value, _ millisecond: Int, control: UInt16 = 0, origin: Origin = .web
    ) -> [String] {
        run(millisecond) + send(.intent(ControlID(control), value, origin), millisecond)
    }

    func close(_ millisecond: Int, control: UInt16 = 0) -> [String] {
        run(millisecond) + send(.close(ControlID(control), by: .web), millisecond)
    }

    func finish(
        _ run: UInt32, _ outcome: ActionOutcome, _ millisecond: Int, control: UInt16 = 0
    ) -> [String] {
        self.run(millisecond)
            + send(.actionFinished(ControlID(control), RunID(run), outcome), millisecond)
    }

    func answer(
        _ run: UInt32, _ value: Value, _ millisecond: Int, control: UInt16 = 0
    ) -> [String] {
        self.run(millisecond)
            + send(.answered(ControlID(control), RunID(run), value), millisecond)
    }

    func feedback(_ value: Value, _ millisecond: Int, control: UInt16 = 0) -> [String] {
        run(millisecond) + send(.feedback(ControlID(control), value), millisecond)
    }
}
