import DetentCore
import DetentPanel
import DetentRuntime
import DetentTypes
import Synchronization

/// The port of a panel in another process: requests go through the link, and
/// messages come back.
package final class ChildPort: PanelPort {
    package let plan: PanelPlan
    package let updates: UpdateChannel
    private let link: ChildLink

    /// - Parameter posts: whether a request that finds no room in the link waits there, and its
    ///   sender does not.
    package init(plan: PanelPlan, link: ChildLink, posts: Bool = false) throws {
        let wants = Wants(link, posts: posts)
        let updates = try UpdateChannel { wants.tell() }
        wants.channel.withLock { $0 = updates }
        self.plan = plan
        self.updates = updates
        self.link = link
    }

    /// Passes what the server wants of the updates on to the panel.
    private final class Wants: Sendable {
        private struct Told {
            var isWatched = false
            var traced: UInt32 = 0
        }

        let channel = Mutex<UpdateChannel?>(nil)
        private let link: ChildLink
        private let posts: Bool
        private let told = Mutex(Told())

        init(_ link: ChildLink, posts: Bool) {
            self.link = link
            self.posts = posts
        }

        func tell() {
            guard let channel = channel.withLock({ $0 }) else { return }
            told.withLock { told in
                if channel.isWatched != told.isWatched {
                    told.isWatched = channel.isWatched
                    send(.watch(told.isWatched))
                }
                if channel.takeRequest() { send(.snapshot) }
                if let lines = channel.traced(since: &told.traced) { send(.trace(lines)) }
            }
        }

        /// None of these is left out: the server would wait for states that never come.
        private func send(_ request: PanelRequest) {
            if posts { return link.post(request.bytes) }
            _ = link.send(request.bytes, waits: true)
        }
    }

    package func send(_ event: Event) -> Bool {
        guard let request = PanelRequest(event) else { return false }
        return link.send(request.bytes, waits: false)
    }

    /// Takes messages from the panel until one says that the history is complete, or the link ends.
    ///
    /// - Parameter receive: takes what is no update.
    /// - Returns: false if the link has ended or the panel sent nonsense.
    package func follow(
        untilServed stops: Bool, receive: (PanelMessage) -> Void = { _ in }
    ) -> Bool {
        var buffer = Self.messageBuffer
        while case .message(let bytes) = link.receive(into: &buffer, waits: true) {
            guard let message = PanelMessage(bytes) else { return false }
            take(message, receive)
            if stops, message == .served { return true }
            updates.wake()
        }
        return false
    }

    /// Takes the messages that wait, `WallLimits.messagesAtOnce` at most, and never waits.
    ///
    /// The caller drains the updates then: nothing wakes it for them.
    ///
    /// - Parameters:
    ///   - buffer: room for a message, `messageBuffer`.
    ///   - receive: takes what is no update.
    /// - Returns: false if the link has ended or the panel sent nonsense.
    package func takeWaiting(
        into buffer: inout [UInt8], receive: (PanelMessage) -> Void
    ) -> Bool {
        for _ in 0..<WallLimits.messagesAtOnce {
            switch link.receive(into: &buffer, waits: false) {
            case .none: return true
            case .ended: return false
            case .message(let bytes):
                guard let message = PanelMessage(bytes) else { return false }
                take(message, receive)
            }
        }
        return true
    }

    /// Room for a message.
    package static var messageBuffer: [UInt8] {
        [UInt8](repeating: 0, count: PanelMessage.byteLimit)
    }

    private func take(_ message: PanelMessage, _ receive: (PanelMessage) -> Void) {
        switch message {
        case .updates(let new):
            for update in new { _ = updates.push(update.update, at: update.at) }
        case .dropped(let count): updates.drop(Int(count))
        case .served: break
        case .reloaded, .figures, .order: receive(message)
        }
    }
}
