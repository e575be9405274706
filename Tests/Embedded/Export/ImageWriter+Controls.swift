import DetentCore
import DetentTypes

extension ImageWriter {
    mutating func write(_ settings: ActionSettings) {
        optional(settings.timeout) { $0.span($1) }
        switch settings.onFailure {
        case .revert: byte(0)
        case .keep: byte(1)
        case .retry(let count, let backoff, let thenKeep):
            byte(2)
            byte(count)
            span(backoff)
            flag(thenKeep)
        }
        switch settings.supersede {
        case .wait: byte(0)
        case .cancel: byte(1)
        case .ignore: byte(2)
        }
        span(settings.loadingAfter)
        span(settings.loadingMinimum)
        span(settings.failedFor)
        range(settings.steps)
        range(settings.values)
        byte(settings.shownValues)
    }

    mutating func write(_ settings: ControlSettings) {
        write(settings.nature)
        range(settings.contacts)
        write(settings.decoder)
        switch settings.mismatch {
        case .follow: byte(0)
        case .toggle: byte(1)
        case .catchUp: byte(2)
        case .detached: byte(3)
        }
        write(settings.startup)
        switch settings.actions {
        case .none: byte(0)
        case .any(let which):
            byte(1)
            action(which)
        case .perValue(let first, let present):
            byte(2)
            action(first)
            number(present)
        }
        optional(settings.query) { $0.action($1) }
        write(settings.indicator)
        range(settings.outputs)
        number(settings.outputsPresent)
        switch settings.transition {
        case .none: byte(0)
        case .breakBeforeMake(let time):
            byte(1)
            span(time)
        case .makeBeforeBreak: byte(2)
        }
        span(settings.pulse)
        range(settings.stepOutputs)
        optional(settings.feedbackLine) { $0.line($1) }
        flag(settings.isReported)
        flag(settings.hasGuard)
        number(settings.relation.index)
        byte(settings.startRank)
    }

    private mutating func write(_ nature: ControlNature) {
        switch nature.domain {
        case .none: byte(0)
        case .onOff: byte(1)
        case .options(let count, let rest):
            byte(2)
            byte(count)
            optional(rest) { $0.byte($1) }
        case .number(let range):
            byte(3)
            for number in [range.minimum, range.maximum, range.step] { value(Value(number)) }
            flag(range.wraps)
            byte(range.acceleration)
        case .subset(let options, let minimum, let maximum):
            byte(4)
            for count in [options, minimum, maximum] { byte(count) }
        }
        byte(nature.role.rawValue)
        switch nature.input {
        case .none: byte(0)
        case .latch(let latch):
            byte(1)
            write(latch)
        case .pick: byte(2)
        case .step(let rule):
            byte(3)
            byte(UInt8(bitPattern: rule.stepsOfPress))
            flag(rule.isResetByHold)
        case .flip: byte(4)
        case .fire: byte(5)
        case .fireWhileHeld: byte(6)
        }
    }

    private mutating func write(_ latch: Latch) {
        switch latch {
        case .toggle: byte(0)
        case .momentary: byte(1)
        case .tapOrHold(let time):
            byte(2)
            span(time)
        }
    }

    private mutating func write(_ settings: DecoderSettings) {
        switch settings {
        case .none: byte(0)
        case .button(let button):
            byte(1)
            write(button)
        case .lever: byte(2)
        case .selector(let selector):
            byte(3)
            switch selector.coding {
            case .contacts: byte(0)
            case .binary: byte(1)
            case .gray: byte(2)
            }
            span(selector.settle)
            byte(selector.positions)
            byte(selector.nonePosition)
        case .encoder(let encoder):
            byte(4)
            byte(encoder.transitions)
            byte(encoder.rest)
            optional(encoder.push) { $0.write($1) }
        case .buttonRow: byte(5)
        case .analog(let analog):
            byte(6)
            write(analog)
        }
    }

    private mutating func write(_ analog: AnalogSettings) {
        value(Value(analog.scale.first))
        value(Value(analog.scale.last))
        number(UInt32(analog.hysteresis))
        span(analog.settle)
        flag(analog.settlesEach)
        value(Value(analog.minimum))
        value(Value(analog.maximum))
        value(Value(analog.step))
        optional(analog.levels) { writer, levels in
            for place in 0..<AnalogLevels.maximum { writer.number(levels[UInt32(place)]) }
        }
    }

    private mutating func write(_ settings: ButtonSettings) {
        span(settings.clickWithin)
        flag(settings.isClickPostponed)
        span(settings.multiClickGap)
        byte(settings.multiClickCount)
        span(settings.hold)
        span(settings.repeatAfter)
        span(settings.repeatEvery)
        flag(settings.isExclusive)
    }

    private mutating func write(_ settings: StartupSettings) {
        switch settings.rule {
        case .panel: byte(0)
        case .value(let first):
            byte(1)
            value(first)
        case .saved: byte(2)
        case .device: byte(3)
        }
        value(settings.fallback)
        flag(settings.runsAction)
        span(settings.delay)
    }

    private mutating func write(_ settings: IndicatorSettings) {
        switch settings.style {
        case .single: byte(0)
        case .perOption: byte(1)
        case .twoColor: byte(2)
        case .rgb: byte(3)
        }
        range(settings.lines)
        byte(settings.brightness)
        let (patterns, colors) = (settings.patterns, settings.colors)
        let isDefault = patterns == PatternChoice() && colors == ColorChoice()
        flag(!isDefault)
        guard !isDefault else { return }
        for condition in LampCondition.allCases where condition < .on {
            byte(patterns[condition].rawValue)
        }
        for condition in LampCondition.allCases { byte(colors[condition].rawValue) }
    }
}

extension LampCondition {
    fileprivate static func < (left: LampCondition, right: LampCondition) -> Bool {
        left.rawValue < right.rawValue
    }
}
