import DetentCore
import DetentPanel
import DetentTypes
import DetentWorld
import TestPanels
import TestSupport
import Testing

/// Gestures become the edges that the parts' mechanics say.
struct PhysicalModelTests {
    static let control = ControlID(0)

    @Test("equal seeds and gestures give equal edges, another seed gives others")
    func determinism() throws {
        func edges(seed: UInt64) throws -> [PhysicalEdge] {
            var world = PhysicalModel(
                Panels.lever(), seed: seed, bounce: BounceCatalogue.builtIn.typical)
            var all: [PhysicalEdge] = []
            for round in 0..<50 {
                try world.apply(.flip(Self.control, to: (round + 1) % 2), at: world.now)
                all += world.edgesUntilRest()
            }
            return all
        }
        #expect(try edges(seed: 1) == edges(seed: 1))
        #expect(try edges(seed: 1) != edges(seed: 2))
    }

    @Test("after any gesture the line rests at the contact's level, and edges alternate")
    func finalLevel() throws {
        var world = PhysicalModel(Panels.lever(), seed: 3, bounce: BounceCatalogue.builtIn.typical)
        var last = Level.inactive
        for round in 0..<200 {
            let position = (round + 1) % 2
            try world.apply(.flip(Self.control, to: position), at: world.now)
            for edge in world.edgesUntilRest() {
                #expect(edge.level != last)
                last = edge.level
            }
            expectEqual(last, Level(position == 1))
            expectEqual(world.position(of: Self.control), position)
        }
    }

    @Test("a click lasts as long as its hold, and a new gesture replaces the rest of it")
    func click() throws {
        var world = PhysicalModel(Panels.button(), seed: 1, bounce: .all(.none))
        try world.apply(.click(Self.control, hold: .milliseconds(80)), at: .milliseconds(5))
        expectEqual(
            world.edgesUntilRest().map(\.at.nanoseconds), [5_000_000, 85_000_000])
        try world.apply(.click(Self.control, hold: .milliseconds(80)), at: .milliseconds(100))
        world.advance(to: .milliseconds(110)) { _ in }
        try world.apply(.press(Self.control), at: .milliseconds(110))
        #expect(world.edgesUntilRest().isEmpty)
        expectEqual(world.level(of: LineID(0)), .active)
    }

    @Test(
        "a selector breaks before it makes, or makes before it breaks",
        arguments: [
            (BounceProfile.Transition.breakBeforeMake, [0b00, 0b10, 0b00, 0b100]),
            (BounceProfile.Transition.makeBeforeBreak, [0b11, 0b10, 0b110, 0b100]),
        ])
    func selector(transition: BounceProfile.Transition, expected: [Int]) throws {
        var profile = BounceProfile.none
        profile.transition = transition
        var world = PhysicalModel(
            Panels.selector(SelectorSettings(positions: 4)), seed: 1, bounce: .all(profile))
        try world.apply(.select(Self.control, 2), at: .zero)
        var closed = 1
        var seen: [Int] = []
        for edge in world.edgesUntilRest() {
            closed ^= 1 << Int(edge.line.index)
            seen.append(closed)
        }
        expectEqual(seen, expected)
        expectEqual(world.position(of: Self.control), 2)
    }

    @Test("coded selectors and one with a position without contact end at the right code")
    func codedSelectors() throws {
        for (settings, codes) in [
            (SelectorSettings(coding: .gray, positions: 8), [0, 1, 3, 2, 6, 7, 5, 4]),
            (SelectorSettings(coding: .binary, positions: 8), Array(0..<8)),
            (SelectorSettings(positions: 3, nonePosition: 1), [1, 0, 2]),
        ] {
            for target in codes.indices {
                var world = PhysicalModel(
                    Panels.selector(settings), seed: 9, bounce: BounceCatalogue.builtIn.typical)
                try world.apply(.select(Self.control, target), at: .zero)
                _ = world.edgesUntilRest()
                var code = 0
                for line in 0..<3 where world.level(of: LineID(UInt16(line))) == .active {
                    code |= 1 << line
                }
                expectEqual(code, codes[target])
            }
        }
    }

    @Test("a selector begins where nothing is switched on: without a contact, else at its default")
    func selectorsBeginAtRest() {
        let cases: [(SelectorSettings, fallback: Int32, place: Int)] = [
            (SelectorSettings(positions: 4, nonePosition: 1), 3, 1),
            (SelectorSettings(positions: 4), 2, 2), (SelectorSettings(positions: 4), 0, 0),
            (SelectorSettings(coding: .binary, positions: 8), 5, 5),
        ]
        for (settings, fallback, place) in cases {
            var plan = Panels.selector(settings)
            plan.controls[0].settings.startup.fallback = Value(fallback)
            let world = PhysicalModel(plan, seed: 1, bounce: .all(.none))
            expectEqual(world.position(of: Self.control), place)
        }
    }

    static let encoders: [(UInt8, UInt8)] = [1, 2, 4].flatMap { transitions in
        (0..<4).map { (transitions, $0) }
    }

    @Test("an encoder walks the cycle from its rest, A first clockwise", arguments: encoders)
    func encoder(transitions: UInt8, rest: UInt8) throws {
        for detents in [-5, -1, 1, 3] {
            var world = PhysicalModel(
                Panels.encoder(transitions: transitions, rest: rest), seed: 1, bounce: .all(.none))
            func levels() -> UInt8 {
                (world.level(of: LineID(0)) == .active ? 2 : 0)
                    | (world.level(of: LineID(1)) == .active ? 1 : 0)
            }
            expectEqual(levels(), rest)
            try world.apply(
                .turn(Self.control, detents: detents, perSecond: 20), at: .zero)
            let edges = world.edgesUntilRest()
            expectEqual(edges.count, abs(detents) * Int(transitions))
            expectEqual(edges.first?.line, LineID(firstLine(rest, clockwise: detents > 0)))
            for (one, next) in zip(edges, edges.dropFirst()) { #expect(one.line != next.line) }
            if transitions == 4 { expectEqual(levels(), rest) }
        }
    }

    /// In the cycle 00 10 11 01 A is the line that changes from 00 and from 11 clockwise.
    private func firstLine(_ rest: UInt8, clockwise: Bool) -> UInt16 {
        (rest == 0 || rest == 3) == clockwise ? 0 : 1
    }

    @Test("missed transitions leave the contacts behind until the next one")
    func missedTransitions() throws {
        var world = PhysicalModel(
            Panels.encoder(transitions: 4, rest: 0), seed: 1, bounce: .all(.none))
        try world.apply(.miss(Self.control, count: 1), at: .zero)
        try world.apply(.turn(Self.control, detents: 1, perSecond: 20), at: .zero)
        let edges = world.edgesUntilRest()
        // The first transition is missing, so the second changes both lines at once.
        expectEqual(edges.count, 4)
        expectEqual(edges[0].at, edges[1].at)
        expectEqual(world.level(of: LineID(0)), .inactive)
        expectEqual(world.level(of: LineID(1)), .inactive)
    }

    @Test("a stuck line stays, a cut wire follows its pull, a glitch is as wide as it is")
    func faults() throws {
        var world = PhysicalModel(Panels.lever(), seed: 1, bounce: .all(.none))
        let line = LineID(0)
        try world.apply(.flip(Self.control, to: 1), at: .zero)
        _ = world.edgesUntilRest()
        try world.apply(.glitch(line, width: .microseconds(7)), at: .milliseconds(1))
        let glitch = world.edgesUntilRest()
        expectEqual(glitch.map(\.level), [.inactive, .active])
        expectEqual(glitch[1].at - glitch[0].at, .microseconds(7))
        try world.apply(.cut(line), at: .milliseconds(2))
        expectEqual(world.edgesUntilRest().map(\.isHigh), [true])
        try world.apply(.restore(line), at: .milliseconds(3))
        expectEqual(world.edgesUntilRest().map(\.level), [.active])
        try world.apply(.stick(line, .active), at: .milliseconds(4))
        try world.apply(.flip(Self.control, to: 0), at: .milliseconds(5))
        #expect(world.edgesUntilRest().isEmpty)
        try world.apply(.restore(line), at: .milliseconds(6))
        expectEqual(world.edgesUntilRest().map(\.level), [.inactive])
    }

    @Test("two fingers on one row move its contacts apart, each with a bounce of its own")
    func rows() throws {
        let bounce = BounceProfile(closes: .milliseconds(3), tail: 0, cleanCloses: 0)
        var world = PhysicalModel(PartsPanel.plan, seed: 5, bounce: .all(bounce))
        try world.apply(.press(PartsPanel.features, button: 0), at: .zero)
        try world.apply(.click(PartsPanel.features, button: 2, hold: .milliseconds(50)), at: .zero)
        let edges = world.edgesUntilRest()
        let lines = PartsPanel.plan.controls[5].settings.contacts
        let own = (0..<3).map { button in
            edges.filter { $0.line == LineID(lines.first + UInt16(button)) }
        }
        expectEqual(own[0].last?.level, .active)
        #expect(own[1].isEmpty)
        expectEqual(own[2].last?.level, .inactive)
        #expect(own[0].count > 1 && own[2].count > 2, "they bounce")
        #expect(own[0].map(\.at) != own[2].map(\.at).filter { $0 < .milliseconds(50) })
        // A second press of one button replaces only what is left of that button's.
        try world.apply(
            .click(PartsPanel.features, button: 1, hold: .milliseconds(50)), at: world.now)
        try world.apply(.release(PartsPanel.features, button: 0), at: world.now)
        _ = world.edgesUntilRest()
        for button in 0..<3 {
            expectEqual(world.level(of: LineID(lines.first + UInt16(button))), .inactive)
        }
    }

    @Test("a cover is shut at first, and moves nothing but its own contact")
    func covers() throws {
        var world = PhysicalModel(PartsPanel.plan, seed: 1, bounce: .all(.none))
        let first = PartsPanel.plan.controls[4].settings.contacts.first
        let (lever, cover) = (LineID(first), LineID(first + 1))
        expectEqual(world.level(of: cover), .active)
        expectEqual(world.level(of: lever), .inactive)
        try world.apply(.cover(PartsPanel.lamp, isOpen: true), at: .zero)
        expectEqual(world.edgesUntilRest().map(\.line), [cover])
        try world.apply(.flip(PartsPanel.lamp, to: 1), at: .milliseconds(1))
        expectEqual(world.edgesUntilRest().map(\.line), [lever])
        expectEqual(world.level(of: cover), .inactive)
        try world.apply(.cover(PartsPanel.lamp, isOpen: false), at: .milliseconds(2))
        expectEqual(world.edgesUntilRest().map(\.level), [.active])
        expectEqual(world.level(of: lever), .active)
    }

    @Test("gestures that the part cannot make are refused, and nothing happens")
    func refusals() {
        var world = PhysicalModel(Panels.lever(), seed: 1, bounce: .all(.none))
        #expect(throws: GestureError.wrongPart) { try world.apply(.press(Self.control), at: .zero) }
        #expect(throws: GestureError.outOfRange) {
            try world.apply(.flip(Self.control, to: 2), at: .zero)
        }
        #expect(throws: GestureError.unknown) {
            try world.apply(.press(ControlID(7)), at: .zero)
        }
        #expect(throws: GestureError.unknown) { try world.apply(.cut(LineID(9)), at: .zero) }
        #expect(throws: GestureError.wrongPart) {
            try world.apply(.cover(Self.control, isOpen: true), at: .zero)
        }
        expectEqual(world.nextChange, .never)
        var parts = PhysicalModel(PartsPanel.plan, seed: 1, bounce: .all(.none))
        for button in [-1, 3] {
            #expect(throws: GestureError.outOfRange) {
                try parts.apply(.press(PartsPanel.bus, button: button), at: .zero)
            }
        }
        #expect(throws: GestureError.wrongPart) {
            try parts.apply(.flip(PartsPanel.bus, to: 1), at: .zero)
        }
        expectEqual(parts.nextChange, .never)
    }
}
