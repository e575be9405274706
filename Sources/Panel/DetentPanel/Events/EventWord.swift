package import DetentCore
import DetentTypes

/// The words of events. A new event of the core has its word here, its place among those of one
/// instant, what it has in addition, and its facts.
package enum EventWord: String, CaseIterable, Sendable {
    case pressed, released, clicked
    case doubleClicked = "double-clicked"
    case multiClicked = "multi-clicked"
    case held, repeated, stepped, moved, invalid, changed, confirmed, phase, flag, refused
    case opened, closed, focused, chosen, staged, armed, progress, indicator, output, lost, fault
    case lampTest = "lamp-test"
    case reload

    /// Whether the event is of the whole panel, and not of a control.
    package var isOfPanel: Bool { self == .lampTest || self == .reload }

    /// What an event has in addition to its word, and a scenario can compare.
    package enum Detail: Sendable {
        case nothing, button, value, item, staged, percent, count, delta
        case word([String])
    }

    /// What it has in addition.
    package var detail: Detail {
        switch self {
        case .pressed, .released: .button
        case .clicked, .doubleClicked, .held, .repeated, .invalid, .opened, .closed, .armed,
            .reload:
            .nothing
        case .multiClicked, .lost: .count
        case .stepped: .delta
        case .moved, .changed, .confirmed: .value
        case .focused, .chosen: .item
        case .staged: .staged
        case .progress: .percent
        case .phase: .word(Phase.allCases.map(\.word))
        case .flag: .word(Flag.words.map(\.word))
        case .refused: .word(Refusal.allCases.map(\.word))
        case .indicator: .word(Pattern.allCases.map(\.word))
        case .output: .word(["active", "inactive"])
        case .fault: .word(FaultReason.allCases.map(\.word))
        case .lampTest: .word(["off", "on"])
        }
    }

    /// The place of this word among those of one instant.
    package var rank: UInt8 {
        switch self {
        case .lost, .fault: 0
        case .pressed, .released, .stepped, .moved, .invalid: 1
        case .clicked: 2
        case .doubleClicked, .multiClicked: 3
        case .held, .repeated, .armed, .progress, .opened, .focused, .closed: 4
        case .changed, .chosen, .staged, .refused, .lampTest, .reload: 5
        case .phase: 6
        case .confirmed: 7
        case .flag: 8
        case .indicator: 9
        case .output: 10
        }
    }
}

/// What an event has beside its word, before it is written with the names of a panel.
struct EventFacts {
    /// What a member has.
    enum Content {
        case value(Value)
        /// An option or item by its place, or a button of the part.
        case item(Value), button(Value)
        case number(Int64)
        case word(String)
        case truth(Bool)
        case reason(Reason)
    }

    let origin: Origin?
    /// What a scenario can compare.
    let first: (name: String, content: Content)?
    let second: (name: String, content: Content)?

    fileprivate init(
        by origin: Origin? = nil, _ first: (String, Content)? = nil,
        _ second: (String, Content)? = nil
    ) {
        self.origin = origin
        self.first = first
        self.second = second
    }
}

extension Report.Kind {
    /// The word of the event.
    package var word: EventWord {
        switch self {
        case .pressed, .buttonPressed: .pressed
        case .released, .buttonReleased: .released
        case .clicked: .clicked
        case .doubleClicked: .doubleClicked
        case .multiClicked: .multiClicked
        case .held: .held
        case .repeated: .repeated
        case .stepped: .stepped
        case .moved: .moved
        case .invalid: .invalid
        case .changed: .changed
        case .confirmed: .confirmed
        case .phase: .phase
        case .flag: .flag
        case .refused: .refused
        case .opened: .opened
        case .closed: .closed
        case .focused: .focused
        case .chosen: .chosen
        case .staged: .staged
        case .armed: .armed
        case .progress: .progress
        case .indicator: .indicator
        case .output: .output
        case .lost: .lost
        case .fault: .fault
        case .lampTest: .lampTest
        case .reload: .reload
        }
    }

    /// What the event has beside its word.
    var facts: EventFacts {
        switch self {
        case .pressed, .released, .clicked, .doubleClicked, .held, .repeated:
            EventFacts(by: .panel)
        case .invalid, .opened, .armed: EventFacts()
        // Others are hands, times and conditions, which their own events tell.
        case .closed(let origin): EventFacts(by: origin.isRemote ? origin : nil)
        case .buttonPressed(let it), .buttonReleased(let it):
            EventFacts(by: .panel, ("value", .button(it)))
        case .multiClicked(let count): EventFacts(by: .panel, ("count", .number(Int64(count))))
        case .stepped(let delta): EventFacts(by: .panel, ("delta", .number(Int64(delta))))
        case .moved(let position): EventFacts(by: .panel, ("position", .value(position)))
        case .changed(let value, let origin): EventFacts(by: origin, ("value", .value(value)))
        case .chosen(let item, let origin): EventFacts(by: origin, ("value", .item(item)))
        case .refused(let refusal, let origin):
            EventFacts(by: origin, ("reason", .word(refusal.word)))
        case .confirmed(let value): EventFacts(("value", .value(value)))
        case .phase(let phase, let reason):
            EventFacts(
                ("phase", .word(phase.word)),
                reason.cause == .none ? nil : ("reason", .reason(reason)))
        case .flag(let flag, let isSet):
            EventFacts(("name", .word(flag.word)), ("set", .truth(isSet)))
        case .focused(let item): EventFacts(("value", .item(item)))
        case .staged(.unknown): EventFacts(("value", .word("none")))
        case .staged(let value): EventFacts(("value", .value(value)))
        case .progress(let percent): EventFacts(("percent", .number(Int64(percent))))
        case .indicator(let pattern): EventFacts(("pattern", .word(pattern.word)))
        case .output(_, let level):
            EventFacts(("level", .word(level == .active ? "active" : "inactive")))
        case .lost(let count): EventFacts(("count", .number(Int64(count))))
        case .fault(let reason): EventFacts(("reason", .word(reason.word)))
        case .lampTest(let isOn, let origin):
            EventFacts(by: origin, ("value", .word(isOn ? "on" : "off")))
        case .reload(let user, let origin):
            EventFacts(
                by: origin, user == Report.noUser ? nil : ("user", .number(Int64(user))))
        }
    }
}
