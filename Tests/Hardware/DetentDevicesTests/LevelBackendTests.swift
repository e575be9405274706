import DetentHAL
import DetentTypes
import Glibc
import TestSupport
import Testing

@testable import DetentDevices

/// Lamps of the LED class: what is written, when they go, and when they change.
@Suite struct LevelBackendTests {
    private static let first = LevelBench.line(0, "ACT")

    private func adjust(_ bench: LevelBench, _ tenThousandths: UInt16) {
        bench.backend.adjust(
            LineID(0), to: Strength(tenThousandths: tenThousandths), now: .zero)
    }

    @Test func aLevelIsWrittenAtItsStrength() throws {
        let lamps = FakeLamps("strength")
        lamps.add("ACT", full: 200)
        let bench = LevelBench(lamps)
        expectEqual(bench.backend.open([Self.first]), [])
        expectEqual(lamps.take(of: "ACT"), "0")
        let at = try #require(bench.backend.write(LineID(0), .active, now: .zero))
        #expect(at > .zero)
        expectEqual(lamps.take(of: "ACT"), "200")
        adjust(bench, 4_000)
        expectEqual(lamps.take(of: "ACT"), "80")
        adjust(bench, 4_000)
        expectEqual(lamps.take(of: "ACT"), "", "an equal value is written twice")
        bench.backend.show(LineID(0), .inactive, now: .zero)
        expectEqual(lamps.take(of: "ACT"), "0")
        adjust(bench, 1)
        expectEqual(lamps.take(of: "ACT"), "", "a dark lamp has no strength")
        bench.backend.show(LineID(0), .active, now: .zero)
        expectEqual(lamps.take(of: "ACT"), "1")
        let reading = bench.backend.read(LineID(0), now: Instant(nanoseconds: 3))
        expectEqual(reading, LineReading(level: .active, at: Instant(nanoseconds: 3)))
        bench.drain()
        #expect(bench.events.isEmpty && bench.backend.deadline == .never)
    }

    @Test(
        arguments: [
            (0, 255, 0), (1, 255, 1), (10_000, 255, 255), (4_000, 255, 102), (5_000, 1, 1),
            (4_999, 3, 1), (5_000, 3, 2), (10_000, UInt64.max, UInt64.max), (9_000, 0, 0),
        ] as [(UInt16, UInt64, UInt64)])
    func aStrengthHasAPlaceOnEachScale(share: UInt16, largest: UInt64, value: UInt64) {
        expectEqual(Strength(tenThousandths: share).scaled(to: largest), value)
    }

    @Test func anActiveLowLampIsTurnedRound() {
        let lamps = FakeLamps("low")
        lamps.add("ACT", full: 100)
        let bench = LevelBench(lamps)
        _ = bench.backend.open([LevelBench.line(0, "ACT", isActiveLow: true)])
        expectEqual(lamps.take(of: "ACT"), "100")
        adjust(bench, 2_500)
        bench.backend.show(LineID(0), .active, now: .zero)
        expectEqual(lamps.take(of: "ACT"), "75")
        let place = bench.backend.places.first
        expectEqual(place?.text(.inactive), "100")
        expectEqual(place?.text(.active), "0")
        expectEqual(place?.file, "\(lamps.root)/ACT/brightness")
    }

    /// An output keeps what `on-exit` says; a lamp is dark, and the kernel's again.
    @Test func theEndLeavesReleaseLevels() {
        let lamps = FakeLamps("end")
        for name in ["ACT", "PWR", "KEEP"] { lamps.add(name, trigger: "none [mmc0] timer") }
        let bench = LevelBench(lamps)
        let lines = [
            Self.first, LevelBench.line(1, "PWR", isLamp: false, release: .active),
            LevelBench.line(2, "KEEP", isLamp: false, release: nil),
        ]
        expectEqual(bench.backend.open(lines), [])
        for name in ["ACT", "PWR", "KEEP"] {
            #expect(lamps.take("trigger", of: name).hasPrefix("none"))
        }
        for line in lines { bench.backend.show(line.line, .active, now: .zero) }
        adjust(bench, 100)
        bench.backend.show(LineID(1), .inactive, now: .zero)
        for name in ["ACT", "PWR", "KEEP"] { _ = lamps.take(of: name) }
        bench.backend.close()
        expectEqual(["ACT", "PWR", "KEEP"].map { lamps.take(of: $0) }, ["0", "255", ""])
        expectEqual(
            ["ACT", "PWR", "KEEP"].map { lamps.take("trigger", of: $0) }, ["mmc0", "", ""])
    }

    @Test func aMissingLampIsToldWithNamesAndFoundLater() {
        let lamps = FakeLamps("missing")
        lamps.add("PWR")
        lamps.add("ACT2")
        let bench = LevelBench(lamps)
        var found: [LevelBackend.Place] = []
        bench.backend.didFind = { found.append($0) }
        let errors = bench.backend.open([Self.first])
        expectEqual(errors.map(\.cause), ["no LED is called \"ACT\""])
        expectEqual(found, [])
        expectEqual(
            errors[0].remedy,
            "write `led:` with a name of `ls \(lamps.root)`, such as \"ACT2\", \"PWR\"")
        #expect(bench.backend.write(LineID(0), .active, now: .zero) == nil)
        lamps.add("ACT", full: 10)
        #expect(bench.waits(for: .written(.active)))
        expectEqual(bench.events, [.restored, .written(.active)])
        expectEqual(found, bench.backend.places)
        expectEqual(found.map(\.file), ["\(lamps.root)/ACT/brightness"])
        expectEqual(lamps.take(of: "ACT"), "10")
        expectEqual(bench.backend.deadline, .never)
    }

    /// `/dev/full` refuses what is written, as a lamp does that is gone.
    @Test func aLampThatIsGoneIsAFault() {
        let lamps = FakeLamps("gone")
        lamps.add("ACT")
        let file = "\(lamps.root)/ACT/brightness"
        unlink(file)
        symlink("/dev/full", file)
        let bench = LevelBench(lamps)
        expectEqual(bench.backend.open([Self.first]).map(\.errno), [ENOSPC])
        unlink(file)
        lamps.write("brightness", of: "ACT", "")
        #expect(bench.waits(for: .restored))
        let inventory = LEDInventory.scan(lamps.root)
        #expect(inventory.problem(of: Self.first) == nil)
        #expect(inventory.problem(of: LevelBench.line(0, "PWR"))?.code == .noSuchLine)
    }

    @Test func aChangeKeepsWhatStays() {
        let lamps = FakeLamps("change")
        for name in ["ACT", "PWR", "NET"] { lamps.add(name) }
        let bench = LevelBench(lamps)
        _ = bench.backend.open([Self.first, LevelBench.line(1, "PWR")])
        adjust(bench, 5_000)
        for line in 0..<2 as Range<UInt16> { bench.backend.show(LineID(line), .active, now: .zero) }
        for name in ["ACT", "PWR", "NET"] { _ = lamps.take(of: name) }
        let refused = bench.backend.change(
            to: [LevelBench.line(0, "SYS")], continuing: [nil])
        expectEqual(refused.map(\.code), [.noSuchLine])
        expectEqual(lamps.take(of: "ACT"), "")
        let next = [LevelBench.line(0, "NET"), LevelBench.line(1, "ACT")]
        expectEqual(bench.backend.change(to: next, continuing: [nil, LineID(0)]), [])
        expectEqual(["ACT", "PWR", "NET"].map { lamps.take(of: $0) }, ["", "0", "0"])
        bench.backend.adjust(LineID(1), to: .full, now: .zero)
        expectEqual(lamps.take(of: "ACT"), "255")
    }

    @Test func whatWrapsABackendPassesTheStrengthOn() {
        let lamps = FakeLamps("wrapped")
        lamps.add("ACT", full: 100)
        let recording = RecordingBackend(LevelBench(lamps).backend)
        let faulty = FaultInjectingBackend(recording, faults: InjectedFaults(), seed: 1)
        let joined = JoinedBackend([JoinedBackend.Member(faulty) { _ in true }])
        _ = joined.open([Self.first])
        joined.show(LineID(0), .active, now: .zero)
        _ = lamps.take(of: "ACT")
        joined.adjust(LineID(0), to: Strength(tenThousandths: 3_000), now: .zero)
        expectEqual(lamps.take(of: "ACT"), "30")
        joined.close()
    }

    @Test func onlyPanelsWithLevelsHaveTheirBackend() {
        let chip = LineSettings(
            line: LineID(0), name: "GPIO17", location: LineLocation(lineNames: ["GPIO17"]),
            isActiveLow: false, direction: .output(initial: .inactive, onRelease: nil))
        let chips = RecordingBackend(LevelBackend())
        #expect(ChannelSource.backend(for: [chip], chips: chips) === chips)
        let joined = ChannelSource.backend(for: [chip, LevelBench.line(1, "ACT")], chips: chips)
        #expect((joined as? JoinedBackend)?.member(LevelBackend.self) != nil)
    }
}
