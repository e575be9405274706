import DetentPanel
import DetentRuntime
import DetentTypes

extension Hub {
    /// Tells listeners what a reload came to. A new panel itself arrives as a snapshot.
    func announce(_ outcome: PanelReloader.Outcome, now: Instant) {
        let message: JSONValue = [
            "type": "reload", "result": .string(outcome.result.rawValue),
            "text": .string(outcome.text),
        ]
        for subscription in subscriptions.values.sorted(by: { $0.source < $1.source })
        where subscription.stage != .token(until: .never) && isListening(subscription.source) {
            let backlog = subscription.listener.backlog + outcome.text.utf8.count
            guard backlog <= ServerLimits.backlogBytes else { continue }
            subscription.listener.send(message.line)
        }
    }
}
