import DetentTypes

@testable import DetentCore

/// A panel whose lamps are watched line by line: a switch, a dial that dims and a button that
/// tests, all with lamps, and an output that no lamp test may touch.
final class LampRig {
    static let switchContact: UInt16 = 0
    static let testContact: UInt16 = 1
    static let dial = ControlID(2)
    /// Lines of lamps: of the switch three, of the others one each.
    static let lamps: Range<UInt16> = 2..<7
    static let output: UInt16 = 7

    let bench: Bench
    private var levels: [UInt16: Level] = [:]
    /// Everything but levels of lamps, as it came.
    private(set) var told: [String] = []
    /// Every level of a lamp's line, as it came.
    private(set) var written: [String] = []

    init(
        brightness: [UInt8] = [100, 100, 100], panel: PanelSettings = PanelSettings(),
        levels: [Bool] = [false, false, false]
    ) {
        func lamp(_ first: UInt16, _ count: UInt16, _ place: Int) -> IndicatorSettings {
            IndicatorSettings(
                style: count == 3 ? .rgb : .single, lines: PlanRange(first: first, count: count),
                brightness: brightness[place], hasLevels: levels[place])
        }
        bench = Bench(
            lines: [DebounceSettings.none, DebounceSettings.none] + Array(repeating: nil, count: 6),
            actions: [ActionSettings(timeout: .seconds(5))],
            controls: [
                ControlSettings(
                    nature: .onOff(latch: .toggle),
                    contacts: PlanRange(first: Self.switchContact, count: 1),
                    decoder: .button(ButtonSettings()), actions: .any(ActionID(0)),
                    indicator: lamp(2, 3, 0), outputs: PlanRange(first: Self.output, count: 1)),
                ControlSettings(
                    nature: .button, contacts: PlanRange(first: Self.testContact, count: 1),
                    decoder: .button(ButtonSettings()), indicator: lamp(5, 1, 1)),
                ControlSettings(
                    nature: .dial(NumberRange(minimum: -10, maximum: 10)),
                    startup: StartupSettings(rule: .value(Value(10))), indicator: lamp(6, 1, 2)),
            ], panel: panel)
    }

    static let everything = PanelSettings(dimmer: LampRig.dial, lampTest: ControlID(1))

    /// What the lamps' lines have been told last.
    var lit: [Level] { Self.lamps.map { levels[$0] ?? .inactive } }

    func send(_ event: Event, at now: Instant) {
        for (effect, moment) in bench.raw(event, at: now) {
            let text = Words.line(effect, moment)
            if case .indicate(let line, let level) = effect {
                levels[line.index] = level
                written.append(text)
            } else {
                told.append(text)
            }
        }
    }

    func send(_ event: Event, _ millisecond: Int) {
        send(event, at: Instant(millisecond: millisecond))
    }

    /// Wakes at every deadline up to a moment; returns how often.
    @discardableResult
    func run(to end: Instant) -> Int {
        var wakes = 0
        while bench.nextDeadline <= end {
            send(.tick, at: bench.nextDeadline)
            wakes += 1
        }
        return wakes
    }

    /// Something that a user, an action or a program may do.
    static func event(_ random: inout SplitMix, run: inout UInt32) -> Event {
        let level = Level(random.chance(50))
        switch random.below(10) {
        case 0, 1: return .edge(LineID(switchContact), level, sequence: 0)
        case 2: return .edge(LineID(testContact), level, sequence: 0)
        case 3: return .intent(dial, Value(Int32(random.below(21)) - 10), .web)
        case 4: return .intent(ControlID(0), random.chance(50) ? .on : .off, .web)
        case 5: return .lineFault(LineID(switchContact))
        case 6: return .lineRestored(LineID(switchContact))
        case 7: return .lampTest(isOn: level == .active)
        case _:
            run += 1
            return .actionFinished(
                ControlID(0), RunID(run), random.chance(50) ? .succeeded : .failed(.exit(1)))
        }
    }
}
