public import DetentActions
public import DetentPanel
public import DetentPlatform
public import DetentTypes
import Synchronization

/// The displays of a panel, and of the panels that follow it by reloads.
///
/// Displays whose device did not change keep their threads, and what is known of controls that did
/// not change stays. Other displays are cleared, and begin again.
public final class PanelDisplays: Sendable {
    private struct Next: Sendable {
        var plan: PanelPlan
        var difference: PanelDifference
    }

    private struct State {
        var writer: DisplayWriter?
        /// The number of the panel whose reports the writer understands.
        var panel: UInt32 = 0
        /// Panels that follow; the last of them runs.
        var next: [Next] = []
        var isOn: Bool
    }

    private let state: Mutex<State>
    private let guardian: Guardian?
    private let log: @Sendable (String) -> Void

    /// Starts the displays of a panel.
    ///
    /// - Parameters:
    ///   - guardian: kills the programs of displays when this process dies; nil if no display is a
    ///     program.
    ///   - log: prints messages for people, from any thread.
    /// - Throws: `PlatformError` if no descriptor or thread is available.
    public init(
        _ plan: PanelPlan, guardian: Guardian?, log: @escaping @Sendable (String) -> Void
    ) throws(PlatformError) {
        self.guardian = guardian
        self.log = log
        let isOn = !plan.displays.isEmpty
        let writer =
            isOn ? try DisplayWriter(DisplayBoard(plan), plan.displays, guardian, log: log) : nil
        state = Mutex(State(writer: writer, isOn: isOn))
    }

    /// Whether the panel that runs has displays.
    public var isOn: Bool { state.withLock { $0.isOn } }

    /// For the loop: another panel follows, and its first report comes after this call.
    public func replacePlan(_ plan: PanelPlan, _ difference: PanelDifference) {
        state.withLock { state in
            state.next.append(Next(plan: plan, difference: difference))
            state.isOn = !plan.displays.isEmpty
        }
    }

    // MARK: The recorder's side

    /// How many panels wait to be followed.
    var following: Int { state.withLock { $0.next.count } }

    /// Follows a report; never waits for a display that works.
    func record(_ report: TimedReport) {
        let ahead = state.withLock { Int(report.panel) - Int($0.panel) }
        if ahead > 0 { settle(ahead) }
        state.withLock { ahead < 0 ? nil : $0.writer }?.record(report)
    }

    /// Follows this number of panels, whose former reports were all taken. Waits for displays that
    /// end, `RuntimeLimits.displayGrace` at most.
    func settle(_ count: Int) {
        for _ in 0..<count {
            guard
                let (next, writer) = state.withLock({ state in
                    state.next.isEmpty ? nil : (state.next.removeFirst(), state.writer)
                })
            else { return }
            let present = self.writer(of: next, after: writer)
            state.withLock { state in
                state.writer = present
                state.panel += 1
            }
        }
    }

    private func writer(of next: Next, after former: DisplayWriter?) -> DisplayWriter? {
        let board = DisplayBoard(next.plan, following: former?.facts, next.difference)
        if let former, former.adopt(board, next.plan.displays) { return former }
        former?.stop(within: RuntimeLimits.displayGrace)
        guard !next.plan.displays.isEmpty else { return nil }
        do throws(PlatformError) {
            return try DisplayWriter(board, next.plan.displays, guardian, log: log)
        } catch {
            log("detent: the displays cannot start: \(error.cause)\nhelp: \(error.remedy)\n")
            return nil
        }
    }

    /// Clears the displays, ends their programs, and ends the threads.
    ///
    /// - Returns: false if a display did not take its last text within `span`.
    @discardableResult
    public func stop(within span: TimeSpan) -> Bool {
        state.withLock { $0.writer }?.stop(within: span) ?? true
    }
}
