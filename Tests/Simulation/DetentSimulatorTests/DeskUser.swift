import DetentCore
import DetentPanel
import DetentRuntime
import DetentScenario
import DetentTypes
import DetentWorld
import Synchronization
import Testing

@testable import DetentSimulator

/// Panels of the repository, for tests.
enum ExamplePanel {
    static let root =
        "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/")

    static func plan(_ name: String) throws -> PanelPlan {
        let reading = PanelReader.read(file: "\(root)/panels/\(name)/panel.yaml")
        return try #require(reading.plan, "\(reading.problems.map(ProblemRenderer.text))")
    }

    /// What a scenario of text is read as that lies beside the panel.
    static func scenario(_ text: String, of name: String) throws -> Scenario {
        let file = "\(root)/panels/\(name)/recorded.yaml"
        let reading = ScenarioReader.read(SourceText(file: file, text: text))
        return try #require(
            reading.scenario, "\(reading.problems.map(ProblemRenderer.text))\n\(text)")
    }
}

/// A panel on the desk whose real time is told, with what it said to people.
final class DeskRig {
    let live: PacedPanel
    let stream: ReportStream
    let updates: UpdateChannel
    private let said = Said()
    var real = Instant(nanoseconds: 5_000_000_000)

    init(_ start: SimulationOptions) throws {
        stream = try ReportStream()
        updates = try UpdateChannel {}
        let said = said
        live = try PacedPanel(
            start, programs: nil, stream: stream, updates: updates, say: { said.add($0) },
            realNow: real)
    }

    /// What the panel says for people.
    var words: [String] { said.all }

    /// Real time passes; the panel is turned whenever it wants to be.
    func pass(_ span: TimeSpan) {
        let end = real + span
        while true {
            let next = live.turn(realNow: real)
            guard next <= end else { break }
            real = max(real, next)
        }
        real = end
        _ = live.turn(realNow: real)
    }

    /// Real time passes, and nobody looks.
    func oversleep(_ span: TimeSpan) { real = real + span }

    @discardableResult
    func perform(_ request: SimulationCommand, by source: InputSourceID = InputSourceID(1))
        -> SimulationError?
    {
        do throws(SimulationError) {
            try live.perform(request, by: source, realNow: real)
            return nil
        } catch {
            return error
        }
    }

    /// Makes a gesture of a verb and its arguments, as the console and HTTP do.
    @discardableResult
    func move(
        _ control: ControlID, _ verb: GestureVerb, _ target: GestureArguments.Target?,
        time: TimeSpan? = nil, by source: InputSourceID = InputSourceID(1)
    ) -> SimulationError? {
        do throws(GestureProblem) {
            let arguments = GestureArguments(target, time: time)
            let gesture = try GestureGrammar(live.plan).gesture(verb, control, arguments)
            return perform(.gesture(gesture), by: source)
        } catch {
            return SimulationError(error)
        }
    }

    /// The event lines of the session so far.
    func events() -> String {
        live.session.expectedTrace(live.plan, cut: live.cut(for: .expected))
    }

    /// The scenario of the session so far.
    func scenario() -> String {
        live.session.scenario(
            panel: "panel.yaml", start: live.start, hasRealActions: false,
            cut: live.cut(for: .scenario))
    }

    /// The notes that wait for a watcher.
    func notes() -> [TimedUpdate] {
        var notes: [TimedUpdate] = []
        _ = updates.drain { notes.append($0) }
        return notes
    }

    private final class Said: Sendable {
        private let lines = Mutex<[String]>([])
        var all: [String] { lines.withLock { $0 } }
        func add(_ line: String) { lines.withLock { $0.append(line) } }
    }
}

/// Somebody who does anything at all at a desk; the seed decides what and when.
struct DeskUser {
    var random: SplitMix64
    let plan: PanelPlan

    init(_ plan: PanelPlan, seed: UInt64) {
        self.plan = plan
        random = SplitMix64(seed: seed, stream: 4_000)
    }

    /// What a session begins with.
    mutating func start(seed: UInt64) -> SimulationOptions {
        let bounces: [BounceSelection] = [
            .typical, .named("none"), .named("worn"), .named("cherry-mx"), .named("reed"),
        ]
        return SimulationOptions(
            plan: plan, seed: seed, bounce: bounces[Int(random.below(5))],
            takes: random.chance(percent: 30)
                ? .zero : random.spread(from: .microseconds(10), to: .seconds(1)))
    }

    /// Does something to a panel.
    mutating func act(_ rig: DeskRig) {
        let control = ControlID(UInt16(random.below(UInt64(plan.controls.count))))
        let source = InputSourceID(random.below(3))
        switch random.below(100) {
        case 0..<45: move(control, by: source, rig)
        case 45..<55: rig.perform(fault(), by: source)
        case 55..<60: rig.perform(.bounce(control, bounce()))
        case 60..<66: rig.perform(.action(control, script()))
        case 66..<68: rig.perform(.fail(control, code: Int32(random.below(5))))
        case 68..<71: rig.perform(.device(control, value(control)))
        case 71..<85: _ = rig.live.send(word(control), realNow: rig.real)
        case 85..<87: rig.live.releaseAll(source, realNow: rig.real)
        default: rig.perform(clock())
        }
    }

    mutating func pause() -> TimeSpan {
        random.chance(percent: 10) ? .zero : random.spread(from: .microseconds(1), to: .seconds(3))
    }

    private mutating func move(_ control: ControlID, by source: InputSourceID, _ rig: DeskRig) {
        let verb = GestureVerb.allCases[Int(random.below(8))]
        let words =
            plan.buttonWords(of: control) + plan.controls[Int(control.index)].valueNames.words
        var target: GestureArguments.Target? = .number(Int(random.below(4)))
        if random.chance(percent: 30) { target = nil }
        if !words.isEmpty, random.chance(percent: 50) {
            target = .word(words[Int(random.below(UInt64(words.count)))])
        }
        if verb == .turn { target = .number(Int(random.below(9)) - 4) }
        if verb == .cover { target = .word(random.chance(percent: 50) ? "open" : "shut") }
        let span = random.spread(from: .microseconds(50), to: .seconds(3))
        rig.move(control, verb, target, time: verb == .hold ? span : nil, by: source)
    }

    private mutating func fault() -> SimulationCommand {
        let line = LineID(UInt16(random.below(UInt64(plan.lines.count))))
        let which = random.below(4)
        let span = random.spread(from: .microseconds(1), to: .milliseconds(100))
        let level = Level(random.chance(percent: 50))
        switch which {
        case 0: return .gesture(.stick(line, level))
        case 1: return .gesture(.cut(line))
        case 2: return .gesture(.restore(line))
        default: return .gesture(.glitch(line, width: span))
        }
    }

    private mutating func bounce() -> BounceSelection {
        switch random.below(4) {
        case 0: .original
        case 1: .typical
        case 2: .named("worn")
        default:
            .profile(
                BounceProfile(
                    closes: random.spread(from: .microseconds(1), to: .milliseconds(20)),
                    opens: random.chance(percent: 50) ? .milliseconds(1) : nil))
        }
    }

    private mutating func script() -> ActionScript {
        let takes = random.spread(from: .microseconds(1), to: .seconds(3))
        switch random.below(4) {
        case 0: return ActionScript(takes: takes, then: .fail(code: Int32(random.below(200))))
        case 1: return ActionScript(takes: takes, then: .hang)
        case 2: return ActionScript(takes: takes, then: .lose)
        default:
            let isQuick = random.chance(percent: 30)
            return ActionScript(takes: isQuick ? .zero : takes, then: .succeed)
        }
    }

    private mutating func value(_ control: ControlID) -> Value {
        let names = plan.controls[Int(control.index)].valueNames
        if case .number = names { return Value(Int32(random.below(5_000)) - 100) }
        return Value(Int32(random.below(UInt64(max(1, names.words.count)))))
    }

    private mutating func word(_ control: ControlID) -> Event {
        // With and without a caller: a scenario has none, and repeats the session all the same.
        let origins: [Origin] = [.web, .api.by(1), .mqtt]
        let origin = origins[Int(random.below(3))]
        let value = value(control)
        switch (random.below(10), plan.controls[Int(control.index)].valueNames) {
        case (0, _): return .resync()
        case (1, _): return .lampTest(isOn: random.chance(percent: 50), by: origin)
        case (_, .none): return .fire(control, .on, origin, isConfirmed: random.chance(percent: 50))
        case (_, .commands):
            return .fire(control, value, origin, isConfirmed: random.chance(percent: 50))
        case (2, _): return .feedback(control, value)
        case (_, _): return .intent(control, value, origin)
        }
    }

    private mutating func clock() -> SimulationCommand {
        switch random.below(6) {
        case 0 where random.chance(percent: 60): .clock(.pause)
        case 1, 2: .clock(.run)
        case 3: .clock(.step(random.spread(from: .microseconds(1), to: .seconds(1))))
        case 4: .clock(.rate(100))
        default: .clock(.rate(Int(100 + random.below(1_900))))
        }
    }
}
