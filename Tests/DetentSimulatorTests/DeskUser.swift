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
        "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")

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
    let live: LivePanel
    let stream: ReportStream
    let watch: PanelWatch
    private let said = Said()
    var real = Instant(nanoseconds: 5_000_000_000)

    init(_ start: DeskStart) throws {
        stream = try ReportStream()
        watch = try PanelWatch {}
        let said = said
        live = try LivePanel(
            start, programs: nil, stream: stream, watch: watch, say: { said.add($0) },
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
    func perform(_ request: DeskRequest, by holder: HolderID = HolderID(1)) -> DeskRefusal? {
        do throws(DeskRefusal) {
            try live.perform(request, by: holder, realNow: real)
            return nil
        } catch {
            return error
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
    func notes() -> [TimedNote] {
        var notes: [TimedNote] = []
        _ = watch.drain { notes.append($0) }
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
    mutating func start(seed: UInt64) -> DeskStart {
        let bounces: [BounceWord] = [
            .typical, .named("none"), .named("worn"), .named("cherry-mx"), .named("reed"),
        ]
        return DeskStart(
            plan: plan, seed: seed, bounce: bounces[Int(random.below(5))],
            takes: random.chance(percent: 30)
                ? .zero : random.spread(from: .microseconds(10), to: .seconds(1)))
    }

    /// Does something to a panel.
    mutating func act(_ rig: DeskRig) {
        let control = ControlID(UInt16(random.below(UInt64(plan.controls.count))))
        let holder = HolderID(random.below(3))
        switch random.below(100) {
        case 0..<45: rig.perform(hand(control), by: holder)
        case 45..<55: rig.perform(accident(), by: holder)
        case 55..<60: rig.perform(.bounce(control, bounce()))
        case 60..<66: rig.perform(.action(control, script()))
        case 66..<68: rig.perform(.fail(control, code: Int32(random.below(5))))
        case 68..<71: rig.perform(.device(control, value(control)))
        case 71..<85: _ = rig.live.send(word(control), realNow: rig.real)
        case 85..<87: rig.live.letGo(holder, realNow: rig.real)
        default: rig.perform(clock())
        }
    }

    mutating func pause() -> TimeSpan {
        random.chance(percent: 10) ? .zero : random.spread(from: .microseconds(1), to: .seconds(3))
    }

    private mutating func hand(_ control: ControlID) -> DeskRequest {
        let verb = DeskRequest.Verb.allCases[Int(random.below(8))]
        let words =
            plan.buttonWords(of: control) + plan.controls[Int(control.index)].valueNames.words
        var target: DeskRequest.Target? = .number(Int(random.below(4)))
        if random.chance(percent: 30) { target = nil }
        if !words.isEmpty, random.chance(percent: 50) {
            target = .word(words[Int(random.below(UInt64(words.count)))])
        }
        switch verb {
        case .turn: target = .number(Int(random.below(9)) - 4)
        case .cover: target = .word(random.chance(percent: 50) ? "open" : "shut")
        case .press, .release, .click, .hold, .flip, .select: break
        }
        let span = random.spread(from: .microseconds(50), to: .seconds(3))
        return .move(control, verb, target, span: span)
    }

    private mutating func accident() -> DeskRequest {
        let line = LineID(UInt16(random.below(UInt64(plan.lines.count))))
        let accident = DeskRequest.Accident.allCases[Int(random.below(4))]
        let span = random.spread(from: .microseconds(1), to: .milliseconds(100))
        return .befall(line, accident, level: Level(random.chance(percent: 50)), span: span)
    }

    private mutating func bounce() -> DeskRequest.Bounce {
        switch random.below(4) {
        case 0: .original
        case 1: .profile("typical")
        case 2: .profile("worn")
        default:
            .times(
                closes: random.spread(from: .microseconds(1), to: .milliseconds(20)),
                opens: random.chance(percent: 50) ? .milliseconds(1) : nil)
        }
    }

    private mutating func script() -> DeviceScript {
        let takes = random.spread(from: .microseconds(1), to: .seconds(3))
        switch random.below(4) {
        case 0: return DeviceScript(takes: takes, ending: .fail(code: Int32(random.below(200))))
        case 1: return DeviceScript(takes: takes, ending: .hang)
        case 2: return DeviceScript(takes: takes, ending: .lose)
        default:
            let isQuick = random.chance(percent: 30)
            return DeviceScript(takes: isQuick ? .zero : takes, ending: .succeed)
        }
    }

    private mutating func value(_ control: ControlID) -> Value {
        let names = plan.controls[Int(control.index)].valueNames
        if case .number = names { return Value(Int32(random.below(5_000)) - 100) }
        return Value(Int32(random.below(UInt64(max(1, names.words.count)))))
    }

    private mutating func word(_ control: ControlID) -> Event {
        let origins: [Origin] = [.web, .api, .mqtt]
        let origin = origins[Int(random.below(3))]
        let value = value(control)
        switch (random.below(10), plan.controls[Int(control.index)].valueNames) {
        case (0, _): return .resync
        case (1, _): return .lampTest(isOn: random.chance(percent: 50))
        case (_, .none): return .fire(control, .on, origin, isConfirmed: random.chance(percent: 50))
        case (_, .commands):
            return .fire(control, value, origin, isConfirmed: random.chance(percent: 50))
        case (2, _): return .feedback(control, value)
        case (_, _): return .intent(control, value, origin)
        }
    }

    private mutating func clock() -> DeskRequest {
        switch random.below(6) {
        case 0 where random.chance(percent: 60): .clock(.pause)
        case 1, 2: .clock(.run)
        case 3: .clock(.step(random.spread(from: .microseconds(1), to: .seconds(1))))
        case 4: .clock(.rate(100))
        default: .clock(.rate(Int(100 + random.below(1_900))))
        }
    }
}
