import DetentPanel
import DetentTypes
import Synchronization

@testable import DetentCore
@testable import DetentRuntime

/// A panel without lines: it takes every value at once and tells it.
final class FakePanel: PanelPort {
    private struct State {
        var values: [Value]
        var flags: [Flag]
        var asked: [Event] = []
        var reports: UInt64 = 0
        var isRefusing = false
    }

    let plan: PanelPlan
    let updates: UpdateChannel
    let tokens: ConfirmTokens? = ConfirmTokens { "token" }
    private let state: Mutex<State>

    init(_ plan: PanelPlan) throws {
        let waker = Waker()
        let updates = try UpdateChannel { waker.tell() }
        self.plan = plan
        self.updates = updates
        let count = plan.controls.count
        state = Mutex(
            State(
                values: plan.controls.map { $0.valueNames == .none ? .unknown : .off },
                flags: Array(repeating: [], count: count)))
        waker.panel.withLock { $0 = Weak(self) }
    }

    private final class Weak: Sendable {
        nonisolated(unsafe) weak var panel: FakePanel?

        init(_ panel: FakePanel) {
            self.panel = panel
        }
    }

    private final class Waker: Sendable {
        let panel = Mutex<Weak?>(nil)

        func tell() {
            guard let panel = panel.withLock({ $0?.panel }), panel.updates.takeRequest() else {
                return
            }
            panel.tellAll()
        }
    }

    /// What the panel was asked for, in order.
    var asked: [Event] { state.withLock { $0.asked } }

    /// From now on the panel takes no event.
    func refuse() { state.withLock { $0.isRefusing = true } }

    func send(_ event: Event) -> Bool {
        let isTaken = state.withLock { state in
            if state.isRefusing { return false }
            state.asked.append(event)
            return true
        }
        guard isTaken else { return false }
        switch event {
        case .intent(let control, let value, _, let request):
            set(control, value)
            push(.answer(request, control, .accepted))
        case .change(let control, _, _, let request), .fire(let control, _, _, _, let request):
            push(.answer(request, control, .accepted))
        case .tick, .start, .edge, .reading, .sample, .overflow, .lineFault, .lineRestored,
            .actionStarted,
            .actionFinished, .outputWritten, .saved, .answered, .feedback, .feedbackLost, .resync,
            .lampTest, .reload, .broker, .close:
            break
        }
        updates.wake()
        return true
    }

    /// A hand at the panel sets a value.
    func set(_ control: ControlID, _ value: Value) {
        state.withLock { $0.values[Int(control.index)] = value }
        tell(control)
        updates.wake()
    }

    func set(_ control: ControlID, _ flags: Flag) {
        state.withLock { $0.flags[Int(control.index)] = flags }
        tell(control)
        updates.wake()
    }

    /// Reports an event.
    func report(_ control: ControlID, _ kind: Report.Kind) {
        let number = state.withLock { state in
            state.reports += 1
            return state.reports
        }
        push(.report(Report(control: control, kind: kind), number: number))
        updates.wake()
    }

    private func tellAll() {
        for control in plan.allControls { tell(control) }
        push(.complete)
        updates.wake()
    }

    private func tell(_ control: ControlID) {
        let (value, flags) = state.withLock {
            ($0.values[Int(control.index)], $0.flags[Int(control.index)])
        }
        push(.state(control, Self.snapshot(value, flags)))
    }

    static func snapshot(_ value: Value, _ flags: Flag = []) -> ControlSnapshot {
        ControlSnapshot(
            desired: value, actual: value, position: .unknown, closedContacts: 0, phase: .idle,
            flags: flags, pattern: .off, isLit: false, lamps: 0, outputs: 0, lost: 0,
            staged: .unknown, focus: .unknown, progress: 0)
    }

    private func push(_ update: PanelUpdate) { _ = updates.push(update, at: .zero) }
}
