import DetentCore
import DetentTypes

/// A panel of every kind of control and a long seeded list of events, the same on every machine.
///
/// Nothing here allocates: the engine and the script's own notes live in the buffer that is given.
struct Script {
    private var random: SplitMix64
    /// The level of each line, as the script last set it.
    private let levels: UnsafeMutablePointer<UInt8>
    private var lastRun: UInt32 = 0
    private var lastControl: UInt16 = 0
    private var lineToRead: UInt16?
    /// The output that was driven last, and how.
    private var lastDriven = (line: LineID(.max), level: Level.inactive)
    private(set) var effects: UInt32 = 0

    static var controls: UInt16 { 32 }
    static var lines: Int { 256 }

    /// Runs `events` events and hands every effect to `put` byte by byte.
    ///
    /// - Returns: how many effects there were, or 0 where the panel does not fit.
    static func run(
        seed: UInt64, events: UInt32, arena: UnsafeMutableRawBufferPointer, put: (UInt8) -> Void
    ) -> UInt32 {
        let count = Int(controls &+ ScriptRules.controls)
        let capacity = Capacity(
            lines: lines, controls: count, actions: count, relations: Int(ScriptRules.controls),
            links: 12, conditionSteps: 6, sequenceSteps: 5, items: 4)
        let notes = UnsafeMutableRawBufferPointer(rebasing: arena[..<lines])
        let storage = UnsafeMutableRawBufferPointer(rebasing: arena[lines...])
        guard let base = notes.baseAddress, storage.count >= Engine.byteCount(for: capacity) else {
            return 0
        }
        let levels = base.bindMemory(to: UInt8.self, capacity: lines)
        levels.initialize(repeating: 0, count: lines)
        var engine = Engine(capacity: capacity, storage: storage)
        guard ScriptPanel.build(&engine), ScriptRules.build(&engine) else { return 0 }
        var script = Script(random: SplitMix64(seed: seed), levels: levels)
        script.play(&engine, events, put)
        return script.effects
    }

    private init(random: SplitMix64, levels: UnsafeMutablePointer<UInt8>) {
        self.random = random
        self.levels = levels
    }

    private mutating func play(_ engine: inout Engine, _ events: UInt32, _ put: (UInt8) -> Void) {
        var now = Instant.zero
        handle(.start, at: now, &engine, put)
        var place: UInt32 = 0
        while place < events {
            place &+= 1
            if let line = lineToRead {
                lineToRead = nil
                handle(
                    .reading(LineID(line), Level(levels[Int(line)] != 0)), at: now, &engine, put)
                continue
            }
            let dice = random.next()
            let due = engine.nextDeadline
            if dice & 3 == 0, due != .never, due > now, due < now + .seconds(5) {
                now = due
                handle(.tick, at: now, &engine, put)
                continue
            }
            now = now + .nanoseconds(dice >> 40 & (dice & 64 == 0 ? 0x3F_FFFF : 0xF_FFFF))
            handle(event(random.next()), at: now, &engine, put)
        }
        handle(.tick, at: now + .seconds(60), &engine, put)
    }

    private mutating func event(_ dice: UInt64) -> Event {
        let line = UInt16(truncatingIfNeeded: dice >> 8 & 0xFF)
        let control = ControlID(UInt16(truncatingIfNeeded: dice >> 16 & 63))
        switch dice & 31 {
        case 0: return .intent(control, Value(Int32(truncatingIfNeeded: dice >> 24 & 3)), .web)
        case 1: return .fire(control, .on, .api, isConfirmed: false)
        case 2: return .resync()
        case 3: return .overflow(LineID(line))
        case 4: return dice >> 24 & 7 == 0 ? .lineFault(LineID(line)) : .tick
        case 5: return .lineRestored(LineID(line))
        case 6: return .reading(LineID(line), Level(levels[Int(line)] != 0))
        case 7: return .actionStarted(ControlID(lastControl), RunID(lastRun))
        case 8, 9, 10, 11: return finished(dice)
        case 12: return .outputWritten(lastDriven.line, lastDriven.level)
        case 14: return .broker(isOffline: dice >> 24 & 1 == 0)
        case 13: return .feedback(control, Value(Int32(truncatingIfNeeded: dice >> 24 & 3)))
        case _:
            // One edge in 256 is lost.
            levels[Int(line)] ^= 1
            return dice >> 32 & 0xFF == 0
                ? .tick : .edge(LineID(line), Level(levels[Int(line)] != 0), sequence: 0)
        }
    }

    private func finished(_ dice: UInt64) -> Event {
        let outcome: ActionOutcome
        switch dice >> 24 & 7 {
        case 0: outcome = .failed(.exit(7))
        case 1: outcome = .lost
        case 2: outcome = .cancelled
        case _: outcome = .succeeded
        }
        return .actionFinished(ControlID(lastControl), RunID(lastRun), outcome)
    }

    private mutating func handle(
        _ event: Event, at now: Instant, _ engine: inout Engine, _ put: (UInt8) -> Void
    ) {
        var run = lastRun
        var control = lastControl
        var toRead = lineToRead
        var driven = lastDriven
        var count: UInt32 = 0
        engine.handle(event, at: now) { effect, at in
            count &+= 1
            switch effect {
            case .start(_, let started, let owner, _, _, _):
                run = started.number
                control = owner.index
            case .readLevel(let line): toRead = line.index
            case .drive(let line, let level): driven = (line, level)
            case .adjust, .indicate, .provide, .cancel, .report, .answer: break
            }
            EffectBytes.write(effect, at, put)
        }
        lastRun = run
        lastControl = control
        lineToRead = toRead
        lastDriven = driven
        effects &+= count
    }
}

/// Thirty-two controls: eight sorts, four times each, with other debounce algorithms and rules.
enum ScriptPanel {
    static func build(_ engine: inout Engine) -> Bool {
        do throws(EngineError) {
            for place in 0..<Script.controls {
                let action = try engine.addAction(rules(place))
                try add(place, action, &engine)
            }
            return true
        } catch {
            return false
        }
    }

    private static func rules(_ place: UInt16) -> ActionSettings {
        let failure: ActionSettings.OnFailure
        switch place & 3 {
        case 0: failure = .revert
        case 1: failure = .keep
        case 2: failure = .retry(count: 2, backoff: .milliseconds(70), thenKeep: false)
        case _: failure = .retry(count: 1, backoff: .milliseconds(30), thenKeep: true)
        }
        let supersede: ActionSettings.Supersede
        switch place >> 2 & 3 {
        case 0, 3: supersede = .wait
        case 1: supersede = .cancel
        case _: supersede = .ignore
        }
        return ActionSettings(
            timeout: .milliseconds(400), onFailure: failure, supersede: supersede)
    }

    private static func debounce(_ place: UInt16) -> DebounceSettings {
        switch place >> 3 {
        case 0:
            DebounceSettings(
                algorithm: .eager(time: .milliseconds(5), window: .restart),
                glitch: .microseconds(100))
        case 1: DebounceSettings(algorithm: .defer(time: .milliseconds(20)))
        case 2:
            DebounceSettings(
                algorithm: .asymmetric(press: .milliseconds(5), release: .milliseconds(9)),
                lockout: .milliseconds(50))
        case _:
            DebounceSettings(
                algorithm: .integrator(sample: .milliseconds(1), samples: 8))
        }
    }

    private static func add(
        _ place: UInt16, _ action: ActionID, _ engine: inout Engine
    ) throws(EngineError) {
        let (nature, decoder, contacts, lamps, outputs) = part(place)
        var first: UInt16 = 0
        for contact in 0..<contacts {
            let line = try engine.addLine(contacts == 1 ? debounce(place) : DebounceSettings.none)
            if contact == 0 { first = line.index }
        }
        for _ in 0..<lamps &+ outputs { _ = try engine.addLine() }
        let hasAction = place % 3 != 1
        _ = try engine.addControl(
            ControlSettings(
                nature: nature, contacts: PlanRange(first: first, count: contacts),
                decoder: decoder,
                mismatch: place & 1 == 0 ? .follow : .catchUp,
                startup: StartupSettings(
                    rule: .panel, runsAction: place & 2 == 0,
                    delay: .milliseconds(UInt64(place) &* 3)),
                actions: hasAction ? .any(action) : .none,
                indicator: IndicatorSettings(
                    style: lamps > 1 ? .perOption : .single,
                    lines: PlanRange(first: first &+ contacts, count: lamps)),
                outputs: PlanRange(first: first &+ contacts &+ lamps, count: outputs),
                outputsPresent: outputs > 1 ? 1 << UInt32(outputs) - 1 : 0))
    }

    private static func part(
        _ place: UInt16
    ) -> (ControlNature, DecoderSettings, UInt16, UInt16, UInt16) {
        let gestures = ButtonSettings(
            clickWithin: .milliseconds(200), isClickPostponed: place & 8 == 0,
            multiClickGap: .milliseconds(300), hold: .milliseconds(80),
            repeatAfter: .milliseconds(90), repeatEvery: .milliseconds(25))
        switch place & 7 {
        case 0: return (.onOff(latch: .toggle), .button(ButtonSettings()), 1, 1, 1)
        case 1: return (.onOff(latch: .toggle), .lever, 1, 1, 0)
        case 2: return (.button, .button(gestures), 1, 1, 0)
        case 3:
            return (
                .choice(of: 4), .selector(SelectorSettings(positions: 4)), 4, 0, 4
            )
        case 4:
            return (
                .threeWay, .selector(SelectorSettings(positions: 3, nonePosition: 1)), 2, 3, 0
            )
        case 5:
            return (
                .dial(
                    NumberRange(minimum: 0, maximum: 40, wraps: place & 8 == 0, acceleration: 4)),
                .encoder(EncoderSettings(transitions: place & 16 == 0 ? 4 : 2, push: gestures)),
                3, 1, 0
            )
        case 6:
            return (
                .onOff(latch: .tapOrHold(within: .milliseconds(60))), .button(gestures),
                1, 1, 0
            )
        case _:
            return (
                .choice(of: 8),
                .selector(SelectorSettings(coding: .gray, positions: 8)), 3, 0, 0
            )
        }
    }
}

/// Eleven controls behind those: what controls have to do with each other, one of each sort.
enum ScriptRules {
    static var controls: UInt16 { 11 }

    private static var first: UInt16 { Script.controls }
    private static func id(_ place: UInt16) -> ControlID { ControlID(first &+ place) }

    static func build(_ engine: inout Engine) -> Bool {
        do throws(EngineError) {
            try addRelations(&engine)
            for place in 0..<controls {
                _ = try engine.addRelations(rules(place))
                try add(place, &engine)
            }
            return true
        } catch {
            return false
        }
    }

    private static func addRelations(_ engine: inout Engine) throws(EngineError) {
        // Who looks at a switch, at the other, at a member of a form, at the form, at a button;
        // then the members of the group, of the form and of the chord.
        let linked: InlineArray<11, UInt16> = [3, 4, 1, 3, 6, 7, 10, 0, 1, 2, 7]
        for place in linked.indices { try engine.addLink(id(linked[place])) }
        try engine.addConditionStep(.compare(id(0), .equal, .on))
        try engine.addConditionStep(.any(.failed))
        try engine.addConditionStep(.not)
        try engine.addConditionStep(.or)
        try engine.addConditionStep(.brokerIsOffline)
        try engine.addConditionStep(.or)
        try engine.addSequenceStep(.set(id(0), .on))
        try engine.addSequenceStep(.wait(.milliseconds(40)))
        try engine.addSequenceStep(.run(ActionID(0)))
        try engine.addItem(MenuItem(isSubmenu: true))
        try engine.addItem(MenuItem(parent: 0))
        try engine.addItem(MenuItem(parent: 0, confirm: .pressTwice(within: .milliseconds(300))))
        try engine.addItem(MenuItem(confirm: .arm(.seconds(1))))
    }

    private static func rules(_ place: UInt16) -> RelationSettings {
        var rules = RelationSettings()
        switch place {
        case 0:
            rules.listeners = PlanRange(first: 0, count: 3)
            rules.returning = ReturnSettings(
                to: .off, after: .milliseconds(700), from: .leaving)
            rules.staleAfter = .milliseconds(400)
        case 1:
            rules.listeners = PlanRange(first: 3, count: 1)
            rules.condition = PlanRange(first: 0, count: 6)
            rules.onEnable = .follow
            rules.auditEvery = .milliseconds(900)
        case 2:
            rules.listeners = PlanRange(first: 4, count: 1)
            rules.form = .member(of: id(6))
        case 3: rules.members = PlanRange(first: 7, count: 2)
        case 4: rules.shows = id(0)
        case 5: rules.confirm = .hold(.milliseconds(60))
        case 6:
            rules.listeners = PlanRange(first: 5, count: 1)
            rules.members = PlanRange(first: 9, count: 1)
        case 7:
            rules.listeners = PlanRange(first: 6, count: 1)
            rules.form = .apply(id(6))
        case 8: rules.form = .cancel(id(6))
        case 9:
            rules.navigation = NavigationSettings(
                style: .menu(closeAfter: .seconds(5)), hardware: .encoder, count: 4,
                items: PlanRange(first: 0, count: 4))
        case _:
            rules.members = PlanRange(first: 10, count: 1)
            rules.confirm = .chord(hold: .milliseconds(30))
        }
        return rules
    }

    private static func nature(_ place: UInt16) -> ControlNature {
        switch place {
        case 0, 1, 2: .onOff(latch: .toggle)
        case 3: .group
        case 4: .mirror
        case 6: .form
        case 9: .commands(4)
        case _: .button
        }
    }

    private static func add(_ place: UInt16, _ engine: inout Engine) throws(EngineError) {
        let nature = nature(place)
        let contacts: UInt16
        let decoder: DecoderSettings
        switch nature.role {
        case .group, .mirror, .form: (contacts, decoder) = (0, .none)
        case .events where place == 9:
            contacts = 3
            decoder = .encoder(EncoderSettings(transitions: 1, push: ButtonSettings()))
        case _: (contacts, decoder) = (1, .button(ButtonSettings()))
        }
        // Every control has a lamp and an output.
        var line = try engine.addLine(contacts == 0 ? nil : DebounceSettings.none)
        let start = line.index
        for _ in 1..<max(contacts, 1) { line = try engine.addLine(DebounceSettings.none) }
        if contacts != 0 { line = try engine.addLine() }
        let output = try engine.addLine()
        var steps = PlanRange.none
        if place == 5 {
            try engine.addSequenceStep(.pulse(output, .milliseconds(5)))
            try engine.addSequenceStep(.drive(output, .active))
            steps = PlanRange(first: 0, count: 5)
        }
        let action = try engine.addAction(
            ActionSettings(timeout: .milliseconds(400), onFailure: .revert, steps: steps))
        _ = try engine.addControl(
            ControlSettings(
                nature: nature, contacts: PlanRange(first: start, count: contacts),
                decoder: decoder,
                actions: place == 5 || place >= 8 ? .any(action) : .none,
                indicator: IndicatorSettings(lines: PlanRange(first: line.index, count: 1)),
                stepOutputs: PlanRange(first: output.index, count: 1),
                relation: RelationID(place), startRank: nature == .group || nature == .form ? 1 : 0)
        )
    }
}
