import DetentTypes

@testable import DetentCore

/// A panel whose controls have to do with each other, told piece by piece as a panel file tells it;
/// who listens to whom, and who starts first, is found from that.
struct RuledPanel {
    struct Piece {
        var settings: ControlSettings
        var rules = RelationSettings()
        var condition: [ConditionStep] = []
        var members: [UInt16] = []
    }

    var pieces: [Piece] = []
    var actions: [ActionSettings] = []
    var lines: [DebounceSettings?] = []
    private var relations = Relations()

    /// Adds lines of one sort.
    mutating func lines(_ count: UInt16, _ debounce: DebounceSettings? = nil) -> PlanRange {
        defer { lines += Array(repeating: debounce, count: Int(count)) }
        return PlanRange(first: UInt16(lines.count), count: count)
    }

    /// Adds an action; with steps it is the core's own.
    mutating func action(
        _ settings: ActionSettings = ActionSettings(timeout: .seconds(5)),
        steps: [SequenceStep] = [], values: [UInt16] = []
    ) -> ActionID {
        var settings = settings
        settings.values = Self.link(values, &relations)
        settings.steps = PlanRange(
            first: UInt16(relations.sequenceSteps.count), count: UInt16(steps.count))
        relations.sequenceSteps += steps
        actions.append(settings)
        return ActionID(UInt16(actions.count - 1))
    }

    /// Adds a control.
    mutating func add(
        _ settings: ControlSettings, when condition: [ConditionStep] = [], members: [UInt16] = [],
        _ change: (inout RelationSettings) -> Void = { _ in }
    ) -> UInt16 {
        var piece = Piece(settings: settings)
        piece.condition = condition
        piece.members = members
        change(&piece.rules)
        pieces.append(piece)
        return UInt16(pieces.count - 1)
    }

    /// Adds an on/off control without hardware, with an action of its own where one is given.
    mutating func toggle(
        _ settings: ActionSettings? = nil, steps: [SequenceStep] = [], lamp: Bool = false,
        startup: StartupSettings = StartupSettings(), when condition: [ConditionStep] = [],
        _ change: (inout RelationSettings) -> Void = { _ in }
    ) -> UInt16 {
        var map = ActionMap.none
        if settings != nil || !steps.isEmpty {
            map = .any(action(settings ?? ActionSettings(), steps: steps))
        }
        return add(
            ControlSettings(
                nature: .onOff(latch: .toggle), startup: startup, actions: map,
                indicator: IndicatorSettings(lines: lamp ? lines(1) : .none)),
            when: condition, change)
    }

    func bench() -> Bench {
        var relations = relations
        var controls: [ControlSettings] = []
        let ranks = ranks
        for (place, piece) in pieces.enumerated() {
            var rules = piece.rules
            rules.condition = PlanRange(
                first: UInt16(relations.conditionSteps.count),
                count: UInt16(piece.condition.count))
            relations.conditionSteps += piece.condition
            rules.members = Self.link(piece.members, &relations)
            let listeners = pieces.indices.filter {
                sources(of: $0).contains(UInt16(place))
            }
            rules.listeners = Self.link(listeners.map { UInt16($0) }, &relations)
            var settings = piece.settings
            settings.startRank = ranks[place]
            let isOwn = actions(of: place).contains { !actions[Int($0.index)].steps.isEmpty }
            if rules != Self.nothing || isOwn {
                relations.rules.append(rules)
                settings.relation = RelationID(UInt16(relations.rules.count - 1))
            }
            controls.append(settings)
        }
        let bench = Bench(lines: lines, actions: actions, controls: controls, relations: relations)
        return bench
    }

    /// Rules whose ranges are empty wherever they begin.
    private static let nothing = RelationSettings()

    private static func link(_ controls: [UInt16], _ relations: inout Relations) -> PlanRange {
        guard !controls.isEmpty else { return .none }
        defer { relations.links += controls }
        return PlanRange(first: UInt16(relations.links.count), count: UInt16(controls.count))
    }

    /// Each control comes after those that it depends on; in a circle nobody is first.
    private var ranks: [UInt8] {
        var ranks = Array(repeating: UInt8(0), count: pieces.count)
        for _ in pieces {
            for (place, piece) in pieces.enumerated() {
                for source in Self.compared(piece.condition) + piece.members where source != place {
                    let after = min(ranks[Int(source)] + 1, UInt8(pieces.count))
                    ranks[place] = max(ranks[place], after)
                }
            }
        }
        return ranks
    }

    private static func compared(_ condition: [ConditionStep]) -> [UInt16] {
        condition.compactMap {
            if case .compare(let id, _, _) = $0 { id.index } else { nil }
        }
    }

    private func actions(of place: Int) -> [ActionID] {
        pieces[place].settings.actions.indices.map { ActionID(UInt16($0)) }
    }

    /// The controls that one looks at.
    private func sources(of place: Int) -> Set<UInt16> {
        let piece = pieces[place]
        var sources = Set(Self.compared(piece.condition) + piece.members)
        if let shown = piece.rules.shows { sources.insert(shown.index) }
        if case .apply(let form) = piece.rules.form { sources.insert(form.index) }
        for action in actions(of: place) {
            for step in actions[Int(action.index)].steps.places {
                switch relations.sequenceSteps[step] {
                case .set(let id, _), .change(let id, _), .copy(let id, _, _), .fire(let id, _):
                    sources.insert(id.index)
                case .choose, .drive, .pulse, .wait, .run: break
                }
            }
        }
        return sources
    }
}

extension Bench {
    func start() -> [String] { send(.start, 0) }

    /// What was told of one control, without its name.
    static func of(_ control: UInt16, _ log: [String]) -> [String] {
        log.filter { $0.contains(" c\(control) ") }
            .map { $0.replacing(" c\(control) ", with: " ") }
    }

    func fire(
        _ control: UInt16, _ millisecond: Int, value: Value = .on, origin: Origin = .web
    ) -> [String] {
        run(millisecond)
            + send(
                .fire(ControlID(control), value, origin, isConfirmed: false), millisecond)
    }

    func written(_ line: UInt16, _ level: Level, _ millisecond: Int) -> [String] {
        run(millisecond) + send(.outputWritten(LineID(line), level), millisecond)
    }
}

extension ConditionStep {
    static func equal(_ control: UInt16, _ value: Value) -> ConditionStep {
        .compare(ControlID(control), .equal, value)
    }
}
