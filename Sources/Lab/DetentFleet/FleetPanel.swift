import DetentCore
import DetentMQTT
import DetentPanel
import DetentRuntime
import DetentScenario
import DetentTypes
import DetentWorld

/// One simulated panel with its user, on a clock of its own that goes as fast as the real one.
///
/// It depends only on its plan, its seed and its number: the moments of the calls change nothing.
/// Synchronization: none; one thread.
final class FleetPanel {
    /// The panel's moment 0 on the real clock.
    let began: Instant
    private let plan: PanelPlan
    private let machine: VirtualPanel
    private var user: FleetUser
    private var reports: UInt64 = 0
    /// Controls that reported since the last call of `tell`, and whether each is among them.
    private var changed: [ControlID] = []
    private var isChanged: [Bool]

    init(
        _ plan: PanelPlan, rate: Double, seed: UInt64, number: Int, at began: Instant
    ) throws(EngineError) {
        self.plan = plan
        self.began = began
        var scripts: [ControlID: ActionScript] = [:]
        for control in plan.allControls
        where plan[control].settings.actions != .none || plan[control].settings.query != nil {
            scripts[control] = ActionScript(takes: FleetLimits.action)
        }
        var mixer = SplitMix64(seed: seed, stream: UInt64(number))
        machine = try VirtualPanel(
            plan, seed: mixer.next(), bounce: Self.bounce, actions: scripts)
        user = FleetUser(plan, rate: rate, seed: seed, number: number)
        isChanged = Array(repeating: false, count: plan.controls.count)
    }

    /// Read once for all panels.
    private static let bounce = BounceSelection.typical.choice ?? .all(.none)

    /// Operations of the user so far.
    var operations: Int { user.operations }

    /// The next real moment at which something is due.
    var due: Instant {
        let next = min(machine.next, user.due)
        return next == .never ? .never : began + (next - .zero)
    }

    /// The user comes.
    func beginUser(at now: Instant) { user.begin(at: .zero + (now - began)) }

    /// The user leaves.
    func endUser() { user.leave() }

    /// Everything that is known, as after a snapshot: the broker knows nothing yet.
    func tellAll(_ tell: (TimedUpdate) -> Void) {
        for control in plan.allControls {
            guard let state = machine.snapshot(of: control) else { continue }
            tell(TimedUpdate(.state(control, state), at: machine.now))
        }
        tell(TimedUpdate(.complete, at: machine.now))
    }

    /// Does what is due by a real moment.
    ///
    /// - Parameters:
    ///   - change: a control has reported something, with its real moment.
    ///   - tell: takes the updates.
    func run(
        until now: Instant, change: (ControlID, Instant) -> Void, tell: (TimedUpdate) -> Void
    ) {
        let target = Instant.zero + (now - began)
        while let step = user.pop(by: target) {
            machine.run(until: max(step.at, machine.now))
            switch step.deed {
            case .gesture(let gesture): try? machine.begin([gesture])
            case .tell(let event): machine.send(event)
            }
        }
        machine.run(until: max(target, machine.now))
        publish(change, tell)
    }

    /// The broker asks for something.
    func ask(_ event: Event, change: (ControlID, Instant) -> Void, tell: (TimedUpdate) -> Void) {
        machine.send(event)
        publish(change, tell)
    }

    private func publish(
        _ change: (ControlID, Instant) -> Void, _ tell: (TimedUpdate) -> Void
    ) {
        machine.takeRecord { record in
            for entry in VirtualRecord.ordered(record.entries) {
                reports += 1
                tell(TimedUpdate(.report(entry.report, number: reports), at: entry.at))
                change(entry.report.control, began + (entry.at - .zero))
                touch(entry.report.control)
            }
            for answered in record.answers { touch(answered.control) }
            for control in changed {
                isChanged[Int(control.index)] = false
                guard let state = machine.snapshot(of: control) else { continue }
                tell(TimedUpdate(.state(control, state), at: machine.now))
            }
            changed.removeAll(keepingCapacity: true)
            for answered in record.answers {
                tell(
                    TimedUpdate(
                        .answer(answered.request, answered.control, answered.answer),
                        at: answered.at))
            }
        }
    }

    private func touch(_ control: ControlID) {
        let place = Int(control.index)
        guard isChanged.indices.contains(place), !isChanged[place] else { return }
        isChanged[place] = true
        changed.append(control)
    }
}
