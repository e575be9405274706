import DetentActions
import DetentCore
import DetentHAL
import DetentPanel
import DetentPlatform
import DetentTypes

@testable import DetentRuntime

/// A real-time loop with all that stands around it, turned by the test.
final class LoopRig {
    private(set) var plan: PanelPlan
    let runner: ScriptedRunner
    let dispatcher: ActionDispatcher
    let inbox: Inbox
    let stream: ReportStream
    private var loop: PanelLoop
    /// What the loop has reported so far.
    private(set) var reports: [TimedReport] = []
    private let actions: PanelActions
    private let done: WakeUp

    init(
        _ plan: PanelPlan, _ backend: any GPIOBackend, updates: UpdateChannel? = nil,
        signals: SignalInbox? = nil, commandCapacity: Int = 1_024, runners: ActionRunners? = nil,
        watchdog: WatchdogTimer? = nil, willMakeRequest: @escaping @Sendable () -> Void = {}
    ) throws {
        self.plan = plan
        let runner = try ScriptedRunner()
        self.runner = runner
        let actions = PanelActions(plan)
        self.actions = actions
        dispatcher = try ActionDispatcher(
            kinds: actions.kinds,
            runners: runners ?? ActionRunners(runner, for: actions.kinds.compactMap(\.self)),
            commandCapacity: commandCapacity,
            makeRequest: { command in
                willMakeRequest()
                return actions.request(command)
            },
            readAnswer: { actions.answer($0, $1) })
        inbox = try Inbox()
        stream = try ReportStream()
        loop = try PanelLoop(
            plan: plan, backend: backend, dispatcher: dispatcher, inbox: inbox, reports: stream,
            updates: [updates].compactMap(\.self), signals: signals, watchdog: watchdog)
        done = try WakeUp()
        // A loop that waits for what never comes ends after a minute, and the test fails.
        _ = try WorkerThread(named: "watchdog") { [inbox, done] in
            done.wait(until: MonotonicClock.now + .seconds(60))
            inbox.stop()
        }
    }

    deinit {
        done.ring()
        dispatcher.stop(grace: .zero)
    }

    func open() -> [HALError] { loop.open() }

    func start(saved: [SavedValue] = []) {
        loop.start(saved: saved)
        collect()
    }

    func close() { loop.close() }

    @discardableResult
    func turn() -> Int32? {
        let signal = loop.turn()
        collect()
        return signal
    }

    /// Turns until a condition holds; false where it does not within many turns.
    func turn(until holds: () -> Bool) -> Bool {
        for _ in 0..<10_000 {
            if holds() { return true }
            if inbox.isStopping { return false }
            turn()
        }
        return holds()
    }

    /// Lets another panel follow.
    func follow(
        _ next: PanelPlan, keep: ([SavedValue]) -> Void = { _ in }, willStart: () -> Void = {}
    ) throws {
        let difference = PanelDifference(from: plan, to: next)
        guard let keys = actions.replacePlan(next, difference)?.keys else {
            throw RigError(text: "no keys")
        }
        let following = try PanelLoop(
            following: loop, next, difference, keys: keys,
            keep: { values in
                keep(values)
                return nil
            }, willStart: willStart)
        loop = following
        plan = next
        collect()
    }

    /// The values of all controls.
    var values: [SavedValue] { loop.values }

    /// What the panel could not take over.
    var notes: [String] { loop.notes }

    func runToEnd() -> PanelLoop.End {
        let end = loop.run()
        collect()
        return end
    }

    func run() -> Int32? {
        switch loop.run() {
        case .signal(let signal): signal
        case .stopped, .change: nil
        }
    }

    func control(_ id: String) -> ControlID {
        ControlID(UInt16(plan.controls.firstIndex { $0.id == id } ?? 65_535))
    }

    func line(_ name: String) -> LineID {
        LineID(UInt16(plan.lines.firstIndex { $0.name == name } ?? 65_535))
    }

    func snapshot(_ id: String) -> ControlSnapshot? { loop.snapshot(of: control(id)) }

    /// The reports of a control so far.
    func kinds(_ id: String) -> [Report.Kind] {
        let control = control(id)
        return reports.filter { $0.report.control == control }.map(\.report.kind)
    }

    /// The reports of a control of the panel with a number.
    func kinds(_ id: String, panel: UInt32) -> [Report.Kind] {
        let control = control(id)
        return reports.filter { $0.report.control == control && $0.panel == panel }
            .map(\.report.kind)
    }

    private func collect() {
        _ = stream.drain { reports.append($0) }
    }

    /// A panel of switches `s0`, `s1` … with lamps, on the lines IN0 and LAMP0 and so on.
    static func switches(_ count: Int, action: String? = nil) throws -> PanelPlan {
        var text = "panel: Test\nboard: none\ncontrols:\n"
        for number in 0..<count {
            text += """
                  s\(number):
                    kind: switch
                    label: S \(number)
                    input: IN\(number)
                    indicator: LAMP\(number)
                    debounce: none

                """
            if let action { text += "    action: \(action)\n" }
        }
        let reading = PanelReader.read(SourceText(file: "test.yaml", bytes: Array(text.utf8)))
        guard let plan = reading.plan else { throw RigError(text: "\(reading.problems)") }
        return plan
    }

    static let action = "{run: [nothing, \"{value}\"], timeout: 60s}"
}

struct RigError: Error {
    var text: String
}
