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

    /// The target of the verb.
    public var subject: Subject {
        switch self {
        case .press, .release, .click, .hold, .flip, .turn, .select, .cover: .control
        case .glitch, .stick, .cut, .restore: .line
        }
    }

    /// Whether the verb operates a button.
    public var isPush: Bool {
        switch self {
        case .press, .release, .click, .hold: true
        case .flip, .turn, .select, .cover, .glitch, .stick, .cut, .restore: false
        }
    }

    /// The verb with its arguments, as on the console.
    public var form: String {
        switch self {
        case .press, .release, .click: "\(rawValue) CONTROL [BUTTON]"
        case .hold: "hold CONTROL [BUTTON] TIME"
        case .flip: "flip CONTROL VALUE"
        case .turn: "turn CONTROL DETENTS"
        case .select: "select CONTROL OPTION"
        case .cover: "cover CONTROL open|shut"
        case .glitch: "glitch LINE TIME"
        case .stick: "stick LINE active|inactive"
        case .cut, .restore: "\(rawValue) LINE"
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

    /// Makes a problem.
    public init(cause: String, remedy: String) {
        self.cause = cause
        self.remedy = remedy
    }
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
        let it = try self.control(control)
        switch target {
        case .number(let place): return place
        case .word(let word):
            if let value = it.valueNames.value(named: word) { return Int(value.raw) }
            throw GestureProblem(
                cause: "\(it.id) has no position `\(quoted(word))`",
                remedy: plan.possibleGestures(of: control))
        case nil:
            throw GestureProblem(
                cause: "\(it.id) needs a position", remedy: plan.possibleGestures(of: control))
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
        return plan.controls[Int(control.index)]
    }
}
