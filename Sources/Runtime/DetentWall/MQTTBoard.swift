import DetentPanel
import Synchronization

/// Where the figures of the connection to a broker wait for the gateway, which serves them.
///
/// Safe from any thread.
public final class MQTTBoard: Sendable {
    private struct State {
        var figures: MQTTFigures?
        /// The gateway that runs does not have them yet.
        var isNew = false
        var ring: @Sendable () -> Void = {}
    }

    private let state = Mutex(State())

    /// Makes a board without figures.
    public init() {}

    /// Shows figures from now on.
    package func show(_ figures: MQTTFigures) {
        let ring = state.withLock { state -> (@Sendable () -> Void)? in
            guard state.figures != figures else { return nil }
            state.figures = figures
            state.isNew = true
            return state.ring
        }
        ring?()
    }

    /// The connection is gone; what was counted stays.
    package func showDisconnected() {
        guard var figures = state.withLock({ $0.figures }) else { return }
        figures.isConnected = false
        show(figures)
    }
}

extension MQTTBoard: ChildTask {
    /// The figures, if the gateway does not have them.
    package func next() -> PanelMessage? {
        state.withLock { state in
            guard state.isNew else { return nil }
            state.isNew = false
            return state.figures.map { .figures($0) }
        }
    }

    /// A gateway has nothing to say to it.
    package func receive(_ note: MQTTNote, of plan: PanelPlan) -> Bool { false }

    /// The next gateway gets the figures.
    package func ended(_ plan: PanelPlan, isRestarted: Bool) {
        state.withLock { $0.isNew = $0.figures != nil }
    }

    package func wakes(with ring: @escaping @Sendable () -> Void) {
        state.withLock { $0.ring = ring }
    }
}
