import DetentActions
import DetentPanel
import DetentRuntime
import DetentTypes
import DetentWall

/// What devices report through the broker: pure, without a connection.
///
/// Of each source the newest messages wait, `RuntimeLimits.waitingReports` at most. They pass
/// together, once in `RuntimeLimits.feedbackGap`: what a message is about is found by the panel,
/// and the newest may be about something else.
struct MQTTListener {
    private enum Content {
        case report([UInt8])
        case lost(MQTTNote.Loss)

        var byteCount: Int {
            switch self {
            case .report(let bytes): bytes.count
            case .lost: 0
            }
        }
    }

    private struct Source {
        let topic: String
        let availability: String?
        /// Whether the other panel is there; true for a source that is no panel.
        var isThere: Bool
        /// What the other panel said before it was there.
        private(set) var held: Content?
        private(set) var waiting: [Content] = []
        /// Bytes of what waits and is held.
        private(set) var byteCount = 0
        var skipped: UInt16 = 0
        var opensAt = Instant.zero
        /// How many of those that wait may pass now.
        var passing = 0

        init(topic: String, availability: String?) {
            self.topic = topic
            self.availability = availability
            isThere = availability == nil
        }

        mutating func offer(_ content: Content) {
            if waiting.count >= RuntimeLimits.waitingReports { skip() }
            waiting.append(content)
            byteCount += content.byteCount
        }

        mutating func hold(_ content: Content?) {
            byteCount += (content?.byteCount ?? 0) - (held?.byteCount ?? 0)
            held = content
        }

        mutating func removeFirst() -> Content {
            let first = waiting.removeFirst()
            byteCount -= first.byteCount
            if passing > 0 { passing -= 1 }
            return first
        }

        /// Drops the oldest of what waits, else what is held.
        mutating func skip() {
            if waiting.isEmpty { return hold(nil) }
            _ = removeFirst()
            skipped = skipped == .max ? .max : skipped + 1
        }

        /// There is no connection.
        mutating func forget() {
            let opensAt = opensAt
            self = Source(topic: topic, availability: availability)
            self.opensAt = opensAt
        }
    }

    private var sources: [Source]
    /// The places of the sources that a topic is for.
    private let places: [String: [Int]]
    /// Topics where what the broker has kept says nothing of an action.
    private let unkept: Set<String>

    /// Listens to the sources of a panel, `PanelPlan.brokerSources`.
    ///
    /// - Parameters:
    ///   - unkept: topics where devices confirm actions and report nothing else, so that a word
    ///     from before an action does not confirm it.
    init(_ sources: [FeedbackSource], unkept: Set<String> = []) {
        self.unkept = unkept
        var places: [String: [Int]] = [:]
        self.sources = sources.enumerated().map { place, source in
            let entry = Source(topic: source.topic ?? "", availability: source.availability)
            places[entry.topic, default: []].append(place)
            if let topic = entry.availability { places[topic, default: []].append(place) }
            return entry
        }
        self.places = places
    }

    /// The topics to subscribe to, each once.
    var topics: [String] { places.keys.sorted() }

    /// There is no connection: what waits is out of date, and the next one brings all anew.
    mutating func disconnected() {
        for place in sources.indices {
            sources[place].forget()
        }
    }

    /// Takes a message of any topic.
    mutating func receive(_ topic: String, _ bytes: [UInt8], isRetained: Bool = false) {
        if isRetained, unkept.contains(topic) { return }
        for place in places[topic] ?? [] {
            if topic == sources[place].availability {
                note(bytes == Array("online".utf8), of: place)
                continue
            }
            let content =
                bytes.count > ActionLimits.reportLine ? Content.lost(.tooLong) : .report(bytes)
            makeRoom(for: content)
            if sources[place].isThere {
                sources[place].offer(content)
            } else {
                sources[place].hold(content)
            }
        }
    }

    /// Drops what is oldest of the source that has most, until there is room in bytes.
    private mutating func makeRoom(for content: Content) {
        let room = MQTTLimits.waitingReportBytes - content.byteCount
        while sources.reduce(0, { $0 + $1.byteCount }) > room,
            let crowd = sources.indices.max(by: {
                sources[$0].byteCount < sources[$1].byteCount
            })
        { sources[crowd].skip() }
    }

    /// The other panel has come or gone. It tells its states before it says that it is there.
    private mutating func note(_ isThere: Bool, of place: Int) {
        sources[place].isThere = isThere
        let held = sources[place].held
        sources[place].hold(nil)
        if !isThere {
            sources[place].offer(.lost(.offline))
        } else if let held {
            sources[place].offer(held)
        }
    }

    /// The broker does not let the panel subscribe to a topic.
    mutating func refused(_ topic: String) {
        for place in places[topic] ?? [] { sources[place].offer(.lost(.forbidden)) }
    }

    /// The next message that may pass.
    mutating func next(at now: Instant) -> MQTTNote? {
        guard
            let place = sources.firstIndex(where: {
                !$0.waiting.isEmpty && ($0.passing > 0 || $0.opensAt <= now)
            })
        else { return nil }
        // What comes from now on waits for the next time, so that no source holds up the others.
        if sources[place].passing == 0 {
            sources[place].passing = sources[place].waiting.count
            sources[place].opensAt = now + RuntimeLimits.feedbackGap
        }
        let content = sources[place].removeFirst()
        let skipped = sources[place].skipped
        sources[place].skipped = 0
        if sources[place].waiting.isEmpty { sources[place].passing = 0 }
        let number = UInt16(clamping: place)
        switch content {
        case .report(let bytes): return .heard(number, skipped: skipped, bytes)
        case .lost(let loss): return .lost(number, loss)
        }
    }

    /// When `next` is due; `never` if no message waits.
    var deadline: Instant {
        sources.reduce(.never) {
            $1.waiting.isEmpty ? $0 : min($0, $1.passing > 0 ? .zero : $1.opensAt)
        }
    }
}
