import DetentPlatform
import DetentRuntime
import DetentTypes
import NIOCore

/// What the connections of one server share: hub, responder and the next wake-up.
///
/// Synchronization: none; everything on the event loop.
final class ServerCore {
    let hub: Hub
    let responder: Responder
    let timing: ServerTiming
    private let eventLoop: any EventLoop
    private var wakeUp: (task: Scheduled<Void>, at: Instant)?
    private var connections = 0
    private var lastHolder: UInt64 = 0

    init(hub: Hub, responder: Responder, timing: ServerTiming, eventLoop: any EventLoop) {
        self.hub = hub
        self.responder = responder
        self.timing = timing
        self.eventLoop = eventLoop
    }

    /// Does something with the hub, and sees to it that it is looked at again in time.
    func use<Result>(_ body: (Hub, Instant) -> Result) -> Result {
        let result = body(hub, MonotonicClock.now)
        schedule()
        return result
    }

    /// A holder that no other connection has.
    func newHolder() -> HolderID {
        lastHolder += 1
        return HolderID(lastHolder)
    }

    /// Counts one more connection; false where there are as many as may be.
    func admitConnection() -> Bool {
        guard connections < ServerLimits.connections else { return false }
        connections += 1
        return true
    }

    func endConnection() { connections -= 1 }

    /// Says goodbye to everybody.
    func end() {
        for following in hub.followings.values { following.listener.close(.goingAway) }
        wakeUp?.task.cancel()
        wakeUp = nil
    }

    private func schedule() {
        let deadline = hub.deadline
        if let wakeUp, wakeUp.at <= deadline { return }
        wakeUp?.task.cancel()
        wakeUp = nil
        guard deadline != .never else { return }
        let task = eventLoop.assumeIsolated().scheduleTask(
            in: .nanoseconds(Int64(clamping: (deadline - MonotonicClock.now).nanoseconds))
        ) { [self] in
            wakeUp = nil
            use { hub, now in hub.settle(now: now) }
        }
        wakeUp = (task, deadline)
    }
}

extension TimeSpan {
    /// The same length for an event loop.
    var amount: TimeAmount { .nanoseconds(Int64(clamping: nanoseconds)) }
}
