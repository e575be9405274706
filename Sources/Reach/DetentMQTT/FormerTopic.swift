import DetentPanel

/// Removes what a broker keeps below a topic that the panel had before it was renamed. Other panels
/// would show it for as long as they run.
///
/// Another panel may have that topic now. So nothing is removed until the broker says that the last
/// panel there is `offline`; that message stays, because it is true. Only states of controls and
/// what was announced to Home Assistant are removed, at each connection.
struct FormerTopic {
    private let topics: MQTTTopics
    private var announcement: Announcement
    private var subscription: MQTTSubscription?
    /// Whether no panel has the topic now.
    private var isFree = false
    /// Empties what was found; sent when the topic is free.
    private var queue = WaitingMessages(
        count: MQTTLimits.leftovers, bytes: MQTTLimits.leftoverBytes)

    /// - Parameter topic: the former one; not the one that the panel has.
    init(_ topic: String, _ plan: PanelPlan, _ broker: BrokerPlan, version: String) {
        var former = broker
        former.topic = topic
        former.discovery = nil  // it announces nothing there
        topics = MQTTTopics(broker: former)
        announcement = Announcement(
            HomeAssistantDevice(plan: plan, topics: topics, version: version))
    }

    /// What to subscribe to when a connection begins.
    var subscriptions: [MQTTSubscription] {
        [topics.availability, topics.all(.state)].map {
            MQTTSubscription(filter: $0, wantsRetained: true)
        }
    }

    /// What else to subscribe to, before anything else is sent; nil if there is nothing.
    mutating func takeSubscription() -> MQTTSubscription? {
        defer { subscription = nil }
        return subscription ?? announcement.takeSubscription()
    }

    /// The connection is over: the next one asks again.
    mutating func disconnected() {
        isFree = false
        queue.removeAll()
    }

    /// Takes a message of the broker; says whether it was below this topic.
    mutating func receive(_ topic: String, _ bytes: [UInt8], isRetained: Bool) -> Bool {
        if announcement.wants(topic) {
            announcement.receive(topic, bytes, isRetained: isRetained)
            return true
        }
        if topic == topics.availability {
            let isOffline = bytes == Array("offline".utf8)
            if isRetained, isOffline, !isFree { takeBack() }
            if !isOffline { disconnected() }  // a panel has it, or has just come
            return true
        }
        guard let (_, use) = topics.control(topic) else { return false }
        if use == .state, isRetained, MQTTState.isState(bytes) {
            _ = queue.append(MQTTMessage(topic: topic, text: "", isRetained: true))
        }
        return true
    }

    private mutating func takeBack() {
        isFree = true
        subscription = MQTTSubscription(filter: topics.record, wantsRetained: true)
        announcement.begin()
    }

    /// The next message to send.
    mutating func next() -> MQTTMessage? {
        isFree ? queue.removeFirst() ?? announcement.next() : nil
    }
}
