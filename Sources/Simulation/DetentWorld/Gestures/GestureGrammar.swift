public import DetentPanel
public import DetentTypes

/// The verbs of gestures. The page, the console, HTTP and scenarios use the same ones.
public enum GestureVerb: String, Equatable, Sendable, CaseIterable {
    case press, release, click, hold, flip, turn, select, cover
    case glitch, stick, cut, restore

    /// The target of a verb.
    public enum Subject: Equatable, Sendable {
        /// The part of a control.
        case control
        /// A contact line: a fault.
        case line
    }

    /// What follows the target. The front ends read and write verbs by it.
    public enum Arguments: Equatable, Sendable {
        /// A button, if the part has several, and a time.
        case button(time: TimeUse)
        /// A position of a lever or a selector; the word for it in messages.
        case position(String)
        case detents
        /// One of these words.
        case words([String])
        /// A contact line, and what its fault needs.
        case fault(FaultArgument)

        /// Whether a button's verb takes a time.
        public enum TimeUse: Equatable, Sendable {
            case none, optional, required
        }

        /// What the fault of a line needs.
        public enum FaultArgument: Equatable, Sendable {
            case none, width, level
        }
    }

    /// What follows the target of the verb.
    public var arguments: Arguments {
        switch self {
        case .press, .release: .button(time: .none)
        case .click: .button(time: .optional)
        case .hold: .button(time: .required)
        case .flip: .position("VALUE")
        case .select: .position("OPTION")
        case .turn: .detents
        case .cover: .words(["open", "shut"])
        case .glitch: .fault(.width)
        case .stick: .fault(.level)
        case .cut, .restore: .fault(.none)
        }
    }

    /// The target of the verb.
    public var subject: Subject {
        switch arguments {
        case .button, .position, .detents, .words: .control
        case .fault: .line
        }
    }

    /// Whether the verb operates a button.
    public var isPush: Bool {
        switch arguments {
        case .button: true
        case .position, .detents, .words, .fault: false
        }
    }

    /// Whether the verb has no meaning without a time.
    public var needsTime: Bool {
        switch arguments {
        case .button(let time): time == .required
        case .fault(let argument): argument == .width
        case .position, .detents, .words: false
        }
    }

    /// The verb with its arguments, as on the console.
    public var form: String {
        switch arguments {
        case .button(.none), .button(.optional): "\(rawValue) CONTROL [BUTTON]"
        case .button(.required): "\(rawValue) CONTROL [BUTTON] TIME"
        case .position(let word): "\(rawValue) CONTROL \(word)"
        case .detents: "\(rawValue) CONTROL DETENTS"
        case .words(let words): "\(rawValue) CONTROL \(words.joined(separator: "|"))"
        case .fault(.none): "\(rawValue) LINE"
        case .fault(.width): "\(rawValue) LINE TIME"
        case .fault(.level): "\(rawValue) LINE active|inactive"
        }
    }

    /// The verbs for a target.
    public static func words(for subject: Subject) -> [String] {
        allCases.filter { $0.subject == subject }.map(\.rawValue)
    }
}

/// The arguments of a verb, before they are checked.
public struct GestureArguments: Equatable, Sendable {
    /// A button, a position, a level, or a number of detents.
    public enum Target: Equatable, Sendable {
        case word(String)
        /// An index from 0, or a number of detents.
        case number(Int)
    }

    /// A button, a position, a level, or a number of detents.
    public var target: Target?
    /// The duration of `hold`, `glitch` and, if given, `click`.
    public var time: TimeSpan?
    /// The speed of `turn`, in detents per second; nil for the default.
    public var perSecond: Int?

    /// Makes the arguments of a verb.
    public init(_ target: Target? = nil, time: TimeSpan? = nil, perSecond: Int? = nil) {
        self.target = target
        self.time = time
        self.perSecond = perSecond
    }
}

/// Why a gesture was not understood: cause and remedy, each in one line.
public struct GestureProblem: DescribedError, Equatable, Sendable {
    /// The cause.
    public var cause: String
    /// The remedy.
    public var remedy: String
}

/// Converts verbs and their arguments to gestures, with the names of a panel.
///
/// Console, HTTP and page convert their own formats to a verb and `GestureArguments`; this type
/// defines their meaning. `PhysicalModel.apply` checks whether the part supports the gesture.
public struct GestureGrammar: Sendable {
    private let plan: PanelPlan

    /// Reads gestures for a panel.
    public init(_ plan: PanelPlan) {
        self.plan = plan
    }

    /// The gesture of a verb on the part of a control.
    ///
    /// - Parameter verb: one whose subject is a control.
    public func gesture(
        _ verb: GestureVerb, _ control: ControlID, _ arguments: GestureArguments
    ) throws(GestureProblem) -> Gesture {
        let target = arguments.target
        switch verb {
        case .press: return .press(control, button: try button(target, of: control))
        case .release: return .release(control, button: try button(target, of: control))
        case .click:
            let button = try button(target, of: control)
            return .click(control, button: button, hold: arguments.time ?? Gesture.clickHold)
        case .hold:
            let button = try button(target, of: control)
            return .click(control, button: button, hold: try time(arguments, verb))
        case .flip: return .flip(control, to: try position(target, of: control))
        case .select: return .select(control, try position(target, of: control))
        case .turn:
            return .turn(
                control, detents: try detents(target, of: control),
                perSecond: arguments.perSecond ?? Gesture.turnsPerSecond)
        case .cover:
            let isOpen = target == .word("open")
            guard isOpen || target == .word("shut") else {
                throw GestureProblem(
                    cause: "`cover` needs a word", remedy: "write `open` or `shut`")
            }
            return .cover(control, isOpen: isOpen)
        case .glitch, .stick, .cut, .restore:
            throw GestureProblem(
                cause: "`\(verb.rawValue)` is for a line, not for a control",
                remedy: verb.form)
        }
    }

    /// The fault of a verb on a line.
    ///
    /// - Parameter verb: one whose subject is a line.
    public func gesture(
        _ verb: GestureVerb, _ line: LineID, _ arguments: GestureArguments
    ) throws(GestureProblem) -> Gesture {
        switch verb {
        case .glitch: return .glitch(line, width: try time(arguments, verb))
        case .stick:
            guard case .word(let word)? = arguments.target, let level = Self.level(word) else {
                throw GestureProblem(
                    cause: "`stick` needs a level", remedy: "write `active` or `inactive`")
            }
            return .stick(line, level)
        case .cut: return .cut(line)
        case .restore: return .restore(line)
        case .press, .release, .click, .hold, .flip, .turn, .select, .cover:
            throw GestureProblem(
                cause: "`\(verb.rawValue)` is for a control, not for a line",
                remedy: verb.form)
        }
    }

    /// The verb and the arguments that mean a gesture; nil if no verb does.
    public static func written(_ gesture: Gesture) -> (GestureVerb, GestureArguments)? {
        switch gesture {
        case .press(_, let button): (.press, GestureArguments(.number(button)))
        case .release(_, let button): (.release, GestureArguments(.number(button)))
        case .click(_, let button, Gesture.clickHold):
            (.click, GestureArguments(.number(button)))
        case .click(_, let button, let hold):
            (.hold, GestureArguments(.number(button), time: hold))
        case .cover(_, let isOpen): (.cover, GestureArguments(.word(isOpen ? "open" : "shut")))
        case .flip(_, let position): (.flip, GestureArguments(.number(position)))
        case .select(_, let position): (.select, GestureArguments(.number(position)))
        case .turn(_, let detents, let speed):
            (
                .turn,
                GestureArguments(
                    .number(detents), perSecond: speed == Gesture.turnsPerSecond ? nil : speed)
            )
        case .miss: nil
        case .glitch(_, let width): (.glitch, GestureArguments(time: width))
        case .stick(_, let level):
            (.stick, GestureArguments(.word(level == .active ? "active" : "inactive")))
        case .cut: (.cut, GestureArguments())
        case .restore: (.restore, GestureArguments())
        }
    }

    /// The words for a level; `on` and `off` are older synonyms.
    public static let levelWords = ["active", "inactive", "on", "off"]

    /// The level that a word names; nil for any other word.
    public static func level(_ word: String) -> Level? {
        switch word {
        case "active", "on": .active
        case "inactive", "off": .inactive
        case _: nil
        }
    }

    // MARK: Arguments

    private func button(
        _ target: GestureArguments.Target?, of control: ControlID
    ) throws(GestureProblem) -> Int {
        let words = plan.buttonWords(of: control)
        let id = try self.control(control).id
        switch target {
        case .number(let place): return place
        case .word(let word):
            if let place = plan.button(named: word, of: control) { return place }
            if words.isEmpty, word == "push" { return 0 }
            throw GestureProblem(
                cause: "\(id) has no button `\(quoted(word))`",
                remedy: words.isEmpty
                    ? plan.possibleGestures(of: control)
                    : "one of: " + words.joined(separator: ", "))
        case nil:
            if words.count < 2 { return 0 }
            throw GestureProblem(
                cause: "\(id) has several buttons",
                remedy: "one of: " + words.joined(separator: ", "))
        }
    }

    private func position(
        _ target: GestureArguments.Target?, of control: ControlID
    ) throws(GestureProblem) -> Int {
        let found = try self.control(control)
        switch target {
        case .number(let place): return place
        case .word(let word):
            if let value = found.valueNames.value(named: word) { return Int(value.raw) }
            throw GestureProblem(
                cause: "\(found.id) has no position `\(quoted(word))`",
                remedy: plan.possibleGestures(of: control))
        case nil:
            throw GestureProblem(
                cause: "\(found.id) needs a position", remedy: plan.possibleGestures(of: control))
        }
    }

    private func detents(
        _ target: GestureArguments.Target?, of control: ControlID
    ) throws(GestureProblem) -> Int {
        switch target {
        case .number(let detents): return detents
        case .word(let word): if let detents = Int(word) { return detents }
        case nil: break
        }
        throw GestureProblem(
            cause: "`turn` needs a number of detents",
            remedy: "such as `turn \(try self.control(control).id) +3`, clockwise positive")
    }

    private func time(
        _ arguments: GestureArguments, _ verb: GestureVerb
    ) throws(GestureProblem) -> TimeSpan {
        if let time = arguments.time { return time }
        throw GestureProblem(
            cause: "`\(verb.rawValue)` needs a time",
            remedy: "write a time such as 2s; in JSON \"for\": \"2s\"")
    }

    private func control(_ control: ControlID) throws(GestureProblem) -> ControlPlan {
        guard plan.controls.indices.contains(Int(control.index)) else {
            throw GestureProblem(
                cause: "unknown control", remedy: "use a control of the panel")
        }
        return plan[control]
    }
}
