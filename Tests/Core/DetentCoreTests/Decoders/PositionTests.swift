import DetentTypes
import TestSupport
import Testing

@testable import DetentCore

/// Levers, selectors and three-way levers: contacts in, positions out.
struct PositionCase: CustomTestStringConvertible {
    let testDescription: String
    let decoder: DecoderSettings
    let contacts: UInt16
    /// Contacts that are closed at start.
    let closed: UInt32
    /// (millisecond, contact, closed).
    let edges: [(Int, UInt16, Bool)]
    let told: [String]

    init(
        _ name: String, _ decoder: DecoderSettings, _ contacts: UInt16, closed: UInt32,
        _ edges: [(Int, UInt16, Bool)], _ told: [String]
    ) {
        testDescription = name
        self.decoder = decoder
        self.contacts = contacts
        self.closed = closed
        self.edges = edges
        self.told = told
    }
}

@Suite struct PositionTests {
    static let wafer = DecoderSettings.selector(SelectorSettings(positions: 4))
    static let noneIsFirst = DecoderSettings.selector(
        SelectorSettings(positions: 4, nonePosition: 0))
    static let threeWay = DecoderSettings.selector(SelectorSettings(positions: 3, nonePosition: 1))
    static let binary = DecoderSettings.selector(SelectorSettings(coding: .binary, positions: 3))
    static let gray = DecoderSettings.selector(SelectorSettings(coding: .gray, positions: 8))

    static let cases: [PositionCase] = [
        PositionCase(
            "lever, one contact", .lever, 1, closed: 0,
            [(10, 0, true), (20, 0, false)], ["10 moved 1", "20 moved 0"]),
        PositionCase(
            "changeover holds while it flies", .lever, 2, closed: 0b10,
            [
                (10, 1, false), (20, 0, true), (30, 0, false), (40, 0, true), (50, 0, false),
                (60, 1, true),
            ],
            ["20 moved 1", "60 moved 0"]),
        PositionCase(
            "changeover with both closed says nothing", .lever, 2, closed: 0b10,
            [(10, 0, true), (20, 1, false)], ["20 moved 1"]),
        PositionCase(
            "break before make holds the last position", wafer, 4, closed: 0b1,
            [(10, 0, false), (500, 1, true)], ["530 moved 1"]),
        PositionCase(
            "back to where it was is no move", wafer, 4, closed: 0b1,
            [(10, 0, false), (500, 0, true)], []),
        PositionCase(
            "make before break is on the way", wafer, 4, closed: 0b1,
            [(10, 1, true), (20, 0, false)], ["50 moved 1"]),
        PositionCase(
            "two contacts that stay are invalid, once", wafer, 4, closed: 0b1,
            [(10, 1, true), (60, 2, true), (200, 2, false), (300, 0, false)],
            ["40 invalid", "330 moved 1"]),
        PositionCase(
            "a fast turn tells only where it ends", wafer, 4, closed: 0b1,
            [
                (10, 0, false), (12, 1, true), (20, 1, false), (22, 2, true), (30, 2, false),
                (32, 3, true),
            ],
            ["62 moved 3"]),
        PositionCase(
            "bounce of the new contact restarts nothing twice", wafer, 4, closed: 0b1,
            [(10, 0, false), (12, 1, true), (13, 1, false), (14, 1, true)], ["44 moved 1"]),
        PositionCase(
            "a position without contact", noneIsFirst, 3, closed: 0b1,
            [(10, 0, false), (100, 2, true)], ["40 moved 0", "130 moved 3"]),
        PositionCase(
            "a slow throw of three-way holds", threeWay, 2, closed: 0b1,
            [(10, 0, false), (25, 1, true)], ["55 moved 2"]),
        PositionCase(
            "three-way rests in the centre", threeWay, 2, closed: 0b1,
            [(10, 0, false)], ["40 moved 1"]),
        PositionCase(
            "binary code that is passed through", binary, 2, closed: 0b01,
            [(10, 0, false), (12, 1, true)], ["42 moved 2"]),
        PositionCase(
            "binary code of no position", binary, 2, closed: 0b01,
            [(10, 1, true)], ["40 invalid"]),
        PositionCase(
            "Gray code", gray, 3, closed: 0b000,
            [(10, 0, true), (100, 1, true), (200, 0, false), (300, 2, true)],
            ["40 moved 1", "130 moved 2", "230 moved 3", "330 moved 4"]),
    ]

    @Test(arguments: cases)
    func positions(_ it: PositionCase) {
        let bench = Bench(
            lines: Array(repeating: .some(.none), count: Int(it.contacts)),
            controls: [
                ControlSettings(
                    nature: .choice(of: 8),
                    contacts: PlanRange(first: 0, count: it.contacts),
                    decoder: it.decoder, mismatch: .detached)
            ])
        for contact in 0..<it.contacts {
            let level = Level(it.closed >> UInt32(contact) & 1 != 0)
            expectEqual(bench.send(.reading(LineID(contact), level), 0), [])
        }
        expectEqual(bench.send(.start, 0), [])
        var log: [String] = []
        for (millisecond, contact, isClosed) in it.edges {
            log += bench.edge(contact, Level(isClosed), millisecond)
        }
        log += bench.run(10_000)
        expectEqual(log.map { $0.replacing(" c0 ", with: " ") }, it.told)
    }

    /// Whatever a selector's contacts do, it tells a position or that there is none, never the same
    /// position twice, and once quiet it says what the contacts say.
    @Test(arguments: TestLength.seeds(0..<32))
    func everySelectorEndsWhereItsContactsAre(seed: UInt64) {
        var random = SplitMix(seed: seed)
        let bench = Bench(
            lines: Array(repeating: .some(.none), count: 4),
            controls: [
                ControlSettings(
                    nature: .choice(of: 4), contacts: PlanRange(first: 0, count: 4),
                    decoder: Self.wafer)
            ])
        _ = bench.send(.start, 0)
        var closed: UInt32 = 0
        var millisecond = 0
        var last: String?
        for _ in 0..<500 {
            millisecond += random.below(45)
            let contact = random.below(4)
            closed ^= 1 << UInt32(contact)
            let log = bench.edge(
                UInt16(contact), Level(closed >> UInt32(contact) & 1 != 0), millisecond)
            for line in log where line.contains("moved") {
                let position = line.split(separator: " ").last.map(String.init)
                #expect(position != last, "seed \(seed)")
                last = position
            }
        }
        _ =
            bench.edge(0, .inactive, millisecond) + bench.edge(1, .inactive, millisecond)
            + bench.edge(3, .inactive, millisecond) + bench.edge(2, .active, millisecond)
            + bench.run(millisecond + 100)
        expectEqual(bench.snapshot().position, Value(2))
    }
}
