import DetentCore
import DetentPanel
import DetentPlatform
import DetentRuntime
import DetentTypes
import DetentWorld
import Synchronization

@testable import DetentServer

/// A panel that a server can serve: a real engine and a real updates, and nothing else. Nothing
/// happens by itself; actions stay where they are until a test ends them.
final class ServedPanel: PanelPort, @unchecked Sendable {
    // Unchecked: all that changes is behind `lock`.
    let plan: PanelPlan
    let updates: UpdateChannel
    let tokens: ConfirmTokens?
    let simulation: ScriptedDesk?
    private let lock = Mutex(())
    private let storage: EngineStorage
    private var engine: Engine
    private var feeder: UpdatePublisher
    private var now = Instant(nanoseconds: 1_000_000)
    private var runs: [(control: ControlID, run: RunID)] = []
    private var requests: [Event] = []
    /// Asked for a turn: runs one at once, where it is not held back.
    private var isHeld = false
    private var refusesRequests = false
    /// Requests are refused: too many wait.
    var isFull: Bool {
        get { lock.withLock { _ in refusesRequests } }
        set { lock.withLock { _ in refusesRequests = newValue } }
    }

    private final class Bell: Sendable {
        let ring = Mutex<@Sendable () -> Void>({})
    }

    static let text = """
        panel: Bench
        board: none
        controls:
          output:
            kind: switch
            label: Output
            input: I1
            indicator: L1
            action: {run: [act], timeout: 5s}
          level:
            kind: dial
            label: Level
            encoder: {a: A, b: B}
            range: {min: 0, max: 10, step: 0.5}
          mode:
            kind: radio-group
            label: Mode
            buttons: [M1, M2, M3]
            options: [Eco, Boost, Night]
            enabled-when: output is on
          erase:
            kind: button
            label: Erase
            input: E
            role: destructive
            confirm: {hold: 2s}
            action: {run: [act], timeout: 5s}
          arm:
            kind: button
            label: Arm
            input: R
            role: destructive
            confirm: {guard: G}
          parts:
            kind: segmented
            label: Parts
            selection: multiple
            buttons: [P1, P2, P3]
            options: [Pump, Fan, Light]
          tools:
            kind: pull-down
            label: Tools
            buttons: {up: UP, down: DOWN, select: SELECT}
            items: [{name: Copy}, {name: Print}]
        """

    static func plan(_ text: String = ServedPanel.text) throws -> PanelPlan {
        let source = SourceText(file: "bench.yaml", bytes: Array(text.utf8))
        let reading = PanelReader.read(source, deviceTree: "/nonexistent")
        guard let plan = reading.plan else { throw Unreadable(problems: reading.problems) }
        return plan
    }

    struct Unreadable: Error { var problems: [Problem] }

    init(_ plan: PanelPlan? = nil, isSimulated: Bool = false) throws {
        let plan = try plan ?? Self.plan()
        let bell = Bell()
        let updates = try UpdateChannel { bell.ring.withLock { $0 }() }
        self.plan = plan
        self.updates = updates
        let count = TokenCount()
        tokens = ConfirmTokens(makeToken: { count.next() })
        simulation = isSimulated ? ScriptedDesk(plan) : nil
        storage = EngineStorage(for: plan.capacity)
        engine = try plan.makeEngine(in: storage)
        feeder = UpdatePublisher([updates], controls: plan.controls.count, lines: plan.lines.count)
        bell.ring.withLock { $0 = { [weak self] in self?.turn() } }
        handle(.start)
    }

    func control(_ id: String) -> ControlID { plan.control(named: id) ?? ControlID(.max) }

    // MARK: The port

    func send(_ event: Event) -> Bool {
        guard !isFull else { return false }
        lock.withLock { _ in requests.append(event) }
        turn()
        return true
    }

    // MARK: The loop

    /// Lets requests and states wait until `release`.
    func hold() { lock.withLock { _ in isHeld = true } }

    /// Goes on.
    func release() {
        lock.withLock { _ in isHeld = false }
        turn()
    }

    /// One event from inside, and the end of its turn.
    func handle(_ events: Event...) {
        lock.withLock { _ in for event in events { apply(event) } }
        turn()
    }

    /// Time passes at the panel.
    func pass(_ span: TimeSpan) {
        lock.withLock { _ in now = now + span }
        handle(.tick)
    }

    /// Ends the last action that was started.
    func finish(_ outcome: ActionOutcome = .succeeded) {
        guard let last = lock.withLock({ _ in runs.popLast() }) else { return }
        handle(.actionFinished(last.control, last.run, outcome))
    }

    /// Something that only a simulated panel tells.
    func tell(_ note: PanelUpdate) {
        lock.withLock { _ in feeder.publish(note, at: now) }
        turn()
    }

    /// A line's level before debounce.
    func level(_ line: String, _ level: Level) {
        guard let id = plan.line(named: line) else { return }
        lock.withLock { _ in
            tick()
            feeder.level(id, level, at: now)
        }
        turn()
    }

    /// A storm that no ring can hold.
    func flood(_ count: Int) {
        lock.withLock { _ in
            let report = Report(control: ControlID(0), kind: .stepped(delta: 1))
            for _ in 0..<count { feeder.report(report, at: now) }
        }
        turn()
    }

    private func turn() {
        lock.withLock { _ in
            guard !isHeld else { return }
            let waiting = requests
            requests = []
            for event in waiting { apply(event) }
            var isUnfinished = true
            while isUnfinished {
                isUnfinished = feeder.endTurn(
                    at: now, snapshot: { engine.snapshot(of: $0) }, present: { _ in .inactive },
                    contact: { engine.contactLevel(of: $0) })
            }
        }
    }

    private func tick() { now = now + .milliseconds(1) }

    private func apply(_ event: Event) {
        tick()
        var written: [Event] = []
        engine.handle(event, at: now) { effect, at in
            switch effect {
            case .report(let report): feeder.report(report, at: at)
            case .start(_, let run, let control, _, _, _): runs.append((control, run))
            case .drive(let line, let level): written.append(.outputWritten(line, level))
            case .answer(let request, let control, let answer):
                feeder.answer(request, control, answer, at: at)
            case .readLevel, .adjust, .indicate, .provide, .cancel: break
            }
        }
        for event in written { apply(event) }
    }
}

/// A desk that only notes what is asked of it.
final class ScriptedDesk: SimulationControl {
    struct Script {
        var state = SimulationState()
        var requests: [SimulationCommand] = []
        var sources: [InputSourceID] = []
        var gone: [InputSourceID] = []
        var refusal: SimulationError?
        var trace = Array("$end\n".utf8)
    }

    let script: Mutex<Script>

    init(_ plan: PanelPlan) {
        var state = SimulationState()
        state.partPositions = plan.controls.map { _ in SimulationState.PartPosition() }
        state.profiles = ["none", "typical"]
        script = Mutex(Script(state: state))
    }

    func perform(_ request: SimulationCommand, by source: InputSourceID) -> SimulationError? {
        script.withLock { script in
            script.requests.append(request)
            script.sources.append(source)
            return script.refusal
        }
    }

    func releaseAll(_ source: InputSourceID) { script.withLock { $0.gone.append(source) } }
    var state: SimulationState { script.withLock { $0.state } }
    func scenario(panel: String?) -> String { "panel: \(panel ?? "panel.yaml")\n" }
    func expectedTrace() -> String { "{}\n" }
    func trace() throws -> [UInt8] { script.withLock { $0.trace } }
}
