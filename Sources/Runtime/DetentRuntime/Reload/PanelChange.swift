public import DetentHAL
public import DetentPanel
public import DetentPlatform
import DetentTypes
import Synchronization

/// A panel that is to follow the present one, on its way to the loop.
public final class PanelChange: Sendable {
    /// What came of it.
    public enum Answer: Equatable, Sendable {
        /// The new panel runs.
        case changed
        /// The former panel goes on; no line was lost, except those that `lost` names.
        case refused([HALError])
        /// The former panel goes on, for this reason.
        case impossible(cause: String, remedy: String)
    }

    /// The new panel.
    public let plan: PanelPlan
    /// What differs from the present one.
    public let difference: PanelDifference
    private let reply = Mutex<Answer?>(nil)
    private let wakeUp: WakeUp

    /// Makes a change that was not sent yet.
    ///
    /// - Throws: `PlatformError` if no descriptor is available.
    public init(to plan: PanelPlan, _ difference: PanelDifference) throws(PlatformError) {
        self.plan = plan
        self.difference = difference
        wakeUp = try WakeUp()
    }

    /// For the loop: tells what came of it, once.
    public func finish(_ answer: Answer) {
        reply.withLock { $0 = answer }
        wakeUp.ring()
    }

    /// Waits for the loop; nil if it does not answer within `RuntimeLimits.changeGrace`.
    public func answer() -> Answer? {
        wakeUp.wait(until: MonotonicClock.now + RuntimeLimits.changeGrace)
        return reply.withLock { $0 }
    }
}
