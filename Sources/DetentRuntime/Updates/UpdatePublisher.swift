public import DetentCore
public import DetentTypes

/// The loop's side of the channel: collects the changes of a turn and publishes them at its end.
///
/// A second reader gets the same, except levels of traced lines.
///
/// Synchronization: none; all calls on the thread of the loop. Without a channel every call does
/// nothing.
public struct UpdatePublisher: ~Copyable {
    private let channel: UpdateChannel?
    private let second: UpdateChannel?
    private let controls: Int
    /// Reports since the start of the panel.
    private var reports: UInt64 = 0
    private var wantsWatcher = false
    private var wantsSecond = false
    /// Controls that reported in this turn, and whether each is among them.
    private var changed: [UInt16] = []
    private var isChanged: [Bool]
    /// Answers of this turn; they are published after the states.
    private var answers: [TimedUpdate] = []
    /// The next control whose requested state is to be published; nil if none is.
    private var nextState: Int?
    /// Which readers asked for it. What one asks for would tell the other that it knows all states,
    /// though it does not watch their changes.
    private var asked = (first: false, second: false)
    private var traced: [LineID] = []
    private var tracedVersion: UInt32 = 0
    private var isTraced: [Bool]
    /// The debounced levels that were published last, one for each of `traced`.
    private var contacts: [Level?] = []

    /// Publishes to a channel; nil if there is no reader, and then no second one either.
    public init(
        _ channel: UpdateChannel?, second: UpdateChannel? = nil, controls: Int, lines: Int
    ) {
        self.channel = channel
        self.second = second
        self.controls = channel == nil ? 0 : controls
        isChanged = Array(repeating: false, count: self.controls)
        isTraced = Array(repeating: false, count: channel == nil ? 0 : lines)
        changed.reserveCapacity(self.controls)
        // One turn takes at most as many requests as the inbox holds.
        answers.reserveCapacity(channel == nil ? 0 : RuntimeLimits.inbox)
    }

    /// Whether any line is traced.
    public var isTracing: Bool { !traced.isEmpty }

    /// The engine reports.
    public mutating func report(_ report: Report, at moment: Instant) {
        guard let channel else { return }
        reports &+= 1
        push(.report(report, number: reports), at: moment)
        touch(report.control, channel)
    }

    /// The engine answers a request; the answer is published after the state of the control.
    public mutating func answer(
        _ request: RequestID, _ control: ControlID, _ answer: Answer, at moment: Instant
    ) {
        guard let channel else { return }
        answers.append(TimedUpdate(.answer(request, control, answer), at: moment))
        touch(control, channel)
    }

    /// The level of a line before debounce, or of a driven line.
    public mutating func level(_ line: LineID, _ level: Level, at moment: Instant) {
        let place = Int(line.index)
        guard place < isTraced.count, isTraced[place] else { return }
        pushFirst(.level(line, level), at: moment)
    }

    /// Checks after each event whether debounced contacts changed.
    public mutating func lookAtContacts(at moment: Instant, _ level: (LineID) -> Level?) {
        for place in traced.indices {
            guard let now = level(traced[place]), now != contacts[place] else { continue }
            contacts[place] = now
            pushFirst(.contact(traced[place], now), at: moment)
        }
    }

    /// Adds another update: `simulation` or `restarted`.
    public mutating func tell(_ update: PanelUpdate, at moment: Instant) {
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
        guard let channel else { return false }
        if let lines = channel.traced(since: &tracedVersion) {
            trace(lines, moment, present, contact)
        }
        for index in changed {
            isChanged[Int(index)] = false
            let control = ControlID(index)
            if let state = snapshot(control) { pushChanged(.state(control, state), at: moment) }
        }
        changed.removeAll(keepingCapacity: true)
        if channel.takeRequest() { (nextState, asked.first) = (0, true) }
        if second?.takeRequest() == true { (nextState, asked.second) = (0, true) }
        if let first = nextState { tellStates(from: first, at: moment, snapshot) }
        for answer in answers { push(answer.update, at: answer.at) }
        answers.removeAll(keepingCapacity: true)
        if wantsWatcher {
            wantsWatcher = false
            channel.wake()
        }
        if wantsSecond {
            wantsSecond = false
            second?.wake()
        }
        return nextState != nil
    }

    private mutating func tellStates(
        from first: Int, at moment: Instant, _ snapshot: (ControlID) -> ControlSnapshot?
    ) {
        let end = min(controls, first + RuntimeLimits.statesPerTurn)
        for place in first..<end {
            let control = ControlID(UInt16(place))
            if let state = snapshot(control) { pushAsked(.state(control, state), at: moment) }
        }
        nextState = end == controls ? nil : end
        guard end == controls else { return }
        pushAsked(.complete, at: moment)
        asked = (false, false)
    }

    private mutating func pushAsked(_ update: PanelUpdate, at moment: Instant) {
        if asked.first {
            _ = channel?.push(update, at: moment)
            wantsWatcher = true
        }
        if asked.second {
            _ = second?.push(update, at: moment)
            wantsSecond = true
        }
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
            if let level = present(line) { pushFirst(.level(line, level), at: moment) }
            if let level = contacts[place] { pushFirst(.contact(line, level), at: moment) }
        }
    }

    private mutating func touch(_ control: ControlID, _ channel: UpdateChannel) {
        let place = Int(control.index)
        guard place < isChanged.count, !isChanged[place],
            channel.isWatched || second?.isWatched == true
        else { return }
        isChanged[place] = true
        changed.append(control.index)
    }

    private mutating func push(_ update: PanelUpdate, at moment: Instant) {
        pushFirst(update, at: moment)
        if second?.push(update, at: moment) == true { wantsSecond = true }
    }

    private mutating func pushFirst(_ update: PanelUpdate, at moment: Instant) {
        if channel?.push(update, at: moment) == true { wantsWatcher = true }
    }

    /// A reader that does not watch would have to take states that it does not need.
    private mutating func pushChanged(_ update: PanelUpdate, at moment: Instant) {
        if channel?.isWatched == true { pushFirst(update, at: moment) }
        guard let second, second.isWatched else { return }
        if second.push(update, at: moment) { wantsSecond = true }
    }
}
