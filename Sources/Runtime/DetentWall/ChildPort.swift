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
    /// The panel at the other end issues them.
    package let tokens: ConfirmTokens? = nil
    private let link: ChildLink
    private let wants: Wants

    /// - Parameter posts: whether a request that finds no room in the link waits there, and its
    ///   sender does not.
    package init(plan: PanelPlan, link: ChildLink, posts: Bool = false) throws {
        let wants = Wants(link, posts: posts)
        let updates = try UpdateChannel { wants.report() }
        wants.channel.withLock { $0 = updates }
        self.plan = plan
        self.updates = updates
        self.link = link
        self.wants = wants
    }

    /// Passes what the server wants of the updates on to the panel.
    private final class Wants: Sendable {
        private struct Told {
            var isWatched = false
            var traced: UInt32 = 0
            /// What found no room: the newest of each sort.
            var wantsSnapshot = false
            var lines: [LineID]?
        }

        let channel = Mutex<UpdateChannel?>(nil)
        private let link: ChildLink
        private let posts: Bool
        private let told = Mutex(Told())

        init(_ link: ChildLink, posts: Bool) {
            self.link = link
            self.posts = posts
        }

        func report() {
            guard let channel = channel.withLock({ $0 }) else { return }
            told.withLock { told in
                if channel.takeRequest() { told.wantsSnapshot = true }
                if let lines = channel.traced(since: &told.traced) { told.lines = lines }
                let isWatched = channel.isWatched
                if isWatched != told.isWatched {
                    guard send(.watch(isWatched)) else { return }
                    told.isWatched = isWatched
                }
                if told.wantsSnapshot {
                    guard send(.snapshot) else { return }
                    told.wantsSnapshot = false
                }
                if let lines = told.lines, send(.trace(lines)) { told.lines = nil }
            }
        }

        /// None of these is left out: the server would wait for states that never come. None waits
        /// for room either: a panel that hangs must not stop the server.
        private func send(_ request: PanelRequest) -> Bool {
            guard posts else { return link.send(request.bytes, waits: false) }
            link.post(request.bytes)
            return true
        }
    }

    package func send(_ event: Event) -> Bool {
        send(event, confirming: nil, at: .zero) == .taken
    }

    /// Sends an event. If it has to be confirmed, the panel answers with `PanelMessage.token`.
    package func send(
        _ event: Event, confirming token: ConfirmTokens.Token?, at now: Instant
    ) -> Sending {
        guard var request = PanelRequest(event) else { return .full }
        if let token {
            // What no panel has issued confirms nothing; it is not sent, as it would be nonsense.
            let sent = ConfirmTokens.token(Array(token.utf8)[...])
            request = .confirming(
                sent ?? String(repeating: "0", count: ConfirmTokens.length), request)
        }
        return link.send(request.bytes, waits: false) ? .taken : .full
    }

    /// Takes messages from the panel until one says that the history is complete, or the link ends.
    ///
    /// - Parameter receive: takes what is no update.
    /// - Returns: false if the link has ended or the panel sent nonsense.
    package func receiveMessages(
        untilServed stops: Bool, receive: (PanelMessage) -> Void = { _ in }
    ) -> Bool {
        var buffer = Self.messageBuffer
        while case .message(let bytes) = link.receive(into: &buffer, waits: true) {
            guard let message = PanelMessage(bytes) else { return false }
            if handle(message, receive) { updates.wake() }
            if stops, message == .served { return true }
            // The panel reads again: what found no room is told now.
            wants.report()
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
                handle(message, receive)
            }
        }
        return true
    }

    /// Room for a message.
    package static var messageBuffer: [UInt8] {
        [UInt8](repeating: 0, count: PanelMessage.byteLimit)
    }

    /// Takes a message; true if there are updates to drain.
    @discardableResult
    private func handle(_ message: PanelMessage, _ receive: (PanelMessage) -> Void) -> Bool {
        switch message {
        case .updates(let new):
            for update in new { _ = updates.push(update.update, at: update.at) }
            return true
        case .dropped(let count):
            updates.drop(Int(count))
            return true
        case .served: return false
        case .reloaded, .figures, .order, .ping, .token:
            receive(message)
            return false
        }
    }
}
