import DetentTypes
import TestSupport
import Testing

@testable import DetentCore

/// Lamps of several colours, lamp tests, and what the engine refuses of either.
@Suite struct LampStyleTests {
    static func bench(
        _ style: IndicatorSettings.Style, _ change: (inout ColorChoice) -> Void = { _ in }
    ) -> Bench {
        var settings = IndicatorSettings(
            style: style, lines: PlanRange(first: 0, count: style == .rgb ? 3 : 2))
        change(&settings.colors)
        let bench = Bench(
            lines: Array(repeating: nil, count: Int(settings.lines.count)),
            actions: [ActionSettings(timeout: .seconds(5))],
            controls: [
                ControlSettings(
                    nature: .onOff(latch: .toggle), actions: .any(ActionID(0)),
                    indicator: settings)
            ])
        return bench
    }

    @Test func aTwoColorLampIsGreenThenAmberThenRed() {
        let bench = Self.bench(.twoColor)
        expectEqual(bench.send(.start, 0), ["0 c0 flag unconfirmed"])
        #expect(bench.intent(.on, 10).contains("10 lamp l1 on"))
        // Loading: dark for 150 ms, then amber.
        expectEqual(
            bench.run(309), ["160 c0 phase loading", "160 c0 indicator blink", "160 lamp l1 off"])
        expectEqual(bench.run(310), ["310 lamp l0 on", "310 lamp l1 on"])
        let log = bench.finish(1, .failed(.exit(1)), 400)
        // It returns to off, of which the failure is a short flash in red.
        #expect(log.contains("400 c0 indicator flashBurst"))
        #expect(bench.run(600).contains { $0.hasSuffix("lamp l0 on") })
        #expect(!bench.run(3_000).contains { $0.contains("lamp l1") })
    }

    @Test(arguments: LampColor.allCases)
    func anRGBLampHasEveryColor(color: LampColor) {
        let bench = Self.bench(.rgb) {
            $0[.on] = color
            $0[.off] = color
        }
        _ = bench.send(.start, 0)
        expectEqual(bench.snapshot().lamps, UInt32(color.rawValue), "off has a colour too")
        _ = bench.intent(.on, 10)
        expectEqual(bench.snapshot().lamps, UInt32(color.rawValue))
    }

    /// A condition over off flashes in its own colour, and is dark between, whatever off is.
    @Test func aConditionTakesOverTheColorOfOff() {
        let bench = Self.bench(.rgb) {
            $0[.off] = .blue
            $0[.confirm] = .white
        }
        _ = bench.send(.start, 0)
        expectEqual(bench.snapshot().lamps, 0b100)
        _ = bench.setProgress(5, 100)
        expectEqual(bench.snapshot().lamps, 0b111)
        _ = bench.run(100 + 360)
        expectEqual(bench.snapshot().lamps, 0)
        _ = bench.setProgress(0, 500)
        expectEqual(bench.snapshot().lamps, 0b100)
    }

    /// Blue has no line on a lamp of two colours.
    @Test func twoLinesHaveNoBlue() {
        let bench = Self.bench(.twoColor) { $0[.on] = .cyan }
        _ = bench.send(.start, 0) + bench.intent(.on, 10)
        expectEqual(bench.snapshot().lamps, 0b10)
    }

    /// Colours move no change of a pattern: a lamp of several is lit when one of one would be.
    @Test func colorsMoveNoChange() {
        let plain = Bench.latched()
        let colored = Self.bench(.rgb) { $0[.failed] = .blue }
        for bench in [plain, colored] { _ = bench.send(.start, 0) + bench.intent(.on, 100) }
        for bench in [plain, colored] { _ = bench.finish(1, .failed(.exit(1)), 1_000) }
        for millisecond in 1_000..<9_000 {
            for bench in [plain, colored] { _ = bench.run(millisecond) }
            expectEqual((plain.snapshot().lamps == 0), (colored.snapshot().lamps == 0))
        }
    }

    @Test func aTestLightsLampsAndNothingElse() {
        let rig = LampRig(panel: LampRig.everything)
        rig.send(.start, at: .zero)
        rig.send(.edge(LineID(LampRig.testContact), .active, sequence: 0), 100)
        #expect(rig.lit.allSatisfy { $0 == .active })
        rig.send(.lampTest(isOn: true, by: .web.by(3)), 200)
        rig.send(.edge(LineID(LampRig.testContact), .inactive, sequence: 0), 300)
        #expect(rig.lit.allSatisfy { $0 == .active }, "a program tests still")
        rig.send(.lampTest(isOn: false), 400)
        expectEqual(rig.lit, [.inactive, .inactive, .inactive, .inactive, .active])
        expectEqual(
            rig.told,
            [
                "0 c0 flag unconfirmed", "0 c2 changed 10 by startup", "0 c2 indicator steady",
                "100 c1 pressed", "100 c1 indicator steady", "200 panel lamp test on by web",
                "300 c1 released", "300 c1 clicked", "300 c1 indicator off",
                "400 panel lamp test off by api",
            ])
    }

    @Test func whatDoesNotFitIsRefused() {
        func error(_ indicator: IndicatorSettings) -> EngineError? {
            PlanErrorTests.error(adding: ControlSettings(nature: .button, indicator: indicator))
        }
        func lamp(_ style: IndicatorSettings.Style, _ count: UInt16) -> IndicatorSettings {
            IndicatorSettings(style: style, lines: PlanRange(first: 2, count: count))
        }
        #expect(error(lamp(.twoColor, 2)) == nil && error(lamp(.rgb, 3)) == nil)
        for wrong in [lamp(.twoColor, 3), lamp(.twoColor, 0), lamp(.rgb, 2), lamp(.rgb, 4)] {
            expectEqual(error(wrong), .outOfRange)
        }
        for brightness in [0, 101, 255] as [UInt8] {
            var bad = lamp(.single, 1)
            bad.brightness = brightness
            expectEqual(error(bad), .outOfRange)
        }
    }

    @Test func thePanelsControlsMustFit() throws {
        let capacity = Capacity(lines: 0, controls: 2, actions: 0)
        let storage = UnsafeMutableRawBufferPointer.allocate(
            byteCount: Engine.byteCount(for: capacity), alignment: 16)
        defer { storage.deallocate() }
        var engine = Engine(capacity: capacity, storage: storage)
        _ = try engine.addControl(ControlSettings(nature: .button))
        _ = try engine.addControl(
            ControlSettings(nature: .dial(NumberRange(minimum: 0, maximum: 1))))
        try engine.setPanel(PanelSettings(dimmer: ControlID(1), lampTest: ControlID(0)))
        for wrong in [
            PanelSettings(dimmer: ControlID(0)), PanelSettings(dimmer: ControlID(2)),
            PanelSettings(lampTest: ControlID(1)), PanelSettings(lampTest: ControlID(2)),
        ] {
            #expect(throws: EngineError.noSuchControl) { try engine.setPanel(wrong) }
        }
    }
}
