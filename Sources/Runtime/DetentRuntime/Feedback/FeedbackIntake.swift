import DetentActions
public import DetentCore
public import DetentPanel
public import DetentTypes
import Synchronization

/// Takes what devices report, from any source and any thread, and passes it to the panel.
///
/// Every report of every source comes through here, except the level of a line, which the core
/// reads itself. A report becomes `Event.feedback` with the moment at which it was heard. A source
/// that is gone, and a report that is no value, become `Event.feedbackLost`: the control is stale
/// until the next report. A report that is about something else changes nothing.
public final class FeedbackIntake: Sendable {
    /// Sends an event with its moment to the panel of a number; false if there is no room.
    public typealias Send = @Sendable (Event, UInt32, Instant) -> Bool

    private struct Link {
        var control: ControlID
        var plan: ControlPlan
        var feedback: FeedbackPlan
        /// Whether `stale-after` says how long it may be silent.
        var mayBeSilent: Bool
        var gate = FeedbackGate()
        var news = FeedbackNews()
        /// Whether a report had a value.
        var hasValue = false
    }

    private struct State {
        var links: [Link]
        /// The number of the panel whose indices the links have.
        var panel: UInt32 = 0
    }

    private let state: Mutex<State>
    private let send: Send
    private let log: @Sendable (String) -> Void
    private let wake: @Sendable () -> Void

    /// Makes the intake of a panel.
    ///
    /// - Parameters:
    ///   - send: passes an event to the panel.
    ///   - log: prints messages for people, from any thread.
    ///   - wake: a report waits: call `passDue` at `deadline`, from any thread.
    public init(
        _ plan: PanelPlan, send: @escaping Send, log: @escaping @Sendable (String) -> Void,
        wake: @escaping @Sendable () -> Void
    ) {
        self.send = send
        self.log = log
        self.wake = wake
        state = Mutex(State(links: Self.links(of: plan)))
    }

    private static func links(of plan: PanelPlan) -> [Link] {
        plan.controls.enumerated().compactMap { place, control in
            control.feedback.map {
                Link(
                    control: ControlID(UInt16(clamping: place)), plan: control, feedback: $0,
                    mayBeSilent: plan.staleAfter(of: control) != .zero)
            }
        }
    }

    /// A source reported something: the bytes of a line, an answer or a message. Reports of an
    /// unknown source are ignored: a reload may just have removed it.
    ///
    /// - Parameters:
    ///   - skipped: how many reports before this one were left out already.
    ///   - asked: when the question began that it answers; `never` for one without a question.
    public func receive(
        _ report: [UInt8], from source: FeedbackSource, at now: Instant, skipped: Int = 0,
        asked: Instant = .never
    ) {
        change(source) { link, panel in
            if skipped > 0 { tellFlood(of: &link) }
            switch QueryAnswer.read(report, as: link.feedback, of: link.plan) {
            case nil:
                tellNothing(of: &link, isAnswer: asked != .never, at: now)
            case .value(let value), .confirmed(let value):
                link.hasValue = true
                if link.news.isOver() {
                    log("detent: the feedback of \(link.plan.id) works again\n")
                }
                offer(.value(value, asked: asked), to: &link, panel, at: now)
            case .unreadable(let cause):
                warn(
                    cause, "let the source report one of these, or write `pointer` or `map`",
                    about: .report, of: &link, at: now)
                if !link.mayBeSilent { offer(.lost, to: &link, panel, at: now) }
            }
        }
    }

    /// A source is gone: a program has ended, a service did not answer, or a broker is away. What
    /// it said last may be wrong by now, so its controls are stale until it reports again; those
    /// with `stale-after` when that time is over.
    ///
    /// - Parameters:
    ///   - cause: why, for the log; a sentence without a full stop.
    ///   - remedy: what to do about it.
    public func lose(
        _ source: FeedbackSource, because cause: String, remedy: String, at now: Instant
    ) {
        change(source) { link, panel in
            warn(cause, remedy, about: .source(cause), of: &link, at: now)
            if !link.mayBeSilent { offer(.lost, to: &link, panel, at: now) }
        }
    }

    /// The program of a source has printed a line on its standard error.
    func receiveError(_ line: String, of sources: [FeedbackSource]) {
        let name = state.withLock { state in
            state.links.first { sources.contains($0.feedback.source) }?.plan.id
        }
        guard let name else { return }
        log("detent: \(name): stderr: \(PrintableText.text(line))\n")
    }

    /// How the device of a control reports; nil if it does not.
    func feedback(of control: String) -> FeedbackPlan? {
        state.withLock { state in state.links.first { $0.plan.id == control }?.feedback }
    }

    /// When `passDue` is due; `never` if no report waits.
    public var deadline: Instant {
        state.withLock { $0.links.reduce(.never) { min($0, $1.gate.deadline) } }
    }

    /// Passes on the reports that have waited long enough.
    public func passDue(at now: Instant) {
        state.withLock { state in
            for place in state.links.indices {
                guard let word = state.links[place].gate.due(at: now) else { continue }
                pass(word, of: &state.links[place], state.panel, at: now)
            }
        }
    }

    /// Another panel follows: its loop understands its own indices only. Devices whose control and
    /// feedback did not change go on, and their last word is passed on again, as one to the former
    /// panel may have been lost on the way. For the loop, before its first event.
    public func replacePlan(_ plan: PanelPlan, at now: Instant) {
        state.withLock { state in
            let former = state.links
            state.panel += 1
            state.links = Self.links(of: plan)
            for place in state.links.indices {
                let link = state.links[place]
                guard
                    let old = former.first(where: {
                        $0.plan.id == link.plan.id && $0.feedback == link.feedback
                            && $0.plan.valueNames == link.plan.valueNames
                            && $0.plan.deviceWords == link.plan.deviceWords
                    })
                else { continue }
                state.links[place].news = old.news
                state.links[place].hasValue = old.hasValue
                guard let last = old.gate.last else { continue }
                // It may be older than the last action.
                var word = last.word
                if case .value(let value, let asked) = word {
                    word = .value(value, asked: min(asked, last.at))
                }
                offer(word, to: &state.links[place], state.panel, at: now)
            }
        }
    }

    /// A report was about something else. The log says so for an answer, and for a source that has
    /// not reported a value yet. Other sources often report such things.
    private func tellNothing(of link: inout Link, isAnswer: Bool, at now: Instant) {
        guard isAnswer || !link.hasValue else { return }
        let place = link.feedback.pointer.map { "has nothing at `\($0)`" } ?? "is blank"
        warn(
            "\(isAnswer ? "an answer" : "a report") \(place): it changes nothing",
            "correct `pointer` or the source, or write `stale-after` to see when it says nothing",
            about: .report, of: &link, at: now)
    }

    private func change(_ source: FeedbackSource, _ body: (inout Link, UInt32) -> Void) {
        let waits = state.withLock { state in
            var waits = false
            for place in state.links.indices where state.links[place].feedback.source == source {
                body(&state.links[place], state.panel)
                waits = waits || state.links[place].gate.deadline != .never
            }
            return waits
        }
        if waits { wake() }
    }

    private func offer(
        _ word: FeedbackGate.Word, to link: inout Link, _ panel: UInt32, at now: Instant
    ) {
        let dropped = link.gate.dropped
        if let word = link.gate.offer(word, at: now) { pass(word, of: &link, panel, at: now) }
        if link.gate.dropped != dropped { tellFlood(of: &link) }
    }

    private func tellFlood(of link: inout Link) {
        guard link.news.isFlood() else { return }
        log(
            "detent: the feedback of \(link.plan.id) reports faster than every "
                + "\(RuntimeLimits.feedbackGap.nanoseconds / 1_000_000) ms: only the newest "
                + "report counts\n")
    }

    private func pass(
        _ word: FeedbackGate.Word, of link: inout Link, _ panel: UInt32, at now: Instant
    ) {
        let event: Event =
            switch word {
            case .value(let value, let asked): .feedback(link.control, value, asked: asked)
            case .lost: .feedbackLost(link.control)
            }
        if !send(event, panel, now) { link.gate.takeBack(word) }
    }

    private func warn(
        _ cause: String, _ remedy: String, about subject: FeedbackNews.Subject,
        of link: inout Link, at now: Instant
    ) {
        guard link.news.isNew(cause, about: subject, at: now) else { return }
        log("detent: feedback of \(link.plan.id): \(cause)\nhelp: \(remedy)\n")
    }
}
