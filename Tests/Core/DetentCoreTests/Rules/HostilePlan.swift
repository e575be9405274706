import DetentTypes

@testable import DetentCore

/// A panel of every kind with every rule, drawn from a seed, as no reader of files would make it:
/// controls that look at themselves, groups and sequences in circles, places that do not exist.
struct HostilePlan {
    static let controlCount = 16

    private var random: SplitMix
    private var lines: [DebounceSettings?] = []
    private var actions: [ActionSettings] = []
    private var controls: [ControlSettings] = []
    private var relations = Relations()

    static func bench(_ random: inout SplitMix) -> Bench {
        var plan = HostilePlan(random: random)
        // Plain actions come first: steps may begin any of them.
        for _ in 0..<4 { plan.actions.append(EveryKind.rules(&plan.random)) }
        for place in 0..<controlCount { plan.addControl(place) }
        random = plan.random
        return Bench(
            lines: plan.lines, actions: plan.actions, controls: plan.controls,
            relations: plan.relations)
    }

    private init(random: SplitMix) {
        self.random = random
    }

    /// Any control, itself and one that does not exist among them.
    private mutating func anyone() -> ControlID {
        ControlID(random.chance(5) ? .max : UInt16(random.below(Self.controlCount + 1)))
    }

    private mutating func value() -> Value { Value(Int32(random.below(4))) }

    private mutating func links() -> PlanRange {
        let count = random.below(6)
        let first = UInt16(relations.links.count)
        for _ in 0..<count { relations.links.append(UInt16(random.below(Self.controlCount))) }
        return PlanRange(first: first, count: UInt16(count))
    }

    private mutating func condition() -> PlanRange {
        guard random.chance(40) else { return .none }
        let first = UInt16(relations.conditionSteps.count)
        for place in 0..<(1 + random.below(3)) {
            let comparison = Comparison.allCases[random.below(Comparison.allCases.count)]
            relations.conditionSteps.append(.compare(anyone(), comparison, value()))
            if place > 0 { relations.conditionSteps.append(random.chance(50) ? .and : .or) }
            if random.chance(30) { relations.conditionSteps.append(.not) }
            if random.chance(20) {
                relations.conditionSteps += [
                    random.chance(20) ? .brokerIsOffline : .any(Trouble.allCases[random.below(3)]),
                    random.chance(50) ? .and : .or,
                ]
            }
        }
        return PlanRange(first: first, count: UInt16(relations.conditionSteps.count) - first)
    }

    private mutating func kind() -> ControlNature {
        switch random.below(11) {
        case 0: .onOff(latch: .toggle)
        case 1: .onOff(latch: .momentary)
        case 2: .onOff(latch: .tapOrHold(within: EveryKind.span(&random)))
        case 3: .button
        case 4: .choice(of: UInt8(random.below(30)))
        case 5: .dial(NumberRange(minimum: 0, maximum: 9))
        case 6: .selection(of: UInt8(2 + random.below(29)), minimum: 1, maximum: 2)
        case 7: .commands(UInt8(random.below(33)))
        case 8: .group
        case 9: .form
        case _: .mirror
        }
    }

    private mutating func decoder() -> (DecoderSettings, UInt16) {
        let times = ButtonSettings(hold: random.chance(50) ? .zero : EveryKind.span(&random))
        switch random.below(6) {
        case 0, 1: return (.button(times), 1)
        case 2: return (.lever, 1)
        case 3: return (.encoder(EncoderSettings(transitions: 1, push: times)), 3)
        case 4: return (.buttonRow, UInt16(1 + random.below(6)))
        case _: return (.none, 0)
        }
    }

    private mutating func confirm(hasGuard: Bool, isItem: Bool) -> ConfirmSettings {
        switch random.below(7) {
        case 0: .hold(EveryKind.span(&random))
        case 1: .pressTwice(within: EveryKind.span(&random))
        case 2: .arm(EveryKind.span(&random))
        case 3: hasGuard ? .guarded : .none
        case 4: isItem ? .none : .chord(hold: EveryKind.span(&random))
        case _: .none
        }
    }

    private mutating func navigation(hasGuard: Bool) -> NavigationSettings? {
        guard random.chance(50) else { return nil }
        let count = 1 + random.below(32)
        var items = PlanRange.none
        if random.chance(60) {
            items = PlanRange(first: UInt16(relations.items.count), count: UInt16(count))
            // The first is a submenu, which may stand in itself, as others may in each other.
            for place in 0..<count {
                relations.items.append(
                    MenuItem(
                        parent: random.chance(50) ? MenuItem.topLevel : 0,
                        isSubmenu: place == 0 || random.chance(20),
                        confirm: confirm(hasGuard: hasGuard, isItem: true)))
            }
        }
        let span = EveryKind.span(&random)
        let styles: [NavigationSettings.Style] = [
            .menu(closeAfter: span), .focus(closeAfter: span), .followTurn(settle: span),
        ]
        let hardwares: [NavigationSettings.Hardware] = [.encoder, .buttons, .oneButton]
        return NavigationSettings(
            style: styles[random.below(3)], hardware: hardwares[random.below(3)],
            count: UInt8(count), items: items)
    }

    private mutating func rules(_ kind: ControlNature, hasGuard: Bool) -> RelationID {
        var settings = RelationSettings()
        settings.condition = condition()
        settings.onEnable = random.chance(50) ? .wait : .follow
        settings.members = links()
        settings.listeners = links()
        settings.confirm = confirm(hasGuard: hasGuard, isItem: false)
        switch random.below(6) {
        case 0: settings.form = .member(of: anyone())
        case 1: settings.form = .apply(anyone())
        case 2: settings.form = .cancel(anyone())
        case _: break
        }
        settings.navigation = navigation(hasGuard: hasGuard)
        if random.chance(30), kind.accepts(kind.rest) {
            settings.returning = ReturnSettings(
                to: kind.rest, after: EveryKind.span(&random) + .nanoseconds(1),
                from: random.chance(50) ? .leaving : .lastIntent)
        }
        settings.staleAfter = random.chance(70) ? .zero : EveryKind.span(&random)
        if random.chance(50) { settings.shows = anyone() }
        relations.rules.append(settings)
        return RelationID(UInt16(relations.rules.count - 1))
    }

    private mutating func steps(_ outputs: PlanRange) -> PlanRange {
        let first = UInt16(relations.sequenceSteps.count)
        for _ in 0..<random.below(5) {
            let step: SequenceStep
            switch random.below(6) {
            case 0: step = .set(anyone(), value())
            case 1: step = .fire(anyone(), random.chance(50) ? .on : value())
            case 2: step = .wait(EveryKind.span(&random))
            case 3: step = .run(ActionID(UInt16(random.below(4))))
            case 4: step = .drive(LineID(outputs.first), Level(random.chance(50)))
            case _: step = .pulse(LineID(outputs.first), EveryKind.span(&random))
            }
            relations.sequenceSteps.append(step)
        }
        return PlanRange(first: first, count: UInt16(relations.sequenceSteps.count) - first)
    }

    private mutating func addControl(_ place: Int) {
        let kind = kind()
        let (decoder, part) = decoder()
        let hasGuard = random.chance(30)
        let contacts = PlanRange(
            first: UInt16(lines.count), count: part + (hasGuard ? 1 : 0))
        for _ in 0..<contacts.count { lines.append(DebounceSettings.none) }
        let lamps = PlanRange(first: UInt16(lines.count), count: UInt16(random.below(4)))
        for _ in 0..<lamps.count { lines.append(nil) }
        let outputs = PlanRange(first: UInt16(lines.count), count: 1)
        lines.append(nil)
        var action = EveryKind.rules(&random)
        if random.chance(60) { action.steps = steps(outputs) }
        let map = ActionMap.any(ActionID(UInt16(actions.count)))
        actions.append(action)
        controls.append(
            ControlSettings(
                nature: kind, contacts: contacts, decoder: decoder,
                startup: StartupSettings(rule: .panel, runsAction: random.chance(50)),
                actions: random.chance(80) ? map : .none,
                indicator: IndicatorSettings(
                    style: random.chance(50) ? .single : .perOption, lines: lamps),
                stepOutputs: outputs, hasGuard: hasGuard,
                relation: rules(kind, hasGuard: hasGuard), startRank: UInt8(random.below(3))))
    }
}
