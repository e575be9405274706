import DetentTypes

/// A kind of action: its key in the panel file, the table of its keys, and what performs it.
///
/// A new kind that leaves the core is one value of `runner`, listed in `all`.
struct ActionKind: Sendable {
    /// What performs an action of this kind.
    enum Work: Equatable, Sendable {
        /// A program with arguments.
        case program
        /// The runner of this kind, by the keys of its table.
        case runner
        /// The core.
        case output, set, wait, sequence

        /// Whether it leaves the core, which cannot know how long it takes.
        var leavesCore: Bool {
            switch self {
            case .program, .runner: true
            case .output, .set, .wait, .sequence: false
            }
        }
    }

    /// The key in the panel file.
    let word: String
    let work: Work
    /// The value of the key.
    let shape: Shape
    /// What the action does, in a sentence.
    let summary: String
    /// The maps of keys below the kind's own key.
    let sections: [Section]
    /// The keys of those maps.
    let keys: [KeySpec]
    /// Keys of which an action has exactly one; empty if there is no such choice.
    let oneOf: [String]
    /// Whether it can ask a device for its value.
    let canAnswer: Bool
    /// What carries it to its device.
    let carrier: ActionCarrier
    /// The field that has the timeout of the action where the file does not have it; nil for none.
    let timeoutField: ActionCall.TimeoutField?
    /// The timeout of an action that says none; nil if it has to say one.
    let timeout: TimeSpan?
    /// Whether it begins with the press of a button and ends with its release.
    let isHeld: Bool
    /// Checks what the table cannot say, such as keys that have to fit each other.
    let check: @Sendable (YAMLNode, ProblemLog) -> Void

    init(
        _ word: String, _ work: Work, _ shape: Shape, _ summary: String, sections: [Section] = [],
        keys: [KeySpec] = [], oneOf: [String] = [], canAnswer: Bool? = nil,
        carrier: ActionCarrier = .own, timeoutField: ActionCall.TimeoutField? = nil,
        timeout: TimeSpan? = nil, isHeld: Bool = false,
        check: @escaping @Sendable (YAMLNode, ProblemLog) -> Void = { _, _ in }
    ) {
        self.word = word
        self.work = work
        self.shape = shape
        self.summary = summary
        self.sections = sections
        self.keys = keys
        self.oneOf = oneOf
        self.canAnswer = canAnswer ?? work.leavesCore
        self.carrier = carrier
        self.timeoutField = timeoutField
        self.timeout = timeout
        self.isHeld = isHeld
        self.check = check
    }

    /// Every kind, in the order of the documents.
    static let all: [ActionKind] = [
        run, http, osc, tcp, udp, serial, key, mqtt, output, set, wait, sequence,
    ]

    /// Whether a step of a sequence can be of this kind.
    var canBeStep: Bool {
        switch work {
        case .program, .runner, .output, .set, .wait: true
        case .sequence: false
        }
    }

    /// The kind's own key in the section of actions or of steps.
    func key(in section: Section) -> KeySpec { KeySpec(section, word, shape, summary) }
}

extension ActionKind {
    static let run = ActionKind(
        "run", .program, .arguments,
        "A program and its arguments; no shell is used. `{value}`, `{previous}`, `{control}` and "
            + "`{origin}` are replaced.")

    static let output = ActionKind(
        "output", .output, .anyOf([.text, .section(.outputStep)]),
        "Drives an output; done when the line has been written.",
        sections: [.outputStep],
        keys: Schema.drivenLineKeys(.outputStep) + [
            KeySpec(
                .outputStep, "level", .words(["on", "off"]), default: .word("on"),
                "`on` is active, `off` inactive."),
            KeySpec(
                .outputStep, "pulse", Schema.milliseconds(1, 3_600_000), default: "none",
                "Active for this time, counted from the write, then inactive."),
        ])

    static let set = ActionKind(
        "set", .set, .valuesByControl,
        "Sets other controls in order; each waits until the previous one is confirmed. Write a "
            + "value, `press` for a button, an item of a menu, or `{value}` for this control's own "
            + "value. From the shown value: `toggle`, `next`, `previous`, or `{by: 5}`.")

    static let wait = ActionKind("wait", .wait, Schema.milliseconds(1, 86_400_000), "Waits.")

    static let sequence = ActionKind(
        "sequence", .sequence, .list(.section(.step), 1...Limits.steps),
        "Steps, run in order; the first that fails ends the sequence.")
}
