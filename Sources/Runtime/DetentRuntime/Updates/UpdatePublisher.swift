public import DetentCore
public import DetentTypes

/// The loop's side of the channel: collects the changes of a turn and publishes them at its end.
///
/// All readers get the same, except levels of traced lines, which only the first one gets.
///
/// Synchronization: none; all calls on the thread of the loop. Without a reader every call does
/// nothing.
public struct UpdatePublisher: ~Copyable {
    private struct Reader {
        let channel: UpdateChannel
        /// Whether it asked for the states that are told now. What one asks for would tell the
        /// other that it knows all states, though it does not watch their changes.
        var hasAsked = false
        /// Whether it sleeps, and has to be woken at the end of the turn.
        var isAsleep = false

        mutating func push(_ update: PanelUpdate, at moment: Instant) {
            if channel.push(update, at: moment) { isAsleep = true }
        }
    }

    private var readers: [Reader]
    private let controls: Int
    /// Reports since the start of the panel.
    private var reports: UInt64 = 0
    /// Controls that reported in this turn, and whether each is among them.
    private var changed: [UInt16] = []
    private var isChanged: [Bool]
    /// Answers of this turn; they are published after the states.
    private var answers: [TimedUpdate] = []
    /// The next control whose requested state is to be published; nil if none is.
    private var nextState: Int?
    private var traced: [LineID] = []
    private var tracedVersion: UInt32 = 0
    private var isTraced: [Bool]
    /// The debounced levels that were published last, one for each of `traced`.
    private var contacts: [Level?] = []

    /// Publishes to the channels of all readers; there may be none.
    public init(_ channels: [UpdateChannel], controls: Int, lines: Int) {
        readers = channels.map { Reader(channel: $0) }
        self.controls = channels.isEmpty ? 0 : controls
        isChanged = Array(repeating: false, count: self.controls)
        isTraced = Array(repeating: false, count: channels.isEmpty ? 0 : lines)
        changed.reserveCapacity(self.controls)
        // One turn takes at most as many requests as the inbox holds.
        answers.reserveCapacity(channels.isEmpty ? 0 : RuntimeLimits.inbox)
    }

    /// Whether any line is traced.
    public var isTracing: Bool { !traced.isEmpty }

    /// The engine reports.
    public mutating func report(_ report: Report, at moment: Instant) {
        guard !readers.isEmpty else { return }
        reports &+= 1
        push(.report(report, number: reports), at: moment)
        touch(report.control)
    }

    /// The engine answers a request; the answer is published after the state of the control.
    public mutating func answer(
        _ request: RequestID, _ control: ControlID, _ answer: Answer, at moment: Instant
    ) {
        guard !readers.isEmpty else { return }
        answers.append(TimedUpdate(.answer(request, control, answer), at: moment))
        touch(control)
    }

    /// The level of a line before debounce, or of a driven line.
    public mutating func level(_ line: LineID, _ level: Level, at moment: Instant) {
        let place = Int(line.index)
        guard place < isTraced.count, isTraced[place] else { return }
        readers[0].push(.level(line, level), at: moment)
    }

    /// Checks after each event whether debounced contacts changed.
    public mutating func lookAtContacts(at moment: Instant, _ level: (LineID) -> Level?) {
        for place in traced.indices {
            guard let now = level(traced[place]), now != contacts[place] else { continue }
            contacts[place] = now
            readers[0].push(.contact(traced[place], now), at: moment)
        }
    }

    /// Adds another update: `simulation` or `restarted`.
    public mutating func publish(_ update: PanelUpdate, at moment: Instant) {
        if case .restarted = update {
            reports = 0
            answers.removeAll(keepingCapacity: true)
            contacts = Array(repeating: nil, count: traced.count)
        }
        push(update, at: moment)
    }

    /// Publishes the states that changed or were requested, then the answers, and wakes the reader
    /// if needed.
    ///
    /// - Parameter present: the current level of a line whose tracing begins.
    /// - Returns: whether another turn should begin at once because more states were requested than
    ///   one turn publishes.
    public mutating func endTurn(
        at moment: Instant, snapshot: (ControlID) -> ControlSnapshot?,
        present: (LineID) -> Level?, contact: (LineID) -> Level?
    ) -> Bool {
        guard let first = readers.first else { return false }
        if let lines = first.channel.traced(since: &tracedVersion) {
            trace(lines, moment, present, contact)
        }
        for index in changed {
            isChanged[Int(index)] = false
            let control = ControlID(index)
            // A reader that does not watch would have to take states that it does not need.
            if let state = snapshot(control) {
                push(.state(control, state), at: moment) { $0.channel.isWatched }
            }
        }
        changed.removeAll(keepingCapacity: true)
        for reader in readers.indices where readers[reader].channel.takeRequest() {
            readers[reader].hasAsked = true
            nextState = 0
        }
        if let first = nextState { tellStates(from: first, at: moment, snapshot) }
        for answer in answers { push(answer.update, at: answer.at) }
        answers.removeAll(keepingCapacity: true)
        for reader in readers.indices where readers[reader].isAsleep {
            readers[reader].isAsleep = false
            readers[reader].channel.wake()
        }
        return nextState != nil
    }

    private mutating func tellStates(
        from first: Int, at moment: Instant, _ snapshot: (ControlID) -> ControlSnapshot?
    ) {
        let end = min(controls, first + RuntimeLimits.statesPerTurn)
        for place in first..<end {
            let control = ControlID(UInt16(place))
            if let state = snapshot(control) {
                push(.state(control, state), at: moment) { $0.hasAsked }
            }
        }
        // Who has asked waits, also where the channel does not say so.
        for reader in readers.indices where readers[reader].hasAsked {
            readers[reader].isAsleep = true
        }
        nextState = end == controls ? nil : end
        guard end == controls else { return }
        push(.complete, at: moment) { $0.hasAsked }
        for reader in readers.indices { readers[reader].hasAsked = false }
    }

    private mutating func trace(
        _ lines: [LineID], _ moment: Instant, _ present: (LineID) -> Level?,
        _ contact: (LineID) -> Level?
    ) {
        for line in traced { isTraced[Int(line.index)] = false }
        traced = lines.filter { Int($0.index) < isTraced.count }
        contacts = traced.map(contact)
        for (place, line) in traced.enumerated() {
            isTraced[Int(line.index)] = true
            if let level = present(line) { readers[0].push(.level(line, level), at: moment) }
            if let level = contacts[place] { readers[0].push(.contact(line, level), at: moment) }
        }
    }

    private mutating func touch(_ control: ControlID) {
        let place = Int(control.index)
        guard place < isChanged.count, !isChanged[place],
            readers.contains(where: { $0.channel.isWatched })
        else { return }
        isChanged[place] = true
        changed.append(control.index)
    }

    private mutating func push(
        _ update: PanelUpdate, at moment: Instant, to isMeant: (Reader) -> Bool = { _ in true }
    ) {
        for reader in readers.indices where isMeant(readers[reader]) {
            readers[reader].push(update, at: moment)
        }
    }
}
