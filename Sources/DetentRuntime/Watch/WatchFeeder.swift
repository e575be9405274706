public import DetentCore
public import DetentTypes

/// The loop's side of a watch: gathers what changed in a turn, and passes it on at its end.
///
/// Synchronization: none; the thread of the loop. Without a watch every call does nothing.
public struct WatchFeeder: ~Copyable {
    private let watch: PanelWatch?
    private let controls: Int
    /// Reports since the start of the panel.
    private var reports: UInt64 = 0
    private var wantsWatcher = false
    /// Controls that reported in this turn, and whether each is among them.
    private var changed: [UInt16] = []
    private var isChanged: [Bool]
    /// Answers of this turn, which wait for the states of its end.
    private var answers: [TimedNote] = []
    /// The first control whose state has still to be told; nil when none was asked for.
    private var nextState: Int?
    private var traced: [LineID] = []
    private var tracedVersion: UInt32 = 0
    private var isTraced: [Bool]
    /// The debounced levels that were told last, one for each of `traced`.
    private var contacts: [Level?] = []

    /// Feeds a watch; nil where nobody can watch.
    public init(_ watch: PanelWatch?, controls: Int, lines: Int) {
        self.watch = watch
        self.controls = watch == nil ? 0 : controls
        isChanged = Array(repeating: false, count: self.controls)
        isTraced = Array(repeating: false, count: watch == nil ? 0 : lines)
        changed.reserveCapacity(self.controls)
        // One turn takes in no more requests than the inbox holds.
        answers.reserveCapacity(watch == nil ? 0 : RuntimeLimits.inbox)
    }

    /// Whether any line is traced.
    public var isTracing: Bool { !traced.isEmpty }

    /// The engine reports.
    public mutating func report(_ report: Report, at moment: Instant) {
        guard let watch else { return }
        reports &+= 1
        push(.report(report, number: reports), at: moment)
        touch(report.control, watch)
    }

    /// The engine answers a request; it is told behind the state of the control.
    public mutating func answer(
        _ request: RequestID, _ control: ControlID, _ answer: Answer, at moment: Instant
    ) {
        guard let watch else { return }
        answers.append(TimedNote(.answer(request, control, answer), at: moment))
        touch(control, watch)
    }

    /// A line's level before debounce, or one that was driven.
    public mutating func level(_ line: LineID, _ level: Level, at moment: Instant) {
        let place = Int(line.index)
        guard place < isTraced.count, isTraced[place] else { return }
        push(.level(line, level), at: moment)
    }

    /// Looks whether debounced contacts changed at a moment; for after each event.
    public mutating func lookAtContacts(at moment: Instant, _ level: (LineID) -> Level?) {
        for place in traced.indices {
            guard let now = level(traced[place]), now != contacts[place] else { continue }
            contacts[place] = now
            push(.contact(traced[place], now), at: moment)
        }
    }

    /// What else a watcher should know: `desk`, `startedOver`.
    public mutating func tell(_ note: WatchNote, at moment: Instant) {
        if case .startedOver = note {
            reports = 0
            answers.removeAll(keepingCapacity: true)
            contacts = Array(repeating: nil, count: traced.count)
        }
        push(note, at: moment)
    }

    /// Tells the states that changed or were asked for, then the answers, and wakes the watcher if
    /// it should look.
    ///
    /// - Parameter present: the present level of a line that is traced from now on.
    /// - Returns: whether another turn should come at once, since more states were asked for than
    ///   one turn tells.
    public mutating func endTurn(
        at moment: Instant, snapshot: (ControlID) -> ControlSnapshot?,
        present: (LineID) -> Level?, contact: (LineID) -> Level?
    ) -> Bool {
        guard let watch else { return false }
        if let lines = watch.traced(since: &tracedVersion) {
            trace(lines, moment, present, contact)
        }
        for index in changed {
            isChanged[Int(index)] = false
            let control = ControlID(index)
            if let state = snapshot(control) { push(.state(control, state), at: moment) }
        }
        changed.removeAll(keepingCapacity: true)
        if watch.takeRequest() { nextState = 0 }
        if let first = nextState { tellStates(from: first, at: moment, snapshot) }
        for answer in answers { push(answer.note, at: answer.at) }
        answers.removeAll(keepingCapacity: true)
        if wantsWatcher {
            wantsWatcher = false
            watch.wake()
        }
        return nextState != nil
    }

    private mutating func tellStates(
        from first: Int, at moment: Instant, _ snapshot: (ControlID) -> ControlSnapshot?
    ) {
        let end = min(controls, first + RuntimeLimits.statesPerTurn)
        for place in first..<end {
            let control = ControlID(UInt16(place))
            if let state = snapshot(control) { push(.state(control, state), at: moment) }
        }
        nextState = end == controls ? nil : end
        if end == controls { push(.complete, at: moment) }
        wantsWatcher = true
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
            if let level = present(line) { push(.level(line, level), at: moment) }
            if let level = contacts[place] { push(.contact(line, level), at: moment) }
        }
    }

    private mutating func touch(_ control: ControlID, _ watch: PanelWatch) {
        let place = Int(control.index)
        guard watch.isWatched, place < isChanged.count, !isChanged[place] else { return }
        isChanged[place] = true
        changed.append(control.index)
    }

    private mutating func push(_ note: WatchNote, at moment: Instant) {
        if watch?.push(note, at: moment) == true { wantsWatcher = true }
    }
}
