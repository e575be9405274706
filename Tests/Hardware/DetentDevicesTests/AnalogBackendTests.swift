import DetentHAL
import DetentTypes
import Glibc
import TestSupport
import Testing

@testable import DetentDevices

/// Converters that are sampled, come, go and hang.
@Suite struct AnalogBackendTests {
    private static let first = AnalogBench.line(0, "ads1015", 0)
    private static let second = AnalogBench.line(1, "1-0049", 1)

    @Test func theFirstDrainHasASampleOfEachLine() {
        let converters = FakeConverters("first")
        converters.set("iio:device0", place: "1-0048", [120, 7])
        converters.set("iio:device1", name: "mcp3008", place: "1-0049", [1, -5])
        let bench = AnalogBench(converters)
        expectEqual(bench.backend.open([Self.first, Self.second]), [])
        bench.drain()
        expectEqual(bench.words.sorted(), ["0 120", "1 -5"])
        #expect(bench.backend.read(LineID(0), now: .zero) == nil)
        converters.set("iio:device0", place: "1-0048", [121, 7])
        #expect(bench.waits(for: "0 121"))
        expectEqual(bench.words.count, 3)
    }

    @Test func aConverterThatIsGoneComesBackUnderAnotherNumber() {
        let converters = FakeConverters("gone")
        converters.set("iio:device0", place: "1-0048", [120])
        let bench = AnalogBench(converters)
        _ = bench.backend.open([Self.first])
        bench.drain()
        converters.remove("iio:device0")
        converters.fail(ENODEV)
        #expect(bench.waits(for: "0 fault \(ENODEV)"))
        bench.forget()
        converters.fail(nil)
        converters.set("iio:device3", place: "1-004a", [300])
        #expect(bench.waits(for: "0 restored", "0 300"))
        expectEqual(bench.words, ["0 restored", "0 300"])
    }

    /// A disturbed bus fails once or twice; it is gone after three failures.
    @Test func aReadingThatFailsOnceIsNoFault() {
        let converters = FakeConverters("disturbed")
        converters.set("iio:device0", place: "1-0048", [120])
        let bench = AnalogBench(converters)
        _ = bench.backend.open([Self.first])
        converters.fail(EIO, times: 2)
        converters.set("iio:device0", place: "1-0048", [300])
        #expect(bench.waits(for: "0 300"))
        expectEqual(bench.words.filter { $0.contains("fault") }, [])
        converters.fail(EIO, times: 3)
        #expect(bench.waits(for: "0 fault \(EIO)"))
    }

    @Test func aReadingThatHangsIsAFaultAndStopsNoOther() {
        let stuck = FakeConverters("stuck")
        stuck.set("iio:device0", place: "1-0048", [120])
        let bench = AnalogBench(stuck)
        _ = bench.backend.open([Self.first])
        bench.drain()
        stuck.stick(true)
        #expect(bench.waits(for: "0 fault \(ETIMEDOUT)"))
        bench.forget()
        stuck.stick(false)
        #expect(bench.waits(for: "0 restored", "0 120"))
    }

    /// A driver that hangs at the start delays it by the time for first samples, and no longer.
    @Test func aDriverThatHangsAtTheStartIsToldAndRecovers() {
        let stuck = FakeConverters("hung")
        stuck.set("iio:device0", place: "1-0048", [120])
        stuck.stick(true)
        let bench = AnalogBench(stuck)
        let errors = bench.backend.open([Self.first])
        expectEqual(errors.map(\.errno), [ETIMEDOUT])
        stuck.stick(false)
        #expect(bench.waits(for: "0 restored", "0 120"))
    }

    @Test func whatIsMissingAtTheStartIsFoundLater() {
        let converters = FakeConverters("missing")
        let bench = AnalogBench(converters)
        let errors = bench.backend.open([Self.first])
        expectEqual(errors.map(\.code), [.noSuchChip])
        #expect(errors[0].remedy.contains("dtoverlay=ads1015"))
        converters.set("iio:device0", place: "1-0048", [9])
        #expect(bench.waits(for: "0 restored", "0 9"))
    }

    @Test func namesPlacesAndChannelsAreTold() {
        let converters = FakeConverters("names")
        converters.set("iio:device0", place: "1-0048", [1, 2])
        converters.set("iio:device1", place: "1-0049", [1])
        let bench = AnalogBench(converters)
        let lines = [
            Self.first, AnalogBench.line(1, "1-0048", 0), AnalogBench.line(2, "1-0049", 4),
            AnalogBench.line(3, "mcp3008", 0), AnalogBench.line(4, "1-0048", 0),
        ]
        let errors = bench.backend.open(lines)
        expectEqual(
            errors.map(\.cause),
            [
                "2 converters are called \"ads1015\"", "\"1-0049\" has no channel 4",
                "no converter is called \"mcp3008\"", "1-0048:0 uses the same channel",
            ])
        expectEqual(errors[0].remedy, "write `device: \"1-0048\"` or `device: \"1-0049\"`")
        expectEqual(errors[1].remedy, "it has 0")
        #expect(errors[2].remedy.hasSuffix("with one of \"1-0048\", \"1-0049\""))
        let channels = AnalogInventory.scan(converters.root).records.map(\.channels)
        expectEqual(channels, [[0, 1], [0]])
    }

    /// Noise wakes nobody.
    @Test func aChangeWithinTheToleranceIsNotTold() {
        let converters = FakeConverters("tolerance")
        converters.set("iio:device0", place: "1-0048", [100, 7])
        let bench = AnalogBench(converters)
        var tolerant = Self.first
        tolerant.location.channel?.tolerance = 10
        let other = AnalogBench.line(1, "ads1015", 1)
        _ = bench.backend.open([tolerant, other])
        bench.drain()
        bench.forget()
        converters.set("iio:device0", place: "1-0048", [110, 8])
        #expect(bench.waits(for: "1 8"))
        converters.set("iio:device0", place: "1-0048", [111, 9])
        #expect(bench.waits(for: "0 111", "1 9"))
        #expect(!bench.words.contains("0 110"))
    }

    /// What stays goes on, what is new has a sample, and what cannot be found changes nothing.
    @Test func linesChangeWhileTheyAreInUse() {
        let converters = FakeConverters("change")
        converters.set("iio:device0", place: "1-0048", [120, 240])
        let bench = AnalogBench(converters)
        _ = bench.backend.open([Self.first])
        bench.drain()
        bench.forget()
        let other = AnalogBench.line(0, "ads1015", 1)
        let moved = AnalogBench.line(1, "ads1015", 0)
        let missing = AnalogBench.line(0, "ads1015", 9)
        expectEqual(
            bench.backend.change(to: [missing], continuing: [nil]).map(\.code), [.noSuchLine])
        expectEqual(bench.backend.change(to: [other, moved], continuing: [nil, LineID(0)]), [])
        #expect(bench.waits(for: "0 240"))
        expectEqual(bench.words, ["0 240"])
        converters.set("iio:device0", place: "1-0048", [130, 240])
        #expect(bench.waits(for: "1 130"))
        expectEqual(bench.backend.change(to: [other], continuing: [LineID(0)]), [])
        converters.set("iio:device0", place: "1-0048", [140, 250])
        #expect(bench.waits(for: "0 250"))
        #expect(!bench.words.contains("1 140"))
    }
}
