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

    /// What an event has in addition to its word, and a scenario can compare.
    package enum Detail: Sendable {
        case nothing, button, value, item, staged, percent, count, delta
        case word([String])
    }

    /// What it has in addition.
    package var detail: Detail {
        switch self {
        case .pressed, .released: .button
        case .clicked, .doubleClicked, .held, .repeated, .invalid, .opened, .closed, .armed:
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
        case .changed, .chosen, .staged, .refused: 5
        case .phase: 6
        case .confirmed: 7
        case .flag: 8
        case .indicator: 9
        case .output: 10
        }
    }
}

/// What an event says, before it is written with the names of a panel.
struct EventFacts {
    /// What a member has.
    enum Content {
        case value(Value)
        /// An option or item by its place, or a button of the part.
        case item(Value), button(Value)
        case number(Int64)
        case word(String)
        case truth(Bool)
    }

    let word: EventWord
    let origin: Origin?
    /// What a scenario can compare.
    let first: (name: String, content: Content)?
    let second: (name: String, content: Content)?

    fileprivate init(
        _ word: EventWord, by origin: Origin? = nil, _ first: (String, Content)? = nil,
        _ second: (String, Content)? = nil
    ) {
        self.word = word
        self.origin = origin
        self.first = first
        self.second = second
    }
}

extension Report.Kind {
    /// The word of the event.
    package var word: EventWord { facts.word }

    /// What the event says.
    var facts: EventFacts {
        switch self {
        case .pressed: EventFacts(.pressed, by: .panel)
        case .released: EventFacts(.released, by: .panel)
        case .buttonPressed(let it): EventFacts(.pressed, by: .panel, ("value", .button(it)))
        case .buttonReleased(let it): EventFacts(.released, by: .panel, ("value", .button(it)))
        case .clicked: EventFacts(.clicked, by: .panel)
        case .doubleClicked: EventFacts(.doubleClicked, by: .panel)
        case .multiClicked(let count):
            EventFacts(.multiClicked, by: .panel, ("count", .number(Int64(count))))
        case .held: EventFacts(.held, by: .panel)
        case .repeated: EventFacts(.repeated, by: .panel)
        case .stepped(let delta):
            EventFacts(.stepped, by: .panel, ("delta", .number(Int64(delta))))
        case .moved(let position): EventFacts(.moved, by: .panel, ("position", .value(position)))
        case .invalid: EventFacts(.invalid)
        case .changed(let value, let origin):
            EventFacts(.changed, by: origin, ("value", .value(value)))
        case .confirmed(let value): EventFacts(.confirmed, ("value", .value(value)))
        case .phase(let phase, let reason):
            EventFacts(
                .phase, ("phase", .word(phase.word)), reason.text.map { ("reason", .word($0)) })
        case .flag(let flag, let isSet):
            EventFacts(.flag, ("name", .word(flag.word)), ("set", .truth(isSet)))
        case .refused(let refusal, let origin):
            EventFacts(.refused, by: origin, ("reason", .word(refusal.word)))
        case .opened: EventFacts(.opened)
        case .closed: EventFacts(.closed)
        case .focused(let item): EventFacts(.focused, ("value", .item(item)))
        case .chosen(let item, let origin):
            EventFacts(.chosen, by: origin, ("value", .item(item)))
        case .staged(.unknown): EventFacts(.staged, ("value", .word("none")))
        case .staged(let value): EventFacts(.staged, ("value", .value(value)))
        case .armed: EventFacts(.armed)
        case .progress(let percent):
            EventFacts(.progress, ("percent", .number(Int64(percent))))
        case .indicator(let pattern): EventFacts(.indicator, ("pattern", .word(pattern.word)))
        case .output(_, let level):
            EventFacts(.output, ("level", .word(level == .active ? "active" : "inactive")))
        case .lost(let count): EventFacts(.lost, ("count", .number(Int64(count))))
        case .fault(let reason): EventFacts(.fault, ("reason", .word(reason.word)))
        }
    }
}
