import DetentCore
import DetentTypes
import Glibc
import Recording

/// A panel with every rule there is: a condition, a group, a menu, a form, a contract, a sequence
/// and an indicator. Each event is a press or a release of one of its twelve contacts.
struct RuledPanel: ~Copyable {
    private static let contacts: UInt16 = 12
    private static let lamp = LineID(12)
    private static let output = LineID(13)
    private static var capacity: Capacity {
        Capacity(
            lines: 14, controls: 11, actions: 1, relations: 11, links: 16, conditionSteps: 4,
            sequenceSteps: 4, items: 4)
    }

    private var engine: Engine
    private var written = UnsafeMutablePointer<(LineID, Level)>.allocate(capacity: 64)
    private var writtenCount = 0
    private var effects: UInt64 = 0

    init() throws {
        let storage = UnsafeMutableRawBufferPointer.allocate(
            byteCount: Engine.byteCount(for: Self.capacity), alignment: 16)
        engine = Engine(capacity: Self.capacity, storage: storage)
        for _ in 0..<Self.contacts { _ = try engine.addLine(DebounceSettings.none) }
        _ = try engine.addLine()
        _ = try engine.addLine()
        for control: UInt16 in [1, 3, 3, 1, 2, 8, 5, 6, 7] {
            try engine.addLink(ControlID(control))
        }
        try engine.addConditionStep(.compare(ControlID(0), .equal, .on))
        try engine.addSequenceStep(.set(ControlID(2), .on))
        try engine.addSequenceStep(.wait(.milliseconds(2)))
        try engine.addSequenceStep(.pulse(Self.output, .milliseconds(1)))
        try engine.addItem(MenuItem())
        try engine.addItem(MenuItem(isSubmenu: true))
        try engine.addItem(MenuItem(parent: 1))
        try engine.addItem(MenuItem(parent: 1, confirm: .pressTwice(within: .seconds(3))))
        _ = try engine.addAction(
            ActionSettings(timeout: .seconds(1), steps: PlanRange(first: 0, count: 3)))
        try addControls()
    }

    private mutating func addControls() throws {
        try add(.onOff(latch: .toggle), .lever, 0, 1) { $0.listeners = Self.links(0, 1) }
        try add(.onOff(latch: .toggle), .button(ButtonSettings()), 1, 1) {
            $0.condition = PlanRange(first: 0, count: 1)
            $0.listeners = Self.links(1, 1)
        }
        try add(.onOff(latch: .toggle), .button(ButtonSettings()), 2, 1) {
            $0.listeners = Self.links(2, 1)
            $0.returning = ReturnSettings(to: .off, after: .seconds(60), from: .leaving)
        }
        try add(.group, .button(ButtonSettings()), 3, 1) {
            $0.members = Self.links(3, 2)
            $0.listeners = Self.links(5, 1)
        }
        try add(.commands(4), .buttonRow, 4, 3) {
            $0.navigation = NavigationSettings(
                style: .menu(closeAfter: .seconds(1)), hardware: .buttons, count: 4,
                items: PlanRange(first: 0, count: 4))
        }
        try add(
            .dial(NumberRange(minimum: 0, maximum: 9, wraps: true)),
            .encoder(EncoderSettings(transitions: 1)), 7, 2
        ) {
            $0.form = .member(of: ControlID(6))
            $0.listeners = Self.links(7, 1)
        }
        try add(.form, .none, 0, 0) {
            $0.members = Self.links(6, 1)
            $0.listeners = Self.links(8, 1)
        }
        try add(.button, .button(ButtonSettings()), 9, 1) { $0.form = .apply(ControlID(6)) }
        try add(.mirror, .none, 0, 0) { $0.shows = ControlID(3) }
        try add(.button, .button(ButtonSettings()), 10, 1) { $0.confirm = .hold(.milliseconds(2)) }
        try add(.button, .button(ButtonSettings()), 11, 1) { _ in }
    }

    private static func links(_ first: UInt16, _ count: UInt16) -> PlanRange {
        PlanRange(first: first, count: count)
    }

    private mutating func add(
        _ kind: ControlNature, _ decoder: DecoderSettings, _ first: UInt16, _ count: UInt16,
        _ change: (inout RelationSettings) -> Void
    ) throws {
        var rules = RelationSettings()
        change(&rules)
        var settings = ControlSettings(
            nature: kind, contacts: PlanRange(first: first, count: count), decoder: decoder,
            relation: try engine.addRelations(rules))
        if kind == .mirror {
            settings.indicator = IndicatorSettings(
                lines: PlanRange(first: Self.lamp.index, count: 1))
        }
        if first == 11 {
            settings.actions = .any(ActionID(0))
            settings.stepOutputs = PlanRange(first: Self.output.index, count: 1)
        }
        _ = try engine.addControl(settings)
    }

    /// Presses and releases contacts in turn, 3 ms apart; driven outputs count as written at once.
    mutating func run(events: Int) {
        handle(.start, at: .zero)
        let began = wall_clock()
        var closed: UInt32 = 0
        for event in 0..<events {
            // A stride that is coprime to the contacts, so that neighbours change in every order.
            let line = UInt16(truncatingIfNeeded: (event * 5) % Int(Self.contacts))
            closed ^= 1 << UInt32(line)
            let now = Instant(nanoseconds: UInt64(event + 1) * 3_000_000)
            let level = Level(closed & (1 << UInt32(line)) != 0)
            handle(.edge(LineID(line), level, sequence: 0), at: now)
        }
        tell_figures(effects, wall_clock() - began, CInt(events))
    }

    private mutating func handle(_ event: Event, at now: Instant) {
        writtenCount = 0
        take(event, at: now)
        var answer = 0
        while answer < writtenCount {
            let (line, level) = written[answer]
            answer += 1
            take(.outputWritten(line, level), at: now)
        }
    }

    private mutating func take(_ event: Event, at now: Instant) {
        var effects = effects
        var count = writtenCount
        let written = written
        engine.handle(event, at: now) { effect, _ in
            effects &+= 1
            guard case .drive(let line, let level) = effect, count < 64 else { return }
            written[count] = (line, level)
            count += 1
        }
        self.effects = effects
        writtenCount = count
    }
}
