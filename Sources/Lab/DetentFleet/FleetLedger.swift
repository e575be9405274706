import DetentTypes

/// Which states were handed over and which of them the listener has heard.
///
/// The messages are those of real panels and carry no number. The broker keeps the order of a
/// topic, so a message is the first one with its text that waits. Pure; one thread.
struct FleetLedger {
    /// Whether the listener hears what is told.
    enum Hearing {
        /// It has no connection.
        case away
        /// It has not got all of its subscriptions: it may hear, or not.
        case unsure
        case sure
    }

    private struct Entry {
        var text: [UInt8]
        /// When the state changed; nil for a state that was told again.
        var since: Instant?
    }

    private struct Topic {
        var waiting: [Entry] = []
        /// How many of them are done.
        var first = 0
    }

    private var topics: [Topic]
    /// From the change of a state until the listener heard it.
    private(set) var latencies = LatencyHistogram()
    /// Changes that were handed over.
    private(set) var changes = 0
    /// Those of them that were heard.
    private(set) var received = 0
    /// Those that were not heard.
    private(set) var lost = 0
    /// Those that were handed over while the listener was away.
    private(set) var unheard = 0
    /// Messages that nothing waited for.
    private(set) var duplicates = 0
    /// Changes that wait to be heard.
    private(set) var waiting = 0

    /// - Parameter topics: the number of topics of states.
    init(topics: Int) { self.topics = Array(repeating: Topic(), count: topics) }

    /// A state was handed over.
    ///
    /// - Parameters:
    ///   - since: when it changed; nil if it is told again.
    mutating func told(_ place: Int, _ text: [UInt8], since: Instant?, _ hearing: Hearing) {
        if since != nil { changes += 1 }
        if since != nil, hearing != .sure { unheard += 1 }
        guard hearing != .away else { return }
        let since = hearing == .sure ? since : nil
        if topics[place].waiting.count - topics[place].first >= FleetLimits.waitingOfTopic {
            drop(place)
        }
        if since != nil { waiting += 1 }
        topics[place].waiting.append(Entry(text: text, since: since))
    }

    /// The listener has heard a state.
    mutating func heard(_ place: Int, _ text: [UInt8], at now: Instant) {
        let topic = topics[place]
        guard let found = topic.waiting[topic.first...].firstIndex(where: { $0.text == text })
        else {
            duplicates += 1
            return
        }
        while topics[place].first < found { drop(place) }
        if let since = topics[place].waiting[found].since {
            latencies.add(now - since)
            received += 1
            waiting -= 1
        }
        remove(place)
    }

    /// The listener has lost its connection, or the run is over: what waits does not come.
    mutating func giveUp() {
        for place in topics.indices {
            while topics[place].first < topics[place].waiting.count { drop(place) }
        }
    }

    private mutating func drop(_ place: Int) {
        if topics[place].waiting[topics[place].first].since != nil {
            lost += 1
            waiting -= 1
        }
        remove(place)
    }

    private mutating func remove(_ place: Int) {
        topics[place].first += 1
        let first = topics[place].first
        guard first == topics[place].waiting.count || first >= 64 else { return }
        topics[place].waiting.removeFirst(first)
        topics[place].first = 0
    }
}
