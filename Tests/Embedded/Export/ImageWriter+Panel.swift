import DetentCore
import DetentPanel
import DetentTypes

extension ImageWriter {
    /// The bytes that `PanelImage` reads.
    static func panel(_ plan: PanelPlan) -> [UInt8] {
        var writer = ImageWriter()
        let magic = PanelImage.magic
        for place in magic.indices { writer.byte(magic[place]) }
        let capacity = plan.capacity
        for count in [
            capacity.lines, capacity.controls, capacity.actions, capacity.relations,
            capacity.links, capacity.conditionSteps, capacity.sequenceSteps, capacity.items,
        ] { writer.number(UInt64(count)) }
        for line in plan.lines { writer.write(line.use) }
        let relations = plan.relations
        for link in relations.links { writer.control(link) }
        for step in relations.conditionSteps { writer.write(step) }
        for step in relations.sequenceSteps { writer.write(step) }
        for item in relations.items { writer.write(item) }
        for rules in relations.settings { writer.write(rules) }
        for action in plan.actions { writer.write(action.settings) }
        for control in plan.controls { writer.write(control.settings) }
        for gesture in plan.gestures { writer.write(gesture.settings) }
        writer.optional(plan.settings.dimmer) { $0.control($1) }
        writer.optional(plan.settings.lampTest) { $0.control($1) }
        return writer.bytes
    }

    private mutating func write(_ use: LinePlan.Use) {
        switch use {
        case .contact(let contact):
            flag(true)
            write(contact.debounce)
        case .indicator, .output: flag(false)
        }
    }

    private mutating func write(_ settings: DebounceSettings) {
        span(settings.glitch)
        span(settings.lockout)
        switch settings.algorithm {
        case .none: byte(0)
        case .eager(let time, let window):
            byte(window == .restart ? 1 : 2)
            span(time)
        case .defer(let time):
            byte(3)
            span(time)
        case .asymmetric(let press, let release):
            byte(4)
            span(press)
            span(release)
        case .integrator(let sample, let samples):
            byte(5)
            span(sample)
            number(samples)
        }
    }

    private mutating func write(_ step: ConditionStep) {
        switch step {
        case .compare(let whose, let comparison, let other):
            byte(0)
            control(whose)
            byte(comparison.rawValue)
            value(other)
        case .and: byte(1)
        case .or: byte(2)
        case .not: byte(3)
        case .any(let trouble):
            byte(4)
            byte(trouble.rawValue)
        case .brokerIsOffline: byte(5)
        }
    }

    private mutating func write(_ step: SequenceStep) {
        switch step {
        case .set(let whose, let wanted):
            byte(0)
            control(whose)
            value(wanted)
        case .fire(let whose, let wanted):
            byte(1)
            control(whose)
            value(wanted)
        case .drive(let which, let wanted):
            byte(2)
            line(which)
            level(wanted)
        case .pulse(let which, let time):
            byte(3)
            line(which)
            span(time)
        case .wait(let time):
            byte(4)
            span(time)
        case .run(let which):
            byte(5)
            action(which)
        case .change(let whose, let distance):
            byte(6)
            control(whose)
            value(Value(distance))
        case .copy(let whose, let source, let factor):
            byte(7)
            control(whose)
            write(source)
            value(Value(factor))
        case .choose(let source, let count):
            byte(8)
            write(source)
            byte(count)
        }
    }

    private mutating func write(_ source: OtherValue) {
        control(source.control)
        flag(source.isShown)
    }

    private mutating func write(_ settings: ConfirmSettings) {
        switch settings {
        case .none: byte(0)
        case .hold(let time):
            byte(1)
            span(time)
        case .pressTwice(let time):
            byte(2)
            span(time)
        case .arm(let time):
            byte(3)
            span(time)
        case .guarded: byte(4)
        case .chord(let time):
            byte(5)
            span(time)
        }
    }

    private mutating func write(_ item: MenuItem) {
        byte(item.parent)
        flag(item.isSubmenu)
        write(item.confirm)
    }

    private mutating func write(_ rules: RelationSettings) {
        range(rules.condition)
        flag(rules.onEnable == .follow)
        range(rules.members)
        range(rules.listeners)
        write(rules.confirm)
        switch rules.form {
        case .none: byte(0)
        case .member(let form):
            byte(1)
            control(form)
        case .apply(let form):
            byte(2)
            control(form)
        case .cancel(let form):
            byte(3)
            control(form)
        }
        optional(rules.navigation) { $0.write($1) }
        optional(rules.returning) {
            $0.value($1.value)
            $0.span($1.after)
            $0.flag($1.start == .lastIntent)
        }
        span(rules.staleAfter)
        span(rules.auditEvery)
        optional(rules.shows) { $0.control($1) }
        range(rules.gestures)
        optional(rules.acting) { writer, acting in
            writer.control(acting.owner)
            writer.byte(acting.gesture.rawValue)
            writer.number(UInt16(bitPattern: acting.stepFactor))
            writer.span(acting.shownHold)
            writer.number(acting.row.buttons)
            writer.span(acting.row.after)
            writer.span(acting.row.every)
            writer.byte(acting.row.count)
            writer.flag(acting.row.isExclusive)
        }
    }

    private mutating func write(_ settings: NavigationSettings) {
        switch settings.style {
        case .followTurn(let time):
            byte(0)
            span(time)
        case .focus(let time):
            byte(1)
            span(time)
        case .menu(let time):
            byte(2)
            span(time)
        }
        switch settings.hardware {
        case .encoder: byte(0)
        case .buttons: byte(1)
        case .oneButton: byte(2)
        }
        byte(settings.count)
        range(settings.items)
    }
}
