import DetentPanel
import DetentTypes

/// What this process keeps alive for sources of feedback.
enum WatchedFeed: Equatable {
    /// A program that runs, or a request that is repeated; for others there is nothing to do.
    case source(FeedbackSource)
    /// One listener for all sources whose messages arrive at an address.
    case messages(at: HostAndPort, [FeedbackSource])

    /// The sources whose reports come from it.
    var sources: [FeedbackSource] {
        switch self {
        case .source(let source): [source]
        case .messages(_, let sources): sources
        }
    }

    /// What it is called in messages.
    var subject: String {
        switch self {
        case .source(let source): source.subject
        case .messages(let place, _): "the listener at \(place.text)"
        }
    }

    /// What to do when it has ended.
    var advice: String {
        switch self {
        case .source:
            "it is started again; let it run as long as the panel, and look for the reason in its "
                + "messages"
        case .messages: "it is started again; look for the reason in its messages"
        }
    }

    /// The feeds of a panel, each once.
    static func all(of plan: PanelPlan) -> [WatchedFeed] {
        var feeds: [WatchedFeed] = []
        for control in plan.controls {
            guard let source = control.feedback?.source,
                !feeds.contains(where: { $0.sources.contains(source) })
            else { continue }
            switch source {
            case .line: break
            case .program, .request, .topic, .control, .wire: feeds.append(.source(source))
            case .message(_, _, let place):
                guard let index = feeds.firstIndex(where: { $0.place == place }) else {
                    feeds.append(.messages(at: place, [source]))
                    continue
                }
                feeds[index] = .messages(at: place, feeds[index].sources + [source])
            }
        }
        return feeds
    }

    private var place: HostAndPort? {
        if case .messages(let place, _) = self { place } else { nil }
    }
}
