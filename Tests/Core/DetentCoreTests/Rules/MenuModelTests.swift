import DetentTypes
import TestSupport
import Testing

@testable import DetentCore

/// Menus of random shape, walked by a random hand on each sort of hardware.
@Suite struct MenuModelTests {
    static let hardwares: [NavigationSettings.Hardware] = [.encoder, .buttons, .oneButton]
    static let hold: UInt64 = 400_000_000

    /// A menu of random shape: each item stands in the menu itself or in any submenu, so some
    /// cannot be reached.
    static func shape(_ random: inout SplitMix) -> [MenuItem] {
        let count = 1 + random.below(32)
        let submenus = (0..<count).map { _ in random.chance(25) }
        let inside = (0..<count).filter { submenus[$0] }
        return (0..<count).map { place in
            let parent =
                inside.isEmpty || random.chance(50)
                ? MenuItem.topLevel : UInt8(inside[random.below(inside.count)])
            return MenuItem(parent: parent, isSubmenu: submenus[place])
        }
    }

    /// The same menu as a tree.
    static func plain(
        _ style: PlainMenu.Style, _ items: [MenuItem], count: Int, hasItems: Bool,
        goesRound: Bool, closeAfter: UInt64
    ) -> PlainMenu {
        PlainMenu(
            style: style, count: count,
            parents: items.map { $0.parent == MenuItem.topLevel ? nil : Int($0.parent) },
            submenus: Set(items.indices.filter { items[$0].isSubmenu }), goesRound: goesRound,
            closeAfter: closeAfter, opensAt: { $0.last?.1 ?? 0 }, hasItems: hasItems)
    }

    /// A hand at the hardware: what it does and what that asks the menu for.
    struct Hand {
        var now: UInt64 = 0
        var inputs: [(at: UInt64, what: PlainMenu.Input)] = []
        let hardware: NavigationSettings.Hardware
        let holdsBack: Bool

        mutating func wait(_ random: inout SplitMix) {
            let spans: [UInt64] = [1, 50_000_000, 1_500_000_000, 4_000_000_000]
            now += random.next() % spans[random.below(4)]
        }

        mutating func act(_ random: inout SplitMix, _ send: (Event, UInt64) -> Void) {
            switch hardware {
            case .encoder: encoder(&random, send)
            case .buttons: row(&random, send)
            case .oneButton: button(&random, send)
            }
        }

        private mutating func press(_ line: UInt16, _ span: UInt64, _ send: (Event, UInt64) -> Void)
        {
            send(.edge(LineID(line), .active, sequence: 0), now)
            now += span
            send(.edge(LineID(line), .inactive, sequence: 0), now)
        }

        private var a = Level.inactive

        init(hardware: NavigationSettings.Hardware, holdsBack: Bool) {
            self.hardware = hardware
            self.holdsBack = holdsBack
        }

        private mutating func encoder(_ random: inout SplitMix, _ send: (Event, UInt64) -> Void) {
            if random.chance(60) {
                let isDown = random.chance(55)
                a = a.opposite
                send(.edge(LineID(isDown ? 0 : 1), a, sequence: 0), now)
                now += 1_000
                inputs.append((now, isDown ? .down : .up))
                send(.edge(LineID(isDown ? 1 : 0), a, sequence: 0), now)
                now += 1  // its stamp is over
                return
            }
            let begin = now
            let isLong = random.chance(30)
            let span = isLong ? hold + 1 + random.next() % hold : random.next() % hold
            press(2, span, send)
            if !holdsBack {
                inputs.append((begin, .select))
            } else {
                inputs.append(isLong ? (begin + hold, .back) : (now, .select))
            }
        }

        private mutating func row(_ random: inout SplitMix, _ send: (Event, UInt64) -> Void) {
            let button = [0, 1, 1, 1, 2, 2, 3][random.below(7)]
            inputs.append((now, [.up, .down, .select, .back][button]))
            press(UInt16(button), random.next() % 600_000_000, send)
        }

        private mutating func button(_ random: inout SplitMix, _ send: (Event, UInt64) -> Void) {
            let begin = now
            let isLong = random.chance(40)
            press(0, isLong ? hold + 1 + random.next() % hold : random.next() % hold, send)
            inputs.append(isLong ? (begin + hold, .select) : (now, .down))
        }
    }

    /// What the engine tells, in the words of the plain menu.
    static func word(_ effect: Effect, _ at: Instant) -> String? {
        guard case .report(let report) = effect, report.control == ControlID(0) else { return nil }
        switch report.kind {
        case .opened: return "\(Words.time(at)) opened"
        case .closed: return "\(Words.time(at)) closed"
        case .focused(let focus): return "\(Words.time(at)) focused \(focus.raw)"
        case .chosen(let value, _): return "\(Words.time(at)) chose \(value.raw)"
        case _: return nil
        }
    }

    static func compare(
        _ bench: Bench, _ plain: PlainMenu, _ walker: Hand, _ random: inout SplitMix,
        steps: Int, label: String
    ) {
        var hand = walker
        var log: [String] = []
        bench.answersReadings = false
        func send(_ event: Event, _ at: UInt64) {
            for (effect, due) in bench.raw(event, at: Instant(nanoseconds: at)) {
                if let word = word(effect, due) { log.append(word) }
                switch effect {
                case .readLevel(let line):
                    send(.reading(line, bench.levels[line.index] ?? .inactive), at)
                case .start(_, let run, let control, _, _, _):
                    send(.actionFinished(control, run, .succeeded), at)
                case .adjust, .indicate, .provide, .drive, .cancel, .report, .answer: break
                }
            }
        }
        func hear(_ event: Event, _ at: UInt64) {
            // A hold is told when the level was read, so there somebody must wake in time.
            while walker.hardware != .buttons, bench.nextDeadline.nanoseconds <= at {
                send(.tick, bench.nextDeadline.nanoseconds)
            }
            if case .edge(let line, let level, _) = event { bench.levels[line.index] = level }
            send(event, at)
        }
        for step in 0..<steps {
            hand.wait(&random)
            hand.act(&random, hear)
            hear(.tick, hand.now)
            let (expected, focus) = plain.told(hand.inputs, until: hand.now)
            let seen = bench.snapshot().focus
            guard log == expected, seen == (focus.map { Value(Int32($0)) } ?? .unknown) else {
                let difference = firstDifference(log, expected) ?? ""
                Issue.record(
                    "\(label) step \(step): focus \(seen.raw), \(focus ?? -1); \(difference)")
                return
            }
        }
    }

    @Test(arguments: TestLength.seeds(0..<120))
    func pullDownsAgree(seed: UInt64) {
        var random = SplitMix(seed: seed)
        let hardware = Self.hardwares[Int(seed) % 3]
        let items = Self.shape(&random)
        let closeAfter = random.chance(20) ? 0 : UInt64(1 + random.below(4_000)) * 1_000_000
        let holdsBack = random.chance(50)
        let isHeld = holdsBack || hardware == .oneButton
        let bench = Bench.navigated(
            .commands(UInt8(items.count)), .menu(closeAfter: .nanoseconds(closeAfter)),
            hardware, count: UInt8(items.count), items: items,
            hold: isHeld ? .nanoseconds(Self.hold) : .zero)
        let plain = Self.plain(
            .menu, items, count: items.count, hasItems: true, goesRound: hardware == .oneButton,
            closeAfter: closeAfter)
        Self.compare(
            bench, plain, Hand(hardware: hardware, holdsBack: holdsBack), &random, steps: 120,
            label: "seed \(seed), \(hardware)")
    }

    /// Commands without items, found by a focus that stays, or by the turn alone.
    @Test(arguments: TestLength.seeds(0..<90))
    func focusAndFollowAgree(seed: UInt64) {
        var random = SplitMix(seed: seed)
        let hardware = Self.hardwares[Int(seed) % 3]
        let count = 1 + random.below(32)
        let isFocus = random.chance(50)
        let time = random.chance(20) ? 0 : UInt64(1 + random.below(3_000)) * 1_000_000
        let bench = Bench.navigated(
            .commands(UInt8(count)),
            isFocus
                ? .focus(closeAfter: .nanoseconds(time)) : .followTurn(settle: .nanoseconds(time)),
            hardware, count: UInt8(count),
            hold: hardware == .oneButton ? .nanoseconds(Self.hold) : .zero)
        var plain = Self.plain(
            isFocus ? .focus : .followTurn, Array(repeating: MenuItem(), count: count),
            count: count, hasItems: false, goesRound: hardware == .oneButton, closeAfter: time)
        // Commands have no value: each time the first has the focus.
        plain = PlainMenu(
            style: plain.style, count: count, parents: plain.parents, submenus: [],
            goesRound: plain.goesRound, closeAfter: time, opensAt: { _ in 0 }, hasItems: false)
        Self.compare(
            bench, plain, Hand(hardware: hardware, holdsBack: false), &random, steps: 120,
            label: "seed \(seed), \(hardware)")
    }
}
