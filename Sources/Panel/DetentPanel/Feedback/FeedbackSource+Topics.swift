import DetentTypes

extension FeedbackSource {
    /// The topic of the broker whose messages are the reports; nil for other sources.
    public var topic: String? {
        switch self {
        case .topic(let topic): topic
        case .control(let control, let panel): "\(Self.topics(of: panel))/\(control)/state"
        case .program, .line, .request, .message, .wire: nil
        }
    }

    /// The topic that says whether the other panel is there; nil for other sources.
    public var availability: String? {
        guard case .control(_, let panel) = self else { return nil }
        return Self.topics(of: panel) + "/availability"
    }

    private static func topics(of panel: String) -> String {
        BrokerPlan.defaultTopic(of: panel)
    }
}

extension PanelPlan {
    /// The topics where devices confirm actions.
    public var confirmationTopics: [String] {
        actions.compactMap { action in
            guard case .call(let call) = action.command, call.carrier == .broker else { return nil }
            return call.fields.text("confirm.topic")
        }
    }

    /// The sources that come through the broker, each once: those of the controls in their order,
    /// then the topics where devices confirm actions. Two processes that have the same panel file
    /// number them equally.
    public var brokerSources: [FeedbackSource] {
        var found: [FeedbackSource] = []
        for control in controls {
            guard let source = control.feedback?.source, source.topic != nil,
                !found.contains(source)
            else { continue }
            found.append(source)
        }
        for topic in confirmationTopics where !found.contains(.topic(topic)) {
            found.append(.topic(topic))
        }
        return found
    }
}
