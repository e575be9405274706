import DetentCore
import DetentTypes

/// A compiled panel: what the core needs of a panel file, in few bytes and without names.
///
/// `Export/ImageWriter.swift` writes it on a computer. The first bytes are `DTP` and the version.
enum PanelImage {
    static var magic: InlineArray<4, UInt8> { [0x44, 0x54, 0x50, 3] }

    /// Whether this is a panel that was compiled for another version of the core.
    static func isOfOtherVersion(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let magic = magic
        guard bytes.count > 3, bytes[3] != magic[3] else { return false }
        return bytes[0] == magic[0] && bytes[1] == magic[1] && bytes[2] == magic[2]
    }

    /// Reads the part before the tables; nil if these are not the bytes of a panel.
    static func capacity(_ reader: inout ImageReader) -> Capacity? {
        let magic = magic
        for place in magic.indices where reader.byte() != magic[place] { return nil }
        let lines = Int(reader.number16())
        let controls = Int(reader.number16())
        let actions = Int(reader.number16())
        let relations = Int(reader.number16())
        let links = Int(reader.number16())
        let conditionSteps = Int(reader.number16())
        let sequenceSteps = Int(reader.number16())
        let items = Int(reader.number16())
        return reader.isDamaged
            ? nil
            : Capacity(
                lines: lines, controls: controls, actions: actions, relations: relations,
                links: links, conditionSteps: conditionSteps, sequenceSteps: sequenceSteps,
                items: items)
    }

    /// The capacity of the engine that a panel needs; nil if these are not the bytes of a panel.
    static func capacity(of bytes: UnsafeRawBufferPointer) -> Capacity? {
        var reader = ImageReader(bytes)
        return capacity(&reader)
    }

    /// Fills an engine of the panel's capacity, as `PanelPlan.makeEngine` does; false if the bytes
    /// are damaged.
    static func fill(_ engine: inout Engine, from bytes: UnsafeRawBufferPointer) -> Bool {
        var reader = ImageReader(bytes)
        guard let capacity = capacity(&reader) else { return false }
        do throws(EngineError) {
            for _ in 0..<capacity.lines {
                let isContact = reader.flag()
                _ = try engine.addLine(isContact ? reader.debounce() : nil)
            }
            for _ in 0..<capacity.links { try engine.addLink(reader.control()) }
            for _ in 0..<capacity.conditionSteps {
                try engine.addConditionStep(reader.conditionStep())
            }
            for _ in 0..<capacity.sequenceSteps {
                try engine.addSequenceStep(reader.sequenceStep())
            }
            for _ in 0..<capacity.items { try engine.addItem(reader.item()) }
            for _ in 0..<capacity.relations { _ = try engine.addRelations(reader.relations()) }
            for _ in 0..<capacity.actions { _ = try engine.addAction(reader.actionSettings()) }
            for _ in 0..<capacity.controls { _ = try engine.addControl(reader.controlSettings()) }
            let dimmer = reader.optionalControl()
            let lampTest = reader.optionalControl()
            try engine.setPanel(PanelSettings(dimmer: dimmer, lampTest: lampTest))
        } catch {
            return false
        }
        return !reader.isDamaged && reader.isAtEnd
    }
}

// MARK: Lines and relations

extension ImageReader {
    mutating func debounce() -> DebounceSettings {
        let glitch = span()
        let lockout = span()
        let algorithm: DebounceSettings.Algorithm
        switch byte() {
        case 0: algorithm = .none
        case 1: algorithm = .eager(time: span(), window: .restart)
        case 2: algorithm = .eager(time: span(), window: .fixed)
        case 3: algorithm = .defer(time: span())
        case 4:
            let press = span()
            algorithm = .asymmetric(press: press, release: span())
        case 5:
            let sample = span()
            algorithm = .integrator(sample: sample, samples: number16())
        case _:
            reject()
            algorithm = .none
        }
        return DebounceSettings(algorithm: algorithm, glitch: glitch, lockout: lockout)
    }

    mutating func conditionStep() -> ConditionStep {
        switch byte() {
        case 0:
            let whose = control()
            let comparison = Comparison(rawValue: byte())
            if comparison == nil { reject() }
            return .compare(whose, comparison ?? .equal, value())
        case 1: return .and
        case 2: return .or
        case 3: return .not
        case 4:
            let trouble = Trouble(rawValue: byte())
            if trouble == nil { reject() }
            return .any(trouble ?? .failed)
        case 5: return .brokerIsOffline
        case _:
            reject()
            return .not
        }
    }

    mutating func sequenceStep() -> SequenceStep {
        switch byte() {
        case 0:
            let whose = control()
            return .set(whose, value())
        case 1:
            let whose = control()
            return .fire(whose, value())
        case 2:
            let which = line()
            return .drive(which, level())
        case 3:
            let which = line()
            return .pulse(which, span())
        case 4: return .wait(span())
        case 5: return .run(action())
        case 6:
            let whose = control()
            return .change(whose, by: value().raw)
        case 7:
            let whose = control()
            let source = otherValue()
            return .copy(whose, from: source, times: value().raw)
        case 8:
            let source = otherValue()
            return .choose(source, of: byte())
        case _:
            reject()
            return .wait(.zero)
        }
    }

    private mutating func otherValue() -> OtherValue {
        let whose = control()
        return OtherValue(of: whose, isShown: flag())
    }

    mutating func confirm() -> ConfirmSettings {
        switch byte() {
        case 0: return .none
        case 1: return .hold(span())
        case 2: return .pressTwice(within: span())
        case 3: return .arm(span())
        case 4: return .guarded
        case 5: return .chord(hold: span())
        case _:
            reject()
            return .none
        }
    }

    mutating func item() -> MenuItem {
        let parent = byte()
        let isSubmenu = flag()
        return MenuItem(parent: parent, isSubmenu: isSubmenu, confirm: confirm())
    }

    mutating func relations() -> RelationSettings {
        var rules = RelationSettings()
        rules.condition = range()
        rules.onEnable = flag() ? .follow : .wait
        rules.members = range()
        rules.listeners = range()
        rules.confirm = confirm()
        switch byte() {
        case 0: rules.form = .none
        case 1: rules.form = .member(of: control())
        case 2: rules.form = .apply(control())
        case 3: rules.form = .cancel(control())
        case _: reject()
        }
        if flag() { rules.navigation = navigation() }
        if flag() {
            let back = value()
            let after = span()
            rules.returning = ReturnSettings(
                to: back, after: after, from: flag() ? .lastIntent : .leaving)
        }
        rules.staleAfter = span()
        rules.auditEvery = span()
        rules.shows = optionalControl()
        rules.gestures = range()
        rules.acting = flag() ? acting() : nil
        return rules
    }

    private mutating func navigation() -> NavigationSettings {
        let style: NavigationSettings.Style
        switch byte() {
        case 0: style = .followTurn(settle: span())
        case 1: style = .focus(closeAfter: span())
        case 2: style = .menu(closeAfter: span())
        case _:
            reject()
            style = .focus(closeAfter: .zero)
        }
        let hardware: NavigationSettings.Hardware
        switch byte() {
        case 0: hardware = .encoder
        case 1: hardware = .buttons
        case 2: hardware = .oneButton
        case _:
            reject()
            hardware = .encoder
        }
        let count = byte()
        return NavigationSettings(style: style, hardware: hardware, count: count, items: range())
    }
}

// MARK: Actions and controls

extension ImageReader {
    mutating func actionSettings() -> ActionSettings {
        var settings = ActionSettings()
        settings.timeout = flag() ? span() : nil
        switch byte() {
        case 0: settings.onFailure = .revert
        case 1: settings.onFailure = .keep
        case 2:
            let count = byte()
            let backoff = span()
            settings.onFailure = .retry(count: count, backoff: backoff, thenKeep: flag())
        case _: reject()
        }
        switch byte() {
        case 0: settings.supersede = .wait
        case 1: settings.supersede = .cancel
        case 2: settings.supersede = .ignore
        case _: reject()
        }
        settings.loadingAfter = span()
        settings.loadingMinimum = span()
        settings.failedFor = span()
        settings.steps = range()
        settings.values = range()
        settings.shownValues = byte()
        return settings
    }

    mutating func controlSettings() -> ControlSettings {
        var settings = ControlSettings(nature: nature())
        settings.contacts = range()
        settings.decoder = decoder()
        switch byte() {
        case 0: settings.mismatch = .follow
        case 1: settings.mismatch = .toggle
        case 2: settings.mismatch = .catchUp
        case 3: settings.mismatch = .detached
        case _: reject()
        }
        settings.startup = startup()
        switch byte() {
        case 0: settings.actions = .none
        case 1: settings.actions = .any(action())
        case 2:
            let first = action()
            settings.actions = .perValue(first: first, present: number32())
        case _: reject()
        }
        settings.query = flag() ? action() : nil
        settings.indicator = indicator()
        settings.outputs = range()
        settings.outputsPresent = number32()
        switch byte() {
        case 0: settings.transition = .none
        case 1: settings.transition = .breakBeforeMake(deadTime: span())
        case 2: settings.transition = .makeBeforeBreak
        case _: reject()
        }
        settings.pulse = span()
        settings.stepOutputs = range()
        settings.feedbackLine = flag() ? line() : nil
        settings.isReported = flag()
        settings.hasGuard = flag()
        settings.relation = RelationID(number16())
        settings.startRank = byte()
        return settings
    }

    private mutating func nature() -> ControlNature {
        let domain = domain()
        let role = ControlRole(rawValue: byte())
        if role == nil { reject() }
        return ControlNature(domain: domain, role: role ?? .mirror, input: inputRule())
    }

    private mutating func domain() -> ValueDomain {
        switch byte() {
        case 0: return .none
        case 1: return .onOff
        case 2:
            let count = byte()
            return .options(count: count, rest: flag() ? byte() : nil)
        case 3:
            let minimum = value()
            let maximum = value()
            let step = value()
            let wraps = flag()
            return .number(
                NumberRange(
                    minimum: minimum.raw, maximum: maximum.raw, step: step.raw, wraps: wraps,
                    acceleration: byte()))
        case 4:
            let options = byte()
            let minimum = byte()
            return .subset(of: options, minimum: minimum, maximum: byte())
        case _:
            reject()
            return .none
        }
    }

    private mutating func inputRule() -> InputRule {
        switch byte() {
        case 0: return .none
        case 1: return .latch(latch())
        case 2: return .pick
        case 3:
            let steps = Int8(bitPattern: byte())
            return .step(StepRule(stepsOfPress: steps, isResetByHold: flag()))
        case 4: return .flip
        case 5: return .fire
        case 6: return .fireWhileHeld
        case _:
            reject()
            return .none
        }
    }

    private mutating func acting() -> GestureSettings {
        let owner = control()
        let gesture = ActingGesture(rawValue: byte())
        if gesture == nil { reject() }
        let stepFactor = Int16(bitPattern: number16())
        var settings = GestureSettings(
            of: owner, gesture ?? .hold, stepFactor: stepFactor, shownHold: span())
        settings.row.buttons = number32()
        settings.row.after = span()
        settings.row.every = span()
        settings.row.count = byte()
        settings.row.isExclusive = flag()
        return settings
    }

    private mutating func latch() -> Latch {
        switch byte() {
        case 0: return .toggle
        case 1: return .momentary
        case 2: return .tapOrHold(within: span())
        case _:
            reject()
            return .toggle
        }
    }

    private mutating func decoder() -> DecoderSettings {
        switch byte() {
        case 0: return .none
        case 1: return .button(button())
        case 2: return .lever
        case 3: return .selector(selector())
        case 4:
            let transitions = byte()
            let rest = byte()
            return .encoder(
                EncoderSettings(
                    transitions: transitions, rest: rest, push: flag() ? button() : nil))
        case 5: return .buttonRow
        case 6: return .analog(analog())
        case _:
            reject()
            return .none
        }
    }

    private mutating func analog() -> AnalogSettings {
        let first = value().raw
        var settings = AnalogSettings(
            scale: AnalogScale(first: first, last: value().raw), maximum: 0)
        settings.hysteresis = number16()
        settings.settle = span()
        settings.settlesEach = flag()
        settings.minimum = value().raw
        settings.maximum = value().raw
        settings.step = value().raw
        guard flag() else { return settings }
        var levels = AnalogLevels()
        var place: UInt32 = 0
        while place < UInt32(AnalogLevels.maximum) {
            levels[place] = number32()
            place &+= 1
        }
        settings.levels = levels
        return settings
    }

    private mutating func button() -> ButtonSettings {
        var settings = ButtonSettings()
        settings.clickWithin = span()
        settings.isClickPostponed = flag()
        settings.multiClickGap = span()
        settings.multiClickCount = byte()
        settings.hold = span()
        settings.repeatAfter = span()
        settings.repeatEvery = span()
        settings.isExclusive = flag()
        return settings
    }

    private mutating func selector() -> SelectorSettings {
        var settings = SelectorSettings(positions: 0)
        switch byte() {
        case 0: settings.coding = .contacts
        case 1: settings.coding = .binary
        case 2: settings.coding = .gray
        case _: reject()
        }
        settings.settle = span()
        settings.positions = byte()
        settings.nonePosition = byte()
        return settings
    }

    private mutating func startup() -> StartupSettings {
        var settings = StartupSettings()
        switch byte() {
        case 0: settings.rule = .panel
        case 1: settings.rule = .value(value())
        case 2: settings.rule = .saved
        case 3: settings.rule = .device
        case _: reject()
        }
        settings.fallback = value()
        settings.runsAction = flag()
        settings.delay = span()
        return settings
    }

    private mutating func indicator() -> IndicatorSettings {
        var settings = IndicatorSettings()
        switch byte() {
        case 0: settings.style = .single
        case 1: settings.style = .perOption
        case 2: settings.style = .twoColor
        case 3: settings.style = .rgb
        case _: reject()
        }
        settings.lines = range()
        settings.brightness = byte()
        // What every lamp of most panels has is not written.
        guard flag() else { return settings }
        for condition in UInt8(0)..<LampCondition.on.rawValue {
            guard let place = LampCondition(rawValue: condition) else { continue }
            settings.patterns[place] = pattern()
        }
        for condition in UInt8(0)...LampCondition.off.rawValue {
            guard let place = LampCondition(rawValue: condition) else { continue }
            let color = LampColor(rawValue: byte())
            if color == nil { reject() }
            settings.colors[place] = color ?? .off
        }
        return settings
    }

    private mutating func pattern() -> Pattern {
        guard let pattern = Pattern(rawValue: byte()) else {
            reject()
            return .off
        }
        return pattern
    }
}
